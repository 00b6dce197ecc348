import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { generousLimits } from '../../../scripts/generous-limits.ts'
import { answers } from '../../support/answers.ts'
import { useApi } from '../../support/api.ts'
import { openShop } from '../../support/shop.ts'
import { openLargeShop } from './large-shop.ts'

/** Exports that wait for the batches of other exports, or for their clients. */

const idleMs = 1_000
const queuedMs = 2_000

const started = useApi({
  waitBounds: { perMerchant: 100, perAddress: 400, idleMs },
  requestLimits: { totalMs: 120_000, queuedMs },
  rates: { limits: { ...generousLimits, concurrency: 1 } },
})

test('a client that has read all records sent so far is not disconnected while the service waits to read the next batch', async () => {
  const api = started()
  const shop = await openLargeShop(api)
  const headers = { Authorization: `Bearer ${shop.token}` }
  const [response]: IncomingMessage[] = await once(
    get(`${api.url}/api/v1/exports/customers?format=ndjson`, { headers }),
    'response',
  )
  let lines = 0
  response?.on('data', (chunk: Buffer) => {
    lines += chunk.toString().split('\n').length - 1
  })
  const release = await api.exportQueues.batches.enter('exports')
  // The client waits until it has received nothing for twice the idle limit.
  response?.setTimeout(2 * idleMs)
  await once(response?.socket ?? expect.fail('The response has no socket.'), 'timeout')
  release()
  await once(response ?? expect.fail('There is no response.'), 'end')
  expect(lines).toBe(shop.count)
})

test('an export returns 503 if its first batch still waits in the queue after the maximum queue time of a request', async () => {
  const api = started()
  const shop = await openShop(api.context)
  const release = await api.exportQueues.batches.enter('exports')
  const startMs = performance.now()
  const reply = await api.send('GET', '/api/v1/exports/orders', { token: shop.token })
  answers('exportOrders', 'service_unavailable', reply)
  expect(performance.now() - startMs).toBeLessThan(10 * queuedMs)
  release()
  expect((await api.send('GET', '/api/v1/exports/orders', { token: shop.token })).status).toBe(200)
})

test('an export that waits for its client to read is not one of the requests in progress of its token', async () => {
  const api = started()
  const { token } = await openLargeShop(api)
  const headers = { Authorization: `Bearer ${token}` }
  const [unread]: IncomingMessage[] = await once(get(`${api.url}/api/v1/exports/customers`, { headers }), 'response')
  unread?.on('error', () => undefined)
  const { status, text } = await api.send('GET', '/api/v1/orders', { token })
  expect(status, text).toBe(200)
  unread?.destroy()
})
