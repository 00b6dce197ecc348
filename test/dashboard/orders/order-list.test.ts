import { beforeEach, expect, test } from 'vitest'
import { ShipmentId } from '../../../registry/values/vocabulary.ts'
import { newId } from '../../../src/base/ids.ts'
import { useApi } from '../../support/api.ts'
import { orderAt } from '../../support/commerce/order-transitions.ts'
import { formOf, type SignedInMember, signedIn } from '../../support/dashboard.ts'
import { auditRows, select } from '../../support/database-contents.ts'
import { storeShipment } from '../../support/logistics/shipment.ts'
import { openShop, orderBody, placeOrder, type Shop, stockVariant } from '../../support/shop.ts'

const api = useApi()

let shop: Shop
let member: SignedInMember
beforeEach(async () => {
  shop = await openShop(api().context)
  member = await signedIn(api(), shop.merchantId, 'operations')
})

test('the list of orders shows orders with their customer, total, status, payment status and time to the minute', async () => {
  const order = await placeOrder(api(), shop)
  const { status, text } = await member.get('/dashboard/orders')
  expect(status).toBe(200)
  expect(text).toContain(`<a href="/dashboard/orders/${order.id}">${order.number}</a>`)
  expect(text).toContain('Adaeze Okafor')
  expect(text).toContain('₦15,000.00')
  expect(text).toContain('<span class="badge active">processing</span>')
  expect(text).toContain('<span class="badge good">paid</span>')
  expect(text).toContain('>21 Nov 2026, 09:30</time>')
})

test('the list of orders names the product of an order with one item; for an order with several items, the list names the number of units, the first product and the number of other items', async () => {
  const { variantId } = await stockVariant(api(), shop.merchantId)
  const one = await stockVariant(api(), shop.merchantId)
  const two = await stockVariant(api(), shop.merchantId)
  const place = (quantities: readonly (readonly [string, number])[]) => {
    const items = quantities.map(([id, quantity]) => ({ variantId: id, quantity }))
    return placeOrder(api(), shop, { body: orderBody(variantId, { items }) })
  }
  const itemsOf = async (id: string) => {
    const { text } = await member.get('/dashboard/orders')
    const row = text.slice(text.indexOf(`href="/dashboard/orders/${id}"`))
    return /data-title="Items"[^>]*>([^<]*)</.exec(row)?.[1]
  }
  const same = await place([[variantId, 3]])
  const several = await place([
    [variantId, 2],
    [one.variantId, 1],
    [two.variantId, 1],
  ])
  expect(await itemsOf(same.id)).toBe('3 × Ankara maxi dress')
  expect(await itemsOf(several.id)).toBe('4 units: Ankara maxi dress and 2 other items')
  const [, , last] = several.items
  const items = [{ itemId: last?.id, quantity: 1, restock: true }]
  const refund = { orderId: several.id, reason: 'customer_request', items }
  expect((await api().send('POST', '/api/v1/refunds', { token: shop.token, body: refund })).status).toBe(201)
  expect(await itemsOf(several.id)).toBe('3 units: Ankara maxi dress and 1 other item')
})

test('for a shipped order whose delivery failed, the list of orders and the page of the order show the status of the shipment instead of `shipped`', async () => {
  const { id } = await (await orderAt(api(), shop, 'shipped')).read()
  const badges = async () => {
    const [list, page] = await Promise.all([member.get('/dashboard/orders'), member.get(`/dashboard/orders/${id}`)])
    return [list, page].map(
      ({ text }) => /<span class="badge [a-z]+">(shipped|delivery failed|returned)<\/span>/.exec(text)?.[1],
    )
  }
  expect(await badges()).toEqual(['shipped', 'shipped'])
  const failed = await storeShipment(api(), shop, { orderId: id, status: 'delivery_failed' })
  expect(await badges()).toEqual(['delivery failed', 'delivery failed'])
  await select(api(), "update shipments set status = 'returned', next_check_at = null, ended_at = $2 where id = $1", [
    failed.id,
    new Date(api().clock.nowMs()),
  ])
  expect(await badges()).toEqual(['returned', 'returned'])
  const { body } = await api().send('GET', `/api/v1/orders/${id}`, { token: shop.token })
  expect(body.status).toBe('shipped')
})

