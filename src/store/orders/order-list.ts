import { type RawBuilder, sql } from 'kysely'
import type { OrderSummary } from '../../../registry/orders/order.ts'
import type { FulfillmentStatus, OrderStatus, PaymentStatus } from '../../../registry/orders/order-states.ts'
import { pageSize } from '../../../registry/values/limits.ts'
import { phoneDigits } from '../../../registry/values/phone.ts'
import type { CustomerId, Kobo, MerchantId, OrderId, Timestamp } from '../../../registry/values/vocabulary.ts'
import type { ReadDb } from '../core/database.ts'
import { ifGiven, isAfter, type PageArgs, type PageRequest, pageArgs } from '../core/page.ts'
import { hasTrigram } from '../core/pattern.ts'
import { build, type ReadStatement, reading, shortReading } from '../core/statement.ts'

interface FilterValues {
  readonly status: readonly OrderStatus[]
  readonly paymentStatus: readonly PaymentStatus[]
  readonly fulfillmentStatus: readonly FulfillmentStatus[]
  readonly createdFrom: Timestamp
  readonly createdTo: Timestamp
  readonly updatedFrom: Timestamp
  readonly customerId: CustomerId
  readonly customerEmail: string
  readonly number: string
  readonly externalReference: string
  readonly q: string
}

export type OrderFilters = { readonly [Name in keyof FilterValues]?: FilterValues[Name] | undefined }

type Condition = (value: unknown) => RawBuilder<boolean>

const conditions: { readonly [Name in keyof FilterValues]: Condition } = {
  status: (value) => sql`status = any(${value}::text[])`,
  paymentStatus: (value) => sql`payment_status = any(${value}::text[])`,
  // The generated column `fulfillment_status` ignores lost units, so its value may not be `returned` although the
  // status of the order is `returned`. Like the responses of the API, the filter therefore treats every order with the
  // status `returned` as returned.
  fulfillmentStatus: (value) =>
    sql`case when status = 'returned' then 'returned' else fulfillment_status end = any(${value}::text[])`,
  createdFrom: (value) => sql`created_at >= ${value}::timestamptz`,
  createdTo: (value) => sql`created_at < ${value}::timestamptz`,
  updatedFrom: (value) => sql`updated_at >= ${value}::timestamptz`,
  customerId: (value) => sql`customer_id = ${value}::text`,
  customerEmail: (value) => sql`lower(customer_email) = lower(${value}::text)`,
  number: (value) => sql`number = ${value}::text`,
  externalReference: (value) => sql`external_reference = ${value}::text`,
  // The expression for the search text must be the same as that of the index orders_by_search_key. The newlines between
  // the fields prevent a match across two fields.
  q: (value) => sql`
    search_key(
      number || e'\n' || customer_name || e'\n' || customer_email
        || coalesce(e'\n' || customer_phone || e'\n0' || substr(customer_phone, 5), '')
    ) like search_pattern(${value}::text)`,
}

type FilterName = keyof FilterValues

const filterNames = Object.keys(conditions).filter((name): name is FilterName => Object.hasOwn(conditions, name))

type FilterArgs = OrderFilters & { readonly merchantId: MerchantId }
type ListArgs = FilterArgs & PageArgs

interface SummaryRow {
  readonly id: OrderId
  readonly number: string
  readonly status: OrderStatus
  readonly totalKobo: OrderSummary['totalKobo']
  readonly createdAt: Timestamp
  readonly name: string
  readonly email: string
}

/** A statement of the order list and its arguments, exposed so that tests can check the query plan. */
export interface OrderQuery {
  readonly statement: ReadStatement<ListArgs, SummaryRow>
  readonly args: ListArgs
}

export function orderQuery(merchantId: MerchantId, filters: OrderFilters, page: PageRequest): OrderQuery {
  const q = filters.q === undefined ? undefined : phoneDigits(filters.q)
  const args: ListArgs = { merchantId, ...filters, q, ...pageArgs(page) }
  return { statement: statementFor(args), args }
}

