import type { Route } from '../kit/route.ts'
import { requestList } from './list.ts'
import { recordBodiesAction } from './record-bodies.ts'
import { requestPage } from './show.ts'

export const requestRoutes: readonly Route[] = [requestList, recordBodiesAction, requestPage]
