import { connect, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { deadlineMs, openOutbound, roomyDeadlineMs } from '../../outbound/outbound.ts'
import { useDatabase } from '../../support/database.ts'
import { only, openShop } from '../shop.ts'
import { openStalledServer } from './stalled-server.ts'

/** Receivers whose packets vanish: nothing is refused, nothing is closed and nothing comes back. */

const opened = useDatabase()

test('a receiver that vanishes behind a kept connection is a timeout, and that connection is not used again', async () => {
  const server = await openStalledServer()
  const send = openOutbound()
  expect(await send(server.url)).toMatchObject({ is: 'answered', isReused: false })
  server.stall()
  const vanished = await send(server.url, { deadlineMs })
  expect(vanished).toMatchObject({ is: 'failed', errorCode: 'timeout', isReused: true, timings: { firstByteMs: null } })
  // A timer counts whole milliseconds of another clock, and may come up to one early.
  expect(vanished.durationMs).toBeGreaterThanOrEqual(deadlineMs - 1)
  // The system still shakes hands for it.
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

test('a receiver that takes no connection is a timeout before there is one', async () => {
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

test('a delivery to a receiver that vanished is tried again, and the receiver that is back gets it', async () => {
  const server = await openStalledServer()
  const shop = await openShop(opened().database)
  const endpoint = await shop.addEndpoint(server.url)
  await shop.emit()
  await shop.deliver(endpoint)
  server.stall()
  // Its id then comes behind the first one's.
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

/** The system of a busy machine shakes hands within this, so one that has not by then is full. */
const fullAfterMs = 1_000

/** Connections until the system takes no more. */
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
