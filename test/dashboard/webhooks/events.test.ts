import { beforeEach, expect, test } from 'vitest'
import { useApi } from '../../support/api.ts'
import { type SignedInMember, signedIn } from '../../support/dashboard.ts'
import { placeOrder } from '../../support/shop.ts'
import { lowStock } from '../../webhooks/shop.ts'
import { openWebhookShop, type WebhookShop } from './webhook-shop.ts'

const api = useApi()
let shop: WebhookShop
let viewer: SignedInMember

beforeEach(async () => {
  shop = await openWebhookShop(api())
  viewer = await signedIn(api(), shop.merchantId, 'viewer')
})

function eventsIn(page: string): string[] {
  return [...page.matchAll(/href="(\/dashboard\/events\/evt_\w+)"/g)].map(([, path = '']) => path)
}

test('the page of an event shows the event’s payload and its deliveries', async () => {
  await shop.addEndpoint('http://127.0.0.1:9/hook')
  await shop.emit()
  const list = await viewer.get('/dashboard/events')
  expect(list.text).toContain('inventory.low_stock')
  const [path = ''] = eventsIn(list.text)
  const page = await viewer.get(path)
  expect(page.status).toBe(200)
  expect(page.text).toContain(`&quot;variantId&quot;: &quot;${lowStock.variantId}&quot;`)
  expect(page.text).toContain('http://127.0.0.1:9/hook')
  expect(page.text).toContain('/dashboard/deliveries/dlv_')
  expect(page.text).toContain('with times in UTC. The other times on this page are Lagos times.')
  expect(list.text).not.toContain('data-title="Mode"')
})

test('the list of events names the record that each event reports', async () => {
  const order = await placeOrder(api(), shop)
  const { text } = await viewer.get('/dashboard/events?event=order.created')
  expect(text).toContain(
    `order <a href="/dashboard/orders/${order.id}"><span title="${order.id}">${order.number}</span></a>`,
  )
})

test('if no webhook endpoint was subscribed to an event, the event’s page says so and links to the form that subscribes an endpoint', async () => {
  await shop.emit()
  const [path = ''] = eventsIn((await viewer.get('/dashboard/events')).text)
  const { text } = await viewer.get(path)
  expect(text).toContain('No endpoint was subscribed to this event when it happened.')
  expect(text).not.toContain('class="main"')
  const owner = await signedIn(api(), shop.merchantId, 'owner')
  const nextOf = async () => /<a class="main" href="([^"]*)"/.exec((await owner.get(path)).text)?.[1]
  expect(await nextOf()).toBe('/dashboard/webhooks/new')
  const { endpointId } = await shop.addEndpoint('http://127.0.0.1:9/hook')
  expect(await nextOf()).toBe(`/dashboard/webhooks/${endpointId}/edit`)
  await shop.addEndpoint('http://127.0.0.1:9/other')
  expect(await nextOf()).toBe('/dashboard/webhooks')
})

test('the list of events filters by type, record and time', async () => {
  await shop.emit()
  for (const query of ['event=inventory.low_stock', `resourceId=${lowStock.variantId}`, 'since=2026-11-01T00:00']) {
    expect(eventsIn((await viewer.get(`/dashboard/events?${query}`)).text), query).toHaveLength(1)
  }
  for (const query of ['event=order.created', 'resourceId=ord_01jd3f8q6hf5n8v1zr4c7e2m9k', 'until=2026-11-01T00:00']) {
    const { text } = await viewer.get(`/dashboard/events?${query}`)
    expect(text, query).toContain('No event of the last 30 days matches these filters.')
    expect([...text.matchAll(/class="main"[^>]*>([^<]*)/g)].map(([, label]) => label)).toEqual(['Show all events'])
  }
})

test('if the time filter of the list of events is malformed, the page shows the problem at the field of the filter', async () => {
  const page = await viewer.get('/dashboard/events?since=%3Cb%3E')
  expect([page.status, page.text.includes('<b>')]).toEqual([200, false])
  expect(page.text).toContain('Enter a date and a time')
})

test('the pages of an unknown event and of another merchant’s event return 404', async () => {
  await shop.emit()
  const [path = ''] = eventsIn((await viewer.get('/dashboard/events')).text)
  const other = await openWebhookShop(api())
  const stranger = await signedIn(api(), other.merchantId, 'owner')
  expect((await stranger.get(path)).status).toBe(404)
  expect((await stranger.get('/dashboard/events/evt_x')).status).toBe(404)
  expect((await stranger.get('/dashboard/events')).text).toContain('There are no events in the last 30 days.')
})

test('the page of an empty list of events links an owner to the form of a new order and a viewer to the API reference, and has no filter', async () => {
  const owner = await signedIn(api(), shop.merchantId, 'owner')
  const { text } = await owner.get('/dashboard/events')
  expect(text).toContain('<a class="main" href="/dashboard/orders/new">Create an order</a>')
  expect(text).not.toContain('>Filter</button>')
  expect((await viewer.get('/dashboard/events')).text).toContain('<a class="main" href="/docs">')
})