test('the list of orders and the page of an order show the newest of several failed shipments, regardless of the order in which the shipments were stored', async () => {
  const { id } = await (await orderAt(api(), shop, 'shipped')).read()
  const nowMs = api().clock.nowMs()
  await storeShipment(api(), shop, { orderId: id, status: 'delivery_failed' })
  const older = ShipmentId.parse(newId('shp', nowMs - 60_000))
  await storeShipment(api(), shop, { orderId: id, id: older, status: 'returning' })
  const pages = await Promise.all([member.get('/dashboard/orders'), member.get(`/dashboard/orders/${id}`)])
  const badges = pages.map(
    ({ text }) => /<span class="badge [a-z]+">(delivery failed|returning)<\/span>/.exec(text)?.[1],
  )
  expect(badges).toEqual(['delivery failed', 'delivery failed'])
})

test('the list of orders finds orders by text, status, payment status, number and day', async () => {
  const paid = await placeOrder(api(), shop)
  const unpaid = await placeOrder(api(), shop, {
    isPaid: false,
    body: { customer: { name: 'Ngozi Eze', email: 'ngozi@example.com' } },
  })
  const found = async (query: string) => {
    const { text } = await member.get(`/dashboard/orders?${query}`)
    return [text.includes(paid.number), text.includes(unpaid.number)]
  }
  expect(await found('q=ngozi')).toEqual([false, true])
  expect(await found('status=processing&paymentStatus=paid')).toEqual([true, false])
  expect(await found('paymentStatus=unpaid')).toEqual([false, true])
  expect(await found('from=2026-11-21&to=2026-11-21')).toEqual([true, true])
  expect(await found('to=2026-11-20')).toEqual([false, false])
  const { text } = await member.get(`/dashboard/orders?number=${paid.number}`)
  expect(text).toContain(`/dashboard/orders/${paid.id}`)
  expect(text).not.toContain(unpaid.number)
})

test('the view of orders to pack lists the orders with units that are in no active shipment, oldest first', async () => {
  const { variantId } = await stockVariant(api(), shop.merchantId)
  const ofTwo = () => placeOrder(api(), shop, { body: orderBody(variantId, { items: [{ variantId, quantity: 2 }] }) })
  const whole = await ofTwo()
  api().clock.advance(1000)
  const partly = await ofTwo()
  const onDelivery = await placeOrder(api(), shop, { isPaid: false, body: { paymentMethod: 'pay_on_delivery' } })
  const unpaid = await placeOrder(api(), shop, { isPaid: false })
  const shown = async () => {
    const { text } = await member.get('/dashboard/orders?view=to_pack')
    const places = [whole, partly, onDelivery, unpaid].map(({ number }) => text.indexOf(number))
    return {
      places,
      isFound: places.map((place) => place >= 0),
      count: /To pack <span class="count">(\d+)/.exec(text)?.[1],
    }
  }
  const before = await shown()
  expect(before).toMatchObject({ isFound: [true, true, true, false], count: '3' })
  expect(before.places[0]).toBeLessThan(before.places[1] ?? 0)
  const { id } = await storeShipment(api(), shop, { orderId: whole.id })
  const part = await storeShipment(api(), shop, { orderId: partly.id })
  await select(api(), `update shipments set items = jsonb_set(items, '{0,quantity}', '1') where id = $1`, [part.id])
  expect(await shown()).toMatchObject({ isFound: [false, true, true, false], count: '2' })
  await select(api(), "update shipments set status = 'cancelled', next_check_at = null, ended_at = $2 where id = $1", [
    id,
    new Date(api().clock.nowMs()),
  ])
  expect(await shown()).toMatchObject({ isFound: [true, true, true, false], count: '3' })
})

test('the view of orders to pack omits an order whose whole amount was refunded', async () => {
  const order = await placeOrder(api(), shop)
  const body = { orderId: order.id, amountKobo: order.totalKobo, reason: 'other' }
  expect((await api().send('POST', '/api/v1/refunds', { token: shop.token, body })).status).toBe(201)
  expect((await member.get('/dashboard/orders?view=to_pack')).text).not.toContain(order.number)
})

test('the list of orders shows a problem at the field of each invalid filter', async () => {
  const { status, text } = await member.get('/dashboard/orders?number=7&from=yesterday')
  expect(status).toBe(200)
  expect(text).toContain('id="p-number"')
  expect(text).toContain('id="p-from"')
})

test('the list of orders is paginated by cursor, and the links to other pages contain the chosen filters', async () => {
  for (let index = 0; index < 26; index++) await placeOrder(api(), shop, { isPaid: false })
  const first = await member.get('/dashboard/orders?status=pending')
  const next = /href="(\/dashboard\/orders\?status=pending&amp;cursor=[^"]+)"/.exec(first.text)?.[1] ?? ''
  const second = await member.get(next.replaceAll('&amp;', '&'))
  expect(second.text.match(/data-title="Order"/g)).toHaveLength(1)
})

