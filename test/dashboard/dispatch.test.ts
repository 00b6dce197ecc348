import { beforeEach, describe, expect, test } from 'vitest'
import { dispatchPhonePrefix } from '../../registry/service/test-phones.ts'
import { newOrderId } from '../../src/base/records.ts'
import { useApi } from '../support/api.ts'
import { setPickup } from '../support/commerce/return-to-ship.ts'
import { type Fields, formOf, type SignedInMember, signedIn } from '../support/dashboard.ts'
import { formFieldsOf } from '../support/form-values.ts'
import { orderTo, plainPhone } from '../support/logistics/parcel-run.ts'
import { mintToken, openShop, placeOrder, type Shop } from '../support/shop.ts'
import { selectTestMode } from './full-shop.ts'

/** Dispatches one or many orders in the dashboard, with the simulated carriers of test mode. */

const api = useApi()

let shop: Shop
let liveId: Shop['merchantId']
let owner: SignedInMember
beforeEach(async () => {
  const opened = await openShop(api().context)
  liveId = opened.merchantId
  const tenant = { merchantId: opened.testMerchantId, mode: 'test' } as const
  const { id: tokenId, token } = await mintToken(api().context, tenant, {})
  shop = { ...opened, tenant, merchantId: opened.testMerchantId, token, tokenId }
  owner = await signedIn(api(), liveId, 'owner')
  await selectTestMode(owner)
})

const list = '/dashboard/orders'
const action = '/dashboard/orders/dispatch'
const pathOf = (id: string) => `/dashboard/orders/${id}/dispatch`

async function processingOrder(phone?: string): Promise<string> {
  const id = await orderTo(api(), shop, phone)
  expect((await orderOf(id)).status).toBe('processing')
  return id
}

/** Places an order that is paid on delivery. */
async function orderOnDelivery(): Promise<string> {
  const shippingAddress = {
    ...{ recipientName: 'Bisi Ade', phone: plainPhone, line1: '12 Admiralty Way' },
    ...{ city: 'Lekki', state: 'Lagos' },
  }
  const body = { paymentMethod: 'pay_on_delivery', shippingAddress }
  return (await placeOrder(api(), shop, { isPaid: false, body })).id
}

async function orderOf(id: string) {
  return (await api().send('GET', `/api/v1/orders/${id}`, { token: shop.token })).body
}

async function shipmentsOf(id: string) {
  return (await api().send('GET', `/api/v1/logistics/shipments?orderId=${id}`, { token: shop.token })).body.data
}

const fieldsOf = (page: string) => formFieldsOf(page, action)

/** Chooses orders in the list and presses the button “Dispatch”, which leads to the offers. */
async function offersFor(ids: readonly string[], more: Fields = {}) {
  const { csrf = [], form = [], tenant = [] } = fieldsOf((await owner.get(pathOf(ids[0] ?? ''))).text)
  return submitted({ csrf, form, tenant, id: ids, ...more })
}

/** Submits the dispatch form. Returns the page to which it leads, or the form with its problem. */
async function submitted(fields: Fields) {
  const reply = await owner.post(action, fields)
  return reply.location === undefined ? reply : owner.get(reply.location)
}

const pricesIn = (text: string) =>
  [...text.matchAll(/<strong><span class="money">₦([\d,.]+)</g)].map(([, price]) => price)

