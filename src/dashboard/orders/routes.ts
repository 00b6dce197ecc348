import type { Route } from '../kit/route.ts'
import { cancelOrderAction, cancelOrderPage } from './cancel.ts'
import { commentAction } from './comment.ts'
import { editOrderAction, editOrderPage } from './editor/edit.ts'
import { newOrderAction, newOrderPage } from './editor/new.ts'
import { orderList } from './list.ts'
import { paymentPage, recordPaymentAction } from './payment.ts'
import { createPaymentLinkAction, paymentLinkPage } from './payment-link.ts'
import { createRefundAction, refundFormPage } from './refund.ts'
import { orderPage } from './show.ts'
import { transitionAction, transitionPage } from './transition.ts'
import { voidPaymentAction, voidPaymentPage } from './void-payment.ts'

/**
 * The router uses the first route that matches. The path of the page of an order contains an id, so it also matches the
 * path of the form for a new order. The routes of the new order therefore precede the route of the order's page.
 */
export const orderRoutes: readonly Route[] = [
  orderList,
  newOrderPage,
  newOrderAction,
  orderPage,
  commentAction,
  editOrderPage,
  editOrderAction,
  transitionPage,
  transitionAction,
  cancelOrderPage,
  cancelOrderAction,
  paymentPage,
  recordPaymentAction,
  paymentLinkPage,
  createPaymentLinkAction,
  voidPaymentPage,
  voidPaymentAction,
  refundFormPage,
  createRefundAction,
]
