import type { Route } from '../kit/route.ts'
import { adjustAction, adjustPage } from './adjust.ts'
import { stockList } from './list.ts'
import { variantPage } from './show.ts'

export const stockRoutes: readonly Route[] = [stockList, variantPage, adjustPage, adjustAction]
