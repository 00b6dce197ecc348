import { type RawBuilder, sql } from 'kysely'
import type { Product } from '../../../registry/products/product.ts'
import type { ProductStatus } from '../../../registry/products/product-states.ts'
import { pageSize } from '../../../registry/values/limits.ts'
import type { MerchantId, Timestamp } from '../../../registry/values/vocabulary.ts'
import type { ReadDb } from '../core/database.ts'
import { type CreatedRange, ifGiven, isAfter, type PageArgs, type PageRequest, pageArgs } from '../core/page.ts'
import { hasTrigram } from '../core/pattern.ts'
import { build, type ReadStatement, reading } from '../core/statement.ts'
import { fieldsOf, type ProductRow, toProduct } from './products.ts'

export interface ProductFilters extends CreatedRange {
  readonly status?: readonly ProductStatus[] | undefined
  readonly q?: string | undefined
  readonly sku?: string | undefined
  readonly barcode?: string | undefined
  readonly category?: string | undefined
  readonly tag?: string | undefined
  readonly inStock?: boolean | undefined
  readonly lowStock?: boolean | undefined
  readonly priceMinKobo?: number | undefined
  readonly priceMaxKobo?: number | undefined
  readonly updatedFrom?: Timestamp | undefined
}

interface ListArgs extends ProductFilters, PageArgs {
  readonly merchantId: MerchantId
  readonly oneStatus: ProductStatus | undefined
}

/**
 * The filters, the most selective filter first. The leading filter is the first filter of the request that an index
 * supports; if no index supports any of them, it is the first filter of the request. The other filters are checked row
 * by row.
 */
const leads = [
  'sku',
  'barcode',
  'q',
  'lowStock',
  'tag',
  'updatedFrom',
  'category',
  'price',
  'created',
  'inStock',
  'notLow',
] as const

type Lead = (typeof leads)[number]

function isSent(args: ListArgs, lead: Lead): boolean {
  switch (lead) {
    case 'lowStock':
      return args.lowStock === true
    case 'notLow':
      return args.lowStock === false
    case 'price':
      return args.priceMinKobo !== undefined || args.priceMaxKobo !== undefined
    case 'created':
      return args.createdFrom !== undefined || args.createdTo !== undefined
    default:
      return args[lead] !== undefined
  }
}

/**
 * Reports whether an index supports the filter. The trigram index supports a search text only if the text contains
 * three consecutive letters or digits.
 */
function canLead(args: ListArgs, lead: Lead): boolean {
  if (lead === 'q') return args.q !== undefined && hasTrigram(args.q)
  return lead !== 'inStock' && lead !== 'notLow'
}

type Condition = RawBuilder<boolean>

/**
 * The SQL condition of each filter when it is the leading filter. If an index supports the condition, the search uses
 * this index.
 */
const conditions: { readonly [Name in Lead]: (p: ListArgs) => Condition } = {
  sku: (p) => sql`products.id = any(array(
    select product_id from product_variants
    where merchant_id = ${p.merchantId} and lower(sku) = lower(${p.sku}::text) and removed_at is null
  ))`,
  barcode: (p) => sql`products.id = any(array(
    select product_id from product_variants
    where merchant_id = ${p.merchantId} and barcode = ${p.barcode}::text and removed_at is null
  ))`,
  q: (p) => sql`${searched} like search_pattern(${p.q}::text)`,
  lowStock: (p) => sql`products.id in (
    select variant.product_id
    from inventory stock
    join product_variants variant on variant.merchant_id = stock.merchant_id and variant.id = stock.variant_id
    where stock.merchant_id = ${p.merchantId} and stock.is_low and variant.removed_at is null
  )`,
  tag: (p) => sql`products.tags @> array[${p.tag}::text]`,
  updatedFrom: (p) => sql`products.updated_at >= ${p.updatedFrom}::timestamptz`,
  category: (p) => sql`search_key(products.category) = search_key(${p.category}::text)`,
  price: (p) => sql`products.id in (
    select product_id from product_variants
    where merchant_id = ${p.merchantId} and removed_at is null and ${priced(p)}
  )`,
  created: (p) => sql`
    products.created_at >= coalesce(${p.createdFrom}::timestamptz, '-infinity')
    and products.created_at < coalesce(${p.createdTo}::timestamptz, 'infinity')`,
  inStock: (p) =>
    sql`${anyVariant(p, sql`not stock.tracked or stock.allow_backorder or stock.available > 0`)} = ${p.inStock}::boolean`,
  notLow: (p) => sql`${anyVariant(p, sql`stock.is_low`)} = ${p.lowStock}::boolean`,
}

