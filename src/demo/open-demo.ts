import { apiRoot } from '../../registry/endpoint.ts'
import type { MerchantId } from '../../registry/vocabulary.ts'
import { createMerchant } from '../access/create-merchant.ts'
import { createToken } from '../access/create-token.ts'
import type { Actor } from '../store/audit.ts'
import type { Context, Tenant } from '../store/mutation.ts'
import { listOrders } from '../store/order-list.ts'
import { hasTokens } from '../store/tokens.ts'
import { seedOrders } from './seed-orders.ts'

/** Three pages of the standard size, so that the first curl line has something to page through. */
const demoOrders = 60

export interface Demo {
  readonly merchantId: MerchantId
  readonly token: string
  /** A paid order, for the curl line that refunds. */
  readonly paidOrderId: string
}

/**
 * A merchant with a catalogue, orders and a token, on a database that has no token yet. The token comes last, so a
 * first start that was interrupted is made good by the next.
 */
export async function openDemo(context: Context, actor: Actor): Promise<Demo | undefined> {
  if (await hasTokens(context.database)) return undefined
  const merchant = await createMerchant(context, actor, 'Adire Lagos')
  const tenant: Tenant = { merchantId: merchant.id, mode: 'live' }
  await seedOrders(context, actor, tenant, { orders: demoOrders })
  const created = await createToken(context, actor, tenant, {
    name: 'demo',
    scopes: [
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
    expiresAt: null,
    ipAllowlist: [],
  })
  if (created.is !== 'created') throw new Error('A token without an allowlist is always made.')
  const page = { limit: 1, after: undefined }
  const [paid] = await listOrders(context.database, merchant.id, { paymentStatus: ['paid'] }, page)
  if (paid === undefined) throw new Error('The demo orders hold a paid one.')
  return { merchantId: merchant.id, token: created.token, paidOrderId: paid.id }
}

/** The lines a newcomer pastes; they work in any POSIX shell. */
export function demoLines(demo: Demo, url: string): string {
  const api = `${url}${apiRoot}`
  const bearer = `-H 'Authorization: Bearer ${demo.token}'`
  const refund = JSON.stringify({ orderId: demo.paidOrderId, amountKobo: 100_000, reason: 'damaged' })
  return [
    `Demo merchant ${demo.merchantId}. Its token, shown only now:`,
    '',
    `  ${demo.token}`,
    '',
    'Paste these: the newest orders; every order, page by page; a refund that is safe to repeat.',
    '',
    `curl -s '${api}/orders?limit=3' ${bearer}`,
    '',
    `c=; while p=$(curl -s "${api}/orders?limit=25\${c:+&cursor=$c}" ${bearer}); do echo "$p" | grep -o '"number":"[^"]*"'; c=$(echo "$p" | sed -n 's/.*"cursor":"\\([^"]*\\)".*/\\1/p'); [ "$c" ] || break; done`,
    '',
    `curl -s -X POST ${api}/refunds ${bearer} -H 'Content-Type: application/json' -H 'Idempotency-Key: demo-refund-1' -d '${refund}'`,
  ].join('\n')
}
