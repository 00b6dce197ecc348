import { sql } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import type { Order } from '../../../registry/orders/order.ts'
import { allowedTransitionsOf, fulfillmentStatusOf } from '../../../registry/orders/order-states.ts'
import type { MerchantId, OrderId } from '../../../registry/values/vocabulary.ts'
import type { ReadDb } from '../core/database.ts'
import { asRecord } from '../core/json.ts'
import { build, reading } from '../core/statement.ts'
import { withheldOfOrder } from './payments.ts'

const find = reading<{ merchantId: MerchantId; id: OrderId }>()('find_order', (p) =>
  build
    .selectFrom('orders')
    .where('merchant_id', '=', p.merchantId)
    .where('id', '=', p.id)
    .selectAll('orders')
    .select((order) => [
      withheldOfOrder.as('withheldKobo'),
      jsonArrayFrom(
        order
          .selectFrom('order_items')
          .whereRef('order_items.merchant_id', '=', 'orders.merchant_id')
          .whereRef('order_items.order_id', '=', 'orders.id')
          .orderBy('position')
          .select([
            'id',
            'product_id as productId',
            'variant_id as variantId',
            'sku',
            'title',
            'variant_title as variantTitle',
            sql<Record<string, string>>`option_values`.as('optionValues'),
            'image_url as imageUrl',
            'quantity',
            'fulfilled_quantity as fulfilledQuantity',
            'returned_quantity as returnedQuantity',
            'cancelled_quantity as cancelledQuantity',
            'refunded_quantity as refundedQuantity',
            'unit_price_kobo as unitPriceKobo',
            'compare_at_price_kobo as compareAtPriceKobo',
            'subtotal_kobo as subtotalKobo',
            'discount_kobo as discountKobo',
            'tax_rate_bps as taxRateBps',
            'tax_kobo as taxKobo',
            'total_kobo as totalKobo',
          ]),
      ).as('items'),
      jsonArrayFrom(
        order
          .selectFrom('order_discounts')
          .whereRef('order_discounts.merchant_id', '=', 'orders.merchant_id')
          .whereRef('order_discounts.order_id', '=', 'orders.id')
          .orderBy('position')
          .select(['discount_id as discountId', 'code', 'type', 'amount_kobo as amountKobo', 'allocations']),
      ).as('discounts'),
      jsonArrayFrom(
        order
          .selectFrom('shipments')
          .whereRef('shipments.merchant_id', '=', 'orders.merchant_id')
          .whereRef('shipments.order_id', '=', 'orders.id')
          // Oldest first.
          .orderBy('shipments.id')
          .select(['shipments.id', 'shipments.status', 'shipments.items', 'shipments.tracking_url as trackingUrl']),
      ).as('shipments'),
    ]),
)

/** Returns an order with its items, discounts and shipments, read in one statement. */
export async function findOrder(db: ReadDb, merchantId: MerchantId, id: OrderId): Promise<Order | undefined> {
  const [row] = await db.read(find, { merchantId, id })
  if (row === undefined) return undefined
  const refundableKobo = row.paid_kobo - row.refunded_kobo - row.refund_pending_kobo - row.withheldKobo
  return asRecord<Order>({
    id: row.id,
    number: row.number,
    status: row.status,
    totalKobo: row.total_kobo,
    currency: 'NGN',
    createdAt: row.created_at,
    version: row.version,
    paymentStatus: row.payment_status,
    fulfillmentStatus: fulfillmentStatusOf({
      status: row.status,
      itemQuantity: row.item_quantity,
      fulfilledQuantity: row.fulfilled_quantity,
      returnedQuantity: row.returned_quantity,
    }),
    paymentMethod: row.payment_method,
    customer: {
      id: row.customer_id,
      name: row.customer_name,
      email: row.customer_email,
      phone: row.customer_phone,
    },
    items: row.items,
    subtotalKobo: row.subtotal_kobo,
    discountKobo: row.discount_kobo,
    shippingKobo: row.shipping_kobo,
    taxKobo: row.tax_kobo,
    taxInclusive: row.tax_inclusive,
    taxRateBps: row.tax_rate_bps,
    paidKobo: row.paid_kobo,
    refundedKobo: row.refunded_kobo,
    refundPendingKobo: row.refund_pending_kobo,
    refundableKobo,
    balanceKobo: row.total_kobo - row.paid_kobo,
    discounts: row.discounts,
    shippingAddress: row.shipping_address,
    billingAddress: row.billing_address,
    shipments: row.shipments,
    note: row.note,
    customerNote: row.customer_note,
    tags: row.tags,
    externalReference: row.external_reference,
    expiresAt: row.expires_at,
    cancelReason: row.cancel_reason,
    cancelNote: row.cancel_note,
    source: row.source,
    allowedTransitions: allowedTransitionsOf({
      status: row.status,
      heldFrom: row.held_from,
      itemQuantity: row.item_quantity,
      fulfilledQuantity: row.fulfilled_quantity,
      returnedQuantity: row.returned_quantity,
    }),
    confirmedAt: row.confirmed_at,
    paidAt: row.paid_at,
    shippedAt: row.shipped_at,
    deliveredAt: row.delivered_at,
    cancelledAt: row.cancelled_at,
    returnedAt: row.returned_at,
    updatedAt: row.updated_at,
    metadata: row.metadata,
  })
}
