import { beforeEach, describe, expect, test } from 'vitest'
import { listBulkReplays } from '../../../src/store/webhooks/bulk-replays.ts'
import { replayWebhooks } from '../../../src/webhooks/replay-webhooks.ts'
import { useApi } from '../../support/api.ts'
import { formOf, type SignedInMember, signedIn } from '../../support/dashboard.ts'
import { openReceiver, status } from '../../webhooks/receiver.ts'
import { openWebhookShop, type WebhookShop } from './webhook-shop.ts'

const api = useApi()
let shop: WebhookShop
let owner: SignedInMember

beforeEach(async () => {
  shop = await openWebhookShop(api())
  owner = await signedIn(api(), shop.merchantId, 'owner')
})

/**
 * Sends one event to a webhook receiver that responds with the given status. Returns the dashboard path of its
 * delivery.
 */
async function delivered(code: number) {
  const receiver = await openReceiver((_, response) => response.writeHead(code).end('<i>noted</i>'))
  const endpoint = await shop.addEndpoint(receiver.url)
  await shop.emit()
  await shop.deliver(endpoint)
  const [delivery] = await shop.deliveries()
  if (delivery === undefined) throw new Error('There is no delivery.')
  return { receiver, endpoint, delivery, path: `/dashboard/deliveries/${delivery.id}` }
}

function textOf(page: string): string {
  return page
    .replaceAll(/<[^>]+>/g, '')
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
}

test('without any deliveries, the page of deliveries links to the form for a new endpoint, and offers no replay and no filter', async () => {
  const page = async () => (await owner.get('/dashboard/deliveries')).text
  const before = await page()
  expect(before).toContain('<a class="main" href="/dashboard/webhooks/new">Create an endpoint</a>')
  for (const offer of ['/dashboard/deliveries/replay"', 'name="status"']) expect(before).not.toContain(offer)
  await delivered(200)
  for (const offer of ['/dashboard/deliveries/replay"', 'name="status"']) expect(await page()).toContain(offer)
})

describe('the page of a webhook delivery', () => {
  test('the page of a webhook delivery shows the headers and the body exactly as the receiver got them', async () => {
    const { receiver, path } = await delivered(200)
    const text = textOf((await owner.get(path)).text)
    const [received] = receiver.received
    const headers = Object.entries(received?.headers ?? {}).map(([name, value]) => `${name}: ${value}`)
    expect(headers.length).toBeGreaterThan(6)
    for (const header of headers) expect(text.toLowerCase()).toContain(header.toLowerCase())
    expect(text).toContain(received?.rawBody)
    expect(text).toContain('The request headers as they were sent.')
  })

  test('the page of a webhook delivery shows both signatures of a delivery attempt during a secret rotation', async () => {
    const receiver = await openReceiver()
    const endpoint = await shop.addEndpoint(receiver.url)
    const page = `/dashboard/webhooks/${endpoint.endpointId}`
    api().clock.advance(1000)
    await owner.submit(page, `${page}/rotate`, { graceHours: '24' })
    api().clock.advance(60_000)
    await shop.emit()
    await shop.deliver(endpoint)
    const [delivery] = await shop.deliveries()
    const text = textOf((await owner.get(`/dashboard/deliveries/${delivery?.id}`)).text)
    expect(text).toContain(`webhook-signature: ${receiver.received[0]?.headers['webhook-signature']}`)
    expect(text).toContain('The request headers as they were sent.')
  })

  test('the page of a webhook delivery shows no signatures when the signing secret is deleted', async () => {
    const { endpoint, path } = await delivered(200)
    const page = `/dashboard/webhooks/${endpoint.endpointId}`
    api().clock.advance(1000)
    await owner.submit(page, `${page}/rotate`, { graceHours: '0' })
    const text = textOf((await owner.get(path)).text)
    expect(text).toContain('The signatures are left out')
    expect(text).not.toContain('webhook-signature')
  })

  test('the page of a webhook delivery shows the response as text, the cause of the failure and the time of the next delivery attempt', async () => {
    const { path } = await delivered(500)
    const { text } = await owner.get(path)
    expect(text).toContain('status 500')
    expect(text).toContain('&lt;i&gt;noted&lt;/i&gt;')
    expect(text).not.toContain('<i>noted')
    expect(text).toContain('The next attempt is due at')
  })

  test('the page of a webhook delivery shows why no request was sent', async () => {
    const endpoint = await shop.addEndpoint('http://127.0.0.1:9/hook')
    await shop.emit()
    await shop.deliver(endpoint)
    const [delivery] = await shop.deliveries()
    const { text } = await owner.get(`/dashboard/deliveries/${delivery?.id}`)
    expect(text).toContain('The connection failed or was closed before the response.')
    expect(text).toContain('No request was sent.')
    expect(text).toContain('The body of the delivery, byte for byte')
    expect(text).not.toContain('The request headers as they were sent.')
  })

  test('the page of a webhook delivery shows the headers of a request whose connection was closed before the response', async () => {
    const receiver = await openReceiver((_, response) => response.destroy())
    const endpoint = await shop.addEndpoint(receiver.url)
    await shop.emit()
    await shop.deliver(endpoint)
    const [delivery] = await shop.deliveries()
    const { text } = await owner.get(`/dashboard/deliveries/${delivery?.id}`)
    expect(text).toContain('The connection failed or was closed before the response.')
    expect(text).toContain('The request headers as they were sent.')
  })
})

