import type { Route } from '../kit/route.ts'
import { importListPage, uploadAction } from './list.ts'
import { importPage, startAction } from './show.ts'

export const importRoutes: readonly Route[] = [importListPage, uploadAction, importPage, startAction]
