import { beforeEach, expect, test } from 'vitest'
import { OrderItemId } from '../../../registry/values/vocabulary.ts'
import { toTimestamp } from '../../../src/base/clock.ts'
import { useApi } from '../../support/api.ts'
import { returnToShip, setPickup } from '../../support/commerce/return-to-ship.ts'
import { type SignedInMember, signedIn } from '../../support/dashboard.ts'
import { select } from '../../support/database-contents.ts'
import { storeShipment } from '../../support/logistics/shipment.ts'
import { textOf } from '../../support/page-text.ts'
import { openShop, placeOrder, type Shop, stockVariant } from '../../support/shop.ts'

/**
 * Tests the sections of the start page with the sales and the tasks of the day. Other tests cover the sections about
 * problems.
 */

const api = useApi()

let shop: Shop
let owner: SignedInMember
beforeEach(async () => {
  shop = await openShop(api().context)
  owner = await signedIn(api(), shop.merchantId, 'owner')
})

async function sectionOf(title: string, member = owner): Promise<string> {
  const { text } = await member.get('/dashboard')
  return text.split('<section>').find((section) => section.includes(`<h2>${title}`)) ?? ''
}

test('the start page lists a paid order under “To pack” until a rider has been requested', async () => {
  const order = await placeOrder(api(), shop)
  expect(await sectionOf('To pack (1)')).toContain(`href="/dashboard/orders/${order.id}/dispatch"`)
  const shipment = await storeShipment(api(), shop, { orderId: order.id, status: 'awaiting_courier' })
  expect(await sectionOf('To pack')).toBe('')
  expect(await sectionOf('To hand over: a rider comes for the parcel (1)')).toContain(
    `/dashboard/shipments/${shipment.id}`,
  )
})

test('the start page lists an order under “To hand over” until its parcel is picked up, and under “To pack” again once the parcel is returned', async () => {
  const order = await placeOrder(api(), shop)
  const { id } = await storeShipment(api(), shop, { orderId: order.id, status: 'awaiting_courier' })
  const move = (status: string) => select(api(), 'update shipments set status = $2 where id = $1', [id, status])
  await move('in_transit')
  expect(await sectionOf('To hand over')).toBe('')
  await move('returning')
  await select(api(), "update shipments set status = 'returned', next_check_at = null, ended_at = $2 where id = $1", [
    id,
    new Date(api().clock.nowMs()),
  ])
  expect(await sectionOf('To pack (1)')).toContain(order.number)
})

test('the start page lists an order under “To pack” again after no carrier accepted its shipment', async () => {
  const order = await placeOrder(api(), shop)
  const { id } = await storeShipment(api(), shop, { orderId: order.id, status: 'dispatching' })
  expect(await sectionOf('To pack')).toBe('')
  await select(api(), "update shipments set status = 'failed', next_check_at = null, ended_at = $2 where id = $1", [
    id,
    new Date(api().clock.nowMs()),
  ])
  expect(await sectionOf('To pack (1)')).toContain(order.number)
})

test('the start page states how many units of an order are left to pack, without the units in its shipments', async () => {
  const { variantId } = await stockVariant(api(), shop.merchantId, {})
  const order = await placeOrder(api(), shop, { body: { items: [{ variantId, quantity: 3 }] } })
  const [item] = order.items
  if (item === undefined) throw new Error('The order has no item.')
  const units = async () =>
    /<td[^>]*class="[^"]*number[^"]*"[^>]*>(.*?)<\/td>/s.exec(await sectionOf('To pack (1)'))?.[1]
  expect(textOf((await units()) ?? '')).toBe('3')
  const items = [{ itemId: OrderItemId.parse(item.id), quantity: 2 }]
  await storeShipment(api(), shop, { orderId: order.id, status: 'awaiting_courier', items })
  expect(textOf((await units()) ?? '')).toBe('1')
})

test('the start page’s list of parcels to hand over contains neither the parcel of a cancelled order nor the shipment of a return', async () => {
  const order = await placeOrder(api(), shop)
  await storeShipment(api(), shop, { orderId: order.id, status: 'awaiting_courier' })
  const { id } = await storeShipment(api(), shop, { status: 'awaiting_courier' })
  const title = 'To hand over: a rider comes for the parcel'
  expect(await sectionOf(`${title} (2)`)).toContain(order.number)
  const path = `/api/v1/orders/${order.id}/cancel`
  await api().send('POST', path, { token: shop.token, body: { reason: 'customer' } })
  expect(await sectionOf(`${title} (1)`)).not.toContain(order.number)
  const { id: returnId } = await returnToShip(api(), shop)
  await select(api(), 'update shipments set return_id = $2 where id = $1', [id, returnId])
  expect(await sectionOf(title)).toBe('')
})

