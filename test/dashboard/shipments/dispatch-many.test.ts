import { expect, test } from 'vitest'
import { dispatchPhonePrefix } from '../../../registry/service/test-phones.ts'
import { newOrderId } from '../../../src/base/records.ts'
import { setPickup } from '../../support/commerce/return-to-ship.ts'
import { orderTo } from '../../support/logistics/parcel-run.ts'
import { openShop } from '../../support/shop.ts'
import { dispatchPath, dispatchPathOf, orderList, pricesIn, useDispatchShop } from './dispatch-shop.ts'

/** Dispatches several orders at once in the dashboard, with the simulated carriers of test mode. */

const { api, shop, owner, processingOrder, orderOnDelivery, shipmentsOf, fieldsOf, offersFor, submitted } =
  useDispatchShop()

test('a member who chooses several orders in the list gets the offers for all of them, and dispatches all of them by submitting one form', async () => {
  await setPickup(api(), shop())
  const ids = [await processingOrder(), await orderOnDelivery(), await processingOrder()]
  const { text } = await owner().get(orderList)
  expect(text).toContain(`formaction="${dispatchPath}"`)
  for (const id of ids) expect(text).toContain(`name="id" value="${id}"`)
  const quoted = await offersFor(ids)
  expect(quoted.text).toContain('Dispatch 3 orders</button>')
  const done = await submitted(fieldsOf(quoted.text))
  expect(done).toMatchObject({ status: 200, text: expect.stringContaining('Riders requested for 3 of 3 orders') })
  for (const id of ids) {
    const [shipment] = await shipmentsOf(id)
    expect(done.text).toContain(`/dashboard/shipments/${shipment.id}`)
  }
  expect(done.text).toContain(`/dashboard/orders/slips?${ids.map((id) => `id=${id}`).join('&amp;')}`)
})

test('after several orders are dispatched, the page shows the outcome of each order, and a form of the page requests new offers for the failed orders with the same cash on delivery', async () => {
  await setPickup(api(), shop())
  const [good, bad, onDelivery] = [
    await processingOrder(),
    await processingOrder(`${dispatchPhonePrefix}111`),
    await orderOnDelivery(),
  ]
  const fields = fieldsOf((await offersFor([good, bad, onDelivery], { [`cash-${onDelivery}`]: '700' })).text)
  const { [`offer-${onDelivery}`]: _offer, ...chosen } = fields
  const done = await submitted(chosen)
  expect(done.text).toContain('Riders requested for 1 of 3 orders')
  expect(done.text).toContain('No carrier accepted the shipment.')
  expect(done.text).toContain('No offer was chosen.')
  const [failed] = await shipmentsOf(bad)
  expect(done.text).toContain(`/dashboard/shipments/${failed.id}`)
  const retried = fieldsOf(done.text)
  expect(retried).toMatchObject({ id: [bad, onDelivery], [`cash-${onDelivery}`]: ['700.00'] })
  const again = fieldsOf((await submitted(retried)).text)
  expect(Object.keys(again)).toEqual(expect.arrayContaining([`quote-${bad}`, `quote-${onDelivery}`]))
})

test('the dispatch form for several orders creates one shipment for each order, even if it is submitted twice at once', async () => {
  await setPickup(api(), shop())
  const ids = [await processingOrder(), await processingOrder()]
  const fields = fieldsOf((await offersFor(ids)).text)
  const replies = await Promise.all([owner().post(dispatchPath, fields), owner().post(dispatchPath, fields)])
  expect(replies.map(({ status }) => status).sort()).toEqual([303, 409])
  // This form has another form id, so the claim of the first form id does not reject the repeated submission. The
  // references of the shipments prevent a second dispatch.
  const { form: _form, ...others } = fields
  const { form = [] } = fieldsOf((await offersFor([await processingOrder()])).text)
  const repeated = await submitted({ ...others, form })
  expect(repeated.text).toContain('Riders requested for 2 of 2 orders')
  for (const id of ids) expect((await shipmentsOf(id)).length).toBe(1)
})

