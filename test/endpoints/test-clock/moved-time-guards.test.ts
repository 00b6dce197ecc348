import { expect, test } from 'vitest'
import { bookkeep } from '../../../src/store/core/bookkeeping.ts'
import { moveTimesBack } from '../../../src/store/test-clock/move-times.ts'
import { startAdvance } from '../../../src/store/test-clock/test-clocks.ts'
import { useApi } from '../../support/api.ts'
import { asSuperuser, select } from '../../support/database-contents.ts'
import { openTestShop, parcelTo, plainPhone, post } from '../../support/logistics/parcel-run.ts'
import { openShop, placeOrder, type Shop } from '../../support/shop.ts'
import { addEndpoint, startClockWorker } from '../../support/test-clock.ts'
import { waitFor } from '../../support/wait-for.ts'

/**
 * The database moves times only for merchants in test mode. In an immutable row, it allows only this change of the
 * times.
 */

const started = useApi()

test('the database rejects a test clock for a merchant in live mode, and rejects moving the times of such a merchant', async () => {
  const api = started()
  const { merchantId } = await openShop(api.context)
  const start = () => bookkeep(api.database, (trx) => startAdvance(trx, { merchantId, spanMs: 1000 }))
  await expect(start()).rejects.toMatchObject({ constraint: 'test_clock_is_of_a_test_merchant' })
  const move = () =>
    bookkeep(api.database, async (trx) => moveTimesBack(trx, { merchantId, spanMs: 1000 }, { references: [] }))
  await expect(move()).rejects.toMatchObject({ constraint: 'moved_times_are_of_a_test_merchant' })
})

test('not even a superuser can change the mode of a merchant, or use a temporary table named merchants to give a live merchant a test clock', async () => {
  const api = started()
  const { merchantId } = await openShop(api.context)
  await asSuperuser(api, async (client) => {
    const change = (assignment: string) => client.query(`update merchants set ${assignment} where id = '${merchantId}'`)
    const rejection = { constraint: 'merchant_mode_never_changes' }
    const twin = `live_merchant_id = (select id from merchants where live_merchant_id = '${merchantId}')`
    await expect(change(`mode = 'test', ${twin}`)).rejects.toMatchObject(rejection)
    await expect(change(twin)).rejects.toMatchObject(rejection)
    expect((await change("name = 'Renamed'")).rowCount).toBe(1)
    await client.query(`create temporary table merchants as select '${merchantId}'::text as id, 'test'::text as mode`)
    await expect(client.query(`insert into test_clocks (merchant_id) values ('${merchantId}')`)).rejects.toMatchObject({
      constraint: 'test_clock_is_of_a_test_merchant',
    })
    await client.query('drop table pg_temp.merchants')
  })
})

test.for([
  ['order_status_changes', 'occurred_at', "actor_type = 'system'"],
  ['stock_movements', 'created_at', "reason = 'correction'"],
  ['receipts', 'issued_at', 'number = number + 1'],
] as const)('no role can change a row of %s, except to move its time back in test mode', async ([
  table,
  time,
  other,
]) => {
  const api = started()
  const live = await openShop(api.context)
  const shop = await openTestShop(api)
  for (const each of [live, shop]) await placeOrder(api, each)
  const back = `${time} = ${time} - interval '1 hour'`
  await asSuperuser(api, async (client) => {
    const change = ({ merchantId }: Shop, assignments: string) =>
      client.query(`update ${table} set ${assignments} where merchant_id = '${merchantId}'`)
    const rejection = { code: '23001' }
    await expect(change(live, back)).rejects.toMatchObject(rejection)
    await expect(change(shop, `${time} = ${time} + interval '1 hour'`)).rejects.toMatchObject(rejection)
    await expect(change(shop, `${back}, ${other}`)).rejects.toMatchObject(rejection)
    expect((await change(shop, back)).rowCount).toBeGreaterThan(0)
    await expect(change(shop, `${time} = ${time}`)).rejects.toMatchObject(rejection)
    await expect(client.query(`delete from ${table} where merchant_id = '${shop.merchantId}'`)).rejects.toMatchObject(
      rejection,
    )
  })
  const asService = select(api, `update ${table} set ${back} where merchant_id = $1`, [shop.merchantId])
  await expect(asService).rejects.toThrow(/permission denied/)
})

test('not even a superuser can change a webhook attempt or a shipment event, except to move both of its times back by the same span in test mode', async () => {
  const api = started()
  const [live, shop] = [await openShop(api.context), await openTestShop(api)]
  await startClockWorker(api)
  for (const each of [live, shop]) {
    await addEndpoint(api, each, 'http://127.0.0.1:1/hook')
    await placeOrder(api, each)
  }
  await post(api, shop, 'dispatch', parcelTo(plainPhone, { carriers: ['simulator-swift'] }))
  const attempts = 'select number from webhook_attempts where merchant_id = any($1)'
  await waitFor(async () => expect(await select(api, attempts, [[live.merchantId, shop.merchantId]])).toHaveLength(2))
  await asSuperuser(api, async (client) => {
    const change = (table: string, { merchantId }: Shop, assignments: string) =>
      client.query(`update ${table} set ${assignments} where merchant_id = '${merchantId}'`)
    const rejection = { code: '23001' }
    for (const [table, first, second, other] of [
      ['webhook_attempts', 'started_at', 'finished_at', 'duration_ms = duration_ms + 1'],
      ['shipment_events', 'occurred_at', 'received_at', "description = description || '.'"],
    ] as const) {
      const moved = (time: string, span: string) => `${time} = ${time} - interval '${span}'`
      const back = `${moved(first, '1 hour')}, ${moved(second, '1 hour')}`
      await expect(change(table, shop, moved(first, '1 hour'))).rejects.toMatchObject(rejection)
      await expect(change(table, shop, `${moved(first, '2 hours')}, ${moved(second, '1 hour')}`)).rejects.toMatchObject(
        rejection,
      )
      await expect(
        change(table, shop, `${moved(first, '-1 hour')}, ${moved(second, '-1 hour')}`),
      ).rejects.toMatchObject(rejection)
      await expect(change(table, shop, `${back}, ${other}`)).rejects.toMatchObject(rejection)
      expect((await change(table, shop, back)).rowCount).toBeGreaterThan(0)
      await expect(client.query(`delete from ${table} where merchant_id = '${shop.merchantId}'`)).rejects.toMatchObject(
        rejection,
      )
    }
    const back = "started_at = started_at - interval '1 hour', finished_at = finished_at - interval '1 hour'"
    await expect(change('webhook_attempts', live, back)).rejects.toMatchObject(rejection)
  })
})
