import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { createCommerce } from '../../src/client/commerce.ts'
import { NoResponseError } from '../../src/client/no-response.ts'
import { unwrap } from '../../src/client/unwrap.ts'
import { addressOf, useApi } from '../support/api.ts'
import { openShop, placeOrder } from '../support/shop.ts'

/**
 * Runs the real service behind a proxy that cuts off its responses: the service created the refund, but the client got
 * no response.
 */

const started = useApi()

async function openProxy(breaksOff: (request: number) => boolean) {
  const { url } = started()
  let requests = 0
  const forward = async ({ method = 'GET', url: path, headers, socket }: IncomingMessage, body: string) => {
    const named = Object.entries(headers).filter(([name]) => !/^(host|connection|content-length)$/.test(name))
    const init = { method, headers: Object.fromEntries(named.map(([name, value]) => [name, String(value)])) }
    const answer = await fetch(`${url}${path}`, body === '' ? init : { ...init, body })
    return { answer, text: await answer.text(), socket }
  }
  const server = createServer(async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const { answer, text, socket } = await forward(incoming, Buffer.concat(await incoming.toArray()).toString())
    requests += 1
    outgoing.writeHead(answer.status, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) })
    if (breaksOff(requests)) outgoing.write(text.slice(0, text.length / 2), () => socket.destroy())
    else outgoing.end(text)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => new Promise((resolve) => server.close(() => resolve()).closeAllConnections()))
  return { url: `http://127.0.0.1:${addressOf(server.address()).port}`, requests: () => requests }
}

async function open(breaksOff: (request: number) => boolean) {
  const shop = await openShop(started().context)
  const order = await placeOrder(started(), shop)
  const proxy = await openProxy(breaksOff)
  const common = { token: shop.token, wait: async () => {} }
  const direct = createCommerce({ baseUrl: `${started().url}/api/v1`, ...common })
  const refunds = async () => {
    const ids: string[] = []
    for await (const { id } of direct.list('/refunds', { query: { orderId: order.id } })) ids.push(id)
    return ids
  }
  const body = { orderId: order.id, amountKobo: 100_000, reason: 'damaged' }
  return { commerce: createCommerce({ baseUrl: `${proxy.url}/api/v1`, ...common }), direct, body, refunds, proxy }
}

test('when the response to a refund request is cut off, the client retries the request, and only one refund is created', async () => {
  const { commerce, body, refunds, proxy } = await open((request) => request === 1)
  const { id, order } = unwrap(await commerce.POST('/refunds', { body }))
  expect(order.refundedKobo).toBe(100_000)
  expect(await refunds()).toEqual([id])
  expect(proxy.requests()).toBe(2)
})

test('when every response to a refund request is cut off, a repeat with the Idempotency-Key of the thrown error returns the same refund', async () => {
  const { commerce, direct, body, refunds } = await open(() => true)
  const thrown: unknown = await commerce.POST('/refunds', { body }).catch((error: unknown) => error)
  if (!(thrown instanceof NoResponseError) || thrown.idempotencyKey === undefined) throw thrown
  const params = { header: { 'Idempotency-Key': thrown.idempotencyKey } }
  const { id } = unwrap(await direct.POST('/refunds', { body, params }))
  expect(await refunds()).toEqual([id])
})