test('an order without offers does not prevent the dispatch of the other chosen orders', async () => {
  await setPickup(api(), shop())
  const [shipped, open] = [await processingOrder(), await processingOrder()]
  await owner().post(dispatchPath, fieldsOf((await offersFor([shipped])).text))
  const quoted = await offersFor([shipped, open])
  expect(quoted.text).toContain('is in a shipment')
  expect(await submitted(fieldsOf(quoted.text))).toMatchObject({
    text: expect.stringContaining('Riders requested for 1 of 2 orders'),
  })
})

test('the dispatch pages with offers and outcomes can be reloaded without requests to carriers, and show no quote or shipment of other orders', async () => {
  await setPickup(api(), shop())
  const [good, bad] = [await processingOrder(), await processingOrder(`${dispatchPhonePrefix}111`)]
  const { csrf = [], form = [], tenant = [] } = fieldsOf((await owner().get(dispatchPathOf(good))).text)
  const { location: offers = '' } = await owner().post(dispatchPath, { csrf, form, tenant, id: [good, bad] })
  const first = await owner().get(offers)
  expect(pricesIn((await owner().get(offers)).text)).toEqual(pricesIn(first.text))
  const { [`quote-${good}`]: quotes } = fieldsOf(first.text)
  const foreign = offers.replaceAll(/quote-(\w+)=\w+/g, (_, id) => `quote-${id}=${quotes}`)
  expect(Object.keys(fieldsOf((await owner().get(foreign)).text))).not.toContain(`quote-${bad}`)
  const { location: outcomes = '' } = await owner().post(dispatchPath, fieldsOf(first.text))
  const [shipment] = await shipmentsOf(good)
  for (let time = 1; time <= 2; time++) {
    const { status, text } = await owner().get(outcomes)
    expect([status, text]).toEqual([200, expect.stringContaining('Riders requested for 1 of 2 orders')])
    expect(text).toMatch(/<td data-title="Reason"[^>]*>No carrier accepted the shipment\./)
  }
  const swapped = outcomes.replaceAll(/shipment-(\w+)=\w+/g, `shipment-$1=${shipment.id}`).replaceAll(/reason-/g, 'x-')
  const shown = (await owner().get(swapped)).text
  expect(shown.split(`/dashboard/shipments/${shipment.id}`).length).toBe(2)
  expect(shown).toContain('The order may or may not be dispatched.')
  // The quotes were used, so that the browser's Back button leads to a page that asks for new offers.
  const again = (await owner().get(offers)).text
  expect(again).toContain('Get new offers.')
  expect(Object.keys(fieldsOf(again)).filter((name) => name.startsWith('quote-'))).toEqual([])
  const unknown = (await owner().get(`${offers}&reason-${good}=nonsense`)).text
  expect(unknown.split('The offers have expired').length).toBe(again.split('The offers have expired').length)
  expect((await shipmentsOf(good)).length).toBe(1)
})

test('a link on the list of orders opens the same list with all its orders chosen', async () => {
  const ids = [await processingOrder(), await processingOrder()]
  const { text } = await owner().get(`${orderList}?status=processing`)
  expect(text).not.toContain(' checked')
  const all = '/dashboard/orders?status=processing&amp;choose=all'
  expect(text).toContain(`href="${all}"`)
  const chosen = await owner().get(all.replace('&amp;', '&'))
  for (const id of ids) expect(chosen.text).toMatch(new RegExp(`value="${id}" aria-label="Choose [^"]+" checked`))
  expect(chosen.text).toContain('href="/dashboard/orders?status=processing"')
})

test('the dispatch form is refused without orders, with more than 25 orders, and with an order of another merchant', async () => {
  await setPickup(api(), shop())
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
  expect((await owner().get(`${dispatchPath}?id=${id}&id=${other}`)).status).toBe(404)
  expect((await owner().get(`${dispatchPath}?id=nonsense`)).status).toBe(404)
  expect((await owner().get(dispatchPath)).text).toContain('Choose at least one order.')
})
