import type { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { openReceiver } from '../webhooks/receiver.ts'
import { farDeadlineMs, openOutbound } from './outbound.ts'
import { openRawServer } from './raw-server.ts'

const noTimings = { dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: null }

test('an outbound request reports the duration of each phase on a new connection, but only the time to first byte on a reused connection', async () => {
  const receiver = await openReceiver()
  const send = openOutbound()
  expect(await send(receiver.url)).toMatchObject({
    is: 'answered',
    isReused: false,
    // The receiver's URL has an IP address, so no DNS lookup is needed. The URL has the scheme http, so there is no TLS
    // handshake.
    timings: { dnsMs: null, connectMs: expect.any(Number), tlsMs: null, firstByteMs: expect.any(Number) },
  })
  expect(await send(receiver.url)).toMatchObject({
    is: 'answered',
    isReused: true,
    timings: { ...noTimings, firstByteMs: expect.any(Number) },
  })
})

test('an outbound request measures the durations of DNS lookup, connection and first byte separately', async () => {
  // The clock advances only in the phases of the delivery attempt that are measured.
  let nowMs = 0
  const lookup = async () => {
    nowMs += 100
    return [{ address: '127.0.0.1', family: 4 }]
  }
  const server = await openRawServer((socket) => {
    nowMs += 10_000
    socket.write('HTTP/1.1 103 Early Hints\r\n\r\n', () =>
      setTimeout(() => {
        nowMs += 5_000
        socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n')
      }, 20),
    )
  })
  const send = openOutbound(undefined, { lookup, nowMs: () => nowMs })
  expect(await send(`http://localhost:${server.port}/`, { deadlineMs: 60_000 })).toMatchObject({
    timings: { dnsMs: 100, connectMs: 0, tlsMs: null, firstByteMs: 10_000 },
    durationMs: 15_100,
  })
})

test('each of fifty concurrent requests to one origin measures the phases of its own connection', async () => {
  let pending: (() => void)[] = []
  const receiver = await openReceiver((_, response) => {
    pending.push(() => response.end())
    // The receiver responds only when all fifty requests are pending, so that each request has its own connection.
    if (pending.length < 50) return
    for (const answer of pending) answer()
    pending = []
  })
  const send = openOutbound()
  const all = () => Promise.all(Array.from({ length: 50 }, () => send(receiver.url)))
  for (const outcome of await all()) {
    expect(outcome).toMatchObject({ isReused: false, timings: { connectMs: expect.any(Number) } })
  }
  for (const outcome of await all()) expect(outcome).toMatchObject({ isReused: true, timings: { connectMs: null } })
  expect(receiver.received).toHaveLength(100)
})

test('an outbound request never waits for a connection that another request uses', async () => {
  // The receiver waits for 300 requests, far more than the connections that undici's pools open to one origin.
  const answers: (() => void)[] = []
  const receiver = await openReceiver((_, response) => {
    answers.push(() => response.end())
    if (answers.length === 300) for (const answer of answers) answer()
  })
  const send = openOutbound()
  const outcomes = await Promise.all(Array.from({ length: 300 }, () => send(receiver.url)))
  expect(outcomes.every(({ is }) => is === 'answered')).toBe(true)
})

test('an outbound request uses the host’s next IP address when one address refuses the connection', async () => {
  const receiver = await openReceiver()
  const lookup = async () => ['127.0.0.9', '127.0.0.1'].map((address) => ({ address, family: 4 }))
  const send = openOutbound(undefined, { lookup })
  expect(await send(receiver.url.replace('127.0.0.1', 'localhost'))).toMatchObject({ is: 'answered', status: 200 })
})

test('if an outbound request times out in the TLS handshake, its result contains the durations of the DNS lookup and of the TCP connection set-up', async () => {
  const deadlinePassed = new AbortController()
  const onConnection = (socket: Socket) => void socket.once('data', () => deadlinePassed.abort())
  const server = await openRawServer(() => undefined, { onConnection })
  const lookup = async () => [{ address: '127.0.0.1', family: 4 }]
  const deadline = { deadlineMs: farDeadlineMs, signal: deadlinePassed.signal }
  const outcome = await openOutbound(undefined, { lookup })(`https://localhost:${server.port}/`, deadline)
  expect(outcome).toMatchObject({
    is: 'failed',
    errorCode: 'timeout',
    timings: { dnsMs: expect.any(Number), connectMs: expect.any(Number), tlsMs: null, firstByteMs: null },
    isReused: null,
  })
})

test('if an outbound request times out while it waits for the response, its result contains the time that it took to connect', async () => {
  const server = await openRawServer(() => undefined)
  const deadline = { deadlineMs: farDeadlineMs, signal: server.abortAfter(1) }
  expect(await openOutbound()(server.url, deadline)).toMatchObject({
    errorCode: 'timeout',
    timings: { ...noTimings, connectMs: expect.any(Number) },
    isReused: false,
  })
})

test('an outbound request that times out in the DNS lookup returns no timings', async () => {
  const lookup = () => new Promise<never>(() => undefined)
  const outcome = await openOutbound(undefined, { lookup })('https://shop.example/', { deadlineMs: 50 })
  expect(outcome).toMatchObject({ errorCode: 'timeout', timings: noTimings, isReused: null })
  // Timers use another clock than the measurement. The clock of the timers has whole milliseconds, so a timer may fire
  // up to 1 ms early.
  expect(outcome.durationMs).toBeGreaterThanOrEqual(49)
})

test('an outbound request returns no timings for a rejected destination or a refused connection', async () => {
  const send = openOutbound({ allowsLoopback: false })
  expect(await send('https://10.0.0.1/')).toMatchObject({ timings: noTimings, isReused: null })
  expect(await openOutbound()('http://127.0.0.1:1/')).toMatchObject({
    errorCode: 'connection',
    timings: noTimings,
    isReused: null,
  })
})
