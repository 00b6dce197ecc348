import type { Route } from '../kit/route.ts'
import { discountList } from './list.ts'
import { discountPage } from './show.ts'

export const discountRoutes: readonly Route[] = [discountList, discountPage]
