import { beforeEach, describe, expect, test } from 'vitest'
import { dropoffExample, Place } from '../../../registry/logistics/place.ts'
import { toTimestamp } from '../../../src/base/clock.ts'
import { useApi } from '../../support/api.ts'
import { type SignedInMember, signedIn } from '../../support/dashboard.ts'
import { storeShipment } from '../../support/logistics/shipment.ts'
import { openShop, placeOrder, type Shop } from '../../support/shop.ts'

const api = useApi()

let shop: Shop
let member: SignedInMember
beforeEach(async () => {
  shop = await openShop(api().context)
  member = await signedIn(api(), shop.merchantId, 'operations')
})

const now = () => toTimestamp(api().clock.nowMs())

describe('the list of shipments', () => {
  test('the list of shipments shows shipments newest first, filtered by status and by open exceptions', async () => {
    const open = await storeShipment(api(), shop, {
      reference: 'open-one',
      exceptions: [{ code: 'carrier_wallet_low', carrier: 'fez', at: now() }],
    })
    api().clock.advance(1000)
    await storeShipment(api(), shop, {
      reference: 'resolved-one',
      status: 'failed',
      exceptions: [{ code: 'order_not_moved', at: now(), resolvedAt: now() }],
    })
    const found = async (query: string) => {
      const { text } = await member.get(`/dashboard/shipments?${query}`)
      return [...text.matchAll(/>((?:open|resolved)-one)<\/a>/g)].map(([, reference]) => reference)
    }
    expect(await found('')).toEqual(['resolved-one', 'open-one'])
    expect(await found('exceptions=open')).toEqual(['open-one'])
    expect(await found('status=failed')).toEqual(['resolved-one'])
    expect(await found('status=failed&exceptions=open')).toEqual([])
    expect((await member.get(`/dashboard/shipments`)).text).toContain(`href="/dashboard/shipments/${open.id}"`)
  })

  test('the main action of the list of shipments solves a problem, or hands over a parcel if no shipment has a problem; if no shipment needs an action, the list says “Nothing to do”', async () => {
    const list = async () => (await member.get('/dashboard/shipments')).text
    expect(await list()).toContain('href="/dashboard/orders">Choose orders to dispatch</a>')
    await storeShipment(api(), shop, { status: 'delivered' })
    expect(await list()).toContain('Nothing to do: no shipment on this page needs an action.')
    const waiting = await storeShipment(api(), shop, { status: 'awaiting_courier' })
    expect(await list()).toContain(`<a class="main" href="/dashboard/shipments/${waiting.id}">Hand over REF-`)
    const exceptions = [{ code: 'courier_late', at: toTimestamp(api().clock.nowMs()) }] as const
    const late = await storeShipment(api(), shop, { status: 'in_transit', exceptions })
    expect(await list()).toContain(`<a class="main" href="/dashboard/shipments/${late.id}">Solve the problem of REF-`)
  })

  test('the main action of the list of shipments hands over a shipment that a carrier has accepted or, without such a shipment, a scheduled shipment', async () => {
    const scheduled = await storeShipment(api(), shop, { status: 'scheduled' })
    expect((await member.get('/dashboard')).text).toContain('>Hand over 1 parcel</a>')
    const list = async () => (await member.get('/dashboard/shipments')).text
    expect(await list()).toContain(`<a class="main" href="/dashboard/shipments/${scheduled.id}">Hand over REF-`)
    api().clock.advance(1000)
    const accepted = await storeShipment(api(), shop, { status: 'at_pickup' })
    expect(await list()).toContain(`<a class="main" href="/dashboard/shipments/${accepted.id}">Hand over REF-`)
  })

  test('after an order is cancelled, the list of shipments marks its scheduled shipment, and the main action of the list no longer hands over that shipment', async () => {
    const order = await placeOrder(api(), shop)
    const { id } = await storeShipment(api(), shop, { orderId: order.id, status: 'scheduled' })
    const list = async () => (await member.get('/dashboard/shipments')).text
    expect(await list()).toContain(`<a class="main" href="/dashboard/shipments/${id}">Hand over REF-`)
    const body = { reason: 'customer' }
    await api().send('POST', `/api/v1/orders/${order.id}/cancel`, { token: shop.token, body })
    expect(await list()).toContain('Nothing to do: no shipment on this page needs an action.')
    expect(await list()).toContain('>order cancelled</span>')
  })

  test('the pages of the list of shipments together show each shipment once', async () => {
    for (let index = 0; index < 27; index++) await storeShipment(api(), shop, { reference: `R-${index}` })
    const first = await member.get('/dashboard/shipments')
    const next = /href="([^"]+cursor=[^"]+)"/.exec(first.text)?.[1] ?? ''
    const second = await member.get(next.replaceAll('&amp;', '&'))
    const references = [first, second].flatMap(({ text }) =>
      [...text.matchAll(/>(R-\d+)<\/a>/g)].map(([, each]) => each),
    )
    expect([references.length, new Set(references).size]).toEqual([27, 27])
    expect(second.text).not.toContain('Next page')
  })
})

