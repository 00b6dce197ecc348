import { sql } from 'kysely'
import type { Order } from '../../../registry/orders/order.ts'
import type { OrderStatus } from '../../../registry/orders/order-states.ts'
import type { Kobo, MerchantId, OrderId, OrderItemId, Timestamp } from '../../../registry/values/vocabulary.ts'
import type { ReadDb, WriteTrx } from '../core/database.ts'
import { insertingRows, updatingRows } from '../core/rows.ts'
import { build, reading, writing } from '../core/statement.ts'

/** Writes the items and the amounts of an edited order. Requires the lock of the order. */

interface OrderKey {
  readonly merchantId: MerchantId
  readonly orderId: OrderId
}

const listReferenced = reading<OrderKey>()('list_referenced_item_ids', (p) =>
  build
    .selectFrom('refunds')
    .innerJoin('refund_items', (join) =>
      join
        .onRef('refund_items.merchantId', '=', 'refunds.merchantId')
        .onRef('refund_items.refundId', '=', 'refunds.id'),
    )
    .where('refunds.merchantId', '=', p.merchantId)
    .where('refunds.orderId', '=', p.orderId)
    .select('refund_items.itemId')
    .union(
      build
        .selectFrom('return_items')
        .where('merchantId', '=', p.merchantId)
        .where('orderId', '=', p.orderId)
        .select('itemId'),
    ),
)

/**
 * Returns the ids of the order items that any refund or return of the order contains, including failed refunds and
 * closed returns.
 */
export async function listReferencedItemIds(db: ReadDb, order: OrderKey): Promise<readonly OrderItemId[]> {
  return (await db.read(listReferenced, order)).map(({ itemId }) => itemId)
}

const removeItems = writing<OrderKey & { ids: readonly OrderItemId[] }>()('remove_order_items', (p) =>
  build
    .deleteFrom('order_items')
    .where('merchantId', '=', p.merchantId)
    .where('orderId', '=', p.orderId)
    .where(sql<boolean>`id = any(${p.ids}::text[])`),
)

const insertItems = insertingRows('order_items')

const updateItems = updatingRows(
  'order_items',
  ['merchantId', 'orderId', 'id'],
  ['position', 'quantity', 'unitPriceKobo', 'subtotalKobo', 'discountKobo', 'taxRateBps', 'taxKobo', 'totalKobo'],
)

interface Amounts
  extends Pick<Order, 'id' | 'totalKobo' | 'subtotalKobo' | 'discountKobo' | 'shippingKobo' | 'taxKobo'> {
  readonly merchantId: MerchantId
  readonly itemQuantity: number
  readonly heldFrom: OrderStatus | null
  readonly paidAt: Timestamp | null
  readonly expiresAt: Timestamp | null
}

const writeAmounts = writing<Amounts>()('write_order_amounts', (p) =>
  build
    .updateTable('orders')
    .set({
      totalKobo: sql<Kobo>`${p.totalKobo}::bigint`,
      subtotalKobo: sql<Kobo>`${p.subtotalKobo}::bigint`,
      discountKobo: sql<Kobo>`${p.discountKobo}::bigint`,
      shippingKobo: sql<Kobo>`${p.shippingKobo}::bigint`,
      taxKobo: sql<Kobo>`${p.taxKobo}::bigint`,
      itemQuantity: p.itemQuantity,
      heldFrom: p.heldFrom,
      paidAt: p.paidAt,
      expiresAt: p.expiresAt,
    })
    .where('merchantId', '=', p.merchantId)
    .where('id', '=', p.id),
)

interface EditedContent extends Pick<Amounts, 'merchantId' | 'itemQuantity' | 'heldFrom'> {
  readonly before: Order
  readonly order: Order
}

/** An item that the edit removed from the order is deleted. */
export function writeOrderContent(trx: WriteTrx, { before, order, ...rest }: EditedContent): void {
  const { merchantId } = rest
  const { id: orderId, items, totalKobo, subtotalKobo, discountKobo, shippingKobo, taxKobo, paidAt, expiresAt } = order
  const isIn = (list: Order['items'], id: OrderItemId) => list.some((item) => item.id === id)
  const removed = before.items.filter(({ id }) => !isIn(items, id)).map(({ id }) => id)
  if (removed.length > 0) trx.queue(removeItems, { merchantId, orderId, ids: removed })
  const rows = items.map((item, position) => ({ ...item, merchantId, orderId, position }))
  updateItems.update(
    trx,
    rows.filter(({ id }) => isIn(before.items, id)),
  )
  insertItems.insert(
    trx,
    rows.filter(({ id }) => !isIn(before.items, id)),
  )
  const amounts = { totalKobo, subtotalKobo, discountKobo, shippingKobo, taxKobo }
  trx.queue(writeAmounts, { ...rest, ...amounts, id: orderId, paidAt, expiresAt })
}
