import { sql } from 'kysely'
import type { OrderStatus } from '../../../registry/orders/order-states.ts'

export interface OldestOrders {
  readonly merchantId: unknown
  /** The selected columns of the orders, in addition to `id` and `createdAt`. */
  readonly columns?: ReturnType<typeof sql>
  readonly limit: number
}

/**
 * Selects the oldest orders that have one of two statuses and fulfil a condition. For each of the two statuses, the
 * orders are read from a partial index for this status.
 */
export function selectOldestOrders(
  { merchantId, columns, limit }: OldestOrders,
  statuses: readonly [OrderStatus, OrderStatus],
  condition: ReturnType<typeof sql>,
) {
  return sql`
    select found.*
    from unnest(array[${sql.join(statuses.map((status) => sql.lit(status)))}]) wanted (status)
    cross join lateral (
      select orders.id, orders.created_at as "createdAt"${columns === undefined ? sql`` : sql`, ${columns}`}
      from orders
      where orders.merchant_id = ${merchantId}
        and orders.status = wanted.status
        and ${condition}
      order by orders.created_at, orders.id
      limit ${sql.lit(limit)}
    ) found
    order by found."createdAt", found.id
    limit ${sql.lit(limit)}`
}