describe('the dispatch of one order', () => {
  test('the page of an order leads to offers with the best value preselected, and the dispatch uses that offer with its price as the price ceiling', async () => {
    await setPickup(api(), shop)
    const id = await processingOrder()
    expect((await owner.get(`/dashboard/orders/${id}`)).text).toContain(`href="${pathOf(id)}"`)
    const first = (await owner.get(pathOf(id))).text
    expect(first).toContain('Bisi Ade, Lekki')
    const quoted = await submitted(fieldsOf(first))
    expect(quoted.status).toBe(200)
    expect(pricesIn(quoted.text).length).toBeGreaterThan(1)
    expect(quoted.text).toMatch(
      /<details class="fold further"><summary>\d+ more offers?<\/summary><label class="offer">/,
    )
    const fields = fieldsOf(quoted.text)
    const { location = '' } = await owner.post(action, fields)
    const [, shipmentId] = /\/shipments\/(shp_\w+)/.exec(location) ?? []
    const { body } = await api().send('GET', `/api/v1/logistics/shipments/${shipmentId}`, { token: shop.token })
    const [price = ''] = pricesIn(quoted.text)
    const priceCeilingKobo = Math.round(Number(price.replaceAll(',', '')) * 100)
    expect(body).toMatchObject({ orderId: id, plan: [{ offerId: fields[`offer-${id}`]?.[0] }], priceCeilingKobo })
    const { number } = await orderOf(id)
    expect(body.reference.startsWith(`${number}-`)).toBe(true)
    // All units of the order are in the shipment. The page of the order therefore has no link to the dispatch form, and
    // the service rejects the form if another tab submits it.
    expect((await owner.get(`/dashboard/orders/${id}`)).text).not.toContain(`href="${pathOf(id)}"`)
    expect(await offersFor([id])).toMatchObject({ status: 422, text: expect.stringContaining('is in a shipment') })
  })

  test('for an order that is paid on delivery, the dispatch form proposes the whole amount due as cash, and the member can enter less', async () => {
    await setPickup(api(), shop)
    const [all, less] = [await orderOnDelivery(), await orderOnDelivery()]
    const { totalKobo } = await orderOf(all)
    const first = fieldsOf((await owner.get(pathOf(all))).text)
    expect(first[`cash-${all}`]).toEqual([`${totalKobo / 100}.00`])
    await owner.post(action, fieldsOf((await submitted(first)).text))
    const some = { ...fieldsOf((await owner.get(pathOf(less))).text), [`cash-${less}`]: '1,000.50' }
    await owner.post(action, fieldsOf((await submitted(some)).text))
    expect(await shipmentsOf(all)).toMatchObject([{ codAmountKobo: totalKobo }])
    expect(await shipmentsOf(less)).toMatchObject([{ codAmountKobo: 100_050 }])
  })

  test('the dispatch form rejects a cash amount above the amount due, and text that is not an amount, before it requests offers', async () => {
    await setPickup(api(), shop)
    const id = await orderOnDelivery()
    const fields = fieldsOf((await owner.get(pathOf(id))).text)
    const above = await owner.post(action, { ...fields, [`cash-${id}`]: '600,000' })
    expect(above).toMatchObject({ status: 422, text: expect.stringContaining('The cash exceeds the amount') })
    expect(fieldsOf(above.text)[`cash-${id}`]).toEqual(['600,000'])
    const text = await owner.post(action, { ...fields, [`cash-${id}`]: 'twelve' })
    expect(text).toMatchObject({ status: 422, text: expect.stringContaining('Enter an amount in naira') })
  })

  test('an order that is paid on delivery is dispatched without cash only after a confirmation', async () => {
    await setPickup(api(), shop)
    const id = await orderOnDelivery()
    const { [`cash-${id}`]: _cash, ...without } = fieldsOf((await owner.get(pathOf(id))).text)
    const quoted = await submitted(without)
    const asked = await owner.ask(action, fieldsOf(quoted.text))
    expect(asked).toMatchObject({ status: 200, text: expect.stringContaining('its rider collects no cash') })
    expect(await shipmentsOf(id)).toEqual([])
    expect(await owner.post(action, fieldsOf(asked.text))).toMatchObject({ status: 303 })
    expect(await shipmentsOf(id)).toMatchObject([{ codAmountKobo: null }])
  })

  test('an unpaid order that is not paid on delivery is dispatched only after a confirmation that states the amount due, unless the rider collects it', async () => {
    await setPickup(api(), shop)
    const shippingAddress = { line1: '12 Admiralty Way', city: 'Lekki', state: 'Lagos', phone: plainPhone }
    const { id, number } = await placeOrder(api(), shop, { isPaid: false, body: { shippingAddress } })
    const path = `/api/v1/orders/${id}/transition`
    await api().send('POST', path, { token: shop.token, body: { to: 'processing' } })
    const first = (await owner.get(pathOf(id))).text
    expect(first).toContain('₦15,000.00 is unpaid.')
    const quoted = fieldsOf((await submitted(fieldsOf(first))).text)
    const asked = await owner.ask(action, quoted)
    expect(asked.text).toContain(`${number}: ₦15,000.00 is unpaid.`)
    expect(asked.text).toContain('>Dispatch although ₦15,000.00 is unpaid</button>')
    expect(await shipmentsOf(id)).toEqual([])
    const collecting = await submitted({ ...fieldsOf(first), [`cash-${id}`]: '15,000' })
    expect(await owner.ask(action, fieldsOf(collecting.text))).toMatchObject({ status: 303 })
    expect(await shipmentsOf(id)).toMatchObject([{ codAmountKobo: 1_500_000 }])
  })

  test('if a member changes the cash after the offers were shown, the form requests new offers and dispatches nothing', async () => {
    await setPickup(api(), shop)
    const id = await orderOnDelivery()
    const quoted = await offersFor([id])
    const changed = await submitted({ ...fieldsOf(quoted.text), [`cash-${id}`]: '500' })
    expect(changed).toMatchObject({ status: 200, text: expect.stringContaining('Nothing was dispatched yet.') })
    expect(await shipmentsOf(id)).toEqual([])
    expect(fieldsOf(changed.text)[`quoted-${id}`]).toEqual(['500.00'])
  })

  test('when the offers have expired, the dispatch form is shown again with the entered cash on delivery', async () => {
    await setPickup(api(), shop)
    const id = await orderOnDelivery()
    const quoted = await offersFor([id], { [`cash-${id}`]: '12,500' })
    api().clock.advance(60 * 60 * 1000)
    const expired = await owner.post(action, fieldsOf(quoted.text))
    expect(expired).toMatchObject({ status: 422, text: expect.stringContaining('Get new offers.') })
    expect(fieldsOf(expired.text)[`cash-${id}`]).toEqual(['12500.00'])
  })

  test('without a pickup address, the dispatch form requests no offers and says where to add the address', async () => {
    const id = await processingOrder()
    const { text } = await owner.get(pathOf(id))
    expect(text).toContain('no pickup address')
    expect(text).toContain('<a class="main" href="/dashboard/settings">Add the pickup address</a>')
    expect(text).not.toContain(`action="${action}"`)
    const clerk = await signedIn(api(), liveId, 'operations')
    await selectTestMode(clerk)
    const asked = (await clerk.get(pathOf(id))).text
    expect(asked).toContain('Ask an owner of the shop to add it in the settings.')
    expect(asked).not.toContain('Add the pickup address')
    const { csrf, form, tenant } = formOf((await owner.get(list)).text, '/dashboard/orders/slips')
    const chosen = await owner.post(action, { csrf: csrf ?? '', form: form ?? '', tenant: tenant ?? '', id })
    expect(chosen).toMatchObject({ status: 422, text: expect.stringContaining('href="/dashboard/settings"') })
  })

  test('if no carrier accepts the shipment, the dispatch form reports this, and the order page shows the failed shipment', async () => {
    await setPickup(api(), shop)
    // The digits of the phone number make the carriers reject all three dispatch attempts.
    const id = await processingOrder(`${dispatchPhonePrefix}111`)
    const form = fieldsOf((await offersFor([id])).text)
    const refusal = { status: 422, text: expect.stringContaining('No carrier accepted the shipment.') }
    expect(await owner.post(action, form)).toMatchObject(refusal)
    // With the browser's Back button, the member returns to the offers and submits them again. The shipment that was
    // dispatched with these offers has already failed.
    expect(await owner.post(action, form)).toMatchObject(refusal)
    expect((await shipmentsOf(id)).length).toBe(1)
    const { text } = await owner.get(`/dashboard/orders/${id}`)
    expect(text).toContain('>failed<')
    expect(text).toContain(`href="${pathOf(id)}"`)
  })

  test('a member with the viewer role gets no dispatch form, and a dispatch with a quote of another order is refused', async () => {
    await setPickup(api(), shop)
    const [first, second] = [await processingOrder(), await processingOrder()]
    const form = fieldsOf((await offersFor([first])).text)
    const stolen = {
      ...form,
      id: second,
      [`quote-${second}`]: form[`quote-${first}`] ?? [],
      [`offer-${second}`]: form[`offer-${first}`] ?? [],
    }
    expect(await owner.post(action, stolen)).toMatchObject({
      status: 422,
      text: expect.stringContaining('Get new offers.'),
    })
    expect((await orderOf(second)).shipments).toEqual([])
    const viewer = await signedIn(api(), liveId, 'viewer')
    await selectTestMode(viewer)
    expect((await viewer.get(`/dashboard/orders/${first}`)).text).not.toContain(pathOf(first))
    expect((await viewer.get(list)).text).not.toContain(`formaction="${action}"`)
    expect((await viewer.get(pathOf(first))).status).toBe(403)
    expect((await viewer.get(`${action}?id=${first}`)).status).toBe(403)
  })
})