describe('the search and the views of the list of shipments', () => {
  const shown = async (query: string) => {
    const { text } = await member.get(`/dashboard/shipments?${query}`)
    return [...text.matchAll(/<a href="\/dashboard\/shipments\/shp_\w+">([^<]+)<\/a>/g)].map(
      ([, reference]) => reference,
    )
  }

  test('the list of shipments finds a shipment by a part of its reference, and by the name or the phone number of the customer', async () => {
    const dropoff = Place.parse({ ...dropoffExample, name: 'Olúwaṣeun Bello', phone: '+2348031110000' })
    await storeShipment(api(), shop, { reference: 'first', dropoff })
    await storeShipment(api(), shop, { reference: 'second' })
    expect(await shown('q=IRS')).toEqual(['first'])
    expect(await shown('q=oluwaseun')).toEqual(['first'])
    expect(await shown(`q=${encodeURIComponent('0803 111 0000')}`)).toEqual(['first'])
    const { text } = await member.get('/dashboard/shipments?q=first')
    for (const part of ['Olúwaṣeun Bello', '+2348031110000', 'Lekki Phase 1']) expect(text).toContain(part)
  })

  test('the list of shipments links each phone number to a call and to WhatsApp', async () => {
    const dropoff = Place.parse({ ...dropoffExample, phone: '+2348031110000' })
    await storeShipment(api(), shop, { reference: 'first', dropoff })
    const { text } = await member.get('/dashboard/shipments')
    expect(text).toContain('<a href="tel:+2348031110000">+2348031110000</a>')
    expect(text).toContain('href="https://wa.me/2348031110000" rel="noreferrer noopener"')
    // On a phone, the row has no separate line for WhatsApp.
    expect(text).toContain('<small class="wide-only"><a href="https://wa.me/2348031110000"')
  })

  test('the list of shipments has views for shipments that await pickup, are in transit, have a problem, or were delivered today', async () => {
    await storeShipment(api(), shop, { reference: 'yesterday', status: 'delivered' })
    api().clock.advance(24 * 60 * 60 * 1000)
    await storeShipment(api(), shop, { reference: 'waiting', status: 'courier_assigned' })
    await storeShipment(api(), shop, { reference: 'moving', status: 'in_transit' })
    await storeShipment(api(), shop, {
      reference: 'late',
      status: 'at_pickup',
      exceptions: [{ code: 'courier_late', at: now() }],
    })
    await storeShipment(api(), shop, { reference: 'today', status: 'delivered' })
    const { text } = await member.get('/dashboard/shipments')
    const tabs = /<nav class="tabs"[\s\S]*?<\/nav>/.exec(text)?.[0] ?? ''
    const views = [...tabs.matchAll(/\/dashboard\/shipments\?([^"]+)"[^>]*>([^<]+)</g)]
    const found: Record<string, (string | undefined)[]> = {}
    // Sorted, because shipments that were created at the same moment have a random order.
    for (const [, query = '', title = ''] of views)
      found[title] = (await shown(query.replaceAll('&amp;', '&'))).toSorted()
    expect(found).toEqual({
      'Waiting for pickup': ['late', 'waiting'],
      'In transit': ['moving'],
      Problems: ['late'],
      'Delivered today': ['today'],
    })
  })
})
