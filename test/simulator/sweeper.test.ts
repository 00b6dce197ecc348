import { createServer } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { openSafeFetch, type SafeFetch } from '../../src/outbound/safe-fetch.ts'
import { startSweeper } from '../../src/worker/sweeper.ts'
import { useDatabase } from '../support/database.ts'
import { waitFor } from '../support/wait-for.ts'
import { portOf } from '../webhooks/receiver.ts'
import { openShop } from '../webhooks/shop.ts'
import { openSimulated, ordered, wish } from './simulated.ts'

const opened = useDatabase()

/** A receiver of carrier callbacks that responds only when the test lets it. */
async function openHangingReceiver() {
  const receiver = { url: '', calls: 0, release: Promise.withResolvers<void>() }
  const server = createServer(async (_, response) => {
    receiver.calls += 1
    await receiver.release.promise
    response.end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  receiver.url = `http://127.0.0.1:${portOf(server.address())}/callbacks`
  return receiver
}

test('sweeps continue while a simulated carrier’s callback gets no response', async () => {
  const { database, connectionString } = opened()
  const receiver = await openHangingReceiver()
  const outbound = openSafeFetch({ allowsLoopback: true })
  onTestFinished(() => outbound.close())
  // The deadline of the callback is longer than the test. Otherwise, a timeout of the callback could be the reason why
  // the next sweep starts.
  const send: SafeFetch['fetch'] = (request) => outbound.fetch({ ...request, deadlineMs: 120_000 })
  const { simulator, carriers, clock } = await openSimulated(connectionString, { send })
  const credentials = { callbackUrl: receiver.url, callbackSecret: 'a secret of the account' }
  await ordered(carriers['simulator-swift'], wish(), { credentials })
  // After a minute, the simulated carrier assigns the rider, and reports this to the receiver of callbacks.
  clock.advance(60_000)
  const shop = await openShop(database)
  const sweeper = startSweeper({ ...shop.sweepContext, simulator })
  try {
    await waitFor(() => expect(receiver.calls).toBe(1))
    const calledMs = performance.now()
    await waitFor(() => expect(sweeper.sinceSweepMs()).toBeLessThan(performance.now() - calledMs))
    expect(receiver.calls).toBe(1)
  } finally {
    receiver.release.resolve()
    await sweeper.stop()
  }
})
