import { z } from 'zod'
import type { Order } from '../../registry/orders/order.ts'
import { type FulfillmentStatus, orderTransitions } from '../../registry/orders/order-states.ts'
import type { CustomerId } from '../../registry/values/vocabulary.ts'
import { toKobo } from '../commerce/money.ts'
import { paymentStatusOf } from '../commerce/orders/payment-status.ts'
import { refundableKobo } from '../commerce/refunds/refund-rules.ts'
import type { SeedItem, SeedOrder } from '../store/seed/seed.ts'
import type { GeneratedOrder } from './generate-orders.ts'

/** Returns a generated demo order as the API returns it. The event `order.created` contains this record. */
export function orderRecordOf({ order, items, shippingAddress }: GeneratedOrder, customerId: CustomerId | null): Order {
  const money = { totalKobo: order.total_kobo, paidKobo: order.paid_kobo, refundedKobo: order.refunded_kobo }
  const refunds = { ...money, refundPendingKobo: order.refund_pending_kobo }
  return {
    id: order.id,
    number: order.number,
    status: order.status,
    totalKobo: order.total_kobo,
    currency: 'NGN',
    createdAt: order.created_at,
    version: order.version,
    paymentStatus: paymentStatusOf(money),
    fulfillmentStatus: fulfillmentStatusOf(order),
    paymentMethod: order.payment_method,
    customer: {
      id: customerId,
      name: order.customer_name,
      email: order.customer_email,
      phone: order.customer_phone,
    },
    items: items.map(itemRecordOf),
    subtotalKobo: order.subtotal_kobo,
    discountKobo: order.discount_kobo,
    shippingKobo: order.shipping_kobo,
    taxKobo: order.tax_kobo,
    taxInclusive: order.tax_inclusive,
    taxRateBps: order.tax_rate_bps,
    paidKobo: order.paid_kobo,
    refundedKobo: order.refunded_kobo,
    refundPendingKobo: order.refund_pending_kobo,
    refundableKobo: refundableKobo(refunds),
    balanceKobo: toKobo(order.total_kobo - order.paid_kobo),
    discounts: [],
    shippingAddress,
    billingAddress: null,
    shipments: [],
    note: null,
    customerNote: null,
    tags: order.tags,
    externalReference: order.external_reference,
    expiresAt: order.expires_at,
    cancelNote: null,
    cancelReason: cancelReason.parse(order.cancel_reason),
    source: order.source,
    allowedTransitions: [...orderTransitions[order.status]],
    confirmedAt: order.confirmed_at,
    paidAt: order.paid_at,
    shippedAt: order.shipped_at,
    deliveredAt: order.delivered_at,
    cancelledAt: order.cancelled_at,
    returnedAt: order.returned_at,
    updatedAt: order.updated_at,
    metadata: {},
  }
}

/** The database rows type these order fields as plain text and arbitrary JSON, so the fields are parsed. */
const cancelReason = z.enum(['customer', 'payment_declined', 'expired', 'inventory']).nullable()
const optionValues = z.record(z.string(), z.string())

function itemRecordOf(item: SeedItem): Order['items'][number] {
  return {
    id: item.id,
    productId: item.product_id,
    variantId: item.variant_id,
    sku: item.sku,
    title: item.title,
    variantTitle: item.variant_title,
    optionValues: optionValues.parse(item.option_values),
    imageUrl: null,
    quantity: item.quantity,
    fulfilledQuantity: item.fulfilled_quantity,
    returnedQuantity: item.returned_quantity,
    cancelledQuantity: item.cancelled_quantity,
    refundedQuantity: item.refunded_quantity,
    unitPriceKobo: item.unit_price_kobo,
    compareAtPriceKobo: item.compare_at_price_kobo === null ? null : toKobo(item.compare_at_price_kobo),
    subtotalKobo: item.subtotal_kobo,
    discountKobo: toKobo(item.discount_kobo),
    taxRateBps: item.tax_rate_bps,
    taxKobo: toKobo(item.tax_kobo),
    totalKobo: item.total_kobo,
  }
}

/** All items of a demo order share one status. */
function fulfillmentStatusOf(order: SeedOrder): FulfillmentStatus {
  if (order.fulfilled_quantity === 0) return 'unfulfilled'
  return order.returned_quantity > 0 ? 'returned' : 'fulfilled'
}
