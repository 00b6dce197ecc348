import { setTimeout as wait } from 'node:timers/promises'
import type { EndpointId, MerchantId } from '../../registry/values/vocabulary.ts'
import { createWebhookEndpoint } from '../../src/access/create-webhook-endpoint.ts'
import { sendTestEvent } from '../../src/access/send-test-event.ts'
import { systemClock } from '../../src/base/clock.ts'
import { silentLog } from '../../src/base/log.ts'
import { openDatabase } from '../../src/store/core/database.ts'
import type { DatabaseRoles } from '../../src/store/server/service-role.ts'
import { createDueNotifier } from '../../src/worker/due-notifier.ts'
import { median, startServer } from './compare.ts'
import { actor, endpointsEach, policy, vault } from './delivery/merchants.ts'
import { startService, stopService } from './start-service.ts'
import { readSteadily } from './steady-reads.ts'
import { requireAtMost } from './verdict.ts'

/**
 * Maximum ratio of two p99 latencies of a merchant's reads. The first latency is measured while the webhook receivers
 * of another merchant send endless `103` responses, and the second while these receivers respond normally.
 */
const ratioMax = 1.5

const rounds = 3

/**
 * Interval between the events to each webhook endpoint: four events a second. An attempt to a receiver that streams
 * takes ten seconds, so more attempts become due than an endpoint may have in flight.
 */
const eventIntervalMs = 250

interface Neighbours {
  /** The merchant that owns the webhook receivers. */
  readonly merchantId: MerchantId
  /** API token of the merchant that owns no receivers and whose read requests are measured. */
  readonly token: string
}

/**
 * Measures the read requests of one merchant while webhook receivers of another merchant get events, with the API and
 * the worker in one process. Receivers that respond normally are measured first, because attempts to receivers that
 * stream without an end would continue into the next measurements.
 */
export async function measureFloods(roles: DatabaseRoles, { merchantId, token }: Neighbours): Promise<void> {
  const database = openDatabase(roles)
  const notifier = createDueNotifier(database, silentLog)
  const context = { database, clock: systemClock, nudge: notifier.nudge, policy, vault }
  const tenant = { merchantId, mode: 'live' } as const
  const receiver = await startServer('flooding-receiver.ts', [])
  const { child, url } = await startService(roles, { WEBHOOK_ALLOW_LOOPBACK: 'true' })
  const open = async (path: string): Promise<readonly EndpointId[]> => {
    const ids: EndpointId[] = []
    for (let count = 0; count < endpointsEach; count++) {
      const request = { url: `${receiver.url}${path}`, kinds: ['order.created' as const] }
      const created = await createWebhookEndpoint(context, actor, tenant, request)
      if (created.is !== 'created') throw new Error(`No endpoint: ${created.is}.`)
      ids.push(created.id)
    }
    return ids
  }
  /**
   * Returns the p99 latency of a merchant's read requests while sample events are sent to the given webhook endpoints.
   */
  const readBeside = async (endpoints: readonly EndpointId[]): Promise<number> => {
    const reading = { isOver: false }
    const sending = (async () => {
      while (!reading.isOver) {
        for (const endpointId of endpoints) {
          await sendTestEvent(context, actor, tenant, { endpointId, kind: 'order.created' })
        }
        await wait(eventIntervalMs)
      }
    })()
    const p99Ms = await readSteadily(`${url}/api/v1/orders`, token)
    reading.isOver = true
    await sending
    return p99Ms
  }
  try {
    const [ordinary, flooding] = [await open('/hook'), await open('/flood')]
    const measure = async (endpoints: readonly EndpointId[]) => {
      const p99sMs: number[] = []
      for (let round = 0; round < rounds; round++) p99sMs.push(await readBeside(endpoints))
      return median(p99sMs)
    }
    await readBeside(ordinary)
    const calm = await measure(ordinary)
    const flooded = await measure(flooding)
    const what = `GET /orders, p99 ${flooded.toFixed(1)} ms beside receivers that stream 103 responses, and ${calm.toFixed(1)} ms beside receivers that respond normally`
    requireAtMost(what, flooded / calm, ratioMax)
  } finally {
    await notifier.flush()
    await stopService(child)
    receiver.stop()
    await database.close()
  }
}
