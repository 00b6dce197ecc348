import { beforeEach, expect, test } from 'vitest'
import { useApi } from '../../support/api.ts'
import { exchangesAt } from '../../support/commerce/exchange.ts'
import { returnToShip, setPickup } from '../../support/commerce/return-to-ship.ts'
import { type SoldOrder, soldOrder } from '../../support/commerce/sold-order.ts'
import { formOf, type SignedInMember, signedIn } from '../../support/dashboard.ts'
import { testModeOf } from '../../support/exceptions/refunded-orders.ts'
import { openShop, orderBody, stockVariant } from '../../support/shop.ts'
import { selectTestMode } from '../full-shop.ts'

const api = useApi()

const dayMs = 24 * 3_600_000

let sold: SoldOrder
let member: SignedInMember
beforeEach(async () => {
  sold = await soldOrder(api())
  await sold.pay()
  member = await signedIn(api(), sold.shop.merchantId, 'operations')
})

test('the list of returns filters returns by status, reason and order, and the page of an order links to its returns', async () => {
  const { id, orderNumber } = (await sold.request(1)).body
  const isFound = async (query: string) => (await member.get(`/dashboard/returns?${query}`)).text.includes(id)
  expect(await isFound('')).toBe(true)
  expect(await isFound(`status=requested&reason=wrong_size&order=${orderNumber}`)).toBe(true)
  expect(await isFound('status=closed')).toBe(false)
  expect(await isFound('reason=damaged')).toBe(false)
  expect(await isFound('order=ORD-0')).toBe(false)
  expect((await member.get(`/dashboard/orders/${sold.order.id}`)).text).toContain(`/returns?order=${orderNumber}`)
})

test('the main action of the list of returns is to approve, receive or close the oldest return that needs one of these steps', async () => {
  const list = async () => (await member.get('/dashboard/returns')).text
  expect(await list()).toContain(
    '<a class="main" href="/dashboard/orders?status=delivered">Open the delivered orders</a>',
  )
  const { id } = (await sold.request(1)).body
  expect(await list()).toContain(`<a class="main" href="/dashboard/returns/${id}">Approve or reject the return of ORD-`)
  await sold.move(id, 'approved')
  expect(await list()).toContain(`<a class="main" href="/dashboard/returns/${id}/receive">Receive the return of ORD-`)
  await sold.receive(id, { restockQuantity: 1 })
  expect(await list()).toContain(`<a class="main" href="/dashboard/returns/${id}">Refund or close the return of ORD-`)
  await sold.move(id, 'closed')
  expect(await list()).toContain('Nothing to do: no return on this page needs an action.')
})

test('the main action of the list of returns is to refund or close the oldest received return that is neither refunded nor exchanged', async () => {
  const { exchange } = exchangesAt(api)
  const nextReturn = () => {
    api().clock.advance(1000)
    return sold.approved(1)
  }
  const [exchanged, refunded, waiting] = [await nextReturn(), await nextReturn(), await nextReturn()]
  expect((await exchange(sold, exchanged)).reply.status).toBe(201)
  for (const id of [exchanged, refunded, waiting]) await sold.receive(id, { restockQuantity: 1 })
  const list = async () => (await member.get('/dashboard/returns')).text
  const refund = (id: string) => member.submit(`/dashboard/returns/${id}/refund`, `/dashboard/returns/${id}/refund`)
  expect(await list()).toContain(`<a class="main" href="/dashboard/returns/${refunded}">Refund or close the return of`)
  expect((await refund(refunded)).status).toBe(303)
  expect(await list()).toContain(`<a class="main" href="/dashboard/returns/${waiting}">Refund or close the return of`)
  expect((await refund(waiting)).status).toBe(303)
  expect((await sold.readReturn(waiting)).status).toBe('received')
  expect(await list()).toContain('Nothing to do: no return on this page needs an action.')
})

