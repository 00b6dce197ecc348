import { z } from 'zod'
import type { Order } from '../../registry/orders/order.ts'
import { type FulfillmentStatus, orderTransitions } from '../../registry/orders/order-states.ts'
import type { CustomerId } from '../../registry/values/vocabulary.ts'
import { toKobo } from '../commerce/money.ts'
import { paymentStatusOf } from '../commerce/orders/payment-status.ts'
import { refundableKobo } from '../commerce/refunds/refund-rules.ts'
import type { GeneratedOrder } from './generate-orders.ts'
import type { DemoItem } from './order-lines.ts'
import type { DemoOrder } from './order-rows.ts'

/** Returns a generated demo order as the API returns it. The event `order.created` contains this record. */
export function orderRecordOf({ order, items, shippingAddress }: GeneratedOrder, customerId: CustomerId | null): Order {
  const { customerName: name, customerEmail: email, customerPhone: phone } = order
  return {
    ...order,
    currency: 'NGN',
    paymentStatus: paymentStatusOf(order),
    fulfillmentStatus: fulfillmentStatusOf(order),
    // The receipt is issued when the orders of the batch are committed.
    receiptNumber: null,
    customer: { id: customerId, name, email, phone },
    items: items.map(itemRecordOf),
    refundableKobo: refundableKobo(order),
    balanceKobo: toKobo(order.totalKobo - order.paidKobo),
    discounts: [],
    shippingAddress,
    billingAddress: null,
    shipments: [],
    note: null,
    customerNote: null,
    exchangeOfReturnId: null,
    cancelNote: null,
    cancelReason: cancelReason.parse(order.cancelReason),
    allowedTransitions: [...orderTransitions[order.status]],
  }
}

/**
 * Schemas that parse order fields. In the types of the database rows, these fields are plain text and arbitrary JSON.
 */
const cancelReason = z.enum(['customer', 'payment_declined', 'expired', 'inventory']).nullable()
const optionValues = z.record(z.string(), z.string())

function itemRecordOf(item: DemoItem): Order['items'][number] {
  return { ...item, optionValues: optionValues.parse(item.optionValues), imageUrl: null }
}

/** All items of a demo order have the same fulfilment status. */
function fulfillmentStatusOf(order: DemoOrder): FulfillmentStatus {
  if (order.fulfilledQuantity === 0) return 'unfulfilled'
  return order.returnedQuantity > 0 ? 'returned' : 'fulfilled'
}
