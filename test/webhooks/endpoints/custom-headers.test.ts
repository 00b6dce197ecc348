import { expect, test } from 'vitest'
import { createWebhookEndpoint } from '../../../src/access/create-webhook-endpoint.ts'
import { newEventId } from '../../../src/base/records.ts'
import { faultIn } from '../../../src/webhooks/custom-headers.ts'
import { deliveryHeaders, isOwnHeader } from '../../../src/webhooks/delivery-headers.ts'
import { useDatabase } from '../../support/database.ts'
import { openReceiver } from '../receiver.ts'
import { only, openShop, operator } from '../shop.ts'

const opened = useDatabase()
const kinds = ['inventory.low_stock'] as const

test.each([
  ['X-Api-Key', 'k'],
  ['Authorization', 'Bearer eyJhbGciOiJIUzI1NiJ9.e30.abc-_~+/='],
  ['Ocp-Apim-Subscription-Key', '0123456789abcdef'],
  ["!#$%&'*+-.^_`|~", '!" #$%&\'()*+,-./:;<=>?@[\\]^_`{|}~'],
  ['x'.repeat(64), 'v'.repeat(1024)],
  ['Contents', 'a name that only begins like a reserved one'],
])('the custom header %s is allowed, and a delivery contains it unchanged', async (name, value) => {
  const shop = await openShop(opened().database)
  const receiver = await openReceiver()
  const endpoint = await shop.addEndpoint(receiver.url, kinds, [{ name, value }])
  await shop.emit()
  await shop.deliver(endpoint)
  expect(only(receiver.received).headers).toMatchObject({ [name.toLowerCase()]: value })
})

test.each([
  ['', 'v', 'letters, digits and !#'],
  ['X Api', 'v', 'letters, digits and !#'],
  ['X-Api:', 'v', 'letters, digits and !#'],
  [':authority', 'v', 'letters, digits and !#'],
  ['X-Api\r\nHost', 'v', 'letters, digits and !#'],
  ['X-Clé', 'v', 'letters, digits and !#'],
  ['x'.repeat(65), 'v', 'at most 64 characters'],
  ['Host', 'v', 'The service itself sets'],
  ['CONTENT-TYPE', 'text/plain', 'The service itself sets'],
  ['content-length', '1', 'The service itself sets'],
  ['User-Agent', 'v', 'The service itself sets'],
  ['service-signature', 'v', 'The service itself sets'],
  ['Webhook-Id', 'v', 'The service itself sets'],
  ['Webhook-Timestamp', 'v', 'The service itself sets'],
  ['Webhook-Signature', 'v', 'The service itself sets'],
  ['Connection', 'close', 'The service itself sets'],
  ['Transfer-Encoding', 'chunked', 'belongs to the HTTP connection'],
  ['TE', 'trailers', 'belongs to the HTTP connection'],
  ['Trailer', 'v', 'belongs to the HTTP connection'],
  ['Upgrade', 'h2c', 'belongs to the HTTP connection'],
  ['Keep-Alive', '5', 'belongs to the HTTP connection'],
  ['Expect', '100-continue', 'belongs to the HTTP connection'],
  ['Proxy-Authorization', 'v', 'begin with proxy- are reserved'],
  ['Content-Encoding', 'gzip', 'begin with content- are reserved'],
  ['Webhook-Attempt', 'v', 'begin with webhook- are reserved'],
  ['Service-Version', 'v', 'begin with service- are reserved'],
  ['Cookie', 'v', 'no cookies'],
  ['Set-Cookie', 'v', 'no cookies'],
  ['X-Api-Key', '', 'no value'],
  ['X-Api-Key', 'zq-secret\r\nX-Injected: 1', 'printable ASCII'],
  ['X-Api-Key', 'zq-secret\n', 'printable ASCII'],
  ['X-Api-Key', ' zq-secret', 'printable ASCII'],
  ['X-Api-Key', 'zq-secret\t', 'printable ASCII'],
  ['X-Api-Key', 'zq-secret\0', 'printable ASCII'],
  ['X-Api-Key', 'zq-sécret', 'printable ASCII'],
  ['X-Api-Key', `zq-secret${'v'.repeat(1016)}`, 'at most 1024 characters'],
])('the custom header %j: %j is refused, and the reason does not contain its value', async (name, value, reason) => {
  const shop = await openShop(opened().database)
  const request = { url: 'http://127.0.0.1:1/', kinds, headers: [{ name, value }] }
  const outcome = await createWebhookEndpoint(shop.context, operator, shop.tenant, request)
  expect(outcome).toMatchObject({ is: 'headers_refused', name, reason: expect.stringContaining(reason) })
  expect(JSON.stringify({ ...outcome, name: '' })).not.toContain('zq-s')
  expect(await shop.audits('webhook_endpoint.create')).toEqual([])
})

test('an endpoint can have at most five custom headers, and two names that differ only in case are rejected', () => {
  const headers = ['A', 'B', 'C', 'D', 'E', 'F'].map((name) => ({ name, value: 'v' }))
  expect(faultIn(headers.slice(1))).toBeUndefined()
  expect(faultIn(headers)).toEqual({ reason: 'An endpoint has at most 5 custom headers.' })
  expect(faultIn([...headers.slice(0, 2), { name: 'a', value: 'w' }])).toMatchObject({ name: 'a' })
})

test('every header that the service itself sends with a delivery is reserved and cannot be a custom header', async () => {
  const shop = await openShop(opened().database)
  const receiver = await openReceiver()
  const endpoint = await shop.addEndpoint(receiver.url)
  await shop.emit()
  await shop.deliver(endpoint)
  expect(Object.keys(only(receiver.received).headers).filter((name) => !isOwnHeader(name))).toEqual([])
})

test('a stored custom header never replaces a header that the service itself sends', () => {
  const headers = ['Content-Type', 'webhook-id', 'SERVICE-SIGNATURE', 'X-Key'].map((name) => ({ name, value: 'v' }))
  const sent = { secrets: ['whsec_AAAA'], eventId: newEventId(0), startedMs: 0, body: '{}' }
  const plain = deliveryHeaders({ ...sent, headers: [] })
  expect(deliveryHeaders({ ...sent, headers })).toEqual({ ...plain, 'X-Key': 'v' })
})
