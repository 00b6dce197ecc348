import type { Scope } from '../../../registry/values/scopes.ts'
import type { EndpointId } from '../../../registry/values/vocabulary.ts'
import { createToken } from '../../../src/access/create-token.ts'
import { createWebhookEndpoint } from '../../../src/access/create-webhook-endpoint.ts'
import type { Database } from '../../../src/store/core/database.ts'
import type { Tenant } from '../../../src/store/core/mutation.ts'
import { contextOf, openMerchant, operator } from '../merchants.ts'
import { trustSecret } from '../outside-verifiers.ts'

/** The records of one round: a merchant with a product, paid orders and a webhook endpoint. */
export interface Shop {
  readonly tenant: Tenant
  readonly token: string
  readonly productId: string
  readonly variantId: string
  /** Paid orders that all clients of a round refund, so that the clients contend for the orders' locks. */
  readonly orderIds: readonly string[]
  readonly endpointId: EndpointId
}

const scopes: readonly Scope[] = [
  'orders:read',
  'orders:write',
  'products:write',
  'inventory:write',
  'customers:write',
  'refunds:write',
]

/** Number of paid orders in a round: so few that the clients contend for each of them. */
const hotOrders = 3

/** Initial stock of the product: more units than the orders of a round can sell. */
const initialStock = 1_000_000

export interface ShopOptions {
  readonly database: Database
  /** URL at which the API is reached directly, without the proxy that causes the fault. */
  readonly url: string
  /**
   * The URL at which the worker reaches the webhook receivers, and the URL under which the receivers verify signatures.
   */
  readonly receiversUrl: string
  readonly ownReceiversUrl: string
}

export async function openShop({ database, url, receiversUrl, ownReceiversUrl }: ShopOptions): Promise<Shop> {
  const tenant = await openMerchant(database)
  // The endpoint must be older than the first event, by the clock of this process and by the clock of the API.
  const { id: endpointId, secret } = await openEndpoint(database, tenant, `${receiversUrl}/${tenant.merchantId}`)
  trustSecret(`${ownReceiversUrl}/${tenant.merchantId}`, secret)
  const request = { name: 'faults', scopes: [...scopes], expiresAt: null, ipAllowlist: [] }
  const created = await createToken(contextOf(database), operator, tenant, request)
  if (created.is !== 'created') throw new Error(`The token was rejected: ${created.is}.`)
  const { token } = created
  const post = (path: string, body: object) => send({ url, token, path, body })
  const product = await post('/products', {
    title: 'Ankara maxi dress',
    status: 'active',
    variants: [{ sku: 'ANK-M', priceKobo: 1_500_000, inventory: { onHand: initialStock } }],
  })
  const variantId = product.variants?.[0]?.id ?? ''
  const orderIds: string[] = []
  while (orderIds.length < hotOrders) {
    const order = await post('/orders', orderOf(variantId))
    const payment = { amountKobo: order.totalKobo, method: 'bank_transfer', reference: `faults-${orderIds.length}` }
    await post(`/orders/${order.id}/payments`, payment)
    orderIds.push(order.id)
  }
  return { tenant, token, productId: product.id, variantId, orderIds, endpointId }
}

export function orderOf(variantId: string) {
  return {
    customer: { name: 'Adaeze Okafor', email: 'adaeze.okafor@example.com' },
    items: [{ variantId, quantity: 1 }],
    paymentMethod: 'bank_transfer',
  }
}

async function openEndpoint(database: Database, tenant: Tenant, url: string) {
  const request = { url, kinds: ['order.created' as const, 'order.refunded' as const, 'order.status_changed' as const] }
  const outcome = await createWebhookEndpoint(contextOf(database), operator, tenant, request)
  if (outcome.is !== 'created') throw new Error(`The endpoint was rejected: ${outcome.is}.`)
  return outcome
}

interface Post {
  readonly url: string
  readonly token: string
  readonly path: string
  readonly body: object
}

interface Created {
  readonly id: string
  readonly totalKobo?: number
  readonly variants?: readonly { readonly id: string }[]
}

async function send({ url, token, path, body }: Post): Promise<Created> {
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }
  const response = await fetch(`${url}/api/v1${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  const text = await response.text()
  if (!response.ok) throw new Error(`POST ${path} returned ${response.status}: ${text}`)
  return JSON.parse(text)
}
