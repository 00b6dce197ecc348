import type { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { farDeadlineMs, openOutbound } from './outbound.ts'
import { ok, openRawServer } from './raw-server.ts'

/** Starts a server that breaks the connection when it gets the second request. It responds to every other request. */
async function openStaleServer(breakConnection: (socket: Socket) => void) {
  return openRawServer((socket, number) => (number === 2 ? breakConnection(socket) : void socket.write(ok)))
}

const breaks: [string, (socket: Socket) => void][] = [
  ['closes', (socket) => socket.destroy()],
  ['resets', (socket) => socket.resetAndDestroy()],
  ['half-closes', (socket) => socket.end()],
]

test.each(
  breaks,
)('an outbound request is sent again over a new connection when the receiver %s the reused connection', async (_, breakConnection) => {
  const server = await openStaleServer(breakConnection)
  const send = openOutbound()
  expect(await send(server.url)).toMatchObject({ is: 'answered', isReused: false })
  expect(await send(server.url)).toMatchObject({
    is: 'answered',
    status: 200,
    isReused: false,
    timings: { connectMs: expect.any(Number), firstByteMs: expect.any(Number) },
  })
  expect([server.sockets.length, server.requests()]).toEqual([2, 3])
})

test.each(
  breaks,
)('if the receiver %s the reused connection and then the new connection, an outbound request fails with the error code connection', async (_, breakConnection) => {
  const server = await openRawServer((socket, number) =>
    number === 1 ? void socket.write(ok) : breakConnection(socket),
  )
  const send = openOutbound()
  await send(server.url)
  expect(await send(server.url)).toMatchObject({ is: 'failed', errorCode: 'connection', isReused: false })
  expect([server.sockets.length, server.requests()]).toEqual([2, 3])
})

test.each(
  breaks,
)('if the receiver %s the first connection of an outbound request, the request fails and is not sent again', async (_, breakConnection) => {
  const server = await openRawServer(breakConnection)
  expect(await openOutbound()(server.url)).toMatchObject({ is: 'failed', errorCode: 'connection' })
  expect(server.requests()).toBe(1)
})

test('an outbound request that is not idempotent uses a new connection', async () => {
  const server = await openRawServer((socket) => socket.write(ok))
  const send = openOutbound()
  await send(server.url)
  expect(await send(server.url, { isIdempotent: false })).toMatchObject({ is: 'answered', isReused: false })
  expect([server.sockets.length, server.requests()]).toEqual([2, 2])
})

test.each(
  breaks,
)('an outbound request that is not idempotent is sent once when the receiver %s the connection', async (_, breakConnection) => {
  const server = await openRawServer(breakConnection)
  const options = { isIdempotent: false }
  expect(await openOutbound()(server.url, options)).toMatchObject({ is: 'failed', errorCode: 'connection' })
  expect(server.requests()).toBe(1)
})

test('an outbound request is not sent again after the response has started', async () => {
  const server = await openStaleServer((socket) => socket.end('HTTP/1.1 20'))
  const send = openOutbound()
  await send(server.url)
  expect(await send(server.url)).toMatchObject({
    is: 'failed',
    isReused: true,
    timings: { firstByteMs: expect.any(Number) },
  })
  expect(server.requests()).toBe(2)
})

test('an outbound request is not sent again when the reused connection breaks after one second', async () => {
  let nowMs = 0
  const server = await openStaleServer((socket) => {
    nowMs += 1_000
    socket.destroy()
  })
  const send = openOutbound(undefined, { nowMs: () => nowMs })
  await send(server.url)
  expect(await send(server.url)).toMatchObject({ is: 'failed', errorCode: 'connection', isReused: true })
  expect(server.requests()).toBe(2)
})

test('an outbound request that is sent again gets only the time that is left until its original deadline', async () => {
  // Simulated time.
  let nowMs = 0
  const server = await openRawServer((socket, number) => {
    if (number === 2) nowMs += 999
    if (number === 3) nowMs += farDeadlineMs - 998
    if (number === 2) socket.destroy()
    else socket.write(ok)
  })
  const send = openOutbound(undefined, { nowMs: () => nowMs })
  await send(server.url)
  expect(await send(server.url, { deadlineMs: farDeadlineMs })).toMatchObject({
    is: 'failed',
    errorCode: 'timeout',
    isReused: false,
    durationMs: farDeadlineMs + 1,
  })
  expect(server.requests()).toBe(3)
})

test('an outbound request does not reuse a connection that the receiver half-closed while it was idle', async () => {
  const server = await openRawServer((socket) => void socket.write(ok))
  const send = openOutbound()
  await send(server.url)
  const [first] = server.sockets
  const ended = new Promise((resolve) => first?.once('end', resolve))
  // The server closes only its sending side of the connection. The server still reads from the connection, as some
  // servers do for minutes.
  first?.end()
  await ended
  expect(await send(server.url)).toMatchObject({ is: 'answered', isReused: false })
  expect([server.sockets.length, server.requests()]).toEqual([2, 2])
})

test.each([
  true,
  false,
])('no request is lost when the receiver half-closes after each response (idempotent: %s)', async (isIdempotent) => {
  const server = await openRawServer((socket) => void socket.end(ok))
  const send = openOutbound()
  for (let sent = 1; sent <= 50; sent++) {
    expect(await send(server.url, { isIdempotent })).toMatchObject({ is: 'answered', status: 200 })
  }
})

test('an outbound request uses a new connection when the idle connection ends before the request is written', async () => {
  const server = await openRawServer((socket) => void socket.write(ok))
  const send = openOutbound()
  await send(server.url)
  // The server ends the connection in a timer callback. undici checks an idle socket again before it writes, and
  // notices the end of the connection in this check.
  const outcome = await new Promise((resolve) => {
    setTimeout(() => {
      server.sockets[0]?.end()
      resolve(send(server.url))
    })
  })
  expect(outcome).toMatchObject({ is: 'answered', isReused: false })
  expect([server.sockets.length, server.requests()]).toEqual([2, 2])
})

test('every request is delivered when all idle connections are stale because the receiver restarted', async () => {
  const server = await openRawServer((socket, number) => {
    if (number <= 20 || !server.sockets.slice(0, 20).includes(socket)) setImmediate(() => socket.write(ok))
    else socket.resetAndDestroy()
  })
  const send = openOutbound()
  const all = () => Promise.all(Array.from({ length: 20 }, () => send(server.url)))
  await all()
  expect(server.sockets).toHaveLength(20)
  expect((await all()).map((outcome) => outcome.is)).toEqual(Array.from({ length: 20 }, () => 'answered'))
  expect(server.sockets).toHaveLength(40)
})