test('the start page lists unpaid orders with the amount due, the oldest first, until they are paid', async () => {
  const first = await placeOrder(api(), shop, { isPaid: false })
  api().clock.advance(1000)
  const second = await placeOrder(api(), shop, { isPaid: false })
  const unpaid = await sectionOf('Unpaid (2)')
  expect(unpaid).toContain('₦15,000.00')
  expect(unpaid.indexOf(first.number)).toBeLessThan(unpaid.indexOf(second.number))
  expect(unpaid).toContain(`href="/dashboard/orders/${first.id}/payment-link"`)
  const body = { amountKobo: first.totalKobo, method: 'cash', reference: 'cash-1' }
  await api().send('POST', `/api/v1/orders/${first.id}/payments`, { token: shop.token, body })
  expect(await sectionOf('Unpaid (1)')).not.toContain(first.number)
})

test('the start page lists a return that waits for approval, with a button that approves the return', async () => {
  const { id, read } = await returnToShip(api(), shop, { status: 'requested' })
  const title = 'Returns to approve (1)'
  expect(await sectionOf(title, await signedIn(api(), shop.merchantId, 'viewer'))).not.toContain('<button')
  expect(await sectionOf(title)).toContain(`href="/dashboard/returns/${id}"`)
  const done = await owner.submit('/dashboard', `/dashboard/returns/${id}/transition`)
  expect([done.status, (await read()).status]).toEqual([303, 'approved'])
  expect(await sectionOf('Returns to approve')).toBe('')
  expect(await sectionOf('Returns to receive (1)')).toContain(`href="/dashboard/returns/${id}/receive"`)
})

test('the main action of the start page is the most urgent task, in the order: add a missing pickup address, dispatch, hand over, check a problem, collect a payment, approve a return, receive a return', async () => {
  const mainOf = async (member = owner) => {
    const { text } = await member.get('/dashboard')
    const [, path, label] = /<a class="main" href="\/dashboard([^"]*)">([^<]*)<\/a>/.exec(text) ?? []
    return [label, path]
  }
  expect(await mainOf()).toEqual(['New order', '/orders/new'])
  const approved = await returnToShip(api(), shop)
  expect(await mainOf()).toEqual(['Receive 1 return', '/returns?status=approved,in_transit'])
  await returnToShip(api(), shop, { status: 'requested' })
  expect(await mainOf()).toEqual(['Approve 1 return', '/returns?status=requested'])
  await placeOrder(api(), shop, { isPaid: false })
  expect(await mainOf()).toEqual(['Collect the payment of 1 order', '/orders?view=unpaid'])
  const exceptions = [{ code: 'delivery_failed', at: toTimestamp(api().clock.nowMs()) }] as const
  await storeShipment(api(), shop, { status: 'delivery_failed', exceptions })
  expect(await mainOf()).toEqual(['Check 1 shipment with a problem', '/shipments?exceptions=open'])
  await storeShipment(api(), shop, { status: 'awaiting_courier' })
  expect((await mainOf())[0]).toBe('Hand over 1 parcel')
  await placeOrder(api(), shop)
  expect(await mainOf()).toEqual(['Add the pickup address', '/settings'])
  await setPickup(api(), shop)
  expect(await mainOf()).toEqual(['Dispatch 1 order', '/orders?view=to_pack&amp;choose=first'])
  expect(await mainOf(await signedIn(api(), shop.merchantId, 'viewer'))).toEqual([
    'Hand over 1 parcel',
    expect.anything(),
  ])
  expect((await approved.read()).status).toBe('approved')
})

test('the start page shows for how long each listed order has waited', async () => {
  await placeOrder(api(), shop)
  api().clock.advance(3 * 24 * 60 * 60 * 1000)
  const { text } = await (await signedIn(api(), shop.merchantId, 'owner')).get('/dashboard')
  expect(text).toMatch(/<td data-title="Waiting for" class="labelled"><time[^>]*>3 days<\/time>/)
})

test('the start page compares today’s sales and this week’s sales with the sales of a week earlier', async () => {
  const weekMs = 7 * 24 * 60 * 60 * 1000
  await placeOrder(api(), shop)
  api().clock.advance(weekMs)
  await placeOrder(api(), shop)
  await placeOrder(api(), shop)
  const { text } = await (await signedIn(api(), shop.merchantId, 'viewer')).get('/dashboard')
  const figures = text.slice(text.indexOf('<dl class="figures">'), text.indexOf('</dl>'))
  const [today = '', week = ''] = figures.split('<dt>Sales this week')
  for (const part of [today, week]) {
    expect(part).toContain('<strong><span class="money">₦30,000.00</span></strong><small>2 orders</small>')
    expect(part).toMatch(/[Ll]ast week[^:]*: <span class="money">₦15,000\.00/)
  }
})

test('a viewer sees the day’s tasks on the start page without the actions', async () => {
  await placeOrder(api(), shop)
  await placeOrder(api(), shop, { isPaid: false })
  const viewer = await signedIn(api(), shop.merchantId, 'viewer')
  const { text } = await viewer.get('/dashboard')
  expect(text).toContain('To pack (1)')
  expect(text).toContain('Unpaid (1)')
  expect(text).not.toMatch(/\/dispatch"|\/payment-link"/)
})

test('the start page shows no order of another merchant', async () => {
  await placeOrder(api(), await openShop(api().context))
  const { text } = await owner.get('/dashboard')
  expect(text).toContain('Nothing needs your attention.')
})
