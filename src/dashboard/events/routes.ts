import type { Route } from '../kit/route.ts'
import { eventList } from './list.ts'
import { eventPage } from './show.ts'

export const eventRoutes: readonly Route[] = [eventList, eventPage]