test('the page of a failed test event can send another test event of the same type, and mentions neither a replay nor signatures', async () => {
  const { endpointId } = await shop.addEndpoint('http://127.0.0.1:9/hook')
  const endpoint = `/dashboard/webhooks/${endpointId}`
  const { location = '' } = await owner.submit(endpoint, `${endpoint}/test`, { kind: 'order.refunded' })
  await shop.deliver({ merchantId: shop.merchantId, endpointId })
  const page = location.split('?')[0] ?? ''
  const { text } = await owner.get(page)
  expect(text).toContain('The attempt failed. Correct the receiver, then send another test event.')
  expect(text).not.toContain('replay the delivery')
  expect(text).not.toContain('signatures')
  expect(text).toContain('</span> connection failed</h3>')
  expect(text).toContain('<a href="/dashboard/deliveries">All deliveries</a>')
  expect((await owner.get(endpoint)).text).toMatch(/<td[^>]*>connection failed after \d+ ms<\/td>/)
  const again = await owner.submit(page, `${endpoint}/test`)
  expect(again.location).toMatch(/^\/dashboard\/deliveries\/dlv_/)
  expect(again.location).not.toContain(page)
  expect((await shop.deliveries()).map(({ kind, trigger }) => [kind, trigger])).toEqual([
    ['order.refunded', 'test'],
    ['order.refunded', 'test'],
  ])
})

describe('replaying one webhook delivery', () => {
  test('replaying one webhook delivery sends the same event again and leads to the page of the replay', async () => {
    const { receiver, endpoint, path } = await delivered(500)
    receiver.answer = status(200)
    const replayed = await owner.submit(path, `${path}/replay`)
    expect(replayed.status).toBe(303)
    await shop.deliver(endpoint)
    const page = await owner.get(replayed.location ?? '')
    expect(page.text).toContain('Replay of')
    expect(page.text).toContain('status 200')
    const [first, second] = receiver.received
    expect(second?.rawBody).toBe(first?.rawBody)
    expect((await owner.get(path)).text).toContain('Other deliveries of the event')
  })

  test('a replay form that is submitted twice replays the webhook delivery once', async () => {
    const { path } = await delivered(500)
    const fields = formOf((await owner.get(path)).text, `${path}/replay`)
    const replies = [await owner.post(`${path}/replay`, fields), await owner.post(`${path}/replay`, fields)]
    expect(replies.map((reply) => reply.status)).toEqual([303, 409])
    expect(await shop.deliveries()).toHaveLength(2)
  })

  test('replaying one webhook delivery is refused after its endpoint was deleted', async () => {
    const { endpoint, path } = await delivered(500)
    const fields = formOf((await owner.get(path)).text, `${path}/replay`)
    const confirm = `/dashboard/webhooks/${endpoint.endpointId}/delete`
    await owner.submit(confirm, confirm)
    expect((await owner.post(`${path}/replay`, fields)).status).toBe(422)
    expect((await owner.get(path)).text).toContain('(deleted)')
    expect(await shop.deliveries()).toHaveLength(1)
  })
})

