import { disableWebhookEndpoint } from '../../../src/access/disable-webhook-endpoint.ts'
import { enableWebhookEndpoint } from '../../../src/access/enable-webhook-endpoint.ts'
import { type ReplayRequest, replaySince } from '../../../src/access/replay-since.ts'
import type { Database } from '../../../src/store/core/database.ts'
import { listBulkReplays } from '../../../src/store/webhooks/bulk-replays.ts'
import { listDeliveries } from '../../../src/store/webhooks/delivery-list.ts'
import type { EndpointKey } from '../../../src/store/webhooks/endpoints.ts'
import { replayWebhooks } from '../../../src/webhooks/replay-webhooks.ts'
import { openShop, operator } from '../shop.ts'

const minute = 60_000

/** Opens a shop with bulk replays that run only when the test advances them, step by step. */
export async function openReplayShop(database: Database) {
  const shop = await openShop(database)
  const { merchantId, context, tenant } = shop
  const all = async () => (await listDeliveries(database, { merchantId, limit: 10_000 })).toReversed()
  const list = () => listBulkReplays(database, { merchantId, limit: 10 })
  const begunAt = shop.now()
  return {
    ...shop,
    begunAt,
    all,
    list,
    originals: async () => (await all()).filter(({ trigger }) => trigger === 'automatic'),
    replays: async () => (await all()).filter(({ trigger }) => trigger === 'replay'),
    /**
     * Creates events that are old enough for a replay. They are one millisecond apart, because ids of the same
     * millisecond have a random order.
     */
    emitMany: async (count: number) => {
      for (let index = 0; index < count; index++) {
        shop.clock.advance(1)
        await shop.emit()
      }
      shop.clock.advance(minute)
    },
    disable: ({ endpointId }: EndpointKey) => disableWebhookEndpoint(context, operator, tenant, endpointId),
    enable: ({ endpointId }: EndpointKey, replaysSkipped?: boolean) =>
      enableWebhookEndpoint(context, operator, tenant, endpointId, { replaysSkipped }),
    replay: (request: Omit<ReplayRequest, 'since'> & Partial<ReplayRequest>) =>
      replaySince(context, operator, tenant, { since: begunAt, ...request }),
    step: () => replayWebhooks(context, merchantId),
    /** Queues and sends webhook deliveries until every bulk replay is complete. */
    finish: async (endpoint: EndpointKey) => {
      for (let rounds = 0; (await list()).some((each) => each.status === 'running'); rounds++) {
        if (rounds === 20) throw new Error('The replay does not end.')
        await replayWebhooks(context, merchantId)
        await shop.deliver(endpoint)
        shop.clock.advance(5_000)
      }
    },
    /** Marks each delivery as failed after seven attempts, without sending it. */
    failForGood: (ids: readonly string[]) =>
      database.pool.query(
        `update webhook_deliveries
         set status = 'failed', attempt_count = 7, next_attempt_at = null, completed_at = $2
         where merchant_id = $1 and id = any($3)`,
        [merchantId, shop.now(), ids],
      ),
  }
}
