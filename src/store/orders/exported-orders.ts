import { sql } from 'kysely'
import type { ExportedItem } from '../../../registry/exports/exports.ts'
import type { Order } from '../../../registry/orders/order.ts'
import { exportBatchSize } from '../../../registry/values/limits.ts'
import type { MerchantId, OrderId, Timestamp } from '../../../registry/values/vocabulary.ts'
import type { ReadDb } from '../core/database.ts'
import { asRecord } from '../core/json.ts'
import { isAfter, type PageArgs, type PageRequest, pageArgs } from '../core/page.ts'
import { build, reading } from '../core/statement.ts'
import { fieldsOf, itemColumns, toOrder } from './orders.ts'

interface ExportRange {
  readonly merchantId: MerchantId
  readonly createdFrom: Timestamp | undefined
}

type ExportArgs = ExportRange & PageArgs

/**
 * The condition that selects the orders of a batch of an export. Unlike the filters of the order list, this condition
 * limits the rows that an index scan reads even when PostgreSQL uses a generic plan.
 */
const inBatch = (p: ExportArgs) =>
  sql<boolean>`orders.created_at >= coalesce(${p.createdFrom}::timestamptz, '-infinity') and ${isAfter('orders', p)}`

/** The limit is a literal: with a parameter, PostgreSQL would plan the statement again for each batch. */
const batchLimit = sql.lit(exportBatchSize)

const orders = reading<ExportArgs>()('list_exported_orders', (p) =>
  fieldsOf(p.merchantId).where(inBatch(p)).orderBy('createdAt', 'desc').orderBy('orders.id', 'desc').limit(batchLimit),
)

/**
 * Returns the SQL and the values of the query for a batch of orders. The benchmark that compares an export with COPY
 * uses them.
 */
export function exportedOrdersQuery(range: ExportRange, page: PageRequest) {
  return { text: orders.text, values: orders.bind({ ...range, ...pageArgs(page) }) }
}

/** Newest first. */
export async function listExportedOrders(db: ReadDb, range: ExportRange, page: PageRequest): Promise<Order[]> {
  return (await db.read(orders, { ...range, ...pageArgs(page) })).map(toOrder)
}

/**
 * The statement has no `limit` clause, so that PostgreSQL finds the orders by their ids instead of scanning the orders
 * of the time range.
 */
export const chosenOrders = reading<ExportArgs & { readonly ids: readonly OrderId[] }>()('list_chosen_orders', (p) =>
  fieldsOf(p.merchantId)
    .where(sql<boolean>`orders.id = any(${p.ids}::text[])`)
    .where(inBatch(p))
    .orderBy('createdAt', 'desc')
    .orderBy('orders.id', 'desc'),
)

interface ChosenRange extends ExportRange {
  /** The order ids, at most `exportBatchSize`, because all orders must be in one batch. */
  readonly ids: readonly OrderId[]
}

/** Newest first. Ids of other merchants' orders are ignored. */
export async function listChosenOrders(db: ReadDb, range: ChosenRange, page: PageRequest): Promise<Order[]> {
  return (await db.read(chosenOrders, { ...range, ...pageArgs(page) })).map(toOrder)
}

const items = reading<ExportArgs>()('list_exported_order_items', (p) =>
  build
    .selectFrom(
      build
        .selectFrom('orders')
        .where('orders.merchantId', '=', p.merchantId)
        .where(inBatch(p))
        .selectAll()
        .orderBy('createdAt', 'desc')
        .orderBy('id', 'desc')
        .limit(batchLimit)
        .as('orders'),
    )
    .innerJoin('order_items', (join) =>
      join.onRef('order_items.merchantId', '=', 'orders.merchantId').onRef('order_items.orderId', '=', 'orders.id'),
    )
    .where('order_items.merchantId', '=', p.merchantId)
    .select(itemColumns)
    .select([
      'orders.id as orderId',
      'orders.number as orderNumber',
      'orders.status as orderStatus',
      'orders.createdAt as orderCreatedAt',
    ])
    .orderBy('orders.createdAt', 'desc')
    .orderBy('orders.id', 'desc')
    .orderBy('position'),
)

/**
 * Returns the order items of one batch of an export, those of the newest order first. A batch has `exportBatchSize`
 * orders.
 */
export async function listExportedItems(db: ReadDb, range: ExportRange, page: PageRequest): Promise<ExportedItem[]> {
  return (await db.read(items, { ...range, ...pageArgs(page) })).map((row) => asRecord<ExportedItem>(row))
}
