import { expect, test } from 'vitest'
import { dispatchPhonePrefix } from '../../../registry/service/test-phones.ts'
import { setPickup } from '../../support/commerce/return-to-ship.ts'
import { formOf, signedIn } from '../../support/dashboard.ts'
import { plainPhone } from '../../support/logistics/parcel-run.ts'
import { placeOrder } from '../../support/shop.ts'
import { selectTestMode } from '../full-shop.ts'
import { dispatchPath, dispatchPathOf, orderList, pricesIn, useDispatchShop } from './dispatch-shop.ts'

/** Dispatches one order in the dashboard, with the simulated carriers of test mode. */

const {
  api,
  shop,
  owner,
  liveId,
  processingOrder,
  orderOnDelivery,
  orderOf,
  shipmentsOf,
  fieldsOf,
  offersFor,
  submitted,
} = useDispatchShop()

test('on the dispatch form of an order, the offer with the best value is preselected, and the dispatch uses this offer’s price as the price ceiling', async () => {
  await setPickup(api(), shop())
  const id = await processingOrder()
  expect((await owner().get(`/dashboard/orders/${id}`)).text).toContain(`href="${dispatchPathOf(id)}"`)
  const first = (await owner().get(dispatchPathOf(id))).text
  expect(first).toContain('Bisi Ade, Lekki')
  const quoted = await submitted(fieldsOf(first))
  expect(quoted.status).toBe(200)
  expect(pricesIn(quoted.text).length).toBeGreaterThan(1)
  expect(quoted.text).toMatch(/<details class="fold further"><summary>\d+ more offers?<\/summary><label class="offer">/)
  const fields = fieldsOf(quoted.text)
  const { location = '' } = await owner().post(dispatchPath, fields)
  const [, shipmentId] = /\/shipments\/(shp_\w+)/.exec(location) ?? []
  const { body } = await api().send('GET', `/api/v1/logistics/shipments/${shipmentId}`, { token: shop().token })
  const [price = ''] = pricesIn(quoted.text)
  const priceCeilingKobo = Math.round(Number(price.replaceAll(',', '')) * 100)
  expect(body).toMatchObject({ orderId: id, plan: [{ offerId: fields[`offer-${id}`]?.[0] }], priceCeilingKobo })
  const { number } = await orderOf(id)
  expect(body.reference.startsWith(`${number}-`)).toBe(true)
  // All units of the order are in the shipment. The page of the order therefore has no link to the dispatch form, and
  // the service rejects the form if another tab submits it.
  expect((await owner().get(`/dashboard/orders/${id}`)).text).not.toContain(`href="${dispatchPathOf(id)}"`)
  expect(await offersFor([id])).toMatchObject({ status: 422, text: expect.stringContaining('is in a shipment') })
})

test('for an order that is paid on delivery, the dispatch form proposes the whole amount due as cash, and the member can enter less', async () => {
  await setPickup(api(), shop())
  const [all, less] = [await orderOnDelivery(), await orderOnDelivery()]
  const { totalKobo } = await orderOf(all)
  const first = fieldsOf((await owner().get(dispatchPathOf(all))).text)
  expect(first[`cash-${all}`]).toEqual([`${totalKobo / 100}.00`])
  await owner().post(dispatchPath, fieldsOf((await submitted(first)).text))
  const some = { ...fieldsOf((await owner().get(dispatchPathOf(less))).text), [`cash-${less}`]: '1,000.50' }
  await owner().post(dispatchPath, fieldsOf((await submitted(some)).text))
  expect(await shipmentsOf(all)).toMatchObject([{ codAmountKobo: totalKobo }])
  expect(await shipmentsOf(less)).toMatchObject([{ codAmountKobo: 100_050 }])
})

test('the dispatch form rejects a cash amount above the amount due, and text that is not an amount, before it requests offers', async () => {
  await setPickup(api(), shop())
  const id = await orderOnDelivery()
  const fields = fieldsOf((await owner().get(dispatchPathOf(id))).text)
  const above = await owner().post(dispatchPath, { ...fields, [`cash-${id}`]: '600,000' })
  expect(above).toMatchObject({ status: 422, text: expect.stringContaining('The cash exceeds the amount') })
  expect(fieldsOf(above.text)[`cash-${id}`]).toEqual(['600,000'])
  const text = await owner().post(dispatchPath, { ...fields, [`cash-${id}`]: 'twelve' })
  expect(text).toMatchObject({ status: 422, text: expect.stringContaining('Enter an amount in naira') })
})

test('if a member removes the cash amount of an order that is paid on delivery, the order is dispatched only after a confirmation', async () => {
  await setPickup(api(), shop())
  const id = await orderOnDelivery()
  const { [`cash-${id}`]: _cash, ...without } = fieldsOf((await owner().get(dispatchPathOf(id))).text)
  const quoted = await submitted(without)
  const asked = await owner().ask(dispatchPath, fieldsOf(quoted.text))
  expect(asked).toMatchObject({ status: 200, text: expect.stringContaining('its rider collects no cash') })
  expect(await shipmentsOf(id)).toEqual([])
  expect(await owner().post(dispatchPath, fieldsOf(asked.text))).toMatchObject({ status: 303 })
  expect(await shipmentsOf(id)).toMatchObject([{ codAmountKobo: null }])
})