describe('the dispatch of many orders', () => {
  test('the list of orders leads to the offers for all chosen orders, and one submit dispatches all of them', async () => {
    await setPickup(api(), shop)
    const ids = [await processingOrder(), await orderOnDelivery(), await processingOrder()]
    const { text } = await owner.get(list)
    expect(text).toContain(`formaction="${action}"`)
    for (const id of ids) expect(text).toContain(`name="id" value="${id}"`)
    const quoted = await offersFor(ids)
    expect(quoted.text).toContain('Dispatch 3 orders</button>')
    const done = await submitted(fieldsOf(quoted.text))
    expect(done).toMatchObject({ status: 200, text: expect.stringContaining('Dispatched 3 of 3 orders') })
    for (const id of ids) {
      const [shipment] = await shipmentsOf(id)
      expect(done.text).toContain(`/dashboard/shipments/${shipment.id}`)
    }
    expect(done.text).toContain(`/dashboard/orders/slips?${ids.map((id) => `id=${id}`).join('&amp;')}`)
  })

  test('when several orders are dispatched, each has its own outcome, and the orders not dispatched can get new offers with the same cash', async () => {
    await setPickup(api(), shop)
    const [good, bad, onDelivery] = [
      await processingOrder(),
      await processingOrder(`${dispatchPhonePrefix}111`),
      await orderOnDelivery(),
    ]
    const fields = fieldsOf((await offersFor([good, bad, onDelivery], { [`cash-${onDelivery}`]: '700' })).text)
    const { [`offer-${onDelivery}`]: _offer, ...chosen } = fields
    const done = await submitted(chosen)
    expect(done.text).toContain('Dispatched 1 of 3 orders')
    expect(done.text).toContain('No carrier accepted the shipment.')
    expect(done.text).toContain('No offer was chosen.')
    const [failed] = await shipmentsOf(bad)
    expect(done.text).toContain(`/dashboard/shipments/${failed.id}`)
    const retried = fieldsOf(done.text)
    expect(retried).toMatchObject({ id: [bad, onDelivery], [`cash-${onDelivery}`]: ['700.00'] })
    const again = fieldsOf((await submitted(retried)).text)
    expect(Object.keys(again)).toEqual(expect.arrayContaining([`quote-${bad}`, `quote-${onDelivery}`]))
  })

  test('a form with several orders that is submitted twice at once creates one shipment of each order', async () => {
    await setPickup(api(), shop)
    const ids = [await processingOrder(), await processingOrder()]
    const fields = fieldsOf((await offersFor(ids)).text)
    const replies = await Promise.all([owner.post(action, fields), owner.post(action, fields)])
    expect(replies.map(({ status }) => status).sort()).toEqual([303, 409])
    // Without the claim of the form, the references of the shipments make a repetition safe.
    const { form: _form, ...others } = fields
    const { form = [] } = fieldsOf((await offersFor([await processingOrder()])).text)
    const repeated = await submitted({ ...others, form })
    expect(repeated.text).toContain('Dispatched 2 of 2 orders')
    for (const id of ids) expect((await shipmentsOf(id)).length).toBe(1)
  })

  test('an order without offers does not prevent the dispatch of the other chosen orders', async () => {
    await setPickup(api(), shop)
    const [shipped, open] = [await processingOrder(), await processingOrder()]
    await owner.post(action, fieldsOf((await offersFor([shipped])).text))
    const quoted = await offersFor([shipped, open])
    expect(quoted.text).toContain('is in a shipment')
    expect(await submitted(fieldsOf(quoted.text))).toMatchObject({
      text: expect.stringContaining('Dispatched 1 of 2 orders'),
    })
  })

  test('the dispatch pages with offers and outcomes can be reloaded without requests to carriers, and show no quote or shipment of other orders', async () => {
    await setPickup(api(), shop)
    const [good, bad] = [await processingOrder(), await processingOrder(`${dispatchPhonePrefix}111`)]
    const { csrf = [], form = [], tenant = [] } = fieldsOf((await owner.get(pathOf(good))).text)
    const { location: offers = '' } = await owner.post(action, { csrf, form, tenant, id: [good, bad] })
    const first = await owner.get(offers)
    expect(pricesIn((await owner.get(offers)).text)).toEqual(pricesIn(first.text))
    const { [`quote-${good}`]: quotes } = fieldsOf(first.text)
    const foreign = offers.replaceAll(/quote-(\w+)=\w+/g, (_, id) => `quote-${id}=${quotes}`)
    expect(Object.keys(fieldsOf((await owner.get(foreign)).text))).not.toContain(`quote-${bad}`)
    const { location: outcomes = '' } = await owner.post(action, fieldsOf(first.text))
    const [shipment] = await shipmentsOf(good)
    for (let time = 1; time <= 2; time++) {
      const { status, text } = await owner.get(outcomes)
      expect([status, text]).toEqual([200, expect.stringContaining('Dispatched 1 of 2 orders')])
      expect(text).toContain('No carrier accepted the shipment.')
    }
    const swapped = outcomes
      .replaceAll(/shipment-(\w+)=\w+/g, `shipment-$1=${shipment.id}`)
      .replaceAll(/reason-/g, 'x-')
    const shown = (await owner.get(swapped)).text
    expect(shown.split(`/dashboard/shipments/${shipment.id}`).length).toBe(2)
    expect(shown).toContain('The order may or may not be dispatched.')
    // The quotes were used, so that the browser's Back button leads to a page that asks for new offers.
    const again = (await owner.get(offers)).text
    expect(again).toContain('Get new offers.')
    expect(Object.keys(fieldsOf(again)).filter((name) => name.startsWith('quote-'))).toEqual([])
    const unknown = (await owner.get(`${offers}&reason-${good}=nonsense`)).text
    expect(unknown.split('The offers have expired').length).toBe(again.split('The offers have expired').length)
    expect((await shipmentsOf(good)).length).toBe(1)
  })

  test('a link on the list of orders opens the same list with all its orders chosen', async () => {
    const ids = [await processingOrder(), await processingOrder()]
    const { text } = await owner.get(`${list}?status=processing`)
    expect(text).not.toContain(' checked')
    const all = '/dashboard/orders?status=processing&amp;choose=all'
    expect(text).toContain(`href="${all}"`)
    const chosen = await owner.get(all.replace('&amp;', '&'))
    for (const id of ids) expect(chosen.text).toMatch(new RegExp(`value="${id}" aria-label="Choose [^"]+" checked`))
    expect(chosen.text).toContain('href="/dashboard/orders?status=processing"')
  })

  test('the dispatch form is refused without orders, with more than 25 orders, and with an order of another merchant', async () => {
    await setPickup(api(), shop)
    const id = await processingOrder()
    expect(await offersFor([id], { id: [] })).toMatchObject({
      status: 422,
      text: expect.stringContaining('Choose at least one order.'),
    })
    const many = Array.from({ length: 26 }, () => newOrderId(api().clock.nowMs()))
    expect(await offersFor([id], { id: many })).toMatchObject({
      status: 422,
      text: expect.stringContaining('Choose at most 25 orders at once.'),
    })
    const other = await orderTo(api(), await openShop(api().context))
    expect((await offersFor([id], { id: [id, other] })).status).toBe(404)
    expect((await owner.get(`${action}?id=${id}&id=${other}`)).status).toBe(404)
    expect((await owner.get(`${action}?id=nonsense`)).status).toBe(404)
    expect((await owner.get(action)).text).toContain('Choose at least one order.')
  })
})
