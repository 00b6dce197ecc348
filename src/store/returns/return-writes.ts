import { sql } from 'kysely'
import { type ReturnStatus, returnsUnderWay } from '../../../registry/returns/return-states.ts'
import type { MerchantId, OrderId, ReturnId, Timestamp } from '../../../registry/values/vocabulary.ts'
import { listing, queueing } from '../core/calls.ts'
import type { WriteTrx } from '../core/database.ts'
import { insertingRows, type RowOf, updatingRows } from '../core/rows.ts'
import { build } from '../core/statement.ts'

const insertReturns = insertingRows('returns')
const insertItems = insertingRows('return_items')

export function insertReturn(
  trx: WriteTrx,
  row: RowOf<typeof insertReturns>,
  items: readonly RowOf<typeof insertItems>[],
): void {
  insertReturns.insert(trx, [row])
  insertItems.insert(trx, items)
}

interface MovedReturn {
  readonly merchantId: MerchantId
  readonly id: ReturnId
  readonly status: ReturnStatus
  readonly receivedAt: Timestamp | null
  readonly endedAt: Timestamp | null
  readonly now: Timestamp
}

/** Requires the order's lock. */
export const moveReturn = queueing<MovedReturn>()('move_return', (p) =>
  build
    .updateTable('returns')
    .set({
      status: p.status,
      receivedAt: p.receivedAt,
      endedAt: p.endedAt,
      version: sql<number>`version + 1`,
      updatedAt: p.now,
    })
    .where('merchantId', '=', p.merchantId)
    .where('id', '=', p.id),
)

interface ChangedReturn {
  readonly merchantId: MerchantId
  readonly id: ReturnId
  readonly now: Timestamp
}

/** Increments the version of a return after a change of its refunds or its shipments. Requires the order's lock. */
export const touchReturn = queueing<ChangedReturn>()('touch_return', (p) =>
  build
    .updateTable('returns')
    .set({ version: sql<number>`version + 1`, updatedAt: p.now })
    .where('merchantId', '=', p.merchantId)
    .where('id', '=', p.id),
)

export const receivedItems = updatingRows(
  'return_items',
  ['merchantId', 'returnId', 'itemId'],
  ['restockedQuantity', 'writtenOffQuantity'],
)

/**
 * Returns the number of units in the returns under way of an order, by order item. Requires the order's lock, because a
 * return of the order is created only under this lock.
 */
export const listUnitsUnderReturn = listing<{ merchantId: MerchantId; orderId: OrderId }>()(
  'list_units_under_return',
  (p) =>
    build
      .selectFrom('returns')
      .innerJoin('return_items', (join) =>
        join
          .onRef('return_items.merchantId', '=', 'returns.merchantId')
          .onRef('return_items.returnId', '=', 'returns.id'),
      )
      .where('returns.merchantId', '=', p.merchantId)
      .where('returns.orderId', '=', p.orderId)
      .where('returns.status', 'in', returnsUnderWay)
      .select(['return_items.itemId', sql<number>`sum(return_items.quantity)::int`.as('quantity')])
      .groupBy('return_items.itemId'),
)
