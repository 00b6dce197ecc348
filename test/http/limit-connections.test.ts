import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openLog, silentLog } from '../../src/base/log.ts'
import { limitConnections } from '../../src/http/limit-connections.ts'

/** A client without a token must not be able to exhaust the memory or the file descriptors of a process. */

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
  limitConnections(server, { total: 3, perAddress: 2 }, { log, nowMs: () => nowMs, dropped: count })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})

afterEach(() => {
  for (const socket of sockets) socket.destroy()
  server.close()
})

async function open(localAddress = '127.0.0.1'): Promise<Socket> {
  const socket = connect({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', localAddress })
  sockets.push(socket)
  await once(socket, 'connect')
  return socket
}

async function isServed(socket: Socket): Promise<boolean> {
  const ended = new Promise<boolean>((resolve) => {
    socket.once('data', (chunk: Buffer) => resolve(chunk.toString().startsWith('HTTP/1.1 200')))
    socket.once('close', () => resolve(false))
    // When the server resets the connection, the socket emits `error` before `close`.
    socket.on('error', () => undefined)
  })
  socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')
  return ended
}

test('at a limit of two connections per address, a third connection is closed, and the two open connections are still served', async () => {
  const first = await open()
  const second = await open()
  expect(await isServed(first)).toBe(true)
  expect(await isServed(await open())).toBe(false)
  expect(dropped).toBe(1)
  expect(await isServed(second)).toBe(true)
  expect(await isServed(first)).toBe(true)
})

test('another address is served while one address uses all connections that its limit allows', async () => {
  for (const socket of [await open(), await open()]) expect(await isServed(socket)).toBe(true)
  expect(await isServed(await open('127.0.0.2'))).toBe(true)
  expect(await isServed(await open('127.0.0.3'))).toBe(false)
})

test('without a limit for each address, one address can have all connections of the process', async () => {
  server.close()
  server = createServer((_, outgoing) => outgoing.end('served'))
  const reports = { log: silentLog, nowMs: () => nowMs, dropped: () => undefined }
  limitConnections(server, { total: 3, perAddress: undefined }, reports)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  for (const socket of [await open(), await open(), await open()]) expect(await isServed(socket)).toBe(true)
  expect(await isServed(await open())).toBe(false)
})

test('when a connection ends, its address can open another connection', async () => {
  const first = await open()
  await open()
  expect(await isServed(await open())).toBe(false)
  first.end()
  await expect.poll(async () => isServed(await open())).toBe(true)
})

test('connections above the limit of an address are logged at most once a minute, with the address', async () => {
  await Promise.all([open(), open()])
  for (let sent = 0; sent < 3; sent += 1) expect(await isServed(await open())).toBe(false)
  expect(lines).toHaveLength(1)
  expect(lines[0]).toContain('"address":"127.0.0.1"')
  nowMs += 60_000
  expect(await isServed(await open())).toBe(false)
  expect(lines).toHaveLength(2)
  expect(dropped).toBe(4)
})
