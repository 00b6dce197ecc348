import { sql } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import type { RefundStatus } from '../../registry/refund-states.ts'
import type { Refund } from '../../registry/refunds.ts'
import type { Kobo, MerchantId, OrderId, OrderItemId, RefundId, Timestamp } from '../../registry/vocabulary.ts'
import type { ReadDb } from './database.ts'
import { asRecord } from './json.ts'
import type { PageRequest } from './page.ts'
import { build, reading } from './statement.ts'

export interface RefundFilters {
  readonly orderId?: OrderId | undefined
  readonly status?: readonly RefundStatus[] | undefined
  readonly reason?: string | undefined
  readonly createdFrom?: Timestamp | undefined
  readonly createdTo?: Timestamp | undefined
}

const fields = build
  .selectFrom('refunds')
  .innerJoin('orders', (join) =>
    join.onRef('orders.merchant_id', '=', 'refunds.merchant_id').onRef('orders.id', '=', 'refunds.order_id'),
  )
  .select([
    'refunds.id',
    'refunds.order_id as orderId',
    'orders.number as orderNumber',
    'refunds.amount_kobo as amountKobo',
    'refunds.tax_kobo as taxKobo',
    'refunds.reason',
    'refunds.note',
    'refunds.status',
    'refunds.provider',
    'refunds.provider_reference as providerReference',
    'refunds.failure_code as failureCode',
    'refunds.failure_message as failureMessage',
    'refunds.created_at as createdAt',
    'refunds.updated_at as updatedAt',
    'refunds.succeeded_at as succeededAt',
    'refunds.failed_at as failedAt',
    'refunds.order_refunded_kobo as refundedKobo',
    'refunds.order_refundable_kobo as refundableKobo',
    'refunds.order_payment_status as paymentStatus',
  ])
  .select((refund) =>
    jsonArrayFrom(
      refund
        .selectFrom('refund_items')
        .whereRef('refund_items.merchant_id', '=', 'refunds.merchant_id')
        .whereRef('refund_items.refund_id', '=', 'refunds.id')
        .orderBy('item_id')
        .select(['item_id as itemId', 'quantity', 'amount_kobo as amountKobo']),
    ).as('items'),
  )

const find = reading<{ merchantId: MerchantId; id: RefundId }>()('find_refund', (p) =>
  fields.where('refunds.merchant_id', '=', p.merchantId).where('refunds.id', '=', p.id),
)

/** A filter that is null lets every refund through; few refunds make one statement enough for all filters. */
const list = reading<{
  merchantId: MerchantId
  limit: number
  orderId: OrderId | null
  status: readonly RefundStatus[] | null
  reason: string | null
  createdFrom: Timestamp | null
  createdTo: Timestamp | null
  afterCreatedAt: Timestamp | null
  afterId: string | null
}>()('list_refunds', (p) =>
  fields
    .where('refunds.merchant_id', '=', p.merchantId)
    .where(sql<boolean>`(${p.orderId}::text is null or refunds.order_id = ${p.orderId})`)
    .where(sql<boolean>`(${p.status}::text[] is null or refunds.status = any(${p.status}::text[]))`)
    .where(sql<boolean>`(${p.reason}::text is null or refunds.reason = ${p.reason})`)
    .where(sql<boolean>`(${p.createdFrom}::timestamptz is null or refunds.created_at >= ${p.createdFrom}::timestamptz)`)
    .where(sql<boolean>`(${p.createdTo}::timestamptz is null or refunds.created_at < ${p.createdTo}::timestamptz)`)
    .where(
      sql<boolean>`(${p.afterId}::text is null or (refunds.created_at, refunds.id) < (${p.afterCreatedAt}::timestamptz, ${p.afterId}))`,
    )
    .orderBy('refunds.created_at', 'desc')
    .orderBy('refunds.id', 'desc')
    .limit(p.limit),
)

interface RefundRow {
  readonly refundedKobo: Kobo
  readonly refundableKobo: Kobo
  readonly paymentStatus: Refund['order']['paymentStatus']
}

function toRefund(row: RefundRow & Omit<{ [Field in keyof Refund]: unknown }, 'order' | 'currency'>): Refund {
  const { refundedKobo, refundableKobo, paymentStatus, ...refund } = row
  return asRecord<Refund>({ ...refund, currency: 'NGN', order: { refundedKobo, refundableKobo, paymentStatus } })
}

export async function findRefund(db: ReadDb, merchantId: MerchantId, id: RefundId): Promise<Refund | undefined> {
  const [row] = await db.read(find, { merchantId, id })
  return row === undefined ? undefined : toRefund(row)
}

export async function listRefunds(
  db: ReadDb,
  merchantId: MerchantId,
  filters: RefundFilters,
  page: PageRequest,
): Promise<Refund[]> {
  const rows = await db.read(list, {
    merchantId,
    limit: page.limit,
    orderId: filters.orderId ?? null,
    status: filters.status ?? null,
    reason: filters.reason ?? null,
    createdFrom: filters.createdFrom ?? null,
    createdTo: filters.createdTo ?? null,
    afterCreatedAt: page.after?.createdAt ?? null,
    afterId: page.after?.id ?? null,
  })
  return rows.map(toRefund)
}

export interface OrderItemMoney {
  readonly id: OrderItemId
  readonly quantity: number
  readonly refundedQuantity: number
  readonly totalKobo: Kobo
}

const items = reading<{ merchantId: MerchantId; orderId: OrderId }>()('list_order_items_for_refund', (p) =>
  build
    .selectFrom('order_items')
    .where('merchant_id', '=', p.merchantId)
    .where('order_id', '=', p.orderId)
    .select(['id', 'quantity', 'refunded_quantity as refundedQuantity', 'total_kobo as totalKobo']),
)

/** The lines of an order as refunds see them. Call it behind the lock on the order, which guards them too. */
export function listRefundableItems(
  db: ReadDb,
  merchantId: MerchantId,
  orderId: OrderId,
): Promise<readonly OrderItemMoney[]> {
  return db.read(items, { merchantId, orderId })
}
