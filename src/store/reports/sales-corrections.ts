import { type RawBuilder, sql } from 'kysely'

/**
 * SQL that computes corrections for given days: the difference between the current sales of a day and the sales of this
 * day in `sales_summaries`. A report adds the corrections of the changed days to the summaries. The job that updates
 * the summaries stores them.
 */

/** The figures of a group of sales: columns of `sales_summaries`. */
const figureColumns = [
  'order_count',
  'unit_count',
  'gross_kobo',
  'discounts_kobo',
  'shipping_kobo',
  'tax_kobo',
  'refunds_kobo',
  'net_kobo',
] as const

export const figures = sql.raw(figureColumns.join(', '))

/**
 * SQL of the sums of all figures, for the select list of a query. A query that finds no rows returns 0 for each figure
 * instead of null.
 */
export const figureSums = sql.raw(
  figureColumns.map((column) => `coalesce(sum(${column}), 0)::bigint as ${column}`).join(', '),
)

/** The `set` assignments of an upsert into `sales_summaries`, which add the new figures to the stored figures. */
export const figureAdditions = sql.raw(
  figureColumns.map((column) => `${column} = sales_summaries.${column} + excluded.${column}`).join(', '),
)

/** SQL condition that a group has sales or refunds. If a group has neither, all its figures are 0. */
export const hasSales = sql`(order_count <> 0 or refunds_kobo <> 0)`

export type SalesDimension = 'source' | 'state' | 'product'

/** The arguments of a statement. Every part of the statement is limited to the merchant with the id `merchantId`. */
interface OfMerchant {
  readonly merchantId: string
}

/**
 * Returns a query that compares sales, grouped by a dimension: the sales of the stored orders and refunds minus the
 * sales in `sales_summaries`. Each row of the result has the columns `day`, `key` (the value of the dimension) and the
 * figures. The statement that contains the query must define the days to compare as the relation `changed (day)`.
 */
export function correctionsOf(p: OfMerchant, dimension: SalesDimension): RawBuilder<unknown> {
  const present =
    dimension === 'product' ? [soldItems(p), refundedItems(p)] : [orders(p, dimension), refunds(p, dimension)]
  return sql`
    select day, key, ${figureSums}
    from (
      ${sql.join(present, sql` union all `)}
      union all
      select
        counted.day, counted.key, -order_count, -unit_count, -gross_kobo, -discounts_kobo, -shipping_kobo, -tax_kobo,
        -refunds_kobo, -net_kobo
      from changed
      cross join lateral (
        select day, key, ${figures}
        from sales_summaries
        where merchant_id = ${p.merchantId} and dimension = ${sql.lit(dimension)} and day = changed.day
        offset 0
      ) counted
    ) sale (day, key, ${figures})
    group by day, key
    having ${sql.join(
      figureColumns.map((column) => sql`sum(${sql.ref(column)}) <> 0`),
      sql` or `,
    )}`
}

const keyOf = {
  source: sql`sold.source::text`,
  state: sql`coalesce(sold.shipping_address ->> 'state', '')`,
}

/**
 * Joins each changed day with the rows of a table that were created on this day. PostgreSQL cannot estimate the number
 * of these rows, and would read the whole table for the join. With `offset 0`, PostgreSQL finds the rows of each day by
 * an index. The joins of refunds with their orders and items use `offset 0` for the same reason.
 */
function ofChangedDays(p: OfMerchant, table: 'orders' | 'refunds', alias: 'sold' | 'refund'): RawBuilder<unknown> {
  return sql`
    changed
    cross join lateral (
      select *
      from ${sql.table(table)}
      where merchant_id = ${p.merchantId}
        and created_at >= changed.day::timestamp at time zone 'Africa/Lagos'
        and created_at < (changed.day + 1)::timestamp at time zone 'Africa/Lagos'
        and status <> 'cancelled'
      offset 0
    ) ${sql.ref(alias)}`
}

