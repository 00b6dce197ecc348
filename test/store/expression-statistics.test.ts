import type pg from 'pg'
import { beforeAll, expect, test } from 'vitest'
import type { MerchantId } from '../../registry/values/vocabulary.ts'
import { createMerchant } from '../../src/access/create-merchant.ts'
import { systemClock } from '../../src/base/clock.ts'
import { newProductId, newVariantId } from '../../src/base/records.ts'
import { type CustomerFilters, customerQuery } from '../../src/store/customers/customer-list.ts'
import { variantsById, variantsOfProducts } from '../../src/store/products/variant-places.ts'
import { skuConflicts, skuOwners } from '../../src/store/products/variant-writes.ts'
import { asOwner, useDatabase } from '../support/database.ts'
import { operator } from '../support/shop.ts'

/**
 * In a shop with 20,000 records, PostgreSQL must use a partial index if the condition of a query contains the
 * expression of this index.
 */

const opened = useDatabase()

let merchantId: MerchantId
beforeAll(async () => {
  const { database } = opened()
  const context = { database, clock: systemClock, nudge: () => undefined }
  merchantId = (await createMerchant(context, operator, 'Adire Lagos')).id
  await asOwner(opened(), 'alter table product_variants disable trigger user')
  for (const text of [customersText, productsText, variantsText]) await run(text, [merchantId])
  await asOwner(opened(), 'alter table product_variants enable trigger user')
  await asOwner(opened(), 'vacuum analyze customers, products, product_variants')
})

function run(text: string, values: unknown[] = []): Promise<pg.QueryResult> {
  return opened().database.pool.query(text, values)
}

const idOf = (prefix: string) => `'${prefix}_01' || lpad(to_hex(i), 10, '0') || substr(md5('${prefix}' || i), 1, 14)`

const customersText = `
  insert into customers (merchant_id, id, name, email, created_at, updated_at)
  select $1, ${idOf('cus')}, 'Customer ' || md5(i::text), 'customer' || i || '@example.com',
    timestamptz '2026-05-01' + i * interval '1 minute', now()
  from generate_series(1, 20000) i`

const productsText = `
  insert into products (merchant_id, id, title, slug, status, created_at, updated_at)
  select $1, ${idOf('prd')}, 'Dress', 'dress-' || i, 'active', now(), now()
  from generate_series(1, 20000) i`

const variantsText = `
  insert into product_variants (merchant_id, id, product_id, sku, title, price_kobo, position, created_at, updated_at)
  select $1, ${idOf('var')}, ${idOf('prd')}, 'SKU-' || i, '', 1000, 0, now(), now()
  from generate_series(1, 20000) i`

interface Plan {
  readonly 'Index Name'?: string
  readonly Plans?: readonly Plan[]
}

function indexesOf(plan: Plan): string[] {
  const name = plan['Index Name']
  return [...(name === undefined ? [] : [name]), ...(plan.Plans ?? []).flatMap(indexesOf)]
}

async function indexesFor<Args>(
  statement: { readonly text: string; bind(args: Args): unknown[] },
  args: Args,
): Promise<string[]> {
  const { rows } = await run(`explain (format json) ${statement.text}`, statement.bind(args))
  return indexesOf(rows[0]['QUERY PLAN'][0].Plan)
}

test.for<[string, CustomerFilters, string]>([
  ['an e-mail address', { email: 'Customer77@example.com' }, 'customer_email_is_used_once'],
  ['a text in few rows', { q: 'zzqqxx' }, 'customers_by_search_key'],
  ['a text in all rows', { q: 'example.com' }, 'customers_newest_first'],
  ['a text too short for the index', { q: 'zz' }, 'customers_newest_first'],
])('a search for customers by %s uses an index', async ([, filters, index]) => {
  const { statement, args } = customerQuery(merchantId, filters, { limit: 26, after: undefined })
  expect(await indexesFor(statement, args)).toContain(index)
})

test('a search for the variants that have any of a hundred SKUs uses an index', async () => {
  const skus = Array.from({ length: 100 }, (_, index) => `sku-${index}-new`)
  const indexes = await indexesFor(skuOwners, { merchantId, skus, exceptId: null })
  expect(indexes.every((name) => ['variant_sku_is_used_once', 'variants_by_sku'].includes(name))).toBe(true)
  expect(indexes).toHaveLength(1)
})

test('a search for a hundred variants by their ids uses an index', async () => {
  const ids = Array.from({ length: 100 }, () => newVariantId(0))
  expect(await indexesFor(variantsById, { merchantId, ids })).toEqual(['product_variants_pkey'])
})

test('a search for the variants of a hundred products uses an index', async () => {
  const productIds = Array.from({ length: 100 }, () => newProductId(0))
  const indexes = await indexesFor(variantsOfProducts, { merchantId, productIds })
  expect(indexes).toHaveLength(1)
})

test('a search for the variant with the SKU of an archived product uses an index', async () => {
  const indexes = await indexesFor(skuConflicts, { merchantId, productId: newProductId(0) })
  expect(indexes.filter((name) => name === 'variant_sku_is_used_once' || name === 'variants_by_sku')).toHaveLength(1)
})
