import { apiRoot } from '../../registry/kit/endpoint.ts'
import { dropoffInputExample, pickupInputExample } from '../../registry/logistics/quote-example.ts'
import { isScope, type Scope, scopes } from '../../registry/values/scopes.ts'
import type { MerchantId } from '../../registry/values/vocabulary.ts'
import { createMerchant } from '../access/create-merchant.ts'
import { createToken } from '../access/create-token.ts'
import { createMember } from '../access/members/create-member.ts'
import { signInLink } from '../access/members/links.ts'
import type { LogisticsContext } from '../logistics/carriers/context.ts'
import { hasTokens } from '../store/access/tokens.ts'
import type { Actor } from '../store/core/audit.ts'
import type { Context, Tenant } from '../store/core/mutation.ts'
import { listOrders } from '../store/orders/order-list.ts'
import { seedOrders } from './seed-orders.ts'
import { seedSamples } from './seed-samples.ts'

/** Number of demo orders: three pages of the default size, so that the first curl command has pages to follow. */
const demoOrders = 60

export interface Demo {
  readonly merchantId: MerchantId
  readonly token: string
  /**
   * A test mode token with all scopes, which the sample requests use. The simulated carriers of test mode are free and
   * deliver nothing.
   */
  readonly testToken: string
  /** Id of a paid demo order, for the sample curl command that creates a refund. */
  readonly paidOrderId: string
  /** The token of the sign-in link with which the owner signs in for the first time. */
  readonly signInToken: string
}

/** The owner of the demo merchant. E-mail to example.com is not delivered. */
const demoOwner = { email: 'demo-owner@example.com', name: 'Adaeze Okafor', role: 'owner' } as const

/**
 * The test mode token has all scopes, because the samples call any operation, and test mode moves no real money or
 * goods.
 */
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
 * Creates a demo merchant with a catalogue, orders and tokens, if the database contains no tokens. The tokens are
 * created last, so that the next start repeats an interrupted first start.
 */
export async function openDemo(
  context: LogisticsContext,
  actor: Actor,
  stopping: AbortSignal,
): Promise<Demo | undefined> {
  if (await hasTokens(context.database, {})) return undefined
  const merchant = await createMerchant(context, actor, 'Adire Lagos')
  const tenant: Tenant = { merchantId: merchant.id, mode: 'live' }
  await seedOrders(context, actor, tenant, { orders: demoOrders })
  stopping.throwIfAborted()
  const page = { limit: 1, after: undefined }
  const [paid] = await listOrders(context.database, merchant.id, { paymentStatus: ['paid'] }, page)
  if (paid === undefined) throw new Error('The demo data must include a paid order.')
  const testTenant: Tenant = { merchantId: merchant.testId, mode: 'test' }
  await seedSamples(context, actor, testTenant)
  stopping.throwIfAborted()
  await seedOrders(context, actor, testTenant, { orders: demoOrders })
  stopping.throwIfAborted()
  const owner = await createMember(context, actor, { ...demoOwner, merchantId: merchant.id })
  if (owner.is !== 'created')
    throw new Error('A demo merchant without API tokens cannot have an owner with a password.')
  const token = await demoToken(context, actor, tenant)
  const testToken = await demoToken(context, actor, testTenant)
  return { merchantId: merchant.id, token, testToken, paidOrderId: paid.id, signInToken: owner.token }
}

async function demoToken(context: Context, actor: Actor, tenant: Tenant): Promise<string> {
  const request = { name: 'demo', scopes: scopesOf[tenant.mode], expiresAt: null, ipAllowlist: [] }
  const created = await createToken(context, actor, tenant, request)
  if (created.is !== 'created') throw new Error('Creating a token without an allowlist must succeed.')
  return created.token
}

/** Dispatch request of the demo. It uses the simulated carrier whose rider arrives within three minutes. */
const demoParcel = {
  reference: 'demo-1',
  carriers: ['simulator-swift'],
  pickup: pickupInputExample,
  dropoff: dropoffInputExample,
  parcels: [{ description: 'Ankara maxi dress', weightGrams: 800, valueKobo: 1_500_000 }],
}

/** Returns the commands shown after the first start; they work in any POSIX shell. */
export function demoCommands(demo: Demo, url: string): string {
  const api = `${url}${apiRoot}`
  const bearer = `-H 'Authorization: Bearer ${demo.token}'`
  const testBearer = `-H 'Authorization: Bearer ${demo.testToken}'`
  const refund = JSON.stringify({ orderId: demo.paidOrderId, amountKobo: 100_000, reason: 'damaged' })
  return [
    'Sign in to the dashboard of the demo merchant with this link, once and within an hour:',
    '',
    `  ${signInLink(url, demo.signInToken)}`,
    '',
    `The demo merchant is ${demo.merchantId}. Its API token is shown only now:`,
    '',
    `  ${demo.token}`,
    '',
    'After this line, every example of the reference runs as pasted. The token is for test mode, where payments and carriers',
    'are simulated:',
    '',
    `export COMMERCE_TOKEN=${demo.testToken}`,
    '',
    'Or run these requests. They list the newest orders, list every order page by page, and create a refund that is safe to repeat.',
    '',
    `curl -sS --fail-with-body '${api}/orders?limit=3' ${bearer}`,
    '',
    `(c=; while p=$(curl -sS --fail-with-body "${api}/orders?limit=25\${c:+&cursor=$c}" ${bearer}); do echo "$p" | grep -o '"number":"[^"]*"'; c=$(echo "$p" | sed -n 's/.*"cursor":"\\([^"]*\\)".*/\\1/p'); [ "$c" ] || exit 0; done; exit 1)`,
    '',
    `curl -sS --fail-with-body -X POST ${api}/refunds ${bearer} -H 'Content-Type: application/json' -H 'Idempotency-Key: demo-refund-1' -d '${refund}'`,
    '',
    'Requests for test mode: dispatch a parcel, then track its rider.',
    '',
    `s=$(curl -sS --fail-with-body -X POST ${api}/logistics/dispatch ${testBearer} -H 'Content-Type: application/json' -d '${JSON.stringify(demoParcel)}' | tee /dev/stderr | grep -o 'shp_[0-9a-z]*' | head -n 1)`,
    '',
    `curl -sS --fail-with-body "${api}/logistics/shipments/$s/track" ${testBearer}`,
  ].join('\n')
}
