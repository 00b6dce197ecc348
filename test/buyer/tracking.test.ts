import { describe, expect, test } from 'vitest'
import { toKobo } from '../../src/commerce/money.ts'
import { useApi } from '../support/api.ts'
import { openTracking } from '../support/commerce/buyer-pages.ts'
import { openEditableOrder } from '../support/commerce/editable-order.ts'
import { soldOrder } from '../support/commerce/sold-order.ts'
import { placeUnpaid } from '../support/commerce/unpaid-order.ts'
import { select } from '../support/database-contents.ts'
import { storeShipment } from '../support/logistics/shipment.ts'
import { openTrackedShipment } from '../support/logistics/tracking-updates.ts'
import { openShop, placeOrder, type Shop } from '../support/shop.ts'

const started = useApi()

const rider = { name: 'Musa Ibrahim', phone: '+2348099998888', vehicle: 'bike', plateLastFour: '42KJ' } as const

/** Personal data of the rider, the buyer and the recipient, which the page must not contain. */
const secrets = [
  ...['Musa', '8099998888', '99998888', '42KJ', '4821'],
  ...['Adaeze', 'adaeze.okafor@example.com', '8031234567', 'Admiralty', 'Ebeano', 'Lekki Phase 1'],
]

const address = {
  recipientName: 'Adaeze Okafor',
  phone: '+2348031234567',
  line1: '12 Admiralty Way',
  landmark: 'Opposite Ebeano Supermarket',
  area: 'Lekki Phase 1',
  city: 'Lekki',
  state: 'Lagos',
}

const open = (shop: Shop, id: string) => openTracking(started(), shop, id)

async function openParcel(options: object = {}) {
  const shop = await openShop(started().context)
  const order = await placeOrder(started(), shop, { body: { shippingAddress: address } })
  const tracked = await openTrackedShipment(started(), shop, { orderId: order.id, ...options })
  return { ...tracked, shop, order, page: () => open(shop, order.id) }
}

