import { expect, test } from 'vitest'
import { expectForgeries } from '../../../scripts/faults/outside-verifiers.ts'
import { checkReceiver } from '../../../src/access/check-receiver.ts'
import { disableWebhookEndpoint } from '../../../src/access/disable-webhook-endpoint.ts'
import { enableWebhookEndpoint } from '../../../src/access/enable-webhook-endpoint.ts'
import { explainState } from '../../../src/access/explain-state.ts'
import { replayDelivery } from '../../../src/access/replay-delivery.ts'
import { sendTestEvent } from '../../../src/access/send-test-event.ts'
import { updateWebhookEndpoint } from '../../../src/access/update-webhook-endpoint.ts'
import { bookkeep } from '../../../src/store/core/bookkeeping.ts'
import { setEndpointUrl } from '../../../src/store/webhooks/endpoint-writes.ts'
import { probeNames } from '../../../src/webhooks/probe-receiver.ts'
import { useDatabase } from '../../support/database.ts'
import { type Answer, openReceiver, type Receiver, status } from '../receiver.ts'
import { only, openShop, operator } from '../shop.ts'

/** Deliveries with the custom headers of their endpoint, to a receiver behind a gateway that requires a key. */

const opened = useDatabase()
const kinds = ['inventory.low_stock'] as const
const firstKey = 'gateway-key-1'
const newKey = 'gateway-key-2'

/** Responds like an API gateway: 401 without the key, and otherwise the given status. */
function gateway(key: string, code = 200): Answer {
  return ({ headers, ...received }, response) =>
    status(headers['x-api-key'] === key ? code : 401)({ headers, ...received }, response)
}

async function openGateway(answer: Answer = gateway(firstKey)) {
  const shop = await openShop(opened().database)
  const receiver = await openReceiver(answer)
  const endpoint = await shop.addEndpoint(receiver.url, kinds, [{ name: 'X-Api-Key', value: firstKey }])
  const { endpointId } = endpoint
  const setKey = (value: string) => {
    const headers = { set: [{ name: 'X-Api-Key', value }], remove: [] }
    return updateWebhookEndpoint(shop.context, operator, shop.tenant, { endpointId, headers })
  }
  return { shop, receiver, endpoint, endpointId, setKey }
}

const keysOf = ({ received }: Receiver) => received.map(({ headers }) => headers['x-api-key'])

test('a delivery, its replay and a test event have the custom headers of the endpoint', async () => {
  const { shop, receiver, endpoint, endpointId } = await openGateway()
  await shop.emit()
  await shop.deliver(endpoint)
  const { id } = only(await shop.deliveries())
  expect(await replayDelivery(shop.context, operator, shop.tenant, id)).toMatchObject({ is: 'queued' })
  await shop.deliver(endpoint)
  const test = { endpointId, kind: 'inventory.low_stock' } as const
  expect(await sendTestEvent(shop.context, operator, shop.tenant, test)).toMatchObject({ is: 'queued' })
  await shop.deliver(endpoint)
  expect(keysOf(receiver)).toEqual([firstKey, firstKey, firstKey])
  expect((await shop.deliveries()).map((delivery) => delivery.status)).toEqual(Array(3).fill('succeeded'))
})

test('each test request of a receiver check has the custom headers of the endpoint', async () => {
  const { shop, receiver, endpointId } = await openGateway()
  expectForgeries(receiver.url)
  const context = { ...shop.context, fetch: shop.pumpContext.fetch }
  await checkReceiver(context, operator, shop.tenant, { endpointId })
  expect(keysOf(receiver)).toEqual(probeNames.map(() => firstKey))
  expect(JSON.stringify(await shop.audits('webhook_endpoint.check'))).not.toContain(firstKey)
})

test('a retry of a delivery has the custom header values at the time of the retry', async () => {
  const { shop, receiver, endpoint, setKey } = await openGateway(gateway(newKey))
  await shop.emit()
  await shop.deliver(endpoint)
  expect(only(await shop.deliveries())).toMatchObject({ status: 'failed', attemptCount: 1 })
  expect(await setKey(newKey)).toMatchObject({ is: 'updated', headers: ['X-Api-Key'] })
  shop.clock.advance(60_000)
  await shop.deliver(endpoint)
  expect(keysOf(receiver)).toEqual([firstKey, newKey])
  expect(only(await shop.deliveries())).toMatchObject({ status: 'succeeded', attemptCount: 2 })
})

