import fc from 'fast-check'
import { expect, test } from 'vitest'
import { disableWebhookEndpoint } from '../../../src/access/disable-webhook-endpoint.ts'
import { enableWebhookEndpoint } from '../../../src/access/enable-webhook-endpoint.ts'
import { replayDelivery } from '../../../src/access/replay-delivery.ts'
import { sendTestEvent } from '../../../src/access/send-test-event.ts'
import { standardRules } from '../../../src/webhooks/pace.ts'
import { useDatabase } from '../../support/database.ts'
import { openReceiver } from '../receiver.ts'
import { openShop, operator } from '../shop.ts'
import { openReference } from './reference.ts'

/**
 * Runs random sequences of events and responses for one webhook endpoint through the whole service and through a
 * reference model. After each step, both must have the same state of the endpoint and of every delivery.
 */

const opened = useDatabase()

const second = 1000
const minute = 60 * second
const waits = [1, 2 * second, 30 * second, minute, 5 * minute, 30 * minute, 120 * minute, 720 * minute, 1440 * minute]

const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ is: fc.constant('emit' as const), count: fc.integer({ min: 1, max: 4 }) }) },
  { weight: 6, arbitrary: fc.record({ is: fc.constant('wait' as const), ms: fc.constantFrom(...waits) }) },
  {
    weight: 1,
    arbitrary: fc.record({ is: fc.constantFrom('enable' as const, 'disable' as const, 'sample' as const) }),
  },
  { weight: 3, arbitrary: fc.record({ is: fc.constant('replay' as const), which: fc.nat(20) }) },
)

/**
 * Responses of the webhook receiver. Most of them repeat the previous response, so that endpoints are disabled and
 * recover.
 */
const answers = fc
  .array(fc.record({ isAccepted: fc.boolean(), times: fc.integer({ min: 1, max: 8 }) }), { minLength: 1, maxLength: 8 })
  .map((rows) => rows.flatMap(({ isAccepted, times }) => Array<boolean>(times).fill(isAccepted)))

test('webhook delivery agrees with the reference model after every step of a random sequence of operations', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 25 }), answers, async (steps, pattern) => {
      const rules = { ...standardRules, sendsPerEndpoint: 1 }
      const shop = await openShop(opened().database, { rules })
      const served = cycle(pattern)
      const receiver = await openReceiver((_, response) => response.writeHead(served() ? 200 : 500).end())
      const endpoint = await shop.addEndpoint(receiver.url)
      const reference = openReference(cycle(pattern))
      const { context, tenant } = shop
      const { endpointId } = endpoint
      const oldestFirst = async () => (await shop.deliveries()).toReversed()
      for (const each of steps) {
        // The clock advances at each step, because ids of the same millisecond have a random order.
        shop.clock.advance(1)
        switch (each.is) {
          case 'emit':
            for (let count = 0; count < each.count; count++) {
              shop.clock.advance(1)
              await shop.emit()
              reference.emit(shop.clock.nowMs())
            }
            break
          case 'wait':
            shop.clock.advance(each.ms)
            break
          case 'enable':
            await enableWebhookEndpoint(context, operator, tenant, endpointId)
            reference.enable(shop.clock.nowMs())
            break
          case 'disable':
            if (reference.endpoint.isEnabled) reference.disable()
            await disableWebhookEndpoint(context, operator, tenant, endpointId)
            break
          case 'sample':
            await sendTestEvent(context, operator, tenant, { endpointId, kind: 'order.refunded' })
            reference.sample(shop.clock.nowMs())
            break
          case 'replay': {
            const index = each.which % Math.max(1, reference.deliveries.length)
            const original = reference.deliveries[index]
            const replayed = (await oldestFirst())[index]
            if (original === undefined || replayed === undefined || original.isSample) break
            await replayDelivery(context, operator, tenant, replayed.id)
            reference.replay(original, shop.clock.nowMs())
            break
          }
        }
        await shop.deliver(endpoint)
        reference.deliver(shop.clock.nowMs())
        const { status, consecutiveFailures } = await shop.endpoint(endpoint)
        const { isEnabled, failures } = reference.endpoint
        expect({ status, consecutiveFailures }).toEqual({
          status: isEnabled ? 'enabled' : 'disabled',
          consecutiveFailures: failures,
        })
        const known = (await oldestFirst()).map(({ status, attemptCount, nextAttemptAt }) => {
          return `${status} ${attemptCount} ${nextAttemptAt}`
        })
        expect(known).toEqual(
          reference.deliveries.map(({ status, attempts, dueMs }) => {
            return `${status} ${attempts} ${dueMs === undefined ? null : new Date(dueMs).toISOString()}`
          }),
        )
      }
    }),
    { numRuns: 100 },
  )
})

function cycle(pattern: readonly boolean[]): () => boolean {
  let next = 0
  return () => pattern[next++ % pattern.length] ?? true
}
