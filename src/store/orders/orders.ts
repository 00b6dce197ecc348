import { sql } from 'kysely'
import type { Order } from '../../../registry/orders/order.ts'
import { allowedTransitionsOf, fulfillmentStatusOf } from '../../../registry/orders/order-states.ts'
import type { MerchantId, OrderId } from '../../../registry/values/vocabulary.ts'
import type { ReadDb } from '../core/database.ts'
import { asRecord, jsonArrayFrom } from '../core/json.ts'
import { build, shortReading } from '../core/statement.ts'
import { withheldOfOrder } from './payments.ts'

/** The columns of an item, which are its fields in the API. */
export const itemColumns = [
  'order_items.id',
  'productId',
  'variantId',
  'sku',
  'title',
  'variantTitle',
  sql<Record<string, string>>`option_values`.as('optionValues'),
  'imageUrl',
  'quantity',
  'order_items.fulfilledQuantity',
  'order_items.returnedQuantity',
  'cancelledQuantity',
  'refundedQuantity',
  'unitPriceKobo',
  'compareAtPriceKobo',
  'order_items.subtotalKobo',
  'order_items.discountKobo',
  'order_items.taxRateBps',
  'order_items.taxKobo',
  'order_items.totalKobo',
] as const

/** Returns the query that selects the orders of a merchant with their items, discounts and shipments. */
export const fieldsOf = (merchantId: MerchantId) =>
  build
    .selectFrom('orders')
    .where('orders.merchantId', '=', merchantId)
    .selectAll('orders')
    .select((order) => [
      withheldOfOrder(merchantId).as('withheldKobo'),
      order
        .selectFrom('receipts')
        .where('receipts.merchantId', '=', merchantId)
        .whereRef('receipts.orderId', '=', 'orders.id')
        .select('receipts.number')
        .as('receiptNumber'),
      jsonArrayFrom(
        order
          .selectFrom('order_items')
          .where('order_items.merchantId', '=', merchantId)
          .whereRef('order_items.orderId', '=', 'orders.id')
          .orderBy('position')
          .select(itemColumns),
      ).as('items'),
      jsonArrayFrom(
        order
          .selectFrom('order_discounts')
          .where('order_discounts.merchantId', '=', merchantId)
          .whereRef('order_discounts.orderId', '=', 'orders.id')
          .orderBy('position')
          .select(['discountId', 'code', 'type', 'amountKobo', 'allocations']),
      ).as('discounts'),
      jsonArrayFrom(
        order
          .selectFrom('shipments')
          .where('shipments.merchantId', '=', merchantId)
          .whereRef('shipments.orderId', '=', 'orders.id')
          // Shipment ids sort by creation time, so the oldest shipment is first.
          .orderBy('shipments.id')
          .select(['shipments.id', 'shipments.status', 'shipments.items', 'shipments.trackingUrl']),
      ).as('shipments'),
    ])

const find = shortReading<{ merchantId: MerchantId; id: OrderId }>()('find_order', (p) =>
  fieldsOf(p.merchantId).where('orders.id', '=', p.id),
)

export async function findOrder(db: ReadDb, merchantId: MerchantId, id: OrderId): Promise<Order | undefined> {
  const [row] = await db.read(find, { merchantId, id })
  return row && toOrder(row)
}

type OrderRow = NonNullable<(typeof find)['row']>

export function toOrder(row: OrderRow): Order {
  const { status, itemQuantity, fulfilledQuantity, returnedQuantity } = row
  const units = { status, itemQuantity, fulfilledQuantity, returnedQuantity }
  // The record also contains the columns that only the service uses. The serializer of a response omits them.
  return asRecord<Order>({
    ...row,
    currency: 'NGN',
    fulfillmentStatus: fulfillmentStatusOf(units),
    customer: { id: row.customerId, name: row.customerName, email: row.customerEmail, phone: row.customerPhone },
    refundableKobo: row.paidKobo - row.refundedKobo - row.refundPendingKobo - row.withheldKobo,
    balanceKobo: row.totalKobo - row.paidKobo,
    allowedTransitions: allowedTransitionsOf({ ...units, heldFrom: row.heldFrom }),
  })
}
