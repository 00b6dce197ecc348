import { findReceiptNumber } from '../store/orders/receipts.ts'
import { implement } from './execute/implement.ts'

export const getBuyerLinks = implement('getBuyerLinks', async ({ db, caller, params, buyerLinks, refuse }) => {
  const { id: orderId } = params
  const order = await findReceiptNumber(db, { merchantId: caller.merchantId, orderId })
  if (order === undefined) return refuse('order_not_found', `No order has the id ${orderId}.`)
  return { orderId, ...buyerLinks({ orderId, receiptNumber: order.receiptNumber }) }
})
