import type { Route } from '../kit/route.ts'
import { todayPage } from './show.ts'

export const todayRoutes: readonly Route[] = [todayPage]
