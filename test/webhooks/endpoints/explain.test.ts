import { expect, test } from 'vitest'
import { enableWebhookEndpoint } from '../../../src/access/enable-webhook-endpoint.ts'
import { rotateSigningSecret } from '../../../src/access/rotate-signing-secret.ts'
import { updateWebhookEndpoint } from '../../../src/access/update-webhook-endpoint.ts'
import { listEndpointHistory } from '../../../src/store/webhooks/endpoint-history.ts'
import { explainEndpoint } from '../../../src/webhooks/explain.ts'
import { useDatabase } from '../../support/database.ts'
import { openReceiver } from '../receiver.ts'
import { openShop, operator } from '../shop.ts'

const opened = useDatabase()

/** Opens a shop whose webhook receiver sends the response that the test sets. Each event has a different time. */
async function openHistory() {
  const shop = await openShop(opened().database)
  const startMs = shop.clock.nowMs()
  const receiver = await openReceiver()
  const endpoint = await shop.addEndpoint(receiver.url)
  const answer = async (...codes: readonly number[]) => {
    for (const code of codes) {
      receiver.answer = (_, response) => {
        shop.clock.advance(1)
        response.writeHead(code).end()
      }
      await shop.emit()
      await shop.deliver(endpoint)
      shop.clock.advance(1)
    }
  }
  const explain = async (rules = shop.pumpContext.rules) =>
    explainEndpoint(rules, await listEndpointHistory(opened().database, endpoint, startMs))
  const agrees = async () => {
    const { status, consecutiveFailures } = await shop.endpoint(endpoint)
    expect((await explain()).at(-1)).toMatchObject({ status, consecutiveFailures })
  }
  return { shop, receiver, endpoint, answer, explain, agrees }
}

test('the command `webhook explain` shows attempt by attempt why an endpoint was disabled', async () => {
  const { answer, explain, agrees } = await openHistory()
  await answer(200, 500, 204, 500, 503, 302, 404, 500, 500)
  await agrees()
  const counts = (await explain()).filter(({ past }) => past.is === 'attempt').map((step) => step.consecutiveFailures)
  expect(counts).toEqual([0, 1, 0, 1, 2, 3, 4, 5, 6])
  const last = (await explain()).filter(({ past }) => past.is === 'attempt').at(-1)
  expect(last).toMatchObject({ status: 'disabled', past: { outcome: 'failed', httpStatus: 500 } })
})

test('the command `webhook explain` lists both the delivery attempts and the manual changes of a webhook endpoint', async () => {
  const { shop, receiver, endpoint, answer, agrees } = await openHistory()
  const { endpointId } = endpoint
  await answer(500, 500)
  await rotateSigningSecret(shop.context, operator, shop.tenant, { endpointId })
  shop.clock.advance(1)
  await answer(500)
  await agrees()
  await updateWebhookEndpoint(shop.context, operator, shop.tenant, { endpointId, url: `${receiver.url}/moved` })
  shop.clock.advance(1)
  await agrees()
  await answer(500, 500, 500, 500, 500, 500)
  await agrees()
  await enableWebhookEndpoint(shop.context, operator, shop.tenant, endpointId)
  shop.clock.advance(1)
  await answer(200)
  await agrees()
  expect(await shop.endpoint(endpoint)).toMatchObject({ status: 'enabled', consecutiveFailures: 0 })
})

test('the command `webhook explain` shows sample events and aborted attempts without counting them as failures', async () => {
  const { shop, endpoint, answer, explain, agrees } = await openHistory()
  await answer(500)
  const stopped = { dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: null }
  let aborts = 0
  const aborting: typeof shop.pumpContext.fetch = async (outbound) => {
    aborts += 1
    if (aborts > 1) return shop.pumpContext.fetch(outbound)
    return { is: 'failed', errorCode: 'local_fault', durationMs: 1, timings: stopped, isReused: null }
  }
  await shop.emit()
  await shop.deliver(endpoint, { fetch: aborting })
  await agrees()
  expect((await explain()).at(-1)).toMatchObject({ counted: false, past: { outcome: 'aborted' } })
})

test('the command `webhook explain` counts failures correctly in a history that begins with a secret rotation', async () => {
  const { shop, endpoint, answer, agrees } = await openHistory()
  const { endpointId } = endpoint
  await rotateSigningSecret(shop.context, operator, shop.tenant, { endpointId, graceHours: 1 })
  shop.clock.advance(1)
  await answer(500, 500, 500, 500, 500, 500)
  expect(await shop.endpoint(endpoint)).toMatchObject({ status: 'disabled' })
  await agrees()
})
