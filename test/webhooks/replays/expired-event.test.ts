import { expect, test } from 'vitest'
import { replayDelivery } from '../../../src/access/replay-delivery.ts'
import { rotatePartitions } from '../../../src/store/partitions/partitions.ts'
import { useDatabase } from '../../support/database.ts'
import { openReceiver } from '../receiver.ts'
import { only, openShop, operator } from '../shop.ts'

const opened = useDatabase()

const msPerDay = 24 * 60 * 60 * 1000

test('a replay is not replayed again after its event was deleted with the month of the event, because it would stay due for ever', async () => {
  const { database } = opened()
  const shop = await openShop(database)
  const receiver = await openReceiver()
  const endpoint = await shop.addEndpoint(receiver.url)
  await shop.emit()
  await shop.deliver(endpoint)
  const original = only(await shop.deliveries())
  const made = new Date(original.createdAt)
  // The events of a month are deleted 35 days after its end.
  const deletedMs = Date.UTC(made.getUTCFullYear(), made.getUTCMonth() + 1) + 35 * msPerDay
  shop.clock.advance(deletedMs - msPerDay - shop.clock.nowMs())
  const replay = await replayDelivery(shop.context, operator, shop.tenant, original.id)
  if (replay.is !== 'queued') throw new Error(`The delivery was not replayed: ${replay.is}.`)
  await shop.deliver(endpoint)
  shop.clock.advance(2 * msPerDay)
  const { dropped } = await rotatePartitions(database.pool, shop.clock.nowMs())
  expect(dropped).toContain(`webhook_events_${original.createdAt.slice(0, 7).replace('-', '')}`)
  const again = await replayDelivery(shop.context, operator, shop.tenant, replay.deliveryId)
  expect(again).toEqual({ is: 'delivery_unknown' })
  expect(await shop.deliver(endpoint)).toEqual({ attempts: 0, nextDueAt: undefined })
  const { rows: leases } = await database.pool.query('select id from webhook_leases')
  expect(leases).toEqual([])
})
