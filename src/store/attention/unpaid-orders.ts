import { sql } from 'kysely'

interface UnpaidOrders {
  readonly merchantId: unknown
  /** The selected columns of the orders, beside `id` and `createdAt`. */
  readonly columns?: ReturnType<typeof sql>
  readonly limit: number
}

/**
 * Selects the oldest unpaid orders, which expire first: orders that wait for their payment, and are not paid on delivery.
 * Each of the two order statuses is read from its own partial index.
 */
export function selectUnpaidOrders({ merchantId, columns, limit }: UnpaidOrders) {
  return sql`
    select found.*
    from unnest(array['pending', 'on_hold']) wanted (status)
    cross join lateral (
      select orders.id, orders.created_at as "createdAt"${columns === undefined ? sql`` : sql`, ${columns}`}
      from orders
      where orders.merchant_id = ${merchantId}
        and orders.status = wanted.status
        and orders.payment_method <> 'pay_on_delivery'
        and orders.paid_kobo < orders.total_kobo
      order by orders.created_at, orders.id
      limit ${sql.lit(limit)}
    ) found
    order by found."createdAt", found.id
    limit ${sql.lit(limit)}`
}