/** The expression for the search text must be the same as that of the index products_by_search_key. */
const searched = sql`
  search_key(
    products.title || e'\n' || coalesce(products.brand, '') || e'\n' || coalesce(products.category, '') || e'\n'
      || products.skus
  )`

function priced(p: ListArgs): Condition {
  return sql`price_kobo >= coalesce(${p.priceMinKobo}::bigint, 0)
    and (${p.priceMaxKobo}::bigint is null or price_kobo <= ${p.priceMaxKobo}::bigint)`
}

/**
 * Returns the SQL condition that at least one variant of a product fulfils the given condition. The SQL uses an
 * aggregate, because the planner could turn `exists` into a join that reads the stock of every product. The aggregate
 * is only computed for the products that are scanned, newest first.
 */
function anyVariant(p: ListArgs, condition: RawBuilder<unknown>): Condition {
  return sql`coalesce((
    select bool_or(${condition})
    from product_variants variant
    join inventory stock on stock.merchant_id = variant.merchant_id and stock.variant_id = variant.id
    where variant.merchant_id = ${p.merchantId} and variant.product_id = products.id and variant.removed_at is null
  ), false)`
}

/** The conditions of all filters except the leading filter. PostgreSQL checks these conditions row by row. */
const optionalConditions: { readonly [Name in Lead]?: (p: ListArgs) => Condition } = {
  barcode: (p) => ifGiven(p.barcode, conditions.barcode(p)),
  q: (p) => ifGiven(p.q, conditions.q(p)),
  tag: (p) => ifGiven(p.tag, conditions.tag(p)),
  updatedFrom: (p) => ifGiven(p.updatedFrom, conditions.updatedFrom(p)),
  category: (p) => ifGiven(p.category, conditions.category(p)),
  price: (p) => sql`(
    (${p.priceMinKobo}::bigint is null and ${p.priceMaxKobo}::bigint is null)
    or ${anyVariant(p, sql`${priced(p)}`)}
  )`,
  created: conditions.created,
  inStock: (p) => ifGiven(p.inStock, conditions.inStock(p)),
  notLow: (p) => ifGiven(p.lowStock, conditions.notLow(p)),
}

/** A statement of the product list and its arguments, exposed so that tests can check the query plan. */
export interface ProductQuery {
  readonly statement: ReadStatement<ListArgs, ProductRow>
  readonly args: ListArgs
}

export function productQuery(merchantId: MerchantId, filters: ProductFilters, page: PageRequest): ProductQuery {
  const args: ListArgs = { merchantId, ...filters, oneStatus: filters.status?.[0], ...pageArgs(page) }
  return { statement: statementFor(args), args }
}

export async function listProducts(
  db: ReadDb,
  merchantId: MerchantId,
  filters: ProductFilters,
  page: PageRequest,
): Promise<Product[]> {
  const { statement, args } = productQuery(merchantId, filters, page)
  return (await db.read(statement, args)).map(toProduct)
}

type StatusShape = 'not_archived' | 'one' | 'several'

