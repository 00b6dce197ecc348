import { sql } from 'kysely'
import type { Return } from '../../../registry/returns/return.ts'
import { allowedTransitionsOf, type ReturnReason, type ReturnStatus } from '../../../registry/returns/return-states.ts'
import type { Kobo, MerchantId, OrderId, ReturnId } from '../../../registry/values/vocabulary.ts'
import { finding } from '../core/calls.ts'
import type { LockTrx, ReadDb } from '../core/database.ts'
import { jsonArrayFrom } from '../core/json.ts'
import {
  type CreatedRange,
  createdWithin,
  ifGiven,
  onPage,
  type PageArgs,
  type PageRequest,
  pageArgs,
} from '../core/page.ts'
import { build, reading } from '../core/statement.ts'
import { lockOrder } from '../orders/order-writes.ts'

interface ReturnKey {
  readonly merchantId: MerchantId
  readonly id: ReturnId
}

const fieldsOf = (merchantId: MerchantId) =>
  build
    .selectFrom('returns')
    .innerJoin('orders', (join) =>
      join.onRef('orders.merchantId', '=', 'returns.merchantId').onRef('orders.id', '=', 'returns.orderId'),
    )
    .where('returns.merchantId', '=', merchantId)
    .select([
      'returns.id',
      'returns.orderId',
      'orders.number as orderNumber',
      'returns.status',
      'returns.reason',
      'returns.note',
      'returns.version',
      'returns.createdAt',
      'returns.updatedAt',
      'returns.receivedAt',
      'returns.endedAt',
    ])
    .select((of) =>
      jsonArrayFrom(
        of
          .selectFrom('return_items')
          .where('return_items.merchantId', '=', merchantId)
          .whereRef('return_items.returnId', '=', 'returns.id')
          .orderBy('itemId')
          .select([
            'itemId',
            'quantity',
            'restockedQuantity',
            'writtenOffQuantity',
            sql<number>`(
              select coalesce(sum(item.quantity), 0)
              from refunds
              join refund_items item on item.merchant_id = refunds.merchant_id and item.refund_id = refunds.id
              where refunds.merchant_id = ${merchantId}
                and refunds.return_id = return_items.return_id
                and refunds.status not in ('failed', 'cancelled')
                and item.item_id = return_items.item_id
            )`.as('refundedQuantity'),
          ]),
      ).as('items'),
    )
    .select(
      sql<Kobo>`(
        select coalesce(sum(amount_kobo), 0)::bigint
        from refunds
        where refunds.merchant_id = ${merchantId}
          and refunds.return_id = returns.id
          and refunds.status not in ('failed', 'cancelled')
      )`.as('refundedKobo'),
    )
    .select((of) =>
      of
        .selectFrom('orders as exchange')
        .where('exchange.merchantId', '=', merchantId)
        .whereRef('exchange.exchangeOfReturnId', '=', 'returns.id')
        .select('exchange.id')
        .as('exchangeOrderId'),
    )
    .select((of) =>
      jsonArrayFrom(
        of
          .selectFrom('shipments')
          .where('shipments.merchantId', '=', merchantId)
          .whereRef('shipments.returnId', '=', 'returns.id')
          .orderBy('shipments.id')
          .select(['shipments.id', 'shipments.status']),
      ).as('shipments'),
    )

type StoredReturn = Omit<Return, 'allowedTransitions'>

export function withTransitions(stored: StoredReturn): Return {
  return { ...stored, allowedTransitions: allowedTransitionsOf(stored.status, stored.shipments) }
}

const find = reading<ReturnKey>()('find_return', (p) => fieldsOf(p.merchantId).where('returns.id', '=', p.id))

export async function findReturn(db: ReadDb, merchantId: MerchantId, id: ReturnId): Promise<Return | undefined> {
  const [row] = await db.read(find, { merchantId, id })
  return row && withTransitions(row)
}

export interface ReturnFilters extends CreatedRange {
  readonly orderId?: OrderId | undefined
  readonly status?: readonly ReturnStatus[] | undefined
  readonly reason?: readonly ReturnReason[] | undefined
}

/** One statement serves all filters of the list of returns, because a merchant has few returns. */
const list = reading<ReturnFilters & PageArgs & { merchantId: MerchantId }>()('list_returns', (p) =>
  fieldsOf(p.merchantId)
    .where(ifGiven(p.orderId, sql`returns.order_id = ${p.orderId}`))
    .where(ifGiven(p.status, sql`returns.status = any(${p.status}::text[])`))
    .where(ifGiven(p.reason, sql`returns.reason = any(${p.reason}::text[])`))
    .where(createdWithin('returns', p))
    .where(onPage('returns', p))
    .orderBy('returns.createdAt', 'desc')
    .orderBy('returns.id', 'desc')
    .limit(p.limit),
)

export async function listReturns(
  db: ReadDb,
  merchantId: MerchantId,
  filters: ReturnFilters,
  page: PageRequest,
): Promise<Return[]> {
  const rows = await db.read(list, { merchantId, ...filters, ...pageArgs(page) })
  return rows.map(withTransitions)
}

const findOrderOf = finding<ReturnKey>()('find_order_of_return', (p) =>
  build.selectFrom('returns').where('merchantId', '=', p.merchantId).where('id', '=', p.id).select('orderId'),
)

/**
 * Locks the order to which a return belongs, and reads the return. The lock of an order also protects the returns of
 * the order: a return changes only under this lock, so no mutation locks the two records in different sequences.
 */
export async function lockReturn(trx: LockTrx, merchantId: MerchantId, id: ReturnId): Promise<Return | undefined> {
  const key = { merchantId, id }
  const found = await findOrderOf(trx, key)
  if (found === undefined) return undefined
  // The order is locked before the return is read, so no concurrent transaction can change the return after the read.
  const [, record] = await Promise.all([lockOrder(trx, merchantId, found.orderId), findReturn(trx, merchantId, id)])
  return record
}
