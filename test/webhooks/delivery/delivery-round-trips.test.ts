import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, openDatabase } from '../../../src/store/core/database.ts'
import { claimDeliveries } from '../../../src/store/webhooks/delivery-claims.ts'
import { attemptDelivery } from '../../../src/webhooks/attempt.ts'
import { recordResults } from '../../../src/webhooks/record-results.ts'
import { useDatabase } from '../../support/database.ts'
import { openRoundTripCounter, type RoundTripCounter } from '../../support/round-trips.ts'
import { openReceiver } from '../receiver.ts'
import { only, openShop } from '../shop.ts'

/**
 * Counts the round trips to PostgreSQL that a webhook delivery takes. The last statements of each of its transactions
 * are sent together with the commit.
 */

const opened = useDatabase()

let counter: RoundTripCounter
let database: Database

beforeAll(async () => {
  counter = await openRoundTripCounter(opened().connectionString)
  database = openDatabase({ connectionString: counter.connectionString, maxConnections: 1 })
})
afterAll(async () => {
  await database.close()
  await counter.close()
})

async function tripsOf<Result>(run: () => Promise<Result>): Promise<{ result: Result; trips: number }> {
  const before = counter.roundTrips()
  const result = await run()
  return { result, trips: counter.roundTrips() - before }
}

test('claiming webhook deliveries takes two database round trips, and recording their successful results takes one', async () => {
  const shop = await openShop(database)
  const headers = [{ name: 'X-Api-Key', value: 'gateway-key-1' }]
  const lane = await shop.addEndpoint((await openReceiver()).url, undefined, headers)
  await shop.emit()
  await shop.emit()
  const { workerId } = shop.pumpContext
  const caps = { room: 9, merchantCap: 9, endpointCap: 4 }
  const claim = await tripsOf(() => claimDeliveries(database, { lanes: [lane], workerId, now: shop.now(), ...caps }))
  expect(claim.trips).toBe(2)
  const { deliveries } = only(claim.result.lanes)
  expect(deliveries).toHaveLength(2)
  const results = await Promise.all(deliveries.map((delivery) => attemptDelivery(shop.pumpContext, delivery)))
  const recording = await tripsOf(() => recordResults(shop.pumpContext, results))
  expect(recording.trips).toBe(1)
  expect(await shop.deliveries()).toMatchObject([{ status: 'succeeded' }, { status: 'succeeded' }])
})
