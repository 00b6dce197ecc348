import { connect, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { deadlineMs, openOutbound, roomyDeadlineMs } from '../../outbound/outbound.ts'
import { useDatabase } from '../../support/database.ts'
import { only, openShop } from '../shop.ts'
import { openStalledServer } from './stalled-server.ts'

/** Webhook receivers whose packets are dropped: no connection to them is refused or closed, and no response arrives. */

const opened = useDatabase()

test('a webhook delivery attempt times out when the receiver stops responding, and its keep-alive connection is not reused', async () => {
  const server = await openStalledServer()
  const send = openOutbound()
  expect(await send(server.url)).toMatchObject({ is: 'answered', isReused: false })
  server.stall()
  const vanished = await send(server.url, { deadlineMs })
  expect(vanished).toMatchObject({ is: 'failed', errorCode: 'timeout', isReused: true, timings: { firstByteMs: null } })
  // The timer and the measurement use different clocks. The timer counts whole milliseconds, and may fire up to one
  // millisecond early.
  expect(vanished.durationMs).toBeGreaterThanOrEqual(deadlineMs - 1)
  // Although the receiver is suspended, the operating system completes the TCP handshake.
  const connected = { connectMs: expect.any(Number), firstByteMs: null }
  expect(await send(server.url, { deadlineMs: roomyDeadlineMs })).toMatchObject({
    is: 'failed',
    errorCode: 'timeout',
    isReused: false,
    timings: connected,
  })
  server.goOn()
  expect(await send(server.url)).toMatchObject({ is: 'answered', status: 200, isReused: false })
})

test('a webhook delivery attempt times out before it is connected when the receiver accepts no connection', async () => {
  const server = await openStalledServer(1)
  server.stall()
  await fill(server.port)
  const outcome = await openOutbound()(server.url, { deadlineMs })
  expect(outcome).toMatchObject({
    is: 'failed',
    errorCode: 'timeout',
    isReused: null,
    timings: { connectMs: null, firstByteMs: null },
  })
})

test('a webhook delivery to a receiver that stopped responding is retried until the receiver responds again', async () => {
  const server = await openStalledServer()
  const shop = await openShop(opened().database)
  const endpoint = await shop.addEndpoint(server.url)
  await shop.emit()
  await shop.deliver(endpoint)
  server.stall()
  // The clock advances, so that the second delivery has a later id than the first.
  shop.clock.advance(1)
  await shop.emit()
  await shop.deliver(endpoint, { deadlineMs })
  const [second] = await shop.deliveries()
  expect(second).toMatchObject({ status: 'failed', attemptCount: 1, lastErrorCode: 'timeout' })
  server.goOn()
  shop.clock.advance(60_000)
  await shop.deliver(endpoint)
  expect((await shop.deliveries()).map(({ status }) => status)).toEqual(['succeeded', 'succeeded'])
  expect(only((await shop.attempts(second?.id ?? only([]))).slice(1))).toMatchObject({
    outcome: 'succeeded',
    isReused: false,
  })
})

/**
 * Time in which even a busy machine completes a TCP handshake. If a handshake takes longer, the backlog of the receiver
 * is full.
 */
const fullAfterMs = 1_000

/** Opens connections until the backlog of the receiver is full. */
async function fill(port: number): Promise<void> {
  for (let isTaken = true; isTaken; ) {
    const socket = connect({ host: '127.0.0.1', port })
    onTestFinished(() => void socket.destroy())
    socket.on('error', () => undefined)
    isTaken = await Promise.race([connected(socket), wait(fullAfterMs, false)])
  }
}

function connected(socket: Socket): Promise<boolean> {
  return new Promise((resolve) => socket.once('connect', () => resolve(true)))
}
