import type { Order } from '../../../registry/orders/order.ts'
import type { Work } from '../../store/core/mutation.ts'
import { issueReceipt } from '../../store/orders/receipts.ts'

/**
 * Returns the record of an order with the number of its receipt, which is issued if the order has just become paid.
 * Must be called after all locks of the mutation were taken.
 */
export async function withReceipt(work: Pick<Work, 'trx' | 'merchantId'>, order: Order): Promise<Order> {
  if (order.paidAt === null || order.receiptNumber !== null) return order
  const { trx, merchantId } = work
  return { ...order, receiptNumber: await issueReceipt(trx, { merchantId, orderId: order.id }) }
}
