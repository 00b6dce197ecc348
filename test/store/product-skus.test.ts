import pg from 'pg'
import { beforeAll, expect, test } from 'vitest'
import type { MerchantId } from '../../registry/values/vocabulary.ts'
import { createMerchant } from '../../src/access/create-merchant.ts'
import { systemClock } from '../../src/base/clock.ts'
import { useDatabase } from '../support/database.ts'
import { operator } from '../support/shop.ts'

/**
 * The search finds products by the SKUs of their variants. Triggers of the variants copy the SKUs into the row of the
 * product, which the search reads.
 */

const opened = useDatabase()

let merchantId: MerchantId
beforeAll(async () => {
  const { database } = opened()
  merchantId = (await createMerchant({ database, clock: systemClock, nudge: () => undefined }, operator, 'Adire')).id
})

type Statement = readonly [text: string, ...values: unknown[]]

async function commit(...statements: readonly Statement[]): Promise<void> {
  const client = new pg.Client({ connectionString: opened().connectionString })
  await client.connect()
  try {
    await client.query('begin')
    for (const [text, ...values] of statements) await client.query(text, [merchantId, ...values])
    await client.query('commit')
  } finally {
    await client.end()
  }
}

const product = (id: string): Statement => [
  `insert into products (merchant_id, id, title, slug, status, created_at, updated_at)
   values ($1, $2::text, 'Dress', $2::text, 'draft', now(), now())`,
  id,
]

const variants = (productId: string, ...skus: readonly string[]): Statement => [
  `insert into product_variants (
     merchant_id, id, product_id, sku, title, option_values, price_kobo, position, created_at, updated_at
   )
   select $1, 'var_' || sku, $2, sku, '', jsonb_build_object('size', sku), 1000, place, now(), now()
   from unnest($3::text[]) with ordinality as listed (sku, place)`,
  productId,
  skus,
]

const query = (text: string): Promise<pg.QueryResult> => opened().database.pool.query(text, [merchantId])

async function skusOf(...ids: readonly string[]): Promise<readonly (readonly string[])[]> {
  const { rows } = await query("select id, string_to_array(skus, e'\\n') as skus from products where merchant_id = $1")
  return ids.map((id) => rows.find((row) => row.id === id)?.skus)
}

test('if one transaction changes variants of several products, the SKU list of each product contains all these changes', async () => {
  await commit(product('prd_a'), product('prd_b'), variants('prd_a', 'A1', 'A2', 'A3'), variants('prd_b', 'B1', 'B2'))
  expect(await skusOf('prd_a', 'prd_b')).toEqual([
    ['A1', 'A2', 'A3'],
    ['B1', 'B2'],
  ])
  await commit(
    ["update product_variants set sku = 'A9' where merchant_id = $1 and id = 'var_A1'"],
    ["update product_variants set position = 0 where merchant_id = $1 and id = 'var_B2'"],
    ["delete from product_variants where merchant_id = $1 and id = 'var_A2'"],
    ["update product_variants set archived_at = now(), removed_at = now() where merchant_id = $1 and id = 'var_A3'"],
    variants('prd_b', 'B3'),
  )
  expect(await skusOf('prd_a', 'prd_b')).toEqual([['A9'], ['B2', 'B1', 'B3']])
})

test('the SKU list of a product is updated when a separate transaction changes one of its variants', async () => {
  await commit(product('prd_c'))
  await commit(variants('prd_c', 'C1'))
  expect(await skusOf('prd_c')).toEqual([['C1']])
  await commit(["delete from product_variants where merchant_id = $1 and product_id = 'prd_c'"])
  expect(await skusOf('prd_c')).toEqual([[]])
})

test('changing the price of a variant does not update the row of its product', async () => {
  await commit(product('prd_d'), variants('prd_d', 'D1', 'D2'))
  const versionOf = async () =>
    (await query("select xmin from products where merchant_id = $1 and id = 'prd_d'")).rows[0].xmin
  const before = await versionOf()
  await commit(["update product_variants set price_kobo = 2000 where merchant_id = $1 and product_id = 'prd_d'"])
  expect(await versionOf()).toBe(before)
})

test('a product is deleted with its variants', async () => {
  await commit(product('prd_e'), variants('prd_e', 'E1', 'E2'))
  await commit(["delete from products where merchant_id = $1 and id = 'prd_e'"])
  expect(await skusOf('prd_e')).toEqual([undefined])
})
