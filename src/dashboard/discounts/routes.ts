import type { Route } from '../kit/route.ts'
import { createDiscountAction, newDiscountPage } from './create.ts'
import { editDiscountAction, editDiscountPage, editUsedDiscountAction } from './edit.ts'
import { archiveDiscountAction, archiveDiscountPage, endDiscountAction, endDiscountPage } from './end.ts'
import { discountList } from './list.ts'
import { discountPage } from './show.ts'

export const discountRoutes: readonly Route[] = [
  discountList,
  newDiscountPage,
  createDiscountAction,
  discountPage,
  editDiscountPage,
  editDiscountAction,
  editUsedDiscountAction,
  endDiscountPage,
  endDiscountAction,
  archiveDiscountPage,
  archiveDiscountAction,
]
