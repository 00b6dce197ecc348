import { sql } from 'kysely'
import type { Order } from '../../../registry/orders/order.ts'
import { allowedTransitionsOf, fulfillmentStatusOf } from '../../../registry/orders/order-states.ts'
import type { MerchantId, OrderId } from '../../../registry/values/vocabulary.ts'
import type { ReadDb } from '../core/database.ts'
import { asRecord, jsonArrayFrom } from '../core/json.ts'
import { build, shortReading } from '../core/statement.ts'
import { withheldOfOrder } from './payments.ts'

const find = shortReading<{ merchantId: MerchantId; id: OrderId }>()('find_order', (p) =>
  build
    .selectFrom('orders')
    .where('merchantId', '=', p.merchantId)
    .where('id', '=', p.id)
    .selectAll('orders')
    .select((order) => [
      withheldOfOrder.as('withheldKobo'),
      jsonArrayFrom(
        order
          .selectFrom('order_items')
          .whereRef('order_items.merchantId', '=', 'orders.merchantId')
          .whereRef('order_items.orderId', '=', 'orders.id')
          .orderBy('position')
          .select([
            'id',
            'productId',
            'variantId',
            'sku',
            'title',
            'variantTitle',
            sql<Record<string, string>>`option_values`.as('optionValues'),
            'imageUrl',
            'quantity',
            'fulfilledQuantity',
            'returnedQuantity',
            'cancelledQuantity',
            'refundedQuantity',
            'unitPriceKobo',
            'compareAtPriceKobo',
            'subtotalKobo',
            'discountKobo',
            'taxRateBps',
            'taxKobo',
            'totalKobo',
          ]),
      ).as('items'),
      jsonArrayFrom(
        order
          .selectFrom('order_discounts')
          .whereRef('order_discounts.merchantId', '=', 'orders.merchantId')
          .whereRef('order_discounts.orderId', '=', 'orders.id')
          .orderBy('position')
          .select(['discountId', 'code', 'type', 'amountKobo', 'allocations']),
      ).as('discounts'),
      jsonArrayFrom(
        order
          .selectFrom('shipments')
          .whereRef('shipments.merchantId', '=', 'orders.merchantId')
          .whereRef('shipments.orderId', '=', 'orders.id')
          // Oldest first.
          .orderBy('shipments.id')
          .select(['shipments.id', 'shipments.status', 'shipments.items', 'shipments.trackingUrl']),
      ).as('shipments'),
    ]),
)

/** Returns an order with its items, discounts and shipments, read in one statement. */
export async function findOrder(db: ReadDb, merchantId: MerchantId, id: OrderId): Promise<Order | undefined> {
  const [row] = await db.read(find, { merchantId, id })
  if (row === undefined) return undefined
  const refundableKobo = row.paidKobo - row.refundedKobo - row.refundPendingKobo - row.withheldKobo
  return asRecord<Order>({
    id: row.id,
    number: row.number,
    status: row.status,
    totalKobo: row.totalKobo,
    currency: 'NGN',
    createdAt: row.createdAt,
    version: row.version,
    paymentStatus: row.paymentStatus,
    fulfillmentStatus: fulfillmentStatusOf({
      status: row.status,
      itemQuantity: row.itemQuantity,
      fulfilledQuantity: row.fulfilledQuantity,
      returnedQuantity: row.returnedQuantity,
    }),
    paymentMethod: row.paymentMethod,
    customer: {
      id: row.customerId,
      name: row.customerName,
      email: row.customerEmail,
      phone: row.customerPhone,
    },
    items: row.items,
    subtotalKobo: row.subtotalKobo,
    discountKobo: row.discountKobo,
    shippingKobo: row.shippingKobo,
    taxKobo: row.taxKobo,
    taxInclusive: row.taxInclusive,
    taxRateBps: row.taxRateBps,
    paidKobo: row.paidKobo,
    refundedKobo: row.refundedKobo,
    refundPendingKobo: row.refundPendingKobo,
    refundableKobo,
    balanceKobo: row.totalKobo - row.paidKobo,
    discounts: row.discounts,
    shippingAddress: row.shippingAddress,
    billingAddress: row.billingAddress,
    shipments: row.shipments,
    note: row.note,
    customerNote: row.customerNote,
    tags: row.tags,
    externalReference: row.externalReference,
    expiresAt: row.expiresAt,
    cancelReason: row.cancelReason,
    cancelNote: row.cancelNote,
    source: row.source,
    allowedTransitions: allowedTransitionsOf({
      status: row.status,
      heldFrom: row.heldFrom,
      itemQuantity: row.itemQuantity,
      fulfilledQuantity: row.fulfilledQuantity,
      returnedQuantity: row.returnedQuantity,
    }),
    confirmedAt: row.confirmedAt,
    paidAt: row.paidAt,
    shippedAt: row.shippedAt,
    deliveredAt: row.deliveredAt,
    cancelledAt: row.cancelledAt,
    returnedAt: row.returnedAt,
    updatedAt: row.updatedAt,
    metadata: row.metadata,
  })
}
