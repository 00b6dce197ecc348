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
  const money = { totalKobo: order.totalKobo, paidKobo: order.paidKobo, refundedKobo: order.refundedKobo }
  const refunds = { ...money, refundPendingKobo: order.refundPendingKobo }
  return {
    id: order.id,
    number: order.number,
    status: order.status,
    totalKobo: order.totalKobo,
    currency: 'NGN',
    createdAt: order.createdAt,
    version: order.version,
    paymentStatus: paymentStatusOf(money),
    fulfillmentStatus: fulfillmentStatusOf(order),
    paymentMethod: order.paymentMethod,
    customer: {
      id: customerId,
      name: order.customerName,
      email: order.customerEmail,
      phone: order.customerPhone,
    },
    items: items.map(itemRecordOf),
    subtotalKobo: order.subtotalKobo,
    discountKobo: order.discountKobo,
    shippingKobo: order.shippingKobo,
    taxKobo: order.taxKobo,
    taxInclusive: order.taxInclusive,
    taxRateBps: order.taxRateBps,
    paidKobo: order.paidKobo,
    refundedKobo: order.refundedKobo,
    refundPendingKobo: order.refundPendingKobo,
    refundableKobo: refundableKobo(refunds),
    balanceKobo: toKobo(order.totalKobo - order.paidKobo),
    discounts: [],
    shippingAddress,
    billingAddress: null,
    shipments: [],
    note: null,
    customerNote: null,
    tags: order.tags,
    externalReference: order.externalReference,
    expiresAt: order.expiresAt,
    cancelNote: null,
    cancelReason: cancelReason.parse(order.cancelReason),
    source: order.source,
    allowedTransitions: [...orderTransitions[order.status]],
    confirmedAt: order.confirmedAt,
    paidAt: order.paidAt,
    shippedAt: order.shippedAt,
    deliveredAt: order.deliveredAt,
    cancelledAt: order.cancelledAt,
    returnedAt: order.returnedAt,
    updatedAt: order.updatedAt,
    metadata: {},
  }
}

/** The database rows type these order fields as plain text and arbitrary JSON, so the fields are parsed. */
const cancelReason = z.enum(['customer', 'payment_declined', 'expired', 'inventory']).nullable()
const optionValues = z.record(z.string(), z.string())

function itemRecordOf(item: DemoItem): Order['items'][number] {
  return {
    id: item.id,
    productId: item.productId,
    variantId: item.variantId,
    sku: item.sku,
    title: item.title,
    variantTitle: item.variantTitle,
    optionValues: optionValues.parse(item.optionValues),
    imageUrl: null,
    quantity: item.quantity,
    fulfilledQuantity: item.fulfilledQuantity,
    returnedQuantity: item.returnedQuantity,
    cancelledQuantity: item.cancelledQuantity,
    refundedQuantity: item.refundedQuantity,
    unitPriceKobo: item.unitPriceKobo,
    compareAtPriceKobo: item.compareAtPriceKobo === null ? null : toKobo(item.compareAtPriceKobo),
    subtotalKobo: item.subtotalKobo,
    discountKobo: toKobo(item.discountKobo),
    taxRateBps: item.taxRateBps,
    taxKobo: toKobo(item.taxKobo),
    totalKobo: item.totalKobo,
  }
}

/** All items of a demo order share one status. */
function fulfillmentStatusOf(order: DemoOrder): FulfillmentStatus {
  if (order.fulfilledQuantity === 0) return 'unfulfilled'
  return order.returnedQuantity > 0 ? 'returned' : 'fulfilled'
}
