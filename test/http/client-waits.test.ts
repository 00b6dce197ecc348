import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { waitBounds } from '../../src/http/pipeline/client-waits.ts'
import { type LoadSample, openLoadShedder } from '../../src/http/pipeline/load-shedder.ts'
import { useApi } from '../support/api.ts'
import { openShop } from '../support/shop.ts'
import { parseAnswer, sendBytes } from '../support/socket.ts'

/** A client that sends its request slowly must not occupy connections that other clients need. */

const sample: LoadSample = { loopDelayMs: 50, loopUtilization: 1, waiting: 0 }
let adapt = () => {}
const load = openLoadShedder({
  sample: () => sample,
  every: (_ms, run) => {
    adapt = run
    return () => {}
  },
})

const started = useApi({ load })

interface Trickling {
  readonly socket: Socket
  readonly received: () => string
}

/** Sends the head of a request and the first byte of its body. Resolves when the bytes are sent. */
async function trickle(path: string, token?: string): Promise<Trickling> {
  const socket = connect(started().port, '127.0.0.1')
  let text = ''
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString()
  })
  socket.on('error', () => undefined)
  onTestFinished(() => void socket.destroy())
  await once(socket, 'connect')
  const authorization = token === undefined ? '' : `Authorization: Bearer ${token}\r\n`
  const head = `POST ${path} HTTP/1.1\r\nHost: a\r\n${authorization}Content-Type: application/json\r\nContent-Length: 50\r\n\r\n{`
  await new Promise<void>((resolve) => socket.write(head, () => resolve()))
  return { socket, received: () => text }
}

/** Returns the bytes of a complete request, to be sent in one packet. */
function requestOf(path: string, body: string, token = 'none'): string {
  const headers = [`Authorization: Bearer ${token}`, 'Content-Type: application/json', `Content-Length: ${body.length}`]
  return `POST ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${headers.join('\r\n')}\r\n\r\n${body}`
}

const answered = (all: readonly Trickling[]) => all.filter(({ received }) => received().includes('}'))

test('a hundred requests of one merchant with incomplete bodies do not block other merchants, even when the process runs only two requests at a time', async () => {
  const api = started()
  const [slow, other] = [await openShop(api.context), await openShop(api.context)]
  const path = '/api/v1/refunds'
  const all = await Promise.all(Array.from({ length: waitBounds.perMerchant + 1 }, () => trickle(path, slow.token)))
  await expect.poll(() => answered(all).length).toBe(1)
  expect(answered(all)[0]?.received()).toContain('Too many requests of this merchant have incomplete bodies')
  for (let count = 0; count < 20; count++) {
    for (let arrived = 0; arrived < 10; arrived++) load.rejects({ importance: 'low', inProgress: 500 })
    adapt()
  }
  expect(load.limit()).toBe(2)
  expect((await api.send('GET', '/api/v1/orders', { token: other.token })).status).toBe(200)
  const whole = parseAnswer(await sendBytes(api, requestOf(path, '{}', slow.token)))
  expect(whole.status).toBe(400)
  expect(whole.text).toContain('validation_failed')
  expect(answered(all)).toHaveLength(1)
})

test('a complete callback is processed even if 400 callbacks from the same address have incomplete bodies', async () => {
  const path = '/callbacks/paystack/mer_01jd3f8q6hf5n8v1zr4c7e2m9k'
  const all = await Promise.all(Array.from({ length: waitBounds.perAddress + 1 }, () => trickle(path)))
  await expect.poll(() => answered(all).length).toBe(1)
  expect(answered(all)[0]?.received()).toContain('Too many requests of your address have incomplete bodies')
  expect(parseAnswer(await sendBytes(started(), requestOf(path, '{}'))).text).toContain('invalid_signature')
})

/** A timeout below the 15 seconds after which Node.js would close the connection. */
const timeout = 10_000

test('the service closes the connection of a rejected request whose body does not arrive', {
  timeout,
}, async () => {
  const { socket, received } = await trickle('/api/v1/refunds')
  await once(socket, 'close')
  expect(received()).toContain('missing_token')
  expect(received()).toContain('keep-alive')
})
