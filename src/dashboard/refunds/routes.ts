import type { Route } from '../kit/route.ts'
import { bankDetailsPage, setBankDetailsAction } from './bank-details.ts'
import { cancelRefundAction } from './cancel.ts'
import { refundList } from './list.ts'
import { refundPage } from './show.ts'

export const refundRoutes: readonly Route[] = [
  refundList,
  refundPage,
  bankDetailsPage,
  setBankDetailsAction,
  cancelRefundAction,
]
