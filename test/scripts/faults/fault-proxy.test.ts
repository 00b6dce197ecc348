import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type FaultProxy, openFaultProxy } from '../../../scripts/faults/matrix/fault-proxy.ts'
import { randomOf } from '../../../src/demo/random.ts'
import { addressOf } from '../../support/api.ts'

/** Tests the fault proxy between a client and a server that returns every byte it receives. */

const server = createServer((socket) => void socket.on('error', () => undefined).pipe(socket))
let proxy: FaultProxy

beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  proxy = await openFaultProxy(addressOf(server.address()).port, randomOf('proxy'))
})
beforeEach(() => proxy.set(undefined))
afterAll(async () => {
  await proxy.close()
  await new Promise((resolve) => server.close(resolve))
})

function open(): Socket {
  return connect(proxy.port, '127.0.0.1')
}

const sent = 'x'.repeat(100_000)

test.each([
  ['no fault', undefined],
  ['latency', { is: 'latency', ms: 20, jitterMs: 10 }],
  ['bandwidth', { is: 'bandwidth', bytesPerSecond: 1_000_000 }],
  ['slices', { is: 'slice' }],
] as const)('the fault proxy passes every byte unchanged in the mode: %s', async (_, fault) => {
  proxy.set(fault)
  const socket = open()
  socket.end(sent)
  expect((await text(socket)) === sent).toBe(true)
})

test('the fault proxy resets open and new connections while its mode is refuse', async () => {
  const early = open()
  await once(early, 'connect')
  early.write('x')
  await once(early, 'data')
  proxy.set({ is: 'refuse' })
  await expect(text(early)).rejects.toMatchObject({ code: 'ECONNRESET' })
  await expect(text(open())).rejects.toMatchObject({ code: 'ECONNRESET' })
})

test('the fault proxy resets open connections while it is in the mode `reset`', async () => {
  proxy.set({ is: 'reset', everyMs: 10 })
  await expect(text(open())).rejects.toMatchObject({ code: 'ECONNRESET' })
})

test('the fault proxy delivers no bytes while its mode is black_hole, and delivers them once the mode ends', async () => {
  proxy.set({ is: 'black_hole' })
  const socket = open()
  socket.write('held')
  const other = open()
  await once(other, 'connect')
  other.destroy()
  expect(socket.bytesRead).toBe(0)
  proxy.set(undefined)
  const [bytes] = await once(socket, 'data')
  expect(String(bytes)).toBe('held')
  socket.destroy()
})

test('the fault proxy cuts a response after at most the configured number of bytes', async () => {
  proxy.set({ is: 'cut', bytesMax: 1_000 })
  const socket = open()
  socket.write(sent)
  await expect(text(socket)).rejects.toMatchObject({ code: 'ECONNRESET' })
  expect(socket.bytesRead).toBeLessThanOrEqual(1_000)
})

test('the fault proxy cuts a connection before the client reads that PostgreSQL has committed', async () => {
  proxy.set({ is: 'lost_commit', percent: 100 })
  const socket = open()
  socket.write('BEGIN\0')
  const [bytes] = await once(socket, 'data')
  expect(String(bytes)).toBe('BEGIN\0')
  socket.write('COMMIT\0')
  await expect(text(socket)).rejects.toMatchObject({ code: 'ECONNRESET' })
})
