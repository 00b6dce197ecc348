import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { newMerchantId } from '../../src/base/records.ts'
import { buyerPagePlaces, callbackPlaces, openPlaces } from '../../src/http/places.ts'
import { Refusal } from '../../src/operations/execute/refusal.ts'
import { sendTo, useApi } from '../support/api.ts'

/**
 * Callbacks and pages for buyers are anonymous until their signature is verified. The service therefore limits how many it
 * processes at once, both per address and in total.
 */

const started = useApi()

const path = () => `/callbacks/paystack/${newMerchantId(0)}`

/** Sends the head of a callback request. Resolves when the service waits for the request body. */
async function beginCallback(): Promise<Socket> {
  const { port } = started()
  const socket = connect(port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  // With the header `Expect: 100-continue`, the service responds before it reads the body.
  socket.write(
    `POST ${path()} HTTP/1.1\r\nHost: 127.0.0.1\r\nExpect: 100-continue\r\nContent-Length: 2\r\nConnection: close\r\n\r\n`,
  )
  const [first] = await once(socket, 'data')
  expect(String(first)).toContain('100 Continue')
  return socket
}

test('callbacks whose bodies have not fully arrived do not occupy a callback slot', async () => {
  const { url } = started()
  const [first] = await Promise.all(Array.from({ length: 40 }, beginCallback))
  expect((await sendTo(url, 'POST', path(), { body: {} })).status).toBe(401)
  const answered = first && once(first, 'data')
  first?.write('{}')
  expect(String(await answered)).toContain('401 Unauthorized')
})

test('a callback beyond 32 simultaneous callbacks from one address gets 503, and callbacks are accepted again when earlier ones end', async () => {
  const places = openPlaces(undefined, callbackPlaces)
  const { promise, resolve } = Promise.withResolvers<string>()
  const running = Array.from({ length: 32 }, () => places.run('203.0.113.1', () => promise))
  const refusal = await places.run('203.0.113.1', () => promise).catch((error: unknown) => error)
  expect(refusal).toMatchObject({ code: 'service_unavailable', status: 503 })
  resolve('stored')
  await Promise.all(running)
  expect(await places.run('203.0.113.1', () => promise)).toBe('stored')
})

test('at most 128 callbacks are processed at the same time, from all addresses together', async () => {
  const places = openPlaces(undefined, callbackPlaces)
  const { promise, resolve } = Promise.withResolvers<string>()
  const running = Array.from({ length: 128 }, (_, index) => places.run(`203.0.113.${index}`, () => promise))
  const error = await places.run('203.0.113.200', () => promise).catch((refusal: unknown) => refusal)
  expect(error).toBeInstanceOf(Refusal)
  resolve('stored')
  await Promise.all(running)
  expect(await places.run('203.0.113.200', () => promise)).toBe('stored')
})

test('at most 64 pages for buyers are served at the same time, and at most 16 to one client address', async () => {
  const places = openPlaces(undefined, buyerPagePlaces)
  const { promise, resolve } = Promise.withResolvers<string>()
  const open = (address: string) => places.run(address, () => promise)
  const running = Array.from({ length: 64 }, (_, index) => open(`203.0.113.${index % 4}`))
  const refusals = [await open('203.0.113.1').catch(codeOf), await open('203.0.113.200').catch(codeOf)]
  expect(refusals).toEqual(['service_unavailable', 'service_unavailable'])
  resolve('shown')
  expect(await Promise.all(running)).toHaveLength(64)
})

function codeOf(error: unknown): string {
  if (error instanceof Refusal) return error.code
  throw error
}