test('a return is approved, received and refunded on its page, and then no longer needs attention', async () => {
  const { id } = (await sold.request(2)).body
  const path = `/dashboard/returns/${id}`
  expect(
    (await member.submit(path, `${path}/transition`, { from: 'requested', to: 'approved', version: '1' })).status,
  ).toBe(303)
  const refused = await member.submit(`${path}/receive`, `${path}/receive`, { [`restock-${sold.itemId}`]: 'two' })
  expect(refused.text).toContain('Enter a whole number.')
  const most = { [`restock-${sold.itemId}`]: '4', [`write-off-${sold.itemId}`]: '1' }
  const hidden = formOf((await member.get(`${path}/receive`)).text, `${path}/receive`)
  const exceeded = await member.ask(`${path}/receive`, { ...hidden, ...most })
  expect(exceeded.text).toMatch(new RegExp(`id="p-restock-${sold.itemId}"[^>]*>At most [12] units? of this item`))
  const none = await member.submit(`${path}/receive`, `${path}/receive`, {})
  expect(none.text).toContain('Enter the quantity of at least one item.')
  const units = { [`restock-${sold.itemId}`]: '1', [`write-off-${sold.itemId}`]: '1' }
  const asked = await member.ask(`${path}/receive`, { ...hidden, ...units })
  const unit = '1 × Ankara maxi dress, M / Indigo'
  expect(asked.text).toContain(`Restock ${unit}. Write off ${unit}.`)
  await member.submit(`${path}/receive`, `${path}/receive`, { ...units, confirmed: 'yes' })
  expect(await sold.readReturn(id)).toMatchObject({
    status: 'received',
    items: [{ restockedQuantity: 1, writtenOffQuantity: 1 }],
  })
  expect((await member.get('/dashboard')).text).toContain(`href="${path}"`)
  expect((await member.get(path)).text).toContain(`class="main" href="${path}/refund"`)
  const refundPage = (await member.get(`${path}/refund`)).text
  const transferred = '₦20,000.00 for 2 × Ankara maxi dress, M / Indigo to the customer?'
  expect(refundPage).toContain(`Have you transferred ${transferred}`)
  expect(await sold.readReturn(id)).toMatchObject({ refundedKobo: 0 })
  const done = await member.submit(`${path}/refund`, `${path}/refund`)
  expect(done.status).toBe(303)
  expect(await sold.readReturn(id)).toMatchObject({ refundedKobo: 2_000_000 })
  const refundItems = (await member.get(done.location ?? '')).text
  expect(refundItems).toContain('<td data-title="Item">Ankara maxi dress, M / Indigo</td>')
  expect(refundItems).not.toContain('data-title="Restocked"')
  expect((await member.get('/dashboard')).text).not.toContain(`href="${path}"`)
  const refunds = (await member.get(`/dashboard/refunds?returnId=${id}`)).text
  expect(refunds).toContain(done.location?.split('?')[0])
  const { text } = await member.get(path)
  expect(text).not.toContain(`${path}/refund"`)
})

test('the refund form of a return shows a warning until the units are received, and is refused if the order was refunded after the form was opened', async () => {
  const { id } = (await sold.request(1)).body
  await sold.move(id, 'approved')
  const path = `/dashboard/returns/${id}/refund`
  const warning = 'The units of this return have not been received yet.'
  const before = (await member.get(path)).text
  expect(before).toContain(`${warning}</strong> Wait until they are received`)
  expect(before).toMatch(/>Back to the return of ORD-\w+<\/a>/)
  await sold.receive(id, { restockQuantity: 1 })
  expect((await member.get(path)).text).not.toContain(warning)
  const opened = formOf((await member.get(path)).text, path)
  const { token } = sold.shop
  const body = { orderId: sold.order.id, amountKobo: 1_000_000, reason: 'wrong_size' }
  expect((await api().send('POST', '/api/v1/refunds', { token, body })).status).toBe(201)
  const late = await member.post(path, opened)
  expect([late.status, late.text.includes('is now ₦20,000.00')]).toEqual([422, true])
  expect(await sold.read()).toMatchObject({ refundedKobo: 1_000_000 })
  expect((await member.post(path, formOf(late.text, path))).status).toBe(303)
  expect(await sold.read()).toMatchObject({ refundedKobo: 2_000_000 })
})

test('exchanged units that have not come back need attention from 14 days after the exchange until their return ends', async () => {
  const { exchange } = exchangesAt(api)
  const [waiting, received] = [await sold.approved(1), await sold.approved(1)]
  for (const id of [waiting, received]) expect((await exchange(sold, id)).reply.status).toBe(201)
  // A return without an exchange is not listed: the customer has neither a replacement nor the money.
  await sold.approved(1)
  await sold.receive(received, { restockQuantity: 1 })
  const title = 'Exchanged units that have not come back within 14 days'
  // The test signs in for each page, because a session ends before the 14 days have passed.
  const text = async () => {
    const later = await signedIn(api(), sold.shop.merchantId, 'operations')
    return (await later.get('/dashboard')).text
  }
  api().clock.advance(14 * dayMs - 1)
  expect(await text()).not.toContain(title)
  api().clock.advance(1)
  expect(await text()).toContain(`${title} (1)`)
  expect(await text()).toContain(`href="/dashboard/returns/${waiting}"`)
  await sold.move(waiting, 'closed')
  expect(await text()).not.toContain(title)
})