describe('the tracking page of an order', () => {
  test('before any shipment exists, the tracking page shows the order, its status, the city, the amount due and the unsent items', async () => {
    const shop = await openShop(started().context)
    const order = await placeOrder(started(), shop, { isPaid: false, body: { shippingAddress: address } })
    const { text } = await open(shop, order.id)
    for (const part of [
      `Adire Lagos Order ${order.number} The shop has received the order. Ordered`,
      'Delivery to Lekki, Lagos Due ₦15,000.00',
      'Not sent yet 1 × Ankara maxi dress M / Indigo',
    ])
      expect(text).toContain(part)
  })

  test('if the rider collects the parcel after the estimated delivery, the tracking page expects the delivery no earlier than the pickup, like the API', async () => {
    const { update, page, key, shop } = await openParcel()
    await update('picked_up', 1)
    const estimate = { p50: '2026-11-21T09:00:00.000Z', p90: '2026-11-21T09:30:00.000Z' }
    await select(
      started(),
      `update shipments set delivery_estimate = $2, picked_up_at = '2026-11-21T10:15:00Z' where id = $1`,
      [key.id, estimate],
    )
    const { body } = await started().send('GET', `/api/v1/logistics/shipments/${key.id}`, { token: shop.token })
    expect(body.deliveryEta.p90).toBe('2026-11-21T10:15:00.000Z')
    expect((await page()).text).toContain('Expected by 21 Nov 2026, 11:15:00')
  })

  test('the tracking page shows the carrier, the items, the steps, the estimate and the proof of delivery, but neither the rider nor the buyer', async () => {
    const { update, page, key } = await openParcel({ proof: { photo: true, signature: false, pin: '4821' } })
    await update('picked_up', 1, { courier: rider })
    const estimate = { p50: '2026-11-21T09:00:00.000Z', p90: '2026-11-21T09:30:00.000Z' }
    await select(started(), 'update shipments set delivery_estimate = $2 where id = $1', [key.id, estimate])
    const [stored] = await select(started(), 'select courier from shipments where id = $1', [key.id])
    expect(stored.courier).toMatchObject(rider)
    const first = await page()
    for (const part of [
      'Parcel The rider has collected the parcel.',
      'Carrier Simulator Swift Expected by 21 Nov 2026, 10:30:00',
      'Items 1 × Ankara maxi dress M / Indigo',
      'Steps',
    ])
      expect(first.text).toContain(part)
    expect(first.text).not.toContain('Not sent yet')
    const proof = {
      type: 'photo',
      url: 'https://carrier.example.com/Admiralty.jpg',
      capturedAt: '2026-11-21T09:10:00.000Z',
    }
    await update('delivered', 5, { courier: rider })
    await select(started(), 'update shipments set captured_proof = $2 where id = $1', [key.id, JSON.stringify([proof])])
    const last = await page()
    expect(last.text).toContain('The order was delivered.')
    expect(last.text).toContain('Proof of delivery photo 21 Nov 2026, 10:10:00')
    expect(last.text).not.toContain('Expected by')
    expect(last.text).toMatch(/Steps .* The parcel was delivered\. .* The rider has collected the parcel\./)
    for (const { html } of [first, last]) for (const secret of secrets) expect(html).not.toContain(secret)
  })

  test('the tracking page shows the cash that the buyer must pay to the rider, and shows it as paid after the delivery', async () => {
    const shop = await openShop(started().context)
    const order = await placeOrder(started(), shop, { isPaid: false, body: { paymentMethod: 'pay_on_delivery' } })
    const codAmountKobo = toKobo(order.totalKobo)
    const { update } = await openTrackedShipment(started(), shop, { orderId: order.id, codAmountKobo })
    expect((await open(shop, order.id)).text).toContain('Cash on delivery Pay ₦15,000.00 to the rider')
    await update('picked_up', 1)
    await update('delivered', 5, { cashKobo: codAmountKobo })
    const { text } = await open(shop, order.id)
    expect(text).toContain('Cash on delivery ₦15,000.00 paid to the rider')
    expect(text).not.toContain('Due ₦')
  })

  test('before a carrier accepts the shipment, the cash on the tracking page is the amount that is still due after partial payments', async () => {
    const { api, shop, order, pay } = await placeUnpaid(started())
    const codAmountKobo = toKobo(1_000_000)
    await storeShipment(api, shop, { orderId: order.id, codAmountKobo, status: 'dispatching' })
    expect((await open(shop, order.id)).text).toContain('Pay ₦10,000.00 to the rider')
    await pay(400_000)
    expect((await open(shop, order.id)).text).toContain('Pay ₦6,000.00 to the rider')
    await pay(600_000)
    expect((await open(shop, order.id)).text).not.toContain('to the rider')
  })

  test('the tracking page shows the full cash amount of the accepted shipment after a partial payment, and no cash once nothing is due', async () => {
    const { api, shop, order, pay } = await placeUnpaid(started())
    await openTrackedShipment(api, shop, { orderId: order.id, codAmountKobo: toKobo(1_000_000) })
    await pay(400_000)
    expect((await open(shop, order.id)).text).toContain('Pay ₦10,000.00 to the rider')
    await pay(600_000)
    expect((await open(shop, order.id)).text).not.toContain('to the rider')
  })

  test.for([
    'delivery_failed',
    'returning',
    'returned',
    'delivered',
  ] as const)('the tracking page shows no cash to pay for a parcel that is %s', async (status) => {
    const { api, shop, order } = await placeUnpaid(started())
    const { update } = await openTrackedShipment(api, shop, { orderId: order.id, codAmountKobo: toKobo(1_000_000) })
    await update('picked_up', 1)
    await update(status, 5)
    expect((await open(shop, order.id)).text).not.toContain('Pay ₦')
  })

  test('the tracking page shows no amount due for an unpaid order that was returned', async () => {
    const { shop, order, read } = await soldOrder(started(), { status: 'returned' })
    expect(await read()).toMatchObject({ status: 'returned', balanceKobo: 3_000_000 })
    expect((await open(shop, order.id)).text).not.toContain('Due ₦')
  })

  test('after a carrier lost one unit of an item and that unit was refunded, the tracking page still shows the other unit as not sent', async () => {
    const { api, shop, order, pay } = await openEditableOrder(started())
    await pay(2_000_000)
    const items = [{ itemId: order.items[0].id, quantity: 1 }]
    const { update } = await openTrackedShipment(api, shop, { orderId: order.id, items })
    await update('picked_up', 1)
    await update('lost', 5)
    const body = { orderId: order.id, items, reason: 'damaged' }
    const refunded = await api.send('POST', '/api/v1/refunds', { token: shop.token, body })
    expect(refunded.status, refunded.text).toBe(201)
    expect((await open(shop, order.id)).text).toContain('Not sent yet 1 × Ankara maxi dress')
  })

  test('the tracking page shows each of several parcels, and the items that are not sent yet', async () => {
    const { shop, order, pay } = await openEditableOrder(started())
    await pay(2_000_000)
    const items = [{ itemId: order.items[0].id, quantity: 1 }]
    const { update } = await openTrackedShipment(started(), shop, { orderId: order.id, items })
    expect((await open(shop, order.id)).text).toContain('Not sent yet 1 × Ankara maxi dress')
    await update('picked_up', 1)
    expect((await open(shop, order.id)).text).toContain('Not sent yet 1 × Ankara maxi dress')
    // The next shipment is created later, so it comes after the first one.
    started().clock.advance(1)
    await openTrackedShipment(started(), shop, { orderId: order.id, items })
    const { text } = await open(shop, order.id)
    expect(text).toMatch(/Parcel 1 The rider has collected the parcel\..*Parcel 2 A rider will be assigned\./)
    expect(text).not.toContain('Not sent yet')
  })

  test.for([
    ['delivery_failed', 'The parcel could not be delivered. Contact the shop for the next step.'],
    ['returning', 'The parcel is on its way back to the shop.'],
    ['returned', 'The parcel was returned to the shop.'],
    ['lost', 'The parcel was lost. Contact the shop for the next step.'],
  ] as const)('the tracking page describes the status of a parcel that is %s', async ([status, words]) => {
    const { update, page } = await openParcel()
    await update('picked_up', 1)
    await update(status, 5)
    expect((await page()).text).toContain(`Parcel ${words}`)
  })

  test('a parcel whose dispatch failed or was cancelled disappears from the tracking page once a later parcel contains all of its units', async () => {
    const { shop, order, pay } = await openEditableOrder(started())
    await pay(2_000_000)
    const itemId = order.items[0].id
    const units = (quantity: number) => ({ orderId: order.id, items: [{ itemId, quantity }] })
    await storeShipment(started(), shop, { ...units(2), status: 'failed' })
    expect((await open(shop, order.id)).text).toContain('Parcel No rider was found')
    started().clock.advance(1)
    await storeShipment(started(), shop, { ...units(1), status: 'cancelled' })
    expect((await open(shop, order.id)).text).toContain('Parcel 1 No rider was found')
    started().clock.advance(1)
    const { update } = await openTrackedShipment(started(), shop, units(2))
    await update('picked_up', 1)
    const { text } = await open(shop, order.id)
    expect(text).toContain('Parcel The rider has collected the parcel.')
    expect(text).not.toMatch(/No rider was found|The delivery was cancelled/)
  })

  test('after the delivery, the tracking page shows an unpaid amount as due, and no longer as due on delivery', async () => {
    const shop = await openShop(started().context)
    const order = await placeOrder(started(), shop, { isPaid: false, body: { paymentMethod: 'pay_on_delivery' } })
    const { update } = await openTrackedShipment(started(), shop, {
      orderId: order.id,
      codAmountKobo: toKobo(order.totalKobo),
    })
    expect((await open(shop, order.id)).text).toContain('Due ₦15,000.00 on delivery')
    await update('picked_up', 1)
    await update('delivered', 5, { cashKobo: toKobo(700_000) })
    const { text } = await open(shop, order.id)
    expect(text).toContain('Due ₦8,000.00')
    expect(text).not.toContain('₦8,000.00 on delivery')
  })

  test('the tracking page shows that an order was cancelled, without an amount due or items to send', async () => {
    const shop = await openShop(started().context)
    const order = await placeOrder(started(), shop, { isPaid: false })
    const body = { reason: 'customer' }
    await started().send('POST', `/api/v1/orders/${order.id}/cancel`, { token: shop.token, body })
    const { text } = await open(shop, order.id)
    expect(text).toContain('The order was cancelled.')
    expect(text).not.toMatch(/Due ₦|Not sent yet/)
  })

  test('the tracking page of an order in test mode states that the order is not real', async () => {
    const { shop, order } = await openEditableOrder(started(), { shop: 'test' })
    expect((await open(shop, order.id)).text).toContain('Test mode: this order is not real.')
  })
})

test('after the customer is anonymised, the tracking page shows only the city and the state of the address', async () => {
  const { update, shop, order, page } = await openParcel()
  await update('picked_up', 1)
  await update('delivered', 5)
  const read = await started().send('GET', `/api/v1/orders/${order.id}`, { token: shop.token })
  const path = `/api/v1/customers/${read.body.customer.id}/anonymise`
  expect((await started().send('POST', path, { token: shop.token })).status).toBe(200)
  const { text, html } = await page()
  expect(text).toContain('Delivery to Lekki, Lagos')
  for (const secret of secrets) expect(html).not.toContain(secret)
})