interface Shape {
  readonly status: StatusShape
  readonly lead: Lead | undefined
  /** Whether the request contains filters besides the leading filter, which selects the index. */
  readonly isNarrowed: boolean
  readonly isFirst: boolean
  /** Whether the request has no filter that an index supports, so that the whole list is scanned. */
  readonly isScan: boolean
  /** The page limit. A usual limit is a literal in the statement, so that PostgreSQL can use a generic plan. */
  readonly limit: number | undefined
}

const usualLimits: ReadonlySet<number> = new Set([pageSize.default + 1, pageSize.max + 1])

const statements = new Map<string, ReadStatement<ListArgs, ProductRow>>()

function statementFor(args: ListArgs): ReadStatement<ListArgs, ProductRow> {
  const sent = leads.filter((lead) => isSent(args, lead))
  const lead = sent.find((name) => canLead(args, name)) ?? sent[0]
  const shape: Shape = {
    status: args.status === undefined ? 'not_archived' : args.status.length === 1 ? 'one' : 'several',
    lead,
    isNarrowed: sent.length > 1,
    isFirst: args.afterId === undefined,
    isScan: lead !== undefined && !canLead(args, lead),
    limit: lead === undefined && args.status === undefined && usualLimits.has(args.limit) ? args.limit : undefined,
  }
  const key = JSON.stringify(shape)
  const known = statements.get(key)
  if (known !== undefined) return known
  const statement = listStatement(shape)
  statements.set(key, statement)
  return statement
}

/**
 * SQL conditions of the status filter: one for a list without this filter, and two for a filter with one status and
 * with several. An index supports the first two conditions.
 */
const statusConditions: { readonly [Name in StatusShape]: (p: ListArgs) => Condition } = {
  not_archived: () => sql`products.archived_at is null`,
  one: (p) => sql`products.status = ${p.oneStatus}::text`,
  several: (p) => sql`products.status = any(${p.status}::text[])`,
}

function listStatement(shape: Shape): ReadStatement<ListArgs, ProductRow> {
  return reading<ListArgs>()('list_products', (p) =>
    fieldsOf(p.merchantId, shape.isScan ? scanList(p, shape) : ledBy(p, shape))
      .orderBy('products.createdAt', 'desc')
      .orderBy('products.id', 'desc'),
  )
}

/**
 * Selects a page of the products that match the filters. PostgreSQL reads the index of the leading filter. If most
 * products match this filter, PostgreSQL reads the products in list order instead.
 */
function ledBy(p: ListArgs, shape: Shape) {
  return rowsAfter(p, shape)
    .where((where) => where.and(filtersOf(p, shape)))
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(shape.limit === undefined ? p.limit : sql.lit(shape.limit))
    .as('products')
}

/**
 * Selects a page if no index supports a filter. The list is scanned in order until the page is full. `offset 0`
 * prevents the planner from reading and sorting the whole table. The outer query has no `order by` and preserves the
 * order of the scan.
 */
function scanList(p: ListArgs, shape: Shape) {
  const newest = rowsAfter(p, shape).orderBy('createdAt', 'desc').orderBy('id', 'desc').offset(sql.lit(0))
  return build
    .selectFrom(newest.as('products'))
    .selectAll('products')
    .where((where) => where.and(filtersOf(p, shape)))
    .limit(p.limit)
    .as('products')
}

function rowsAfter(p: ListArgs, { status, isFirst }: Shape) {
  const rows = build
    .selectFrom('products')
    .selectAll('products')
    .where('merchantId', '=', p.merchantId)
    .where(statusConditions[status](p))
  if (isFirst) return rows
  return rows.where(isAfter('products', p))
}

function filtersOf(p: ListArgs, { lead, isNarrowed }: Shape): Condition[] {
  const led = lead === undefined ? [] : [conditions[lead](p)]
  if (!isNarrowed) return led
  return [...led, ...leads.filter((name) => name !== lead).flatMap((name) => optionalConditions[name]?.(p) ?? [])]
}