export async function listOrders(
  db: ReadDb,
  merchantId: MerchantId,
  filters: OrderFilters,
  page: PageRequest,
): Promise<OrderSummary[]> {
  const { statement, args } = orderQuery(merchantId, filters, page)
  const rows = await db.read(statement, args)
  return rows.map((row) => ({
    id: row.id,
    number: row.number,
    status: row.status,
    totalKobo: row.totalKobo,
    currency: 'NGN',
    createdAt: row.createdAt,
    customer: { name: row.name, email: row.email },
  }))
}

const statements = new Map<string, ReadStatement<ListArgs, SummaryRow>>()

/**
 * Returns the statement for a set of filters. A request without a filter, or with a single filter, has its own
 * statement and plan. All combinations of filters share one statement, in which a null filter matches everything.
 * Separate statements for the combinations would mean thousands of prepared statements per connection.
 */
function statementFor(args: ListArgs): ReadStatement<ListArgs, SummaryRow> {
  const present = filterNames.filter((name) => args[name] !== undefined)
  const isFirst = args.afterId === undefined
  const limit = present.length === 0 && usualLimits.has(args.limit) ? args.limit : undefined
  const strategy = strategyFor(args, present)
  const shape = `${present.length > 1 ? 'several' : (present[0] ?? '')} ${strategy} ${isFirst} ${limit}`
  const known = statements.get(shape)
  if (known !== undefined) return known
  const statement = strategies[strategy](present, isFirst, limit)
  statements.set(shape, statement)
  return statement
}

/**
 * Page limits that are written into the statement as literals, because they are the most frequent ones. If such a limit
 * were a parameter, PostgreSQL would never use a generic plan. It would plan every execution, which is almost half of
 * the work for a page.
 */
const usualLimits: ReadonlySet<number> = new Set([pageSize.default + 1, pageSize.max + 1])

/**
 * Filters that an index supports. They include the filters of the creation time, because the list itself is sorted by
 * the creation time.
 */
const indexed: ReadonlySet<FilterName> = new Set([
  'status',
  'createdFrom',
  'createdTo',
  'customerId',
  'customerEmail',
  'number',
  'externalReference',
])

type Strategy = 'planned' | 'by_status' | 'newest_first'

function strategyFor(args: ListArgs, present: readonly FilterName[]): Strategy {
  if (present.length === 1 && present[0] === 'status') return 'by_status'
  const isIndexed = present.some((name) => indexed.has(name)) || (args.q !== undefined && hasTrigram(args.q))
  return isIndexed || present.length === 0 ? 'planned' : 'newest_first'
}

type List = (
  present: readonly FilterName[],
  isFirst: boolean,
  limit: number | undefined,
) => ReadStatement<ListArgs, SummaryRow>

const columns = [
  'id',
  'number',
  'status',
  'totalKobo',
  'createdAt',
  'customerName as name',
  'customerEmail as email',
] as const

