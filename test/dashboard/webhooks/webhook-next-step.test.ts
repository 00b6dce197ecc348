import { beforeEach, expect, test } from 'vitest'
import { useApi } from '../../support/api.ts'
import { type SignedInMember, signedIn } from '../../support/dashboard.ts'
import { openReceiver, status } from '../../webhooks/receiver.ts'
import { openWebhookShop, type WebhookShop } from './webhook-shop.ts'

/** The next step that the page of a webhook endpoint states, and the main action that leads to it. */

const api = useApi()
let shop: WebhookShop
let owner: SignedInMember

beforeEach(async () => {
  shop = await openWebhookShop(api())
  owner = await signedIn(api(), shop.merchantId, 'owner')
})

/** Returns the text of the page's only filled button or link, and the sentence below the heading. */
async function shownOf({ endpointId }: Awaited<ReturnType<WebhookShop['addEndpoint']>>) {
  const { text } = await owner.get(`/dashboard/webhooks/${endpointId}`)
  const main = [...text.matchAll(/<(?:a|button) class="main"[^>]*>([^<]*)/g)].map(([, label]) => label)
  const sentence = /<\/header>\s*<p>([^<]*)<\/p>\s*<p class="next"><strong>Next step:<\/strong>([^<]*)/.exec(text)
  return { main, sentence: sentence?.slice(1).join('') }
}

test('if the latest delivery to a webhook endpoint failed, the endpoint’s main action is to send a test event, even if that delivery was a test event', async () => {
  const receiver = await openReceiver(status(503))
  const endpoint = await shop.addEndpoint(receiver.url)
  const empty = await shownOf(endpoint)
  expect(empty.main).toEqual(['Send a test event'])
  expect(empty.sentence).toContain('No attempt ended in the last 24 hours. Send a test event to check the receiver.')
  const path = `/dashboard/webhooks/${endpoint.endpointId}`
  await owner.submit(path, `${path}/test`, { kind: 'inventory.low_stock' })
  await shop.deliver(endpoint)
  const tested = await shownOf(endpoint)
  expect(tested.main).toEqual(['Send a test event'])
  expect(tested.sentence).toContain(
    'The attempt of the last 24 hours failed. Correct the receiver, then send a test event to check it.',
  )
  const { text } = await owner.get(path)
  expect(text).toContain(
    '<dt>Failed attempts in a row, without test events</dt><dd>0 of the 6 that disable the endpoint</dd>',
  )
  expect(text).toContain('<h2>Attempts, with test events</h2>')
  await shop.fail(endpoint, 2)
  const failing = await shownOf(endpoint)
  expect(failing.main).toEqual(['Send a test event'])
  expect(failing.sentence).toContain('All 3 attempts of the last 24 hours failed.')
})

test('after a test event has succeeded, the main action of a failing webhook endpoint is to replay the failed deliveries of the endpoint', async () => {
  const receiver = await openReceiver(status(503))
  const endpoint = await shop.addEndpoint(receiver.url)
  await shop.fail(endpoint, 2)
  receiver.answer = status(200)
  api().clock.advance(1000)
  const path = `/dashboard/webhooks/${endpoint.endpointId}`
  await owner.submit(path, `${path}/test`, { kind: 'inventory.low_stock' })
  await shop.deliver(endpoint)
  expect((await shop.endpoints())[0]?.consecutiveFailures).toBe(2)
  const { main, sentence } = await shownOf(endpoint)
  expect(main).toEqual(['Replay the failed deliveries'])
  expect(sentence).toContain('2 of 3 attempts of the last 24 hours failed. The latest delivery succeeded.')
})

test('the main action of a disabled webhook endpoint is to enable it', async () => {
  const receiver = await openReceiver(status(503))
  const endpoint = await shop.addEndpoint(receiver.url)
  await shop.fail(endpoint, 6)
  const { main, sentence } = await shownOf(endpoint)
  expect(main).toEqual(['Enable endpoint'])
  expect(sentence).toContain('The endpoint is disabled and receives nothing.')
})
