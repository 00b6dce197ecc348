import { type RawBuilder, sql } from 'kysely'
import type { Customer } from '../../registry/customer.ts'
import type { MerchantId, Timestamp } from '../../registry/vocabulary.ts'
import { customerOf, withDetails } from './customer-records.ts'
import type { ReadDb } from './database.ts'
import type { PageRequest } from './page.ts'
import { build, reading } from './statement.ts'

/** What a list of customers can be narrowed to, and the condition of each. */
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

/** The first is the very expression of the index customers_by_text. */
const conditions: { readonly [Name in FilterName]: (value: unknown) => RawBuilder<boolean> } = {
  q: (value) => sql`(name || e'\n' || email || e'\n' || coalesce(phone, '')) ilike ${value}::text`,
  email: (value) => sql`lower(email) = lower(${value}::text)`,
  phone: (value) => sql`phone = ${value}::text`,
  tag: (value) => sql`tags @> array[${value}::text]`,
  createdFrom: (value) => sql`created_at >= ${value}::timestamptz`,
  createdTo: (value) => sql`created_at < ${value}::timestamptz`,
}

const filterNames = Object.keys(conditions).filter((name): name is FilterName => Object.hasOwn(conditions, name))

type ListArgs = { readonly [Name in FilterName]: string | null } & {
  readonly merchantId: MerchantId
  readonly limit: number
  readonly afterCreatedAt: Timestamp | null
  readonly afterId: string | null
}

export async function listCustomers(
  db: ReadDb,
  merchantId: MerchantId,
  filters: CustomerFilters,
  page: PageRequest,
): Promise<Customer[]> {
  const args: ListArgs = {
    merchantId,
    limit: page.limit,
    afterCreatedAt: page.after?.createdAt ?? null,
    afterId: page.after?.id ?? null,
    q: filters.q === undefined ? null : `%${filters.q.replace(/[\\%_]/g, '\\$&')}%`,
    email: filters.email ?? null,
    phone: filters.phone ?? null,
    tag: filters.tag ?? null,
    createdFrom: filters.createdFrom ?? null,
    createdTo: filters.createdTo ?? null,
  }
  const rows = await db.read(statementFor(args), args)
  return rows.map(customerOf)
}

const statements = new Map<string, ReturnType<typeof listStatement>>()

/** As for orders: no filter and each single one have a plan of their own, combinations share one. */
function statementFor(args: ListArgs): ReturnType<typeof listStatement> {
  const present = filterNames.filter((name) => args[name] !== null)
  const isFirst = args.afterId === null
  const shape = `${present.length > 1 ? 'several' : (present[0] ?? '')} ${isFirst}`
  const statement = statements.get(shape) ?? listStatement(present, isFirst)
  statements.set(shape, statement)
  return statement
}

function listStatement(present: readonly FilterName[], isFirst: boolean) {
  return reading<ListArgs>()('list_customers', (p) => {
    let page = build
      .selectFrom('customers')
      .selectAll()
      .where('merchant_id', '=', p.merchantId)
      .where('deleted_at', 'is', null)
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(p.limit)
    if (!isFirst) page = page.where(sql<boolean>`(created_at, id) < (${p.afterCreatedAt}::timestamptz, ${p.afterId})`)
    const [only] = present
    if (present.length === 1 && only !== undefined) page = page.where(conditions[only](p[only]))
    if (present.length > 1) {
      for (const name of filterNames) {
        page = page.where(sql<boolean>`(${p[name]}::text is null or ${conditions[name](p[name])})`)
      }
    }
    return withDetails(page)
  })
}
