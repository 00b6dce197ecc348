import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { pickupInputExample } from '../../../registry/logistics/quote-example.ts'
import { randomCode } from '../../../src/base/ids.ts'
import { migrateAndGrant } from '../../../src/store/server/migrate.ts'
import { useApi } from '../../support/api.ts'
import { orderAt } from '../../support/commerce/order-transitions.ts'
import { asOwner } from '../../support/database.ts'
import { select } from '../../support/database-contents.ts'
import { openTestShop, orderTo, post } from '../../support/logistics/parcel-run.ts'
import { readShipment, storeShipment } from '../../support/logistics/shipment.ts'
import { applyUpdate } from '../../support/logistics/tracking-updates.ts'
import type { Shop } from '../../support/shop.ts'

/**
 * Shipments that were stored before migration 0052, or later by a process of an earlier release. They contain every
 * unit of their orders.
 */

const started = useApi()

let shop: Shop
beforeAll(async () => {
  shop = await openTestShop(started())
})

/** Migration 0087 reads a column of the table quotes, which migration 0092 renames. */
const withOldName = 'alter table quotes rename column redacted_at to emptied_at'
const withNewName = 'alter table quotes rename column emptied_at to redacted_at'

/** Changes all rows to their form before migration 0052, then runs the migrations 0086 and 0087 again. */
async function upgrade(): Promise<void> {
  const api = started()
  const undo = `
    drop trigger shipments_record_all_items on shipments;
    drop function record_all_items();
    update quotes set items = '[]' where items is null;
    alter table quotes alter column items set default '[]', alter column items set not null;
    alter table shipments alter column items set default '[]';
    update quotes set created_at = '2020-01-01T00:00:00Z';
    update shipments set created_at = '2020-01-01T00:00:00Z';
    delete from kysely_migration where name in ('0086_unrecorded_items', '0087_fill_unrecorded_items')`
  await asOwner(api, undo)
  await asOwner(api, withOldName)
  await migrateAndGrant(api)
  await asOwner(api, withNewName)
}

test('after migration 0087, a shipment that replaces a lost shipment contains every unit, and its delivery sets the order to delivered', async () => {
  const api = started()
  const order = await orderAt(api, shop, 'shipped')
  const items = [{ itemId: order.itemId, quantity: 3 }]
  const more = { orderId: order.id, itemsBooked: 'none', items: [] } as const
  const lost = await storeShipment(api, shop, { orderId: order.id, status: 'lost', itemsBooked: 'sent' })
  await select(api, 'update shipments set items = $2 where id = $1', [lost.id, JSON.stringify(items)])
  const sent = await storeShipment(api, shop, { ...more, status: 'in_transit' })
  const cancelled = await storeShipment(api, shop, { ...more, status: 'cancelled' })
  const none = await storeShipment(api, shop, { status: 'in_transit' })
  await upgrade()
  expect((await readShipment(api, sent)).shipment).toMatchObject({ items, itemsBooked: 'sent', version: 2 })
  expect((await readShipment(api, cancelled)).shipment).toMatchObject({ items: [], version: 1 })
  expect((await readShipment(api, none)).shipment).toMatchObject({ items: [], version: 1 })
  await applyUpdate(api, shop, sent, { status: 'delivered' })
  expect((await order.read()).status).toBe('delivered')
})

test('the migration 0087 fills in missing shipment items although open transactions have read and written quotes and shipments', async () => {
  const api = started()
  const order = await orderAt(api, shop, 'processing')
  const { id } = await storeShipment(api, shop, { orderId: order.id, items: [] })
  await select(api, "update shipments set created_at = '2020-01-01T00:00:00Z' where id = $1", [id])
  await asOwner(api, "delete from kysely_migration where name = '0087_fill_unrecorded_items'")
  await asOwner(api, withOldName)
  const other = await api.database.pool.connect()
  onTestFinished(() => other.release(true))
  await other.query('begin')
  await other.query("update quotes set items = items where id = 'none'")
  await other.query("update shipments set items = items where id = 'none'")
  await migrateAndGrant(api)
  await other.query('rollback')
  await asOwner(api, withNewName)
  const [filled] = await select(api, 'select items from shipments where id = $1', [id])
  expect(filled).toEqual({ items: [{ itemId: order.itemId, quantity: 3 }] })
})

test('a shipment that a process of the previous release creates after migration 0087 contains every unit of its order', async () => {
  const api = started()
  const order = await orderAt(api, shop, 'processing')
  const { id } = await storeShipment(api, shop, { orderId: order.id, items: [] })
  const listed = "select column_name as name from information_schema.columns where table_name = 'shipments'"
  const names: string[] = (await select(api, listed)).map(({ name }) => name)
  const columns = names.filter((name) => name !== 'items' && name !== 'items_booked')
  const values = columns.map((name) => (name === 'id' || name === 'reference' ? `'old-' || ${name}` : name))
  const insert = `
    insert into shipments (${columns.join(', ')})
    select ${values.join(', ')} from shipments where id = $1
    returning items, items_booked as booked`
  const [made] = await select(api, insert, [id])
  expect(made).toEqual({ items: [{ itemId: order.itemId, quantity: 3 }], booked: 'none' })
})

test.for([
  0, 60,
])('if a process of the previous release created the quote, a shipment dispatched %s minutes later contains every open unit of the order', async (minutes) => {
  const api = started()
  const orderId = await orderTo(api, shop)
  const paid = { to: 'processing' }
  await api.send('POST', `/api/v1/orders/${orderId}/transition`, { token: shop.token, body: paid })
  const quote = await post(api, shop, 'quote', { orderId, pickup: pickupInputExample })
  expect(quote.status, quote.text).toBe(200)
  await select(api, "update quotes set items = '[]' where id = $1", [quote.body.id])
  await upgrade()
  api.clock.advance(minutes * 60_000)
  const dispatch = (quoteId: string) => post(api, shop, 'dispatch', { reference: randomCode(12), quoteId })
  const first = await dispatch(quote.body.id)
  const reply = minutes === 0 ? first : await dispatch(first.body.error.details.quoteId)
  expect([reply.status, reply.body.items], reply.text).toEqual([201, quote.body.items])
  expect(reply.body.items).toHaveLength(1)
})
