import pg from 'pg'
import { createMerchant } from '../../src/access/create-merchant.ts'
import { createToken } from '../../src/access/create-token.ts'
import type { Context } from '../../src/store/core/mutation.ts'

/** One place to order from: a variant, and a token of the merchant that sells it. */
export interface Shelf {
  readonly token: string
  readonly variantId: string
}

const actor = { type: 'operator', id: null, label: 'bench', sourceIp: null, requestId: null, userAgent: null } as const

/**
 * As many shelves twice: all of one merchant, and each of a merchant of its own. What an order costs is the same in both,
 * so a difference is what orders of one merchant cost each other.
 */
export async function openShelves(
  context: Context,
  connectionString: string,
  count: number,
): Promise<{ ofOne: readonly Shelf[]; ofMany: readonly Shelf[] }> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    const ofMany: Shelf[] = []
    for (let index = 0; index < count; index++) ofMany.push(...(await openShop(context, client, 1)))
    return { ofOne: await openShop(context, client, count), ofMany }
  } finally {
    await client.end()
  }
}

async function openShop(context: Context, client: pg.Client, variants: number): Promise<Shelf[]> {
  const { id: merchantId } = await createMerchant(context, actor, 'Bench')
  const request = { name: 'bench', scopes: ['orders:write' as const], expiresAt: null, ipAllowlist: [] }
  const created = await createToken(context, actor, { merchantId, mode: 'live' }, request)
  if (created.is !== 'created') throw new Error('No token.')
  const { rows } = await client.query<{ variant_id: string }>(catalogueText, [merchantId, variants])
  await client.query(discountText, [merchantId, sharedCode])
  return rows.map((row) => ({ token: created.token, variantId: row.variant_id }))
}

/** A code without a limit, which every order of a run may name. */
export const sharedCode = 'VIRAL'

const discountText = `
  insert into discounts (merchant_id, id, title, code, type, percentage_bps, starts_at, created_at, updated_at)
  values ($1::text, 'dsc_01' || substr(md5($1::text), 1, 24), 'Viral', $2, 'percentage', 1000, now(), now(), now())`

/** Stock that no run uses up, and no threshold, so that no order of a run differs from the others. */
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
  ), shelf as (
    insert into inventory (merchant_id, variant_id, on_hand, low_stock_threshold, updated_at)
    select $1, variant_id, 1000000000, 0, now() from made
  )
  select variant_id from made`
