import { expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../../../src/store/core/database.ts'
import { claimDeliveries } from '../../../src/store/webhooks/delivery-claims.ts'
import { useDatabase } from '../../support/database.ts'
import { only, openShop } from '../shop.ts'

const opened = useDatabase()

test('uses only indexes and one cached plan, regardless of the statistics', async () => {
  const { superuserConnectionString } = opened()
  // Only a superuser may change these plans, and only for its own connection.
  const database = openDatabase({ connectionString: superuserConnectionString, maxConnections: 1 })
  onTestFinished(() => database.close())
  const shop = await openShop(database)
  const lane = await shop.addEndpoint('http://127.0.0.1:1/hook')
  await shop.emit()
  await database.pool.query(`
    insert into webhook_deliveries (merchant_id, id, event_id, endpoint_id, status, created_at, completed_at)
    select merchant_id, substr(id, 1, 22) || lpad(n::text, 8, '0'), event_id, endpoint_id, 'succeeded', now(), now()
    from webhook_deliveries
    cross join generate_series(1, 5000) as n`)
  await database.pool.query('analyze')

  const plans: string[] = []
  const client = await database.connect()
  client.on('notice', ({ message }) => plans.push(message ?? ''))
  await client.query("load 'auto_explain'")
  await client.query('set auto_explain.log_min_duration = 0')
  await client.query('set auto_explain.log_level = notice')
  client.release()
  const claimed = await claimDeliveries(database, {
    ...{ lanes: [lane], workerId: 'wrk_one', now: shop.now() },
    ...{ room: 9, merchantCap: 9, endpointCap: 4 },
  })
  expect(only(claimed.lanes).deliveries).toHaveLength(1)

  const plan = only(plans.filter((text) => text.includes('update webhook_deliveries')))
  expect(plan).not.toMatch(/Seq Scan on webhook_|Bitmap/)
  // A custom plan would contain the endpoints' ids instead of parameters.
  expect(plan).toContain('next_attempt_at <= $')
})
