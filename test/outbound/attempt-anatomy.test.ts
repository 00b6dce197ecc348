import type { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { openReceiver } from '../webhooks/receiver.ts'
import { farDeadlineMs, openOutbound } from './outbound.ts'
import { openRawServer } from './raw-server.ts'

const nothing = { dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: null }

test('an answer over a new connection tells its phases, and over a kept one only the wait', async () => {
  const receiver = await openReceiver()
  const send = openOutbound()
  expect(await send(receiver.url)).toMatchObject({
    is: 'answered',
    isReused: false,
    // A literal address is not looked up, and there is no TLS.
    timings: { dnsMs: null, connectMs: expect.any(Number), tlsMs: null, firstByteMs: expect.any(Number) },
  })
  expect(await send(receiver.url)).toMatchObject({
    is: 'answered',
    isReused: true,
    timings: { ...nothing, firstByteMs: expect.any(Number) },
  })
})

test('each phase is told by itself', async () => {
  // The clock stands still but for what each phase adds to it.
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

test('fifty requests at once to one origin each get the phases of their own connection', async () => {
  let held: (() => void)[] = []
  const receiver = await openReceiver((_, response) => {
    held.push(() => response.end())
    // Only when all of them are here, so that each has its own connection.
    if (held.length < 50) return
    for (const answer of held) answer()
    held = []
  })
  const send = openOutbound()
  const all = () => Promise.all(Array.from({ length: 50 }, () => send(receiver.url)))
  for (const outcome of await all()) {
    expect(outcome).toMatchObject({ isReused: false, timings: { connectMs: expect.any(Number) } })
  }
  for (const outcome of await all()) expect(outcome).toMatchObject({ isReused: true, timings: { connectMs: null } })
  expect(receiver.received).toHaveLength(100)
})

test('a request never waits for another one’s connection', async () => {
  // Far more than undici's pools would hold open to one origin.
  const answers: (() => void)[] = []
  const receiver = await openReceiver((_, response) => {
    answers.push(() => response.end())
    if (answers.length === 300) for (const answer of answers) answer()
  })
  const send = openOutbound()
  const outcomes = await Promise.all(Array.from({ length: 300 }, () => send(receiver.url)))
  expect(outcomes.every(({ is }) => is === 'answered')).toBe(true)
})

test('where one address refuses, the next one is tried', async () => {
  const receiver = await openReceiver()
  const lookup = async () => ['127.0.0.9', '127.0.0.1'].map((address) => ({ address, family: 4 }))
  const send = openOutbound(undefined, { lookup })
  expect(await send(receiver.url.replace('127.0.0.1', 'localhost'))).toMatchObject({ is: 'answered', status: 200 })
})

test('a timeout in TLS tells how long the look-up and the connection took', async () => {
  const giveUp = new AbortController()
  const onConnection = (socket: Socket) => void socket.once('data', () => giveUp.abort())
  const server = await openRawServer(() => undefined, { onConnection })
  const lookup = async () => [{ address: '127.0.0.1', family: 4 }]
  const deadline = { deadlineMs: farDeadlineMs, signal: giveUp.signal }
  const outcome = await openOutbound(undefined, { lookup })(`https://localhost:${server.port}/`, deadline)
  expect(outcome).toMatchObject({
    is: 'failed',
    errorCode: 'timeout',
    timings: { dnsMs: expect.any(Number), connectMs: expect.any(Number), tlsMs: null, firstByteMs: null },
    isReused: null,
  })
})

test('a timeout after the request tells that there was a connection', async () => {
  const server = await openRawServer(() => undefined)
  const deadline = { deadlineMs: farDeadlineMs, signal: server.giveUpAfter(1) }
  expect(await openOutbound()(server.url, deadline)).toMatchObject({
    errorCode: 'timeout',
    timings: { ...nothing, connectMs: expect.any(Number) },
    isReused: false,
  })
})

test('a timeout in the look-up tells nothing but itself', async () => {
  const lookup = () => new Promise<never>(() => undefined)
  const outcome = await openOutbound(undefined, { lookup })('https://shop.example/', { deadlineMs: 50 })
  expect(outcome).toMatchObject({ errorCode: 'timeout', timings: nothing, isReused: null })
  // A timer counts whole milliseconds of another clock, and may come up to one early.
  expect(outcome.durationMs).toBeGreaterThanOrEqual(49)
})

test('what was refused or refused us has no phases', async () => {
  const send = openOutbound({ allowsLoopback: false })
  expect(await send('https://10.0.0.1/')).toMatchObject({ timings: nothing, isReused: null })
  expect(await openOutbound()('http://127.0.0.1:1/')).toMatchObject({
    errorCode: 'connection',
    timings: nothing,
    isReused: null,
  })
})