test('a member can set a return in transit back to approved with the button “Set back to approved”', async () => {
  const { id } = (await sold.request(1)).body
  const path = `/dashboard/returns/${id}`
  expect((await member.get(path)).text).toContain('>Approve<')
  const set = async (from: string, to: string) => {
    const { version } = await sold.readReturn(id)
    await member.submit(path, `${path}/transition`, { from, to, version: String(version) })
  }
  await set('requested', 'approved')
  expect((await member.get(path)).text).toContain('>Mark as in transit</button>')
  await set('approved', 'in_transit')
  const { text } = await member.get(path)
  expect(text).toContain('>Set back to approved<')
  expect(text).not.toContain('>Approve<')
  await set('in_transit', 'approved')
  expect(await sold.readReturn(id)).toMatchObject({ status: 'approved' })
})

test('a return is rejected on its page only after a confirmation', async () => {
  const { id } = (await sold.request(1)).body
  const path = `/dashboard/returns/${id}`
  const fields = { from: 'requested', to: 'rejected', version: '1' }
  const hidden = formOf((await member.get(path)).text, `${path}/transition`)
  expect((await member.ask(`${path}/transition`, { ...hidden, ...fields })).text).toContain('which cannot be undone')
  expect(await sold.readReturn(id)).toMatchObject({ status: 'requested' })
  await member.submit(path, `${path}/transition`, { ...fields, confirmed: 'yes' })
  expect(await sold.readReturn(id)).toMatchObject({ status: 'rejected' })
})

test('the pages of an exchange, its return and its credit link to each other, and the credit cannot be voided', async () => {
  const returnId = await sold.approved(1)
  const { variantId } = await stockVariant(api(), sold.shop.merchantId, { priceKobo: 1_000_000 })
  const { token } = sold.shop
  const body = orderBody(variantId, { exchangeOfReturnId: returnId })
  const { body: order } = await api().send('POST', '/api/v1/orders', { token, body })
  const { data } = (await api().send('GET', `/api/v1/refunds?returnId=${returnId}`, { token })).body
  const page = async (path: string) => (await member.get(`/dashboard${path}`)).text
  expect(await page(`/returns/${returnId}`)).toContain(`/dashboard/orders/${order.id}`)
  expect(await page(`/refunds/${data[0].id}`)).toContain(`/dashboard/orders/${order.id}`)
  const text = await page(`/orders/${order.id}`)
  expect(text).toContain(`/dashboard/returns/${returnId}`)
  expect(text).not.toContain('/void')
})

test('an approved return is dispatched from its page, which then shows the shipment instead of the form', async () => {
  const live = await openShop(api().context)
  const shop = await testModeOf(api(), live)
  const found = await returnToShip(api(), shop)
  const owner = await signedIn(api(), live.merchantId, 'owner')
  await selectTestMode(owner)
  const page = `/dashboard/returns/${found.id}`
  const form = `${page}/dispatch`
  const missing = (await owner.get(form)).text
  expect(missing).toContain('<a class="main" href="/dashboard/settings">Add the pickup address</a>')
  expect(missing).not.toContain('Get offers')
  await setPickup(api(), shop)
  expect((await owner.get(page)).text).toContain(`href="${form}"`)
  const quoted = await owner.submit(form, form)
  expect(quoted).toMatchObject({ status: 200, text: expect.stringContaining('12 Admiralty Way') })
  const [, offerId = ''] = / value="(off_\w+)"/.exec(quoted.text) ?? []
  const earlier = formOf((await owner.get(page)).text, `${page}/transition`)
  const dispatched = await owner.post(form, { ...formOf(quoted.text, form), offerId })
  expect(dispatched.status).toBe(303)
  const [{ id }] = (await found.read()).shipments
  expect(dispatched.location).toContain(`/shipments/${id}`)
  const { text } = await owner.get(page)
  expect(text).toContain(`/shipments/${id}`)
  expect(text).not.toContain(`href="${form}"`)
  const step = 'If you have the parcel, receive the return. Otherwise cancel the shipment first.'
  expect(text).toContain(step)
  const { version } = await found.read()
  const fields = { from: 'approved', to: 'closed', version: String(version) }
  const { text: refused } = await owner.post(`${page}/transition`, { ...earlier, ...fields, confirmed: 'yes' })
  expect(refused).toContain(step)
  expect(refused).toContain(`href="/dashboard/shipments/${id}"`)
  expect(refused).not.toContain('The status is final.')
  expect((await owner.get(`/dashboard/shipments/${id}`)).text).toContain(`href="${page}"`)
  expect((await owner.get('/dashboard/shipments')).text).toMatch(new RegExp(`${id}"[^\n]*return`))
  const again = await owner.submit(form, form)
  expect(again).toMatchObject({ status: 422, text: expect.stringContaining('in no other shipment') })
  const arrived = 'If the units arrived without the carrier, cancel the shipment.'
  expect((await owner.get(page)).text).not.toContain(arrived)
  expect((await found.receive()).status).toBe(200)
  expect((await owner.get(page)).text).toContain(arrived)
})
