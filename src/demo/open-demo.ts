import { apiRoot } from '../../registry/kit/endpoint.ts'
import { dropoffInputExample, pickupInputExample } from '../../registry/logistics/quotes.ts'
import { isScope, type Scope, scopes } from '../../registry/values/scopes.ts'
import type { MerchantId } from '../../registry/values/vocabulary.ts'
import { createMerchant } from '../access/create-merchant.ts'
import { createToken } from '../access/create-token.ts'
import type { LogisticsContext } from '../logistics/carriers/context.ts'
import { hasTokens } from '../store/access/tokens.ts'
import type { Actor } from '../store/core/audit.ts'
import type { Context, Tenant } from '../store/core/mutation.ts'
import { listOrders } from '../store/orders/order-list.ts'
import { seedOrders } from './seed-orders.ts'
import { seedSamples } from './seed-samples.ts'

/** Three pages of the standard size, so that the first curl line has something to page through. */
const demoOrders = 60

export interface Demo {
  readonly merchantId: MerchantId
  readonly token: string
  /** Of the test side, whose carriers carry nothing and cost nothing, and for everything: the samples use it. */
  readonly testToken: string
  /** A paid order, for the curl line that refunds. */
  readonly paidOrderId: string
}

/** A sample may be of any operation, and in test mode nothing comes to harm. */
const scopesOf: Readonly<Record<Tenant['mode'], readonly Scope[]>> = {
  live: [
    'orders:read',
    'orders:write',
    'customers:read',
    'customers:write',
    'discounts:read',
    'discounts:write',
    'products:read',
    'products:write',
    'inventory:write',
    'events:read',
    'refunds:read',
    'refunds:write',
    'logistics:read',
  ],
  test: Object.keys(scopes).filter(isScope),
}

/**
 * A merchant with a catalogue, orders and tokens, on a database that has no token yet. The tokens come last, so a
 * first start that was interrupted is made good by the next.
 */
export async function openDemo(
  context: LogisticsContext,
  actor: Actor,
  stopping: AbortSignal,
): Promise<Demo | undefined> {
  if (await hasTokens(context.database)) return undefined
  const merchant = await createMerchant(context, actor, 'Adire Lagos')
  const tenant: Tenant = { merchantId: merchant.id, mode: 'live' }
  await seedOrders(context, actor, tenant, { orders: demoOrders })
  stopping.throwIfAborted()
  const page = { limit: 1, after: undefined }
  const [paid] = await listOrders(context.database, merchant.id, { paymentStatus: ['paid'] }, page)
  if (paid === undefined) throw new Error('The demo orders hold a paid one.')
  const testTenant: Tenant = { merchantId: merchant.testId, mode: 'test' }
  await seedSamples(context, actor, testTenant)
  stopping.throwIfAborted()
  await seedOrders(context, actor, testTenant, { orders: demoOrders })
  stopping.throwIfAborted()
  const token = await demoToken(context, actor, tenant)
  const testToken = await demoToken(context, actor, testTenant)
  return { merchantId: merchant.id, token, testToken, paidOrderId: paid.id }
}

async function demoToken(context: Context, actor: Actor, tenant: Tenant): Promise<string> {
  const request = { name: 'demo', scopes: scopesOf[tenant.mode], expiresAt: null, ipAllowlist: [] }
  const created = await createToken(context, actor, tenant, request)
  if (created.is !== 'created') throw new Error('A token without an allowlist is always made.')
  return created.token
}

/** By the company of test mode whose rider is at the door within three minutes. */
const demoParcel = {
  reference: 'demo-1',
  carriers: ['simulator-swift'],
  pickup: pickupInputExample,
  dropoff: dropoffInputExample,
  parcels: [{ description: 'Ankara maxi dress', weightGrams: 800, valueKobo: 1_500_000 }],
}

/** The lines a newcomer pastes; they work in any POSIX shell. */
export function demoLines(demo: Demo, url: string): string {
  const api = `${url}${apiRoot}`
  const bearer = `-H 'Authorization: Bearer ${demo.token}'`
  const testBearer = `-H 'Authorization: Bearer ${demo.testToken}'`
  const refund = JSON.stringify({ orderId: demo.paidOrderId, amountKobo: 100_000, reason: 'damaged' })
  return [
    `Demo merchant ${demo.merchantId}. Its token, shown only now:`,
    '',
    `  ${demo.token}`,
    '',
    'Every example of the reference runs as pasted behind this line. Its token is of test mode, where money and carriers',
    'are made up:',
    '',
    `export COMMERCE_TOKEN=${demo.testToken}`,
    '',
    'Or paste these: the newest orders; every order, page by page; a refund that is safe to repeat.',
    '',
    `curl -sS --fail-with-body '${api}/orders?limit=3' ${bearer}`,
    '',
    `(c=; while p=$(curl -sS --fail-with-body "${api}/orders?limit=25\${c:+&cursor=$c}" ${bearer}); do echo "$p" | grep -o '"number":"[^"]*"'; c=$(echo "$p" | sed -n 's/.*"cursor":"\\([^"]*\\)".*/\\1/p'); [ "$c" ] || exit 0; done; exit 1)`,
    '',
    `curl -sS --fail-with-body -X POST ${api}/refunds ${bearer} -H 'Content-Type: application/json' -H 'Idempotency-Key: demo-refund-1' -d '${refund}'`,
    '',
    'In test mode: dispatch a parcel; then see its rider come nearer.',
    '',
    `s=$(curl -sS --fail-with-body -X POST ${api}/logistics/dispatch ${testBearer} -H 'Content-Type: application/json' -d '${JSON.stringify(demoParcel)}' | tee /dev/stderr | grep -o 'shp_[0-9a-z]*' | head -n 1)`,
    '',
    `curl -sS --fail-with-body "${api}/logistics/shipments/$s/track" ${testBearer}`,
  ].join('\n')
}
