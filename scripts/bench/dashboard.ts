import { createMerchant } from '../../src/access/create-merchant.ts'
import { acceptInvitationAsNewUser } from '../../src/access/members/accept-invitation.ts'
import { inviteMember } from '../../src/access/members/invite-member.ts'
import { systemClock } from '../../src/base/clock.ts'
import { openDatabase } from '../../src/store/core/database.ts'
import type { TemporaryPostgres } from '../temporary-postgres.ts'
import { crowd } from './crowd.ts'
import { actor, vault } from './delivery/merchants.ts'
import { percentile } from './percentile.ts'
import { startService, stopService } from './start-service.ts'
import { requireMsAtMost } from './verdict.ts'

/** Maximum time of a list and of a search, at the 95th percentile. */
const listMaxMs = 150

/** Maximum time of the start page, which reads the sales, the tasks of the day and all problems. */
const startMaxMs = 250

/** Number of requests for each page. The first requests are slower: they read from the disk. */
const requests = 40

const products = 5_000

/**
 * The pages that a shop opens all day. They include searches for a part of many names, for a phone number, and for a
 * text without a match.
 */
const pages: Readonly<Record<string, number>> = {
  '': startMaxMs,
  '/orders': listMaxMs,
  '/orders?status=processing': listMaxMs,
  '/orders?view=to_pack': listMaxMs,
  '/orders?status=pending%2Con_hold&paymentStatus=unpaid%2Cpartially_paid': listMaxMs,
  '/orders?view=problems': listMaxMs,
  '/orders?q=adaeze': listMaxMs,
  '/orders?from=2026-09-01&to=2026-09-30': listMaxMs,
  '/search?q=adaeze+okafor': listMaxMs,
  '/search?q=08000007919': listMaxMs,
  '/search?q=nothing-has-this-name': listMaxMs,
  '/shipments': listMaxMs,
  '/refunds': listMaxMs,
  '/returns': listMaxMs,
  '/customers': listMaxMs,
  '/customers?q=customer+4': listMaxMs,
  '/products': listMaxMs,
  '/products?q=ankara': listMaxMs,
  '/stock': listMaxMs,
  '/stock?lowStock=true': listMaxMs,
  '/discounts': listMaxMs,
}

/** Measures the pages of the dashboard for a merchant with 100,000 orders and 5,000 products, one request at a time. */
export async function benchDashboard(postgres: TemporaryPostgres, orders = 100_000): Promise<void> {
  const database = openDatabase({ connectionString: postgres.connectionString })
  const context = { database, clock: systemClock, nudge: () => undefined, vault }
  const { id: merchantId } = await createMerchant(context, actor, 'Adire Lagos')
  const cookie = await signIn(context, merchantId)
  await crowd(postgres.ownerConnectionString, [merchantId], { orders, products })
  const { child, url } = await startService(postgres, { RUN: 'api' })
  try {
    for (const [path, maxMs] of Object.entries(pages)) {
      const times: number[] = []
      for (let request = 0; request < requests; request++) times.push(await msOf(`${url}/dashboard${path}`, cookie))
      times.sort((a, b) => a - b)
      const [p50, p95] = [percentile(times, 0.5), percentile(times, 0.95)]
      requireMsAtMost(`/dashboard${path}: p50 ${p50.toFixed(0)} ms, p95 ${p95.toFixed(0)} ms`, p95, maxMs)
    }
  } finally {
    await stopService(child)
    await database.close()
  }
}

async function signIn(
  context: Parameters<typeof acceptInvitationAsNewUser>[0] & Parameters<typeof inviteMember>[0],
  merchantId: Parameters<typeof inviteMember>[2]['merchantId'],
): Promise<string> {
  const invited = await inviteMember(context, actor, {
    merchantId,
    email: 'owner@example.com',
    name: 'Ada Obi',
    role: 'owner',
  })
  if (invited.is !== 'invited') throw new Error(`The invitation is ${invited.is}.`)
  const accepted = await acceptInvitationAsNewUser(context, {
    token: invited.token,
    name: 'Ada Obi',
    password: 'a sentence of words',
    source: { ip: '127.0.0.1', requestId: null, userAgent: null },
  })
  if (accepted.is !== 'accepted') throw new Error(`The invitation was not accepted: ${accepted.is}.`)
  return `commerce-session=${accepted.sessionToken}`
}

async function msOf(url: string, cookie: string): Promise<number> {
  const startedMs = performance.now()
  const response = await fetch(url, { headers: { Cookie: cookie }, redirect: 'manual' })
  const text = await response.text()
  if (response.status !== 200 || !text.includes('<main')) throw new Error(`${url} answered ${response.status}.`)
  return performance.now() - startedMs
}