test('an unpaid order is dispatched only after a confirmation that states the amount due, unless the rider collects this amount in cash', async () => {
  await setPickup(api(), shop())
  const shippingAddress = { line1: '12 Admiralty Way', city: 'Lekki', state: 'Lagos', phone: plainPhone }
  const { id, number } = await placeOrder(api(), shop(), { isPaid: false, body: { shippingAddress } })
  const path = `/api/v1/orders/${id}/transition`
  await api().send('POST', path, { token: shop().token, body: { to: 'processing' } })
  const first = (await owner().get(dispatchPathOf(id))).text
  expect(first).toContain('₦15,000.00 is unpaid.')
  const quoted = fieldsOf((await submitted(fieldsOf(first))).text)
  const asked = await owner().ask(dispatchPath, quoted)
  expect(asked.text).toContain(`${number}: ₦15,000.00 is unpaid.`)
  expect(asked.text).toContain('>Dispatch although ₦15,000.00 is unpaid</button>')
  expect(await shipmentsOf(id)).toEqual([])
  const collecting = await submitted({ ...fieldsOf(first), [`cash-${id}`]: '15,000' })
  expect(await owner().ask(dispatchPath, fieldsOf(collecting.text))).toMatchObject({ status: 303 })
  expect(await shipmentsOf(id)).toMatchObject([{ codAmountKobo: 1_500_000 }])
})

test('if a member changes the cash on delivery after the offers were shown, the form requests new offers and dispatches nothing', async () => {
  await setPickup(api(), shop())
  const id = await orderOnDelivery()
  const quoted = await offersFor([id])
  const changed = await submitted({ ...fieldsOf(quoted.text), [`cash-${id}`]: '500' })
  expect(changed).toMatchObject({ status: 200, text: expect.stringContaining('Nothing has been dispatched yet.') })
  expect(await shipmentsOf(id)).toEqual([])
  expect(fieldsOf(changed.text)[`quoted-${id}`]).toEqual(['500.00'])
})

test('when the offers have expired, the dispatch form is shown again with the entered cash on delivery', async () => {
  await setPickup(api(), shop())
  const id = await orderOnDelivery()
  const quoted = await offersFor([id], { [`cash-${id}`]: '12,500' })
  api().clock.advance(60 * 60 * 1000)
  const expired = await owner().post(dispatchPath, fieldsOf(quoted.text))
  expect(expired).toMatchObject({ status: 422, text: expect.stringContaining('Get new offers.') })
  expect(fieldsOf(expired.text)[`cash-${id}`]).toEqual(['12500.00'])
})

test('without a pickup address, the dispatch form requests no offers and says where to add the address', async () => {
  const id = await processingOrder()
  const { text } = await owner().get(dispatchPathOf(id))
  expect(text).toContain('no pickup address')
  expect(text).toContain('<a class="main" href="/dashboard/settings">Add the pickup address</a>')
  expect(text).not.toContain(`action="${dispatchPath}"`)
  const clerk = await signedIn(api(), liveId(), 'operations')
  await selectTestMode(clerk)
  const asked = (await clerk.get(dispatchPathOf(id))).text
  expect(asked).toContain('Ask an owner of the shop to add it in the settings.')
  expect(asked).not.toContain('Add the pickup address')
  const { csrf, form, tenant } = formOf((await owner().get(orderList)).text, '/dashboard/orders/slips')
  const chosen = await owner().post(dispatchPath, { csrf: csrf ?? '', form: form ?? '', tenant: tenant ?? '', id })
  expect(chosen).toMatchObject({ status: 422, text: expect.stringContaining('href="/dashboard/settings"') })
})

test('if no carrier accepts the shipment, the dispatch form reports this, and the order page shows the failed shipment', async () => {
  await setPickup(api(), shop())
  // The digits of the phone number make the carriers reject all three dispatch attempts.
  const id = await processingOrder(`${dispatchPhonePrefix}111`)
  const form = fieldsOf((await offersFor([id])).text)
  const refusal = { status: 422, text: expect.stringContaining('No carrier accepted the shipment.') }
  expect(await owner().post(dispatchPath, form)).toMatchObject(refusal)
  // With the browser's Back button, the member returns to the offers and submits them again. The shipment that was
  // dispatched with these offers has already failed.
  expect(await owner().post(dispatchPath, form)).toMatchObject(refusal)
  expect((await shipmentsOf(id)).length).toBe(1)
  const { text } = await owner().get(`/dashboard/orders/${id}`)
  expect(text).toContain('>failed<')
  expect(text).toContain(`href="${dispatchPathOf(id)}"`)
})

test('a member with the viewer role gets no dispatch form, and a dispatch with a quote of another order is refused', async () => {
  await setPickup(api(), shop())
  const [first, second] = [await processingOrder(), await processingOrder()]
  const form = fieldsOf((await offersFor([first])).text)
  const stolen = {
    ...form,
    id: second,
    [`quote-${second}`]: form[`quote-${first}`] ?? [],
    [`offer-${second}`]: form[`offer-${first}`] ?? [],
  }
  expect(await owner().post(dispatchPath, stolen)).toMatchObject({
    status: 422,
    text: expect.stringContaining('Get new offers.'),
  })
  expect((await orderOf(second)).shipments).toEqual([])
  const viewer = await signedIn(api(), liveId(), 'viewer')
  await selectTestMode(viewer)
  expect((await viewer.get(`/dashboard/orders/${first}`)).text).not.toContain(dispatchPathOf(first))
  expect((await viewer.get(orderList)).text).not.toContain(`formaction="${dispatchPath}"`)
  expect((await viewer.get(dispatchPathOf(first))).status).toBe(403)
  expect((await viewer.get(`${dispatchPath}?id=${first}`)).status).toBe(403)
})
