import { beforeEach, describe, expect, test } from 'vitest'
import { dropoffExample } from '../../../registry/logistics/place.ts'
import { ReturnId } from '../../../registry/values/vocabulary.ts'
import { toTimestamp } from '../../../src/base/clock.ts'
import { toKobo } from '../../../src/commerce/money.ts'
import { useApi } from '../../support/api.ts'
import { returnToShip } from '../../support/commerce/return-to-ship.ts'
import { type SignedInMember, signedIn } from '../../support/dashboard.ts'
import { carriersOf, testCarrier } from '../../support/logistics/carrier.ts'
import { storeShipment } from '../../support/logistics/shipment.ts'
import { applyUpdate } from '../../support/logistics/tracking-updates.ts'
import { openShop, placeOrder, type Shop } from '../../support/shop.ts'

const api = useApi({ carriers: carriersOf(testCarrier('simulator-swift')) })

let shop: Shop
let member: SignedInMember
beforeEach(async () => {
  shop = await openShop(api().context)
  member = await signedIn(api(), shop.merchantId, 'operations')
})

const path = (id: string, action = '') => `/dashboard/shipments/${id}${action}`
const now = () => toTimestamp(api().clock.nowMs())

describe('the page of a shipment', () => {
  test('the page of a shipment has links to call the recipient, to WhatsApp and to a map, and shows the landmark and the names of the items', async () => {
    const order = await placeOrder(api(), shop)
    const { id } = await storeShipment(api(), shop, { orderId: order.id, status: 'courier_assigned' })
    const { text } = await member.get(path(id))
    const { phone, landmark } = dropoffExample
    expect(text).toContain(`href="tel:${phone}"`)
    expect(text).toContain(`href="https://wa.me/${phone.slice(1)}" rel="noreferrer noopener"`)
    const { lat, lng } = dropoffExample.location
    const map = `https://www.google.com/maps/search/?api=1&amp;query=${lat}%2C${lng}`
    expect(text).toContain(`href="${map}" rel="noreferrer noopener"`)
    expect(text).toContain('query=7+Adeola+Odeku+Street%2C+Victoria+Island')
    expect(text).toContain(landmark)
    expect(text).toContain(`href="/dashboard/orders/${order.id}">${order.number}</a>`)
    expect(text).toContain('Ankara maxi dress')
    expect(text).toContain('Send by WhatsApp')
    expect(text).toContain(`href="/dashboard/orders/slips?id=${order.id}"`)
  })

  test('the page of a delivered shipment shows its proof of delivery, and neither a rider nor empty fields', async () => {
    const proof = { type: 'photo', url: 'https://proofs.example.com/1.jpg', capturedAt: now() }
    const { id } = await storeShipment(api(), shop, { status: 'delivered', capturedProof: [proof] })
    const { text } = await member.get(path(id))
    expect(text).toContain('href="https://proofs.example.com/1.jpg"')
    for (const none of ['no rider is assigned', '<dt>Name</dt>', '>none<', 'No exception'])
      expect(text).not.toContain(none)
  })

  test('the main action on the page of an undelivered shipment is the next step: a call to the recipient, or another dispatch', async () => {
    const { id: orderId } = await placeOrder(api(), shop)
    const failed = await storeShipment(api(), shop, { orderId, status: 'failed' })
    expect((await member.get(path(failed.id))).text).toContain(
      `<a class="main" href="/dashboard/orders/${orderId}/dispatch">Dispatch again</a>`,
    )
    const open = await storeShipment(api(), shop, { status: 'delivery_failed' })
    expect((await member.get(path(open.id))).text).toContain(
      `<a class="main" href="tel:${dropoffExample.phone}">Call the recipient</a>`,
    )
  })

  test.for([
    ['awaiting_courier', 'Pack the parcel. Simulator Swift assigns a rider.', 'main', 'Print the packing slip'],
    ['courier_assigned', 'Then hand it to the rider Musa (bike, plate ends in 42KJ)', 'main', 'Print the packing slip'],
    [
      'at_pickup',
      'give the parcel to the rider Musa (bike, plate ends in 42KJ)',
      'main',
      'Check the items to hand over',
    ],
    ['in_transit', 'Nothing to do: the rider Musa', 'other', 'Open the order'],
    ['delivered', 'Nothing to do: the parcel was delivered to', 'other', 'Open the order'],
    ['failed', 'Dispatch the order again to request another rider.', 'main', 'Dispatch again'],
    ['returned', 'Check its units. Dispatch the order again to request another rider.', 'main', 'Dispatch again'],
    ['delivery_failed', 'Call the recipient. Then agree with the carrier', 'main', 'Call the recipient'],
    ['lost', 'Claim the loss from the carrier.', 'main', 'Open the order'],
  ] as const)('the page of a shipment in the status %s says “%s”, and its first action is %s “%s”', async ([
    status,
    sentence,
    look,
    label,
  ]) => {
    const { id: orderId } = await placeOrder(api(), shop)
    const courier = { name: 'Musa', vehicle: 'bike', phone: null, plateLastFour: '42KJ' } as const
    const shipment = { orderId, status, courier, carrier: 'simulator-swift' } as const
    const { text } = await member.get(path((await storeShipment(api(), shop, shipment)).id))
    const [, next = ''] = /<p class="next">(.*)<\/p>/.exec(text) ?? []
    expect(next).toContain(sentence)
    expect(next.includes('Next step:')).toBe(!sentence.startsWith('Nothing to do'))
    expect(text).toMatch(new RegExp(`record-actions"><a class="${look}" href="[^"]*">${label}</a>`))
    expect(text).toContain('<p class="back"><a href="/dashboard/shipments">All shipments</a></p>')
  })

  test('the page of a shipment that was not delivered offers no dispatch if its order has no unit left to dispatch', async () => {
    const { id: orderId } = await placeOrder(api(), shop)
    const failed = await storeShipment(api(), shop, { orderId, status: 'failed' })
    await api().send('POST', `/api/v1/orders/${orderId}/cancel`, { token: shop.token, body: { reason: 'customer' } })
    const { text } = await member.get(path(failed.id))
    expect(text).toContain('Nothing to do: no unit of the order is left to dispatch.')
    expect(text).not.toContain(`/orders/${orderId}/dispatch`)
  })

  test('the page of a returned shipment says “Check its units.” as the next step if its units are not dispatched again, and does not say “Nothing to do”', async () => {
    const { id: orderId } = await placeOrder(api(), shop)
    const { id } = await storeShipment(api(), shop, { orderId, status: 'returned' })
    const step = '<strong>Next step:</strong> The parcel is back at the pickup. Check its units.</p>'
    const viewer = await signedIn(api(), shop.merchantId, 'viewer')
    expect((await viewer.get(path(id))).text).toContain(step)
    await api().send('POST', `/api/v1/orders/${orderId}/cancel`, { token: shop.token, body: { reason: 'customer' } })
    const { text } = await member.get(path(id))
    expect(text).toContain(step)
    expect(text).not.toContain('Nothing to do')
    expect(text).toContain(`record-actions"><a class="other" href="/dashboard/orders/${orderId}">Open the order</a>`)
  })

  test('for a shipment whose return has arrived, only a member who may record the receipt sees the next step “Count its units.”', async () => {
    const returnId = ReturnId.parse((await returnToShip(api(), shop)).id)
    const { id } = await storeShipment(api(), shop, { returnId, status: 'delivered' })
    expect((await member.get(path(id))).text).toContain('</strong> The return has arrived. Count its units.</p>')
    const { text } = await (await signedIn(api(), shop.merchantId, 'viewer')).get(path(id))
    expect(text).toContain('<p class="next">The return has arrived.</p>')
    expect(text).toContain(`record-actions"><a class="other" href="/dashboard/returns/${returnId}">Open the return</a>`)
  })

  test('for a shipment whose rider is late, the main action is to call the rider, and cancelling the shipment is a further action', async () => {
    const courier = { name: 'Musa', vehicle: 'bike', phone: '+2347055512345', plateLastFour: null } as const
    const exceptions = [{ code: 'courier_late', at: now() }] as const
    const late = await storeShipment(api(), shop, { status: 'courier_assigned', courier, exceptions })
    const { text } = await member.get(path(late.id))
    expect(text).toContain('record-actions"><a class="main" href="tel:+2347055512345">Call the rider</a>')
    expect(text).toContain(`href="${path(late.id, '/cancel')}">Cancel shipment</a>`)
  })

  test('the main action of a shipment with the open exception order_cancelled is to cancel the shipment, not to print the packing slip', async () => {
    const { id: orderId } = await placeOrder(api(), shop)
    const cancelled = { code: 'order_cancelled', at: now() } as const
    const open = await storeShipment(api(), shop, {
      ...{ orderId, status: 'courier_assigned' },
      exceptions: [cancelled],
    })
    const mainLinks = async (id: string) => (await member.get(path(id))).text.match(/(?<=<a class="main" [^>]*>)[^<]+/g)
    expect(await mainLinks(open.id)).toEqual(['Cancel shipment'])
    const { id } = await storeShipment(api(), shop, { orderId, status: 'courier_assigned' })
    expect(await mainLinks(id)).toEqual(['Print the packing slip'])
  })

  test('the page of a shipment links to the carrier’s label at an https URL, but never to a javascript URL', async () => {
    const labelled = await storeShipment(api(), shop, { labelUrl: 'https://labels.example.com/1.pdf' })
    expect((await member.get(path(labelled.id))).text).toContain('href="https://labels.example.com/1.pdf"')
    const hostile = await storeShipment(api(), shop, { labelUrl: 'javascript:alert(1)' })
    expect((await member.get(path(hostile.id))).text).not.toContain('javascript:')
  })

  test('the page of a shipment has a link to call the rider, unless the carrier masks the rider’s number', async () => {
    const courier = { name: 'Musa', vehicle: 'bike', plateLastFour: null } as const
    const status = 'courier_assigned'
    const open = await storeShipment(api(), shop, { status, courier: { ...courier, phone: '+2347055512345' } })
    const { text } = await member.get(path(open.id))
    expect(text).toContain('<a href="tel:+2347055512345">')
    expect(text).toContain('https://wa.me/2347055512345')
    const masked = await storeShipment(api(), shop, { status, courier: { ...courier, phone: '+234 80••••4567' } })
    const shown = (await member.get(path(masked.id))).text
    expect(shown).toContain('The carrier masks the number.')
    expect(shown).not.toContain('href="tel:+234 80')
  })

  test('the page of a shipment shows the rider, the exceptions with their amounts, the dispatch attempts and the events, with escaped text', async () => {
    const key = await storeShipment(api(), shop, {
      courier: { name: 'Musa <i>x</i>', vehicle: 'bike', phone: '+234 80••••4567', plateLastFour: '42KJ' },
      trackingUrl: 'javascript:alert(1)',
      exceptions: [
        {
          code: 'price_above_ceiling',
          carrier: 'simulator-swift',
          at: now(),
          amounts: { allowedKobo: toKobo(300_000), chargedKobo: toKobo(325_000) },
        },
      ],
    })
    await applyUpdate(api(), shop, key, { status: 'at_pickup' })
    const { status, text } = await member.get(path(key.id))
    expect(status).toBe(200)
    expect(text).toContain('Musa &lt;i&gt;x&lt;/i&gt;')
    expect(text).toContain('+234 80••••4567')
    expect(text).toContain(
      'Accepted <span class="money">₦3,000.00</span>, charged <span class="money">₦3,250.00</span>',
    )
    expect(text).toContain('<span class="badge active">at pickup</span>')
    expect(text).not.toContain('href="javascript')
  })

  test('the page of a shipment explains a failed delivery, and shows the latest possible pickup time if the carrier reported no pickup time', async () => {
    const key = await storeShipment(api(), shop, { status: 'courier_assigned' })
    await applyUpdate(api(), shop, key, { status: 'in_transit', at: now() })
    await applyUpdate(api(), shop, key, { status: 'delivery_failed', carrierStatus: 'not_handed_over' })
    const { text } = await member.get(path(key.id))
    expect(text).toContain('The carrier could not hand over the parcel. Call the recipient,')
    expect(text).not.toContain('Carrier status:')
    expect(text).toContain('Report of the carrier<small>Reported as “not handed over”</small>')
    expect(text).toMatch(/<dt>Picked up<\/dt>\s*<dd>before <time[^>]*>[^<]*<\/time>/)
    expect(text).toMatch(/<dt>Delivered<\/dt>\s*<dd>not yet/)
  })

  test('the page of a shipment explains a delivery failure even if an earlier release of the service stored its reason', async () => {
    const stored = { status: 'lost', statusCode: 'lost', statusMessage: 'Carrier status: perdu.' } as const
    const { text } = await member.get(path((await storeShipment(api(), shop, stored)).id))
    expect(text).toContain('The carrier reports that the parcel was lost or damaged.')
    expect(text).not.toContain('perdu')
  })

  test.for([
    ['in_transit', 'at an unknown time', 'not yet'],
    ['returned', 'at an unknown time', 'no'],
    ['awaiting_courier', 'not yet', 'not yet'],
    ['cancelled', 'no', 'no'],
  ] as const)('for a shipment in the status %s that has no times and no events, the page shows the pickup as %s and the delivery as %s', async ([
    status,
    pickup,
    delivery,
  ]) => {
    const { text } = await member.get(path((await storeShipment(api(), shop, { status })).id))
    expect(text).toMatch(new RegExp(`<dt>Picked up</dt>\\s*<dd>${pickup}</dd>`))
    expect(text).toMatch(new RegExp(`<dt>Delivered</dt>\\s*<dd>${delivery}</dd>`))
  })

  test('the page of a shipment shows the outcome of a dispatch attempt as a sentence, with the carrier’s message', async () => {
    const attempts = [{ state: 'refused', outcomeCode: 'wallet_insufficient', outcomeMessage: 'ERR_BAL_03' }] as const
    const { text } = await member.get(path((await storeShipment(api(), shop, { attempts })).id))
    expect(text).toContain('Your account with the carrier has insufficient funds.<small>ERR_BAL_03</small>')
  })

  test('the page of a shipment of another merchant or with an invalid id is not found', async () => {
    const { id } = await storeShipment(api(), await openShop(api().context))
    expect((await member.get(path(id))).status).toBe(404)
    expect((await member.get(path('shp_1'))).status).toBe(404)
  })
})
