import type { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { farDeadlineMs, openOutbound } from './outbound.ts'
import { ok, openRawServer } from './raw-server.ts'

/** Answers the first request and does this to the second one's connection; later ones are answered. */
async function openStaleServer(breakOff: (socket: Socket) => void) {
  return openRawServer((socket, number) => (number === 2 ? breakOff(socket) : void socket.write(ok)))
}

const breaks: [string, (socket: Socket) => void][] = [
  ['closes', (socket) => socket.destroy()],
  ['resets', (socket) => socket.resetAndDestroy()],
  ['ends its half of', (socket) => socket.end()],
]

test.each(
  breaks,
)('a receiver that %s a kept connection at the second request gets it once more', async (_, breakOff) => {
  const server = await openStaleServer(breakOff)
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

test.each(breaks)('a receiver that %s the new connection too has failed the attempt', async (_, breakOff) => {
  const server = await openRawServer((socket, number) => (number === 1 ? void socket.write(ok) : breakOff(socket)))
  const send = openOutbound()
  await send(server.url)
  expect(await send(server.url)).toMatchObject({ is: 'failed', errorCode: 'connection', isReused: false })
  expect([server.sockets.length, server.requests()]).toEqual([2, 3])
})

test.each(breaks)('a receiver that %s its first connection has failed at once', async (_, breakOff) => {
  const server = await openRawServer(breakOff)
  expect(await openOutbound()(server.url)).toMatchObject({ is: 'failed', errorCode: 'connection' })
  expect(server.requests()).toBe(1)
})

test('what may not arrive twice never goes by a connection that was used before', async () => {
  const server = await openRawServer((socket) => socket.write(ok))
  const send = openOutbound()
  await send(server.url)
  expect(await send(server.url, { isIdempotent: false })).toMatchObject({ is: 'answered', isReused: false })
  expect([server.sockets.length, server.requests()]).toEqual([2, 2])
})

test.each(breaks)('what may not arrive twice is sent once when a receiver %s the connection', async (_, breakOff) => {
  const server = await openRawServer(breakOff)
  const order = { isIdempotent: false }
  expect(await openOutbound()(server.url, order)).toMatchObject({ is: 'failed', errorCode: 'connection' })
  expect(server.requests()).toBe(1)
})

test('once an answer has begun, nothing is sent again', async () => {
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

test('a connection that breaks after a second was being worked on, and nothing is sent again', async () => {
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

test('the second try has what is left of the deadline and no more', async () => {
  // The attempt's own clock, which nobody has to wait for.
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

test('a connection whose other half was closed while it was idle is not used again', async () => {
  const server = await openRawServer((socket) => void socket.write(ok))
  const send = openOutbound()
  await send(server.url)
  const [first] = server.sockets
  const ended = new Promise((resolve) => first?.once('end', resolve))
  // Half-closed: this server would still read, as some do for minutes.
  first?.end()
  await ended
  expect(await send(server.url)).toMatchObject({ is: 'answered', isReused: false })
  expect([server.sockets.length, server.requests()]).toEqual([2, 2])
})

test.each([
  true,
  false,
])('a receiver that half-closes after each answer loses no request (twice: %s)', async (twice) => {
  const server = await openRawServer((socket) => void socket.end(ok))
  const send = openOutbound()
  for (let sent = 1; sent <= 50; sent++) {
    expect(await send(server.url, { isIdempotent: twice })).toMatchObject({ is: 'answered', status: 200 })
  }
})

test('a connection that ends before the request is written costs nothing', async () => {
  const server = await openRawServer((socket) => void socket.write(ok))
  const send = openOutbound()
  await send(server.url)
  // In a timer's turn, so that the end is read before undici, which looks at an idle socket once more, has written.
  const outcome = await new Promise((resolve) => {
    setTimeout(() => {
      server.sockets[0]?.end()
      resolve(send(server.url))
    })
  })
  expect(outcome).toMatchObject({ is: 'answered', isReused: false })
  expect([server.sockets.length, server.requests()]).toEqual([2, 2])
})

test('when a receiver restarts, every kept connection is stale and every delivery still arrives', async () => {
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