describe('replaying many webhook deliveries', () => {
  const form = '/dashboard/deliveries/replay'

  async function failedThree() {
    const receiver = await openReceiver(status(500))
    const endpoint = await shop.addEndpoint(receiver.url)
    const page = `/dashboard/webhooks/${endpoint.endpointId}`
    await owner.submit(page, `${page}/disable`)
    for (let number = 0; number < 3; number++) await shop.emit()
    api().clock.advance(60_000)
    return { endpoint, fields: { endpoint: endpoint.endpointId, since: sinceText(), statuses: ['skipped', 'failed'] } }
  }

  /** Returns the time an hour ago in Lagos, in the form in which a member types it. */
  function sinceText(): string {
    return new Date(api().clock.nowMs()).toISOString().slice(0, 16)
  }

  const replays = () => listBulkReplays(api().database, { merchantId: shop.merchantId, limit: 10 })

  test('the replay of many webhook deliveries first shows their number and sends nothing', async () => {
    const { fields } = await failedThree()
    const opened = formOf((await owner.get(form)).text, form)
    const asked = await owner.ask(form, { ...opened, ...fields })
    expect(asked.status).toBe(200)
    expect(asked.text).toContain('The time range has 3 deliveries to send again.')
    expect(asked.text).toContain('>Replay 3 deliveries</button>')
    expect(await replays()).toEqual([])
    const { text: none } = await owner.get('/dashboard/deliveries/replays')
    expect(none).toContain('A bulk replay sends the webhook deliveries of a time range to one endpoint again')
    expect(none).toContain('<a class="main" href="/dashboard/deliveries/replay">Choose deliveries to replay</a>')
  })

  test('the replay of many webhook deliveries starts, and its page shows the progress', async () => {
    const { fields } = await failedThree()
    const opened = formOf((await owner.get(form)).text, form)
    const started = await owner.post(form, { ...opened, ...fields, confirmed: 'yes' })
    expect([started.status, started.location?.split('?')[0]]).toEqual([303, '/dashboard/deliveries/replays'])
    await replayWebhooks(api().context, shop.merchantId)
    const { text } = await owner.get('/dashboard/deliveries/replays')
    expect(text).toContain('running')
    expect(text).toContain('data-title="Queued" class="number">3<')
    const second = await owner.submit(form, form, fields)
    expect(second.status).toBe(422)
    expect(second.text).toContain('A replay of this endpoint is still running.')
  })

  test('the replay of many webhook deliveries can be cancelled on the page that shows the progress of the replay', async () => {
    const { fields } = await failedThree()
    await owner.submit(form, form, fields)
    await replayWebhooks(api().context, shop.merchantId)
    const [replay] = await replays()
    const path = `/dashboard/deliveries/replays/${replay?.id}/cancel`
    expect((await owner.submit('/dashboard/deliveries/replays', path)).status).toBe(303)
    expect((await replays())[0]).toMatchObject({ status: 'cancelled', waiting: 0 })
  })

  test.each([
    ['a time in the future', { since: '2099-01-01T00:00' }, 'Enter a time in the past'],
    ['a time of long ago', { since: '2020-01-01T00:00' }, 'Enter a time within the last 14 days.'],
    ['text that is no time', { since: 'yesterday' }, 'Enter a date and a time'],
    ['a month that does not exist', { since: '2026-13-01T00:00' }, 'Enter a date and a time'],
    ['an unknown endpoint', { endpoint: 'nowhere' }, 'Must be the id of a webhook endpoint'],
    ['no status', { statuses: [] }, 'Choose at least one status.'],
  ])('the replay of many webhook deliveries is refused for %s', async (_, wrong, message) => {
    const { fields } = await failedThree()
    const refused = await owner.submit(form, form, { ...fields, ...wrong })
    expect(refused.status).toBe(422)
    expect(refused.text).toContain(message)
    expect(await replays()).toEqual([])
    const { text: none } = await owner.get('/dashboard/deliveries/replays')
    expect(none).toContain('A bulk replay sends the webhook deliveries of a time range to one endpoint again')
    expect(none).toContain('<a class="main" href="/dashboard/deliveries/replay">Choose deliveries to replay</a>')
  })
})

