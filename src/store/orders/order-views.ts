import { sql } from 'kysely'
import type { Kobo, MerchantId, OrderId, Timestamp } from '../../../registry/values/vocabulary.ts'
import { failedSince } from '../attention/concern.ts'
import { selectOrdersToPack } from '../attention/orders-to-pack.ts'
import { selectUnpaidOrders } from '../attention/unpaid-orders.ts'
import type { ReadDb } from '../core/database.ts'
import { reading } from '../core/statement.ts'
import { hasOpenException } from '../logistics/shipments/shipment-list.ts'
import { hasOpenProblem } from '../notifications/resolution.ts'

/** The saved views of the dashboard's order list: how many orders each contains, and which orders have a problem. */

export interface OrderViewCounts {
  readonly toPack: number
  readonly unpaid: number
  readonly inDelivery: number
  readonly problems: number
}

/**
 * Maximum number of orders that are counted for a view. A count of this value means that the view may contain more
 * orders.
 */
export const viewCountMax = 1000

/**
 * Maximum number of orders that the view of orders with a problem shows and counts. This view does not name the problem
 * of an order; the start page does.
 */
export const problemsMax = 100

/**
 * Maximum number of orders that the view of orders to pack shows and counts. An order leaves this view when it is
 * dispatched.
 */
export const toPackMax = 100

/** Maximum number of unpaid orders that the view shows and counts. Orders that were paid or have expired leave the view. */
export const unpaidMax = 500

interface Viewed {
  readonly merchantId: MerchantId
  readonly now: Timestamp
}

/**
 * The ids of the orders that have a shipment with an open exception, a refund that needs attention or failed recently,
 * or an open payment problem. The subquery for each of these conditions reads an index that contains only rows in the
 * matching state, which are few.
 */
const problemIds = (p: { readonly merchantId: unknown; readonly now: unknown }) => sql`
  (
    select order_id from shipments
    where merchant_id = ${p.merchantId} and ${hasOpenException} and order_id is not null
    order by created_at desc, id desc
    limit ${sql.lit(problemsMax)}
  )
  union
  (
    select order_id from refunds
    where merchant_id = ${p.merchantId} and status = 'needs_attention'
    limit ${sql.lit(problemsMax)}
  )
  union
  (
    select order_id from refunds
    where merchant_id = ${p.merchantId}
      and status = 'failed'
      and failed_at > ${failedSince(p.now)}
    limit ${sql.lit(problemsMax)}
  )
  union
  (
    select data ->> 'orderId'
    from (
      select data from notifications
      where merchant_id = ${p.merchantId} and ${hasOpenProblem}
      order by created_at desc, id desc
      limit ${sql.lit(problemsMax)}
    ) problem
    where data ? 'orderId'
  )`

const problemsOf = (p: { readonly merchantId: unknown; readonly now: unknown }) => sql`
  select id from orders
  where merchant_id = ${p.merchantId} and id in (select order_id from (${problemIds(p)}) problem (order_id))
  order by created_at desc, id desc
  limit ${sql.lit(problemsMax)}`

/** The `order by` clause makes the planner read the index of the status, and stop at the limit. */
const counted = (condition: ReturnType<typeof sql>, merchantId: unknown) => sql`(
  select count(*)::int from (
    select from orders
    where merchant_id = ${merchantId} and ${condition}
    order by created_at desc, id desc
    limit ${sql.lit(viewCountMax)}
  ) found
)`

const toPackOf = ({ merchantId }: { readonly merchantId: unknown }) =>
  selectOrdersToPack({ merchantId, limit: toPackMax })

const unpaidOf = ({ merchantId }: { readonly merchantId: unknown }) =>
  selectUnpaidOrders({ merchantId, limit: unpaidMax })

export const orderViewCounts = reading<Viewed>()(
  'count_order_views',
  (p) => sql<OrderViewCounts>`
    select
      (select count(*)::int from (${toPackOf(p)}) found) as to_pack,
      (select count(*)::int from (${unpaidOf(p)}) found) as unpaid,
      ${counted(sql`status = 'shipped'`, p.merchantId)} as in_delivery,
      (select count(*)::int from (${problemsOf(p)}) found) as problems`,
)

/** Each count is at most the maximum of its view. */
export async function countOrderViews(db: ReadDb, of: Viewed): Promise<OrderViewCounts> {
  const [row] = await db.read(orderViewCounts, of)
  if (row === undefined) throw new Error('A select without a table must return a row.')
  return row
}

export const problemOrders = reading<Viewed>()('list_problem_orders', (p) => sql<{ id: OrderId }>`${problemsOf(p)}`)

/** Returns the ids of the newest orders with a problem, at most 100. */
export async function listProblemOrders(db: ReadDb, of: Viewed): Promise<readonly OrderId[]> {
  return (await db.read(problemOrders, of)).map(({ id }) => id)
}

export const ordersToPack = reading<Viewed>()('list_orders_to_pack', (p) => sql<{ id: OrderId }>`${toPackOf(p)}`)

/** Returns the ids of the oldest orders to pack, at most 100. */
export async function listOrdersToPack(db: ReadDb, of: Viewed): Promise<readonly OrderId[]> {
  return (await db.read(ordersToPack, of)).map(({ id }) => id)
}

export interface UnpaidOrder {
  readonly id: OrderId
  readonly dueKobo: Kobo
}

export const unpaidOrders = reading<Viewed>()(
  'list_unpaid_orders',
  (p) => sql<UnpaidOrder>`
    select id, "dueKobo"
    from (
      ${selectUnpaidOrders({ merchantId: p.merchantId, columns: sql`total_kobo - paid_kobo as "dueKobo"`, limit: unpaidMax })}
    ) unpaid
    order by "createdAt", id`,
)

/** Returns the oldest unpaid orders with the amount due, at most 500. */
export function listUnpaidOrders(db: ReadDb, of: Viewed): Promise<readonly UnpaidOrder[]> {
  return db.read(unpaidOrders, of)
}