const strategies: { readonly [Name in Strategy]: List } = {
  /**
   * PostgreSQL's planner chooses the index. The index supports a filter or, if most rows match the filters, has the
   * order of the list.
   */
  planned: (present, isFirst, limit) => {
    // Only the statement without filters is declared as a short read, because it reads consecutive rows of an index. A
    // statement with filters may have to skip any number of rows before the page is full.
    const declare = present.length === 0 ? shortReading<ListArgs>() : reading<ListArgs>()
    return declare('list_orders', (p) =>
      rowsAfter(p, isFirst)
        .where((where) => where.and(present.length === 0 ? [] : [allOf(p, present)]))
        .select(columns)
        .orderBy('createdAt', 'desc')
        .orderBy('id', 'desc')
        .limit(limit === undefined ? p.limit : sql.lit(limit)),
    )
  },

  /**
   * Reads a page of orders for each requested status and returns the newest of these orders. In this way, only a
   * limited number of rows is read for every merchant. One query for all statuses could read many more rows: the
   * planner would choose its plan by statistics about the statuses of all merchants together.
   */
  by_status: (_present, isFirst) =>
    reading<ListArgs>()('list_orders_by_status', (p) =>
      build
        .selectFrom(sql<{ status: OrderStatus }>`(select distinct unnest(${p.status}::text[]) as status)`.as('wanted'))
        .innerJoinLateral(
          () =>
            rowsAfter(p, isFirst)
              .where(sql<boolean>`orders.status = wanted.status`)
              .selectAll('orders')
              .orderBy('createdAt', 'desc')
              .orderBy('id', 'desc')
              .limit(p.limit)
              .as('orders'),
          (join) => join.onTrue(),
        )
        .select([
          'orders.id',
          'orders.number',
          'orders.status',
          'orders.totalKobo',
          'orders.createdAt',
          'orders.customerName as name',
          'orders.customerEmail as email',
        ])
        .orderBy('orders.createdAt', 'desc')
        .orderBy('orders.id', 'desc')
        .limit(p.limit),
    ),

  /**
   * Scans the list in order and filters each row until the page is full. The filtered columns change with payments and
   * shipments, and an index would make each of those writes more expensive. `offset 0` prevents the planner from
   * reading and sorting the whole table for a value that it estimates as rare. The outer query has no `order by`, so it
   * preserves the order.
   */
  newest_first: (present, isFirst) =>
    reading<ListArgs>()('list_orders_newest_first', (p) =>
      build
        .selectFrom(
          rowsAfter(p, isFirst)
            .selectAll('orders')
            .orderBy('createdAt', 'desc')
            .orderBy('id', 'desc')
            .offset(sql.lit(0))
            .as('orders'),
        )
        .where(allOf(p, present))
        .select(columns)
        .limit(p.limit),
    ),
}

function rowsAfter(p: ListArgs, isFirst: boolean) {
  const rows = build.selectFrom('orders').where('orders.merchantId', '=', p.merchantId)
  if (isFirst) return rows
  return rows.where(isAfter('orders', p))
}

/**
 * Returns the SQL condition for the filters of a request. If the request has one filter, the condition contains only
 * this filter. Otherwise, the condition contains all filters of the list, and a filter without a value matches every
 * order.
 */
function allOf(p: FilterArgs, present: readonly FilterName[]): RawBuilder<boolean> {
  const [only, ...more] = present
  if (only !== undefined && more.length === 0) return conditions[only](p[only])
  const each = filterNames.map((name) => ifGiven(p[name], conditions[name](p[name])))
  return sql`${sql.join(each, sql` and `)}`
}

/**
 * Maximum number of orders whose totals are added up. If the sum contains this number of orders, more orders may match
 * the filters.
 */
export const summedMax = 10_000

export interface OrderSum {
  readonly count: number
  readonly totalKobo: Kobo
}

export const orderSum = reading<FilterArgs>()('sum_orders', (p) =>
  build
    .selectFrom(
      build
        .selectFrom('orders')
        .where('merchantId', '=', p.merchantId)
        .where(allOf(p, filterNames))
        .select('totalKobo')
        // The `order by` clause makes the planner read the merchant's orders by an index, and stop at the limit.
        .orderBy('createdAt', 'desc')
        .orderBy('id', 'desc')
        .limit(sql.lit(summedMax))
        .as('found'),
    )
    .select([sql<number>`count(*)::int`.as('count'), sql<Kobo>`coalesce(sum(total_kobo), 0)::bigint`.as('totalKobo')]),
)

/**
 * Counts the orders that match the filters and adds up their totals, for at most `summedMax` orders. A sum cannot be
 * filtered by a search text, because the text would have to be compared with each order.
 */
export async function sumOrders(
  db: ReadDb,
  merchantId: MerchantId,
  filters: Omit<OrderFilters, 'q'>,
): Promise<OrderSum> {
  const [row] = await db.read(orderSum, { merchantId, ...filters })
  if (row === undefined) throw new Error('An aggregate without groups must return a row.')
  return row
}