describe('the list of webhook deliveries', () => {
  test('the list of webhook deliveries filters by status, event, endpoint and time', async () => {
    const { delivery, endpoint } = await delivered(500)
    const matching = [
      `status=failed`,
      `endpoint=${endpoint.endpointId}`,
      'since=2026-01-01T00:00',
      'kind=inventory.low_stock',
      `event=${delivery.eventId}`,
    ]
    for (const query of matching) {
      expect((await owner.get(`/dashboard/deliveries?${query}`)).text, query).toContain(delivery.id)
    }
    const others = [
      'status=succeeded',
      'kind=order.created',
      'event=evt_01jd3f8q6hf5n8v1zr4c7e2m9k',
      'event=evt_7zzzzzzzzzf5n8v1zr4c7e2m9k',
      'until=2026-01-01T00:00',
      'endpoint=whe_01jd3f8q6hf5n8v1zr4c7e2m9k',
      'since=2099-01-01T00:00',
    ]
    for (const query of others) {
      const { text } = await owner.get(`/dashboard/deliveries?${query}`)
      expect(text, query).toContain('No delivery matches these filters.')
    }
  })

  test('the list of webhook deliveries shows the problem of a malformed filter at the filter’s field', async () => {
    const { status: code, text } = await owner.get('/dashboard/deliveries?event=%27%22%3Cb%3E&since=now')
    expect(code).toBe(200)
    expect(text).toContain('An event id starts with evt_.')
    expect(text).toContain('Enter a date and a time')
    expect(text).not.toContain('<b>')
  })

  test('while there are no webhook deliveries, their list shows the command `listen` as the next step', async () => {
    expect((await owner.get('/dashboard/deliveries')).text).toContain('npm run -s commerce -- listen')
  })
})

test('a member with the viewer role can read webhook deliveries, but cannot replay them', async () => {
  const { path } = await delivered(500)
  const viewer = await signedIn(api(), shop.merchantId, 'viewer')
  const page = await viewer.get(path)
  expect([page.status, page.text.includes('Replay delivery')]).toEqual([200, false])
  const { csrf = '' } = formOf(page.text, '/dashboard/select-merchant')
  const { form = '' } = formOf((await owner.get(path)).text, `${path}/replay`)
  expect((await viewer.post(`${path}/replay`, { csrf, form })).status).toBe(403)
  expect((await viewer.get('/dashboard/deliveries/replay')).status).toBe(403)
  expect((await viewer.post('/dashboard/deliveries/replay', { csrf, form })).status).toBe(403)
  expect(await shop.deliveries()).toHaveLength(1)
})

test('the page of another merchant’s webhook delivery returns 404', async () => {
  const { path } = await delivered(200)
  const other = await openWebhookShop(api())
  const stranger = await signedIn(api(), other.merchantId, 'owner')
  expect((await stranger.get(path)).status).toBe(404)
  expect((await stranger.get('/dashboard/deliveries/dlv_x')).status).toBe(404)
  const { csrf = '' } = formOf((await stranger.get('/dashboard/deliveries')).text, '/dashboard/select-merchant')
  const { form = '' } = formOf((await owner.get(path)).text, `${path}/replay`)
  expect((await stranger.post(`${path}/replay`, { csrf, form })).status).toBe(404)
})
