import { type RawBuilder, sql } from 'kysely'
import type { Customer } from '../../../registry/customers/customer.ts'
import { phoneDigits } from '../../../registry/values/phone.ts'
import type { MerchantId, Timestamp } from '../../../registry/values/vocabulary.ts'
import type { ReadDb } from '../core/database.ts'
import { ifGiven, isAfter, type PageArgs, type PageRequest, pageArgs } from '../core/page.ts'
import { hasTrigram } from '../core/pattern.ts'
import { build, type ReadStatement, reading } from '../core/statement.ts'
import { customerOf, withDetails } from './customer-records.ts'

interface FilterValues {
  readonly q: string
  readonly email: string
  readonly phone: string
  readonly tag: string
  readonly createdFrom: Timestamp
  readonly createdTo: Timestamp
}

export type CustomerFilters = { readonly [Name in keyof FilterValues]?: FilterValues[Name] | undefined }

type FilterName = keyof FilterValues

/** The condition for `q` is the same expression as in the index customers_by_search_key. */
const conditions: { readonly [Name in FilterName]: (value: unknown) => RawBuilder<boolean> } = {
  q: (value) => sql`
    search_key(name || e'\n' || email || coalesce(e'\n' || phone || e'\n0' || substr(phone, 5), ''))
      like search_pattern(${value}::text)`,
  email: (value) => sql`lower(email) = lower(${value}::text)`,
  phone: (value) => sql`phone = ${value}::text`,
  tag: (value) => sql`tags @> array[${value}::text]`,
  createdFrom: (value) => sql`created_at >= ${value}::timestamptz`,
  createdTo: (value) => sql`created_at < ${value}::timestamptz`,
}

const filterNames = Object.keys(conditions).filter((name): name is FilterName => Object.hasOwn(conditions, name))

type ListArgs = CustomerFilters & PageArgs & { readonly merchantId: MerchantId }

type CustomerRow = Parameters<typeof customerOf>[0]

/** A statement of the customer list and its arguments, exposed so that tests can check the query plan. */
export interface CustomerQuery {
  readonly statement: ReadStatement<ListArgs, CustomerRow>
  readonly args: ListArgs
}

export function customerQuery(merchantId: MerchantId, filters: CustomerFilters, page: PageRequest): CustomerQuery {
  const q = filters.q === undefined ? undefined : phoneDigits(filters.q)
  const args: ListArgs = { merchantId, ...filters, q, ...pageArgs(page) }
  return { statement: statementFor(args), args }
}

export async function listCustomers(
  db: ReadDb,
  merchantId: MerchantId,
  filters: CustomerFilters,
  page: PageRequest,
): Promise<Customer[]> {
  const { statement, args } = customerQuery(merchantId, filters, page)
  return (await db.read(statement, args)).map(customerOf)
}

const statements = new Map<string, CustomerQuery['statement']>()

/**
 * Returns the statement for a set of filters. As in the order list, there is one statement for requests without a
 * filter, one for each single filter, and one for all combinations of several filters. Each statement has its own plan.
 */
function statementFor(args: ListArgs): CustomerQuery['statement'] {
  const present = filterNames.filter((name) => args[name] !== undefined)
  const isFirst = args.afterId === undefined
  const isScan = present.length === 1 && args.q !== undefined && !hasTrigram(args.q)
  const shape = `${present.length > 1 ? 'several' : (present[0] ?? '')} ${isScan} ${isFirst}`
  const statement = statements.get(shape) ?? (isScan ? scanList(isFirst) : listStatement(present, isFirst))
  statements.set(shape, statement)
  return statement
}

function listStatement(present: readonly FilterName[], isFirst: boolean): CustomerQuery['statement'] {
  return reading<ListArgs>()('list_customers', (p) => {
    let page = rowsAfter(p, isFirst).limit(p.limit)
    const [only] = present
    if (present.length === 1 && only !== undefined) page = page.where(conditions[only](p[only]))
    if (present.length > 1) {
      for (const name of filterNames) {
        page = page.where(ifGiven(p[name], conditions[name](p[name])))
      }
    }
    return withDetails(p.merchantId, page.as('customer'))
  })
}

/**
 * Scans the list in order until the page is full, for a search text that is too short for the trigram index. `offset 0`
 * prevents the planner from reading and sorting the whole table.
 */
function scanList(isFirst: boolean): CustomerQuery['statement'] {
  return reading<ListArgs>()('list_customers_by_scan', (p) =>
    withDetails(
      p.merchantId,
      build
        .selectFrom(rowsAfter(p, isFirst).offset(sql.lit(0)).as('customers'))
        .selectAll('customers')
        .where(conditions.q(p.q))
        .limit(p.limit)
        .as('customer'),
    ),
  )
}

function rowsAfter(p: ListArgs, isFirst: boolean) {
  const rows = build
    .selectFrom('customers')
    .selectAll()
    .where('merchantId', '=', p.merchantId)
    .where('deletedAt', 'is', null)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
  if (isFirst) return rows
  return rows.where(isAfter('customers', p))
}
