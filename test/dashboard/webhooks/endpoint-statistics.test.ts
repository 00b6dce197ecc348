import { beforeEach, expect, test } from 'vitest'
import { useApi } from '../../support/api.ts'
import { type SignedInMember, signedIn } from '../../support/dashboard.ts'
import { type Answer, openReceiver, status } from '../../webhooks/receiver.ts'
import { openWebhookShop, type WebhookShop } from './webhook-shop.ts'

const api = useApi()
let shop: WebhookShop
let member: SignedInMember

beforeEach(async () => {
  shop = await openWebhookShop(api())
  member = await signedIn(api(), shop.merchantId, 'viewer')
})

type Endpoint = Awaited<ReturnType<WebhookShop['addEndpoint']>>

/** Responds with the status at the end of the requested path. */
const lastPart: Answer = (received, response) => status(Number(received.path.split('/').at(-1)))(received, response)

const hourMs = 60 * 60 * 1000

async function send(endpoint: Endpoint, hours: number) {
  api().clock.advance(hours * hourMs)
  await shop.emit()
  await shop.deliver(endpoint)
}

/** Returns the rows of the two tables of the statistics: each title with the values of the day and of the week. */
async function statistics({ endpointId }: Endpoint): Promise<readonly string[]> {
  const { text } = await member.get(`/dashboard/webhooks/${endpointId}`)
  const part = text.slice(text.indexOf('Attempts, with test events'), text.indexOf('Latest deliveries'))
  return [...part.matchAll(/<tr><td data-title="(?:Figure|Reason)">([\s\S]*?)<\/tr>/g)].map(([, row = '']) =>
    row.replaceAll(/<[^>]+>/g, '|').replaceAll(/\|+/g, ' | '),
  )
}

test('the page of a webhook endpoint shows the attempts, the success rate and the failures by reason for the last day and the last week', async () => {
  const receiver = await openReceiver(lastPart)
  const good = await shop.addEndpoint(`${receiver.url}/200`)
  expect(await statistics(good)).toEqual([])
  await send(good, 0)
  const rows = await statistics(good)
  expect(rows[0]).toBe('Attempts | 1 | 1 | ')
  expect(rows[1]).toBe('Success rate | 100 % | 100 % | ')
  expect(rows[2]).toMatch(/^Median response time \| [\d,]+ ms \| [\d,]+ ms \| $/)
  expect(rows).toHaveLength(4)
})

test('the statistics of a webhook endpoint leave out attempts to other endpoints and attempts older than seven days', async () => {
  const receiver = await openReceiver(lastPart)
  const bad = await shop.addEndpoint(`${receiver.url}/503`)
  await send(bad, 0)
  const good = await shop.addEndpoint(`${receiver.url}/204`)
  await send(good, 30)
  expect((await statistics(good)).slice(0, 2)).toEqual(['Attempts | 1 | 1 | ', 'Success rate | 100 % | 100 % | '])
  const ofBad = await statistics(bad)
  expect(ofBad.slice(0, 2)).toEqual(['Attempts | none | 1 | ', 'Success rate | none | 0 % | '])
  expect(ofBad.at(-1)).toBe('The receiver responded with status 503. | none | 1 | ')
  api().clock.advance(7 * 24 * hourMs)
  expect(await statistics(good)).toEqual([])
})

test('the page of a disabled webhook endpoint shows the statistics of its attempts', async () => {
  const receiver = await openReceiver(lastPart)
  const bad = await shop.addEndpoint(`${receiver.url}/503`)
  await send(bad, 0)
  const owner = await signedIn(api(), shop.merchantId, 'owner')
  const page = `/dashboard/webhooks/${bad.endpointId}`
  expect((await owner.submit(page, `${page}/disable`)).status).toBe(303)
  expect((await statistics(bad)).at(-1)).toBe('The receiver responded with status 503. | 1 | 1 | ')
})

test('the statistics of a webhook endpoint explain failures without a response, and the page of the endpoint returns 404 to another merchant', async () => {
  const endpoint = await shop.addEndpoint('http://127.0.0.1:9/hook')
  await send(endpoint, 0)
  expect(await statistics(endpoint)).toEqual([
    'Attempts | 1 | 1 | ',
    'Success rate | 0 % | 0 % | ',
    'The connection failed or was closed before the response. | 1 | 1 | ',
  ])
  const other = await openWebhookShop(api())
  const stranger = await signedIn(api(), other.merchantId, 'owner')
  expect((await stranger.get(`/dashboard/webhooks/${endpoint.endpointId}`)).status).toBe(404)
})
