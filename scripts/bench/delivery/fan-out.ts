import type { MerchantId } from '../../../registry/values/vocabulary.ts'
import { createMerchant } from '../../../src/access/create-merchant.ts'
import { createWebhookEndpoint } from '../../../src/access/create-webhook-endpoint.ts'
import { systemClock } from '../../../src/base/clock.ts'
import { type Database, openDatabase } from '../../../src/store/core/database.ts'
import type { DatabaseRoles } from '../../../src/store/server/service-role.ts'
import { type Load, measure, perSecond, startServer } from '../compare.ts'
import { createBenchToken } from '../create-bench-token.ts'
import { makeOrders, walkOrders } from '../orders.ts'
import { refunding } from '../refunds.ts'
import { requireAtLeast } from '../verdict.ts'
import { actor, policy, vault } from './merchants.ts'

/**
 * Minimum ratio of two mutation rates: the rate with webhook endpoints to the rate without webhook endpoints. With
 * three subscribed endpoints, a mutation costs at most 1.5 times as much.
 */
const floor = 0.667
const subscribedEndpoints = 3

/** Number of orders of each merchant: enough that concurrent refunds belong to different orders. */
const orders = 20_000

/** Duration of a measured run: half of the default, so that the whole benchmark takes only minutes. */
const seconds = 2

/**
 * Compares two rates of refunds: for a merchant that has webhook endpoints, and for a merchant that has none. No worker
 * delivers events during the measurement.
 */
export async function measureFanOut({ connectionString, ownerConnectionString }: DatabaseRoles): Promise<void> {
  const database = openDatabase({ connectionString })
  const service = await startServer('service.ts', [connectionString])
  try {
    const quiet = await openShop(database, 0)
    const subscribed = await openShop(database, subscribedEndpoints)
    await makeOrders(ownerConnectionString, [quiet.merchantId, subscribed.merchantId], 2 * orders)
    const refund = async ({ merchantId, token }: Shop): Promise<Load['service']> =>
      refunding(`${service.url}/api/v1/refunds`, token, await walkOrders(connectionString, merchantId))
    const outcome = await measure({
      title: 'POST /refunds, three endpoints',
      service: await refund(subscribed),
      reference: await refund(quiet),
      seconds,
    })
    await requireFannedOut(database, subscribed)
    const { servicePerSecond, referencePerSecond, ratio, title } = outcome
    const speeds = `three ${perSecond(servicePerSecond)}  none ${perSecond(referencePerSecond)}`
    requireAtLeast(`${title.padEnd(32)} ${speeds}`, ratio, floor)
  } finally {
    service.stop()
    await database.close()
  }
}

interface Shop {
  readonly merchantId: MerchantId
  readonly token: string
}

async function openShop(database: Database, endpoints: number): Promise<Shop> {
  const context = { database, clock: systemClock, nudge: () => undefined, policy, vault }
  const { id: merchantId } = await createMerchant(context, actor, 'Bench')
  const tenant = { merchantId, mode: 'live' } as const
  const token = await createBenchToken(context, tenant, ['refunds:write'])
  for (let index = 0; index < endpoints; index++) {
    // No delivery is ever sent to this URL.
    const endpoint = { url: `http://127.0.0.1:1/${index}`, kinds: ['order.refunded' as const] }
    const outcome = await createWebhookEndpoint(context, actor, tenant, endpoint)
    if (outcome.is !== 'created') throw new Error(`No endpoint: ${outcome.is}.`)
  }
  return { merchantId, token }
}

/**
 * Throws unless every refund created its deliveries. Otherwise, refunds without deliveries would get the best result of
 * the benchmark.
 */
async function requireFannedOut(database: Database, { merchantId }: Shop): Promise<void> {
  const { rows } = await database.pool.query<{ refunds: number; deliveries: number }>(
    `select
      (select count(*) from refunds where merchant_id = $1) as refunds,
      (select count(*) from webhook_deliveries where merchant_id = $1) as deliveries`,
    [merchantId],
  )
  const { refunds = 0, deliveries = 0 } = rows[0] ?? {}
  if (refunds === 0 || deliveries !== refunds * subscribedEndpoints) {
    throw new Error(`${refunds} refunds created ${deliveries} deliveries, expected ${refunds * subscribedEndpoints}.`)
  }
}