function orders(p: OfMerchant, dimension: 'source' | 'state'): RawBuilder<unknown> {
  return sql`
    select
      changed.day, ${keyOf[dimension]}, 1, sold.item_quantity::bigint, sold.subtotal_kobo::bigint,
      sold.discount_kobo::bigint, sold.shipping_kobo::bigint, sold.tax_kobo::bigint, 0::bigint, sold.total_kobo::bigint
    from ${ofChangedDays(p, 'orders', 'sold')}`
}

/** An order is counted once for each of its products, even if it contains several variants of the product. */
function soldItems(p: OfMerchant): RawBuilder<unknown> {
  return sql`
    select
      changed.day, coalesce(item.product_id, ''), 1, item.units, item.subtotal_kobo, item.discount_kobo, 0::bigint,
      item.tax_kobo, 0::bigint, item.total_kobo
    from ${ofChangedDays(p, 'orders', 'sold')}
    cross join lateral (
      select
        product_id, sum(quantity - cancelled_quantity)::bigint as units, sum(subtotal_kobo)::bigint as subtotal_kobo,
        sum(discount_kobo)::bigint as discount_kobo, sum(tax_kobo)::bigint as tax_kobo,
        sum(total_kobo)::bigint as total_kobo
      from order_items
      where merchant_id = ${p.merchantId} and order_id = sold.id
      group by product_id
    ) item`
}

function refunds(p: OfMerchant, dimension: 'source' | 'state'): RawBuilder<unknown> {
  return sql`
    select refunded.day, refunded.key, 0, 0, 0, 0, 0, 0, refunded.amount_kobo, -refunded.amount_kobo
    from (
      select changed.day, ${keyOf[dimension]} as key, ${refundedSales(p)} as amount_kobo
      from ${ofChangedDays(p, 'refunds', 'refund')}
      ${refundedOrder(p)}
      where refund.status <> 'failed'
    ) refunded`
}

function refundedItems(p: OfMerchant): RawBuilder<unknown> {
  return sql`
    select changed.day, coalesce(item.product_id, ''), 0, 0, 0, 0, 0, 0, item.amount_kobo, -item.amount_kobo
    from ${ofChangedDays(p, 'refunds', 'refund')}
    ${refundedOrder(p)}
    cross join lateral (
      select order_items.product_id, refund_items.amount_kobo::bigint
      from refund_items
      join order_items
        on order_items.merchant_id = ${p.merchantId}
        and order_items.order_id = refund_items.order_id
        and order_items.id = refund_items.item_id
      where refund_items.merchant_id = ${p.merchantId} and refund_items.refund_id = refund.id
      offset 0
    ) item
    where refund.status <> 'failed'`
}

/** Returns the SQL that joins a refund with its order. Refunds of cancelled orders are left out. */
function refundedOrder(p: OfMerchant): RawBuilder<unknown> {
  return sql`
    cross join lateral (
      select id, source, shipping_address, paid_kobo, total_kobo
      from orders
      where merchant_id = ${p.merchantId} and id = refund.order_id and status <> 'cancelled'
      offset 0
    ) sold`
}

/**
 * The amount of a refund without the part that returns an overpayment. Only refunds without items are treated as
 * returning the overpayment of their order: the oldest of them first, until the overpayment is used up.
 */
function refundedSales(p: OfMerchant): RawBuilder<number> {
  const hasItems = (refund: string) => sql`exists (
    select 1
    from refund_items
    where refund_items.merchant_id = ${p.merchantId} and refund_items.refund_id = ${sql.ref(`${refund}.id`)}
    offset 0
  )`
  return sql<number>`case
    when sold.paid_kobo <= sold.total_kobo then refund.amount_kobo::bigint
    when ${hasItems('refund')} then refund.amount_kobo::bigint
    else least(refund.amount_kobo::bigint, greatest(0, sold.total_kobo - sold.paid_kobo + (
      select sum(earlier.amount_kobo)::bigint
      from refunds earlier
      where earlier.merchant_id = ${p.merchantId}
        and earlier.order_id = sold.id
        and earlier.status not in ('failed', 'cancelled')
        and (earlier.created_at, earlier.id) <= (refund.created_at, refund.id)
        and not ${hasItems('earlier')}
    )))
  end`
}