test('a failed attempt with outdated custom headers does not increase an endpoint’s failure count, and explainState still fully explains the count', async () => {
  const { shop, receiver, endpoint, setKey } = await openGateway(status(401))
  await shop.emit()
  await shop.deliver(endpoint)
  const answers: (() => void)[] = []
  receiver.answer = (_, response) => answers.push(() => response.writeHead(401).end())
  await shop.emit()
  const delivering = shop.deliver(endpoint)
  await expect.poll(() => answers.length).toBe(1)
  shop.clock.advance(1000)
  await setKey(newKey)
  shop.clock.advance(1000)
  for (const answer of answers) answer()
  await delivering
  const state = await shop.endpoint(endpoint)
  expect(state).toMatchObject({ consecutiveFailures: 1 })
  shop.clock.advance(1000)
  receiver.answer = status(401)
  await shop.emit()
  await shop.deliver(endpoint)
  const failing = await shop.endpoint(endpoint)
  const explained = await explainState(shop.context.database, { ...endpoint, ...failing }, shop.clock.nowMs())
  expect([failing.consecutiveFailures, explained.isComplete]).toEqual([2, true])
})

test('deliveries that waited for a disabled endpoint are sent with the endpoint’s custom headers after the endpoint is enabled', async () => {
  const { shop, receiver, endpoint, endpointId } = await openGateway()
  await shop.emit()
  await disableWebhookEndpoint(shop.context, operator, shop.tenant, endpointId)
  await enableWebhookEndpoint(shop.context, operator, shop.tenant, endpointId)
  await shop.deliver(endpoint)
  expect(keysOf(receiver)).toEqual([firstKey])
})

test('custom headers are not sent to the target of a redirect', async () => {
  const other = await openReceiver()
  const { shop, receiver, endpoint } = await openGateway((_, response) => {
    response.writeHead(307, { location: other.url }).end()
  })
  await shop.emit()
  await shop.deliver(endpoint)
  expect([receiver.received.length, other.received.length]).toEqual([1, 0])
})

test('the deliveries of one endpoint do not have the custom headers of another', async () => {
  const { shop, endpoint } = await openGateway()
  const plain = await openReceiver()
  const other = await shop.addEndpoint(plain.url)
  await shop.emit()
  await Promise.all([shop.deliver(endpoint), shop.deliver(other)])
  expect(keysOf(plain)).toEqual([undefined])
})

test('the stored response of a receiver contains no value of a custom header', async () => {
  const { shop, endpoint, setKey } = await openGateway(({ headers }, response) => {
    const start = JSON.stringify({ headers, invalid: headers['x-api-key'] })
    // The stored part of the response ends in the middle of the last header value.
    response.writeHead(403).end(start.padEnd(4096 - 10, ' ') + String(headers['x-api-key']))
  })
  const attemptedWith = async (value: string) => {
    await setKey(value)
    await shop.emit()
    await shop.deliver(endpoint)
    const [latest] = await shop.deliveries()
    if (latest === undefined) throw new Error('A delivery was made.')
    return only(await shop.attempts(latest.id)).responseBody ?? ''
  }
  const stored = await attemptedWith('gateway-key-0123456789')
  expect(stored).toContain('"invalid":"••••••"')
  expect(stored).not.toContain('gate')
  const quoted = await attemptedWith('a "quoted" \\ key')
  expect(quoted).toContain('"invalid":"••••••"')
  expect(quoted).not.toContain('quoted')
})

test('if a receiver’s response contains the endpoint’s bearer token, even escaped, the token is masked in the stored response', async () => {
  const key = 'c2VjcmV0/a2V5+b2Y='
  const forms = [key, key.replaceAll('/', '\\/'), encodeURIComponent(key)]
  const { shop, endpoint, endpointId } = await openGateway((_, response) => {
    response.writeHead(401).end(forms.map((form) => `Invalid token: ${form}`).join('; '))
  })
  const headers = { set: [{ name: 'Authorization', value: `Bearer ${key}` }], remove: [] }
  await updateWebhookEndpoint(shop.context, operator, shop.tenant, { endpointId, headers })
  await shop.emit()
  await shop.deliver(endpoint)
  const { responseBody } = only(await shop.attempts(only(await shop.deliveries()).id))
  expect(responseBody).toBe(Array(3).fill('Invalid token: ••••••').join('; '))
})

test('if a response repeats a short custom header value a thousand times, the delivery succeeds and the first 4,096 characters of the response are stored', async () => {
  const { shop, endpoint, setKey } = await openGateway((_, response) => {
    response.writeHead(200).end('prod '.repeat(1000))
  })
  await setKey('prod')
  await shop.emit()
  await shop.deliver(endpoint)
  const delivery = only(await shop.deliveries())
  expect(delivery.status).toBe('succeeded')
  expect(only(await shop.attempts(delivery.id)).responseBody).toHaveLength(4096)
})

test('custom headers are not sent to another host, even if an earlier release, which does not know custom headers, has changed the URL', async () => {
  const { shop, receiver, endpoint, endpointId } = await openGateway()
  const other = await openReceiver()
  const move = { merchantId: shop.merchantId, endpointId, url: other.url, now: shop.now() }
  await bookkeep(opened().database, async (trx) => setEndpointUrl(trx, move))
  await shop.emit()
  await shop.deliver(endpoint)
  expect([keysOf(receiver), keysOf(other)]).toEqual([[], []])
  const { errorCode } = only(await shop.attempts(only(await shop.deliveries()).id))
  expect(errorCode).toBe('secret_unreadable')
})
