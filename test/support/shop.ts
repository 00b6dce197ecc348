import { type Scope, scopes } from '../../registry/values/scopes.ts'
import type { MerchantId, ProductId, TokenId, VariantId } from '../../registry/values/vocabulary.ts'
import { createMerchant } from '../../src/access/create-merchant.ts'
import { createToken } from '../../src/access/create-token.ts'
import { type Clock, toTimestamp } from '../../src/base/clock.ts'
import { newProductId, newVariantId } from '../../src/base/records.ts'
import { toKobo } from '../../src/commerce/money.ts'
import type { Actor } from '../../src/store/core/audit.ts'
import { bookkeepAtOnce } from '../../src/store/core/bookkeeping.ts'
import type { Context, Tenant } from '../../src/store/core/mutation.ts'
import { insertingRows } from '../../src/store/core/rows.ts'
import type { TestApi } from './api.ts'

export const operator: Actor = {
  type: 'operator',
  id: null,
  label: 'test',
  sessionId: null,
  sourceIp: null,
  requestId: null,
  userAgent: null,
}

export interface Shop {
  readonly tenant: Tenant
  readonly merchantId: MerchantId
  readonly testMerchantId: MerchantId
  readonly token: string
  readonly tokenId: TokenId
}

/** Creates a merchant for one test, with an API token that has every scope. */
export async function openShop(context: Context): Promise<Shop> {
  const merchant = await createMerchant(context, operator, 'Adire Lagos')
  const tenant: Tenant = { merchantId: merchant.id, mode: 'live' }
  const created = await mintToken(context, tenant, {})
  return { tenant, merchantId: merchant.id, testMerchantId: merchant.testId, token: created.token, tokenId: created.id }
}

export const everyScope = Object.keys(scopes).filter((scope): scope is Scope => Object.hasOwn(scopes, scope))

export async function mintToken(
  context: Context,
  tenant: Tenant,
  request: Partial<Parameters<typeof createToken>[3]>,
): Promise<{ id: TokenId; token: string }> {
  const outcome = await createToken(context, operator, tenant, {
    name: 'test',
    scopes: everyScope,
    expiresAt: null,
    ipAllowlist: [],
    ...request,
  })
  if (outcome.is !== 'created') throw new Error(`No token: ${outcome.is}.`)
  return outcome
}

const products = insertingRows('products')
const variants = insertingRows('product_variants')
const stock = insertingRows('inventory')

export interface Stocked {
  readonly productId: ProductId
  readonly variantId: VariantId
}

/** The parts of the test's API that stockVariant() uses. */
export interface Stocking extends Pick<TestApi, 'database'> {
  readonly clock: Clock
}

/**
 * Inserts the database rows of a product with one stocked variant directly, because many tests need dozens of products.
 */
export async function stockVariant(
  api: Stocking,
  merchantId: MerchantId,
  options: {
    priceKobo?: number
    onHand?: number
    status?: 'draft' | 'active' | 'archived'
    threshold?: number | null
  } = {},
): Promise<Stocked> {
  const nowMs = api.clock.nowMs()
  const at = toTimestamp(nowMs)
  const productId = newProductId(nowMs)
  const variantId = newVariantId(nowMs)
  const status = options.status ?? 'active'
  await bookkeepAtOnce(api.database, async (trx) => {
    products.insert(trx, [
      {
        merchantId,
        id: productId,
        title: 'Ankara maxi dress',
        slug: productId.replace('_', '-'),
        description: '',
        status,
        options: [{ name: 'size', values: ['M'] }],
        images: [],
        tags: [],
        taxExempt: false,
        metadata: {},
        version: 1,
        publishedAt: status === 'draft' ? null : at,
        archivedAt: status === 'archived' ? at : null,
        createdAt: at,
        updatedAt: at,
      },
    ])
    variants.insert(trx, [
      {
        merchantId,
        id: variantId,
        productId,
        sku: `SKU-${variantId}`,
        title: 'M / Indigo',
        optionValues: { size: 'M' },
        priceKobo: toKobo(options.priceKobo ?? 1_500_000),
        position: 0,
        createdAt: at,
        updatedAt: at,
      },
    ])
    stock.insert(trx, [
      {
        merchantId,
        variantId,
        onHand: options.onHand ?? 1000,
        reserved: 0,
        tracked: true,
        allowBackorder: false,
        lowStockThreshold: options.threshold ?? null,
        isLow: false,
        updatedAt: at,
      },
    ])
  })
  return { productId, variantId }
}

export function orderBody(variantId: VariantId, more: object = {}) {
  return {
    customer: { name: 'Adaeze Okafor', email: 'adaeze.okafor@example.com', phone: '+2348031234567' },
    items: [{ variantId, quantity: 1 }],
    paymentMethod: 'bank_transfer',
    ...more,
  }
}

let references = 0

/** By default, the order is paid in full. */
export async function placeOrder(
  api: TestApi,
  shop: Shop,
  options: { priceKobo?: number; isPaid?: boolean; body?: object } = {},
): Promise<{ id: string; totalKobo: number; items: { id: string; variantId: string }[]; number: string }> {
  const { variantId } = await stockVariant(api, shop.merchantId, { priceKobo: options.priceKobo ?? 1_500_000 })
  const created = await api.send('POST', '/api/v1/orders', {
    token: shop.token,
    body: orderBody(variantId, options.body),
  })
  if (created.status !== 201) throw new Error(created.text)
  if (options.isPaid ?? true) {
    references += 1
    const body = { amountKobo: created.body.totalKobo, method: 'bank_transfer', reference: `test-${references}` }
    const paid = await api.send('POST', `/api/v1/orders/${created.body.id}/payments`, { token: shop.token, body })
    if (paid.status !== 201) throw new Error(paid.text)
  }
  return created.body
}
