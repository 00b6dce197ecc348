import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { systemClock } from '../../../src/base/clock.ts'
import { newId } from '../../../src/base/ids.ts'
import { type Database, openDatabase } from '../../../src/store/core/database.ts'
import { claimDeliveries } from '../../../src/store/webhooks/delivery-claims.ts'
import { releaseEarlierLeases } from '../../../src/store/webhooks/leases.ts'
import { attemptDelivery } from '../../../src/webhooks/attempt.ts'
import { recordResults } from '../../../src/webhooks/record-results.ts'
import { useDatabase } from '../../support/database.ts'
import { openReceiver } from '../receiver.ts'
import { only, openShop } from '../shop.ts'

/**
 * The query plans of the statements that process webhook deliveries, in a table whose deliveries are nearly all
 * completed.
 */

const opened = useDatabase()

let database: Database
const plans: string[] = []

beforeAll(async () => {
  // Only a superuser may change the planner settings that the test changes, and only for its own connection.
  database = openDatabase({ connectionString: opened().superuserConnectionString, maxConnections: 1 })
  const [merchantId, id, eventId, endpointId] = (['mer', 'dlv', 'evt', 'whe'] as const).map((prefix) =>
    newId(prefix, systemClock.nowMs()),
  )
  await database.pool.query(
    `insert into webhook_deliveries (merchant_id, id, event_id, endpoint_id, status, created_at, completed_at)
     select $1, substr($2, 1, 22) || lpad(n::text, 8, '0'), $3, $4, 'succeeded', now(), now()
     from generate_series(1, 5000) as n`,
    [merchantId, id, eventId, endpointId],
  )
  await database.pool.query('analyze')
  const client = await database.pool.connect()
  client.on('notice', ({ message }) => plans.push(message ?? ''))
  await client.query("load 'auto_explain'")
  await client.query('set auto_explain.log_min_duration = 0')
  await client.query('set auto_explain.log_level = notice')
  client.release()
})
afterAll(() => database.close())
beforeEach(() => void plans.splice(0))

/** Claims the only due delivery of a new shop. */
async function claimOne() {
  const shop = await openShop(database)
  const lane = await shop.addEndpoint((await openReceiver()).url)
  await shop.emit()
  plans.splice(0)
  const { workerId } = shop.pumpContext
  const caps = { room: 9, merchantCap: 9, endpointCap: 4 }
  const claimed = await claimDeliveries(database, { lanes: [lane], workerId, now: shop.now(), ...caps })
  return { shop, delivery: only(only(claimed.lanes).deliveries) }
}

/** Returns the query plan of the only statement that contains the given text. */
function planOf(text: string): string {
  return only(plans.filter((plan) => plan.includes(text)))
}

test('a claim of webhook deliveries uses only indexes and one cached query plan, regardless of the table statistics', async () => {
  await claimOne()
  expect(plans.join('\n')).not.toMatch(/Seq Scan on webhook_|Bitmap/)
  // The plan contains parameters, so it is the cached generic plan. A custom plan would contain the ids of the
  // endpoints. The index search starts at the lower bound of the due time.
  expect(planOf('union all')).toMatch(
    /Index Cond: .*next_attempt_at >= CASE .*\(\$\d+\)\[array_position\(\$.*next_attempt_at <= \$/,
  )
})

test('the statements that record a successful webhook delivery use only indexes', async () => {
  const { shop, delivery } = await claimOne()
  const result = await attemptDelivery(shop.pumpContext, delivery)
  plans.splice(0)
  await recordResults(shop.pumpContext, [result])
  const plan = planOf('insert into webhook_attempts')
  expect(plan).not.toMatch(/Seq Scan on webhook_|Bitmap/)
  expect(plan).toMatch(/Index Scan using webhook_deliveries_\w+_pkey/)
})

test('releasing the leases that an earlier version of the service stored reads only the index of leased deliveries', async () => {
  const shop = await openShop(database)
  plans.splice(0)
  expect(await releaseEarlierLeases(database, shop.now())).toBe(0)
  const plan = planOf('lease_until < ')
  expect(plan).not.toMatch(/Seq Scan on webhook_|Bitmap/)
})
