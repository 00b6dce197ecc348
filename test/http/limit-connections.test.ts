import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openLog } from '../../src/base/log.ts'
import { limitConnections } from '../../src/http/limit-connections.ts'

/** A client without a token must not exhaust the memory or the file descriptors of a process. */

let server: Server
let nowMs: number
let dropped: number
let lines: string[]
let sockets: Socket[]

beforeEach(async () => {
  nowMs = 0
  dropped = 0
  lines = []
  sockets = []
  server = createServer((_, outgoing) => outgoing.end('served'))
  const log = openLog('warn', { write: (line) => void lines.push(line) })
  const count = () => {
    dropped += 1
  }
  limitConnections(server, 2, { log, nowMs: () => nowMs, dropped: count })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})

afterEach(() => {
  for (const socket of sockets) socket.destroy()
  server.close()
})

async function open(): Promise<Socket> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  sockets.push(socket)
  await once(socket, 'connect')
  return socket
}

async function isServed(socket: Socket): Promise<boolean> {
  const ended = new Promise<boolean>((resolve) => {
    socket.once('data', (chunk: Buffer) => resolve(chunk.toString().startsWith('HTTP/1.1 200')))
    socket.once('close', () => resolve(false))
    // A reset precedes `close`.
    socket.on('error', () => undefined)
  })
  socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')
  return ended
}

test('a connection above the limit is closed, and the open ones are served further', async () => {
  const first = await open()
  const second = await open()
  expect(await isServed(first)).toBe(true)
  expect(await isServed(await open())).toBe(false)
  expect(dropped).toBe(1)
  expect(await isServed(second)).toBe(true)
  expect(await isServed(first)).toBe(true)
})

test('the end of a connection makes room for another one', async () => {
  const first = await open()
  expect(await isServed(await open())).toBe(true)
  first.end()
  await expect.poll(async () => isServed(await open())).toBe(true)
})

test('dropped connections are logged at most once a minute', async () => {
  expect(await isServed(await open())).toBe(true)
  expect(await isServed(await open())).toBe(true)
  for (let sent = 0; sent < 3; sent += 1) expect(await isServed(await open())).toBe(false)
  expect(lines).toHaveLength(1)
  nowMs += 60_000
  expect(await isServed(await open())).toBe(false)
  expect(lines).toHaveLength(2)
  expect(dropped).toBe(4)
})
