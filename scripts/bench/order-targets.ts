import pg from 'pg'
import type { MerchantId } from '../../registry/values/vocabulary.ts'
import { createMerchant } from '../../src/access/create-merchant.ts'
import { systemActor } from '../../src/store/core/audit.ts'
import type { Context } from '../../src/store/core/mutation.ts'
import { createBenchToken } from './create-bench-token.ts'

/** A product variant for which the benchmark sends order requests, and a token of its merchant. */
export interface OrderTarget {
  readonly merchantId: MerchantId
  readonly token: string
  readonly variantId: string
}

const actor = systemActor('bench')

/**
 * Creates two sets of order targets. In one set, all targets are of one merchant; in the other set, each target is of a
 * different merchant. Different results for the two sets show contention between orders of one merchant.
 */
export async function createOrderTargets(
  context: Context,
  connectionString: string,
  count: number,
): Promise<{ sameMerchant: readonly OrderTarget[]; distinctMerchants: readonly OrderTarget[] }> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    const distinctMerchants: OrderTarget[] = []
    for (let index = 0; index < count; index++) distinctMerchants.push(...(await openShop(context, client, 1)))
    return { sameMerchant: await openShop(context, client, count), distinctMerchants }
  } finally {
    await client.end()
  }
}

export async function openShop(context: Context, client: pg.Client, variants: number): Promise<OrderTarget[]> {
  const { id: merchantId } = await createMerchant(context, actor, 'Bench')
  const token = await createBenchToken(context, { merchantId, mode: 'live' }, ['orders:write'])
  const variantIds = await createVariants(client, merchantId, variants)
  await client.query(discountText, [merchantId, sharedCode])
  return variantIds.map((variantId) => ({ merchantId, token, variantId }))
}

/** Each variant has a product of its own. Returns the ids of the variants. */
export async function createVariants(
  client: Pick<pg.Client, 'query'>,
  merchantId: MerchantId,
  count: number,
): Promise<readonly string[]> {
  const { rows } = await client.query<{ variant_id: string }>(catalogueText, [merchantId, count])
  return rows.map((row) => row.variant_id)
}

/** The code of a discount without a usage limit. */
export const sharedCode = 'VIRAL'

const discountText = `
  insert into discounts (merchant_id, id, title, code, type, percentage_bps, starts_at, created_at, updated_at)
  values ($1::text, 'dsc_01' || substr(md5($1::text), 1, 24), 'Viral', $2, 'percentage', 1000, now(), now(), now())`

/**
 * Creates products with unlimited stock and without a low-stock threshold, so that each order of a benchmark run takes
 * the same work.
 */
const catalogueText = `
  with made as (
    select
      'prd_01' || lpad(to_hex(i), 10, '0') || substr(md5($1::text || i), 1, 14) as product_id,
      'var_01' || lpad(to_hex(i), 10, '0') || substr(md5($1::text || i), 1, 14) as variant_id
    from generate_series(1, $2::integer) i
  ), product as (
    insert into products (merchant_id, id, title, slug, status, created_at, updated_at)
    select $1, product_id, 'Dress', product_id, 'active', now(), now() from made
  ), variant as (
    insert into product_variants (
      merchant_id, id, product_id, sku, title, price_kobo, position, created_at, updated_at
    )
    select $1, variant_id, product_id, variant_id, 'M', 1500000, 0, now(), now() from made
  ), target as (
    insert into inventory (merchant_id, variant_id, on_hand, low_stock_threshold, updated_at)
    select $1, variant_id, 1000000000, 0, now() from made
  )
  select variant_id from made`