test('the download links on the list of orders contain the dates of the list’s filters', async () => {
  const order = await placeOrder(api(), shop)
  api().clock.advance(1)
  const { text } = await member.get('/dashboard/orders?from=2026-11-01&to=2026-11-30')
  const path = '/dashboard/exports/orders?from=2026-11-01&to=2026-11-30'
  expect(text).toContain(`<a href="${path.replace('&', '&amp;')}">Export orders</a>`)
  const filtered = await member.get('/dashboard/orders?status=pending&from=2026-11-01&to=2026-11-30')
  expect(filtered.text).toContain(`<a href="${path.replace('&', '&amp;')}">Export all orders in the date range</a>`)
  expect((await member.get('/dashboard/orders?q=adaeze&status=')).text).toContain('>Export all orders</a>')
  const page = (await member.get('/dashboard/orders?from=2026-11-01&to=2026-11-30&previous=')).text
  expect(page).toContain('>Export orders</a>')
  const file = await member.get(path)
  expect(file.status).toBe(200)
  expect(file.text.split('\r\n')[1]).toContain(order.number)
  const later = await member.get('/dashboard/exports/orders?from=2026-12-01')
  expect(later.text.split('\r\n')).toHaveLength(2)
  const entries = await auditRows(api(), shop.merchantId)
  const exports = entries.filter(({ action }) => action === 'export.create')
  expect(exports.map(({ actor_type }) => actor_type)).toEqual(['member', 'member', 'member', 'member'])
})

test('the links to the next and the previous page lead through the whole list of orders and back, and apply the chosen filters', async () => {
  const { variantId } = await stockVariant(api(), shop.merchantId, { onHand: 100 })
  for (let index = 0; index < 51; index++) {
    const body = orderBody(variantId)
    expect((await api().send('POST', '/api/v1/orders', { token: shop.token, body })).status).toBe(201)
    api().clock.advance(1)
  }
  const linkOf = (page: string, text: string) =>
    new RegExp(`href="([^"]+)">${text}<`).exec(page)?.[1]?.replaceAll('&amp;', '&')
  const idsIn = (page: string) => [...new Set(page.match(/ord_[0-9a-z]{26}/g))]
  const open = async (path = '') => (await member.get(path)).text
  const first = await open('/dashboard/orders?status=pending')
  const second = await open(linkOf(first, 'Next page'))
  const third = await open(linkOf(second, 'Next page'))
  expect([first, second, third].map((page) => idsIn(page).length)).toEqual([25, 25, 1])
  expect([linkOf(first, 'Previous page'), linkOf(third, 'Next page')]).toEqual([undefined, undefined])
  const back = await open(linkOf(third, 'Previous page'))
  expect(idsIn(back)).toEqual(idsIn(second))
  expect(idsIn(await open(linkOf(back, 'Next page')))).toEqual(idsIn(third))
  const start = linkOf(back, 'Previous page')
  expect([start, idsIn(await open(start))]).toEqual(['/dashboard/orders?status=pending', idsIn(first)])
  expect(back).toContain('<summary>Filter (1)</summary>')
})

test('the view of unpaid orders shows 25 orders on a page, oldest first, and the number and the sum of all unpaid orders', async () => {
  const placed: string[] = []
  for (let index = 0; index < 26; index += 1) {
    placed.push((await placeOrder(api(), shop, { isPaid: false })).id)
    api().clock.advance(1000)
  }
  const idsOf = (text: string) => text.match(/(?<=name="id" value=")[^"]*/g) ?? []
  const first = (await member.get('/dashboard/orders?view=unpaid')).text
  expect(idsOf(first)).toEqual(placed.slice(0, 25))
  expect(first).toContain('26 orders, <span class="money">₦390,000.00</span> due')
  const [, next = ''] = /href="([^"]*)">Next page</.exec(first) ?? []
  const second = (await member.get(next.replaceAll('&amp;', '&'))).text
  expect(idsOf(second)).toEqual(placed.slice(25))
  expect(second).toContain('<a href="/dashboard/orders?view=unpaid" aria-current="page">Unpaid')
  expect(second).not.toContain('>Next page<')
})

test('pressing the button “Dispatch” without a ticked order returns the message that an order must be chosen', async () => {
  await placeOrder(api(), shop)
  const owner = await signedIn(api(), shop.merchantId, 'owner')
  const {
    csrf = '',
    form = '',
    tenant = '',
  } = formOf((await owner.get('/dashboard/orders')).text, '/dashboard/orders/slips')
  const { status, text } = await owner.post('/dashboard/orders/dispatch', { csrf, form, tenant })
  expect([status, text.match(/Choose at least one order\./g)?.length]).toEqual([422, 1])
})
