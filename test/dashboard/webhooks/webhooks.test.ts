import { createServer } from 'node:http'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { listAudit } from '../../../src/store/audit/audit-list.ts'
import { useApi } from '../../support/api.ts'
import { formOf, type SignedInMember, signedIn } from '../../support/dashboard.ts'
import { textOf } from '../../support/page-text.ts'
import { openReceiver, portOf, status } from '../../webhooks/receiver.ts'
import { openWebhookShop, type WebhookShop } from './webhook-shop.ts'

const api = useApi()
let shop: WebhookShop
let owner: SignedInMember

beforeEach(async () => {
  shop = await openWebhookShop(api())
  owner = await signedIn(api(), shop.merchantId, 'owner')
})

const newEndpoint = '/dashboard/webhooks/new'
const url = 'http://127.0.0.1:9/hook'
const filledIn = { url, kinds: ['order.created', 'order.refunded'], description: 'Warehouse' }
const audits = async (action: string) =>
  (await listAudit(api().database, { merchantId: shop.merchantId, limit: 100 })).filter((row) => row.action === action)

function secretIn(page: string): string {
  return /whsec_[A-Za-z0-9+/=]+/.exec(page)?.[0] ?? 'none'
}

describe('creating a webhook endpoint', () => {
  test('creating a webhook endpoint shows the signing secret once; other pages show the secret only on request', async () => {
    const created = await owner.submit(newEndpoint, newEndpoint, filledIn)
    expect(created.status).toBe(200)
    const secret = secretIn(created.text)
    const [endpoint] = await shop.endpoints()
    expect(endpoint).toMatchObject({ url, kinds: ['order.created', 'order.refunded'], description: 'Warehouse' })
    for (const path of ['/dashboard/webhooks', `/dashboard/webhooks/${endpoint?.id}`]) {
      const page = await owner.get(path)
      expect(page.status).toBe(200)
      expect(page.text).toContain('Warehouse')
      expect(page.text).not.toContain(secret)
    }
  })

  test('a form for a new webhook endpoint that is submitted twice creates one endpoint', async () => {
    const fields = { ...formOf((await owner.get(newEndpoint)).text, newEndpoint), ...filledIn }
    const [first, second] = [await owner.post(newEndpoint, fields), await owner.post(newEndpoint, fields)]
    expect([first.status, second.status]).toEqual([200, 409])
    expect(await shop.endpoints()).toHaveLength(1)
  })

  test.each([
    ['an address that is not allowed', { url: 'http://example.com/hook' }],
    ['text that is no URL', { url: 'warehouse' }],
    ['no event type', { kinds: [] }],
    ['a description that is too long', { description: 'x'.repeat(121) }],
  ])('creating a webhook endpoint is refused for %s, and the form shows the entered values again', async (_, wrong) => {
    const refused = await owner.submit(newEndpoint, newEndpoint, { ...filledIn, ...wrong })
    expect(refused.status).toBe(422)
    expect(refused.text).toContain('role="alert"')
    expect(refused.text).toContain(`value="${{ url, ...wrong }.url}"`)
    expect(await shop.endpoints()).toEqual([])
  })

  test('the form for a webhook endpoint says that a receiver on the machine of the service may use http', async () => {
    const { text } = await owner.get(newEndpoint)
    expect(text).toContain('which starts with https://. A receiver on the machine of the service may use http://.')
    expect(text).toContain('<a href="/dashboard/webhooks">All endpoints</a>')
  })

  test('the form for a new webhook endpoint explains each event type', async () => {
    expect((await owner.get(newEndpoint)).text).toContain(
      'A refund of an order succeeded. The event is sent once for each refund.',
    )
  })
})

describe('editing a webhook endpoint', () => {
  test('editing a webhook endpoint changes its URL, event types and description', async () => {
    const { endpointId } = await shop.addEndpoint(url)
    const path = `/dashboard/webhooks/${endpointId}/edit`
    const change = { url: 'http://127.0.0.1:9/new', kinds: ['order.created'], description: 'Shop' }
    const saved = await owner.submit(path, path, change)
    expect([saved.status, saved.location?.split('?')[0]]).toEqual([303, `/dashboard/webhooks/${endpointId}`])
    expect((await shop.endpoints())[0]).toMatchObject(change)
  })

  test('editing a webhook endpoint is refused when another member changed the endpoint after the form was opened', async () => {
    const { endpointId } = await shop.addEndpoint(url)
    const path = `/dashboard/webhooks/${endpointId}/edit`
    const stale = formOf((await owner.get(path)).text, path)
    await owner.submit(path, path, { ...filledIn, description: 'First' })
    const refused = await owner.post(path, { ...stale, ...filledIn, description: 'Second' })
    expect(refused.status).toBe(422)
    expect(refused.text).toContain('The endpoint was changed after you opened this form.')
    expect((await shop.endpoints())[0]?.description).toBe('First')
  })

  test('editing a webhook endpoint is not refused when a delivery to the endpoint ended after the form was opened', async () => {
    const receiver = await openReceiver(status(500))
    const endpoint = await shop.addEndpoint(receiver.url)
    const path = `/dashboard/webhooks/${endpoint.endpointId}/edit`
    const hidden = formOf((await owner.get(path)).text, path)
    await shop.fail(endpoint, 1)
    const saved = await owner.post(path, { ...hidden, ...filledIn, url: receiver.url })
    expect(saved.status).toBe(303)
  })
})

describe('the signing secret of a webhook endpoint', () => {
  test('the signing secret of a webhook endpoint is shown on request, and the audit log records the request', async () => {
    const { endpointId, secret } = await shop.addEndpoint(url)
    const path = `/dashboard/webhooks/${endpointId}`
    const shown = await owner.submit(path, `${path}/secret`)
    expect(secretIn(shown.text)).toBe(secret)
    expect(await audits('webhook_endpoint.show_secret')).toMatchObject([
      { resourceId: endpointId, actorLabel: 'Ada Obi', sourceIp: '127.0.0.1' },
    ])
  })

  test('the signing secret of a webhook endpoint is shown only after a recent sign-in', async () => {
    const { endpointId, secret } = await shop.addEndpoint(url)
    const path = `/dashboard/webhooks/${endpointId}`
    api().clock.advance(11 * 60 * 1000)
    for (const verb of ['secret', 'rotate']) {
      const asked = await owner.submit(path, `${path}/${verb}`, verb === 'rotate' ? { graceHours: '0' } : {})
      expect(asked.text).not.toContain('whsec_')
      expect(asked.text).toContain('password')
    }
    const shown = await (await signedIn(api(), shop.merchantId, 'owner')).submit(path, `${path}/secret`)
    expect(secretIn(shown.text)).toBe(secret)
  })

  test('the signing secret of a webhook endpoint is rotated, and the old secret expires after the grace period', async () => {
    const { endpointId, secret } = await shop.addEndpoint(url)
    const path = `/dashboard/webhooks/${endpointId}`
    expect((await owner.get(path)).text).not.toContain('Earlier rotation')
    const rotated = await owner.submit(path, `${path}/rotate`, { graceHours: '24' })
    expect(secretIn(rotated.text)).not.toBe(secret)
    expect((await owner.get(path)).text).toMatch(
      /Old signing secret valid until[\s\S]*Expire the old secret[\s\S]*Earlier rotation/,
    )
    api().clock.advance(1000)
    const again = await owner.submit(path, `${path}/rotate`, { graceHours: '24' })
    expect(again.status).toBe(422)
    expect(again.text).toContain('receivers may still use it')
    const forced = await owner.submit(path, `${path}/rotate`, { graceHours: '24', endsPrevious: 'yes' })
    expect(secretIn(forced.text)).toMatch(/^whsec_/)
  })
})

test('the page of a webhook endpoint names the event types that are sent to it', async () => {
  const { endpointId } = await shop.addEndpoint(url)
  const path = `/dashboard/webhooks/${endpointId}`
  const change = async (kinds: string[]) => {
    await owner.submit(`${path}/edit`, `${path}/edit`, { ...filledIn, kinds })
    return textOf((await owner.get(path)).text)
  }
  expect(await change(['order.created'])).toContain('The events of the type order.created are sent to this endpoint.')
  expect(await change(['order.refunded', 'order.created', 'order.edited'])).toContain(
    'The events of the types order.created, order.edited and order.refunded are sent to this endpoint.',
  )
})

describe('the state of a webhook endpoint', () => {
  test('the page of a webhook endpoint counts consecutive failures and shows the failed delivery attempts', async () => {
    const receiver = await openReceiver(status(503))
    const endpoint = await shop.addEndpoint(receiver.url)
    await shop.fail(endpoint, 2)
    const { text } = await owner.get(`/dashboard/webhooks/${endpoint.endpointId}`)
    expect(text).toContain('failing 2 of 6')
    expect(text).toContain('failed 503')
    expect(text).not.toContain('Attempts before those shown here also affected the state of the endpoint.')
    expect((await owner.get('/dashboard/webhooks')).text).toContain('failing 2 of 6')
  })

  test('six failures disable a webhook endpoint, and a ticked checkbox replays the skipped deliveries when a member enables the endpoint', async () => {
    const receiver = await openReceiver(status(503))
    const endpoint = await shop.addEndpoint(receiver.url)
    await shop.fail(endpoint, 6)
    api().clock.advance(60_000)
    await shop.emit()
    const path = `/dashboard/webhooks/${endpoint.endpointId}`
    const disabled = await owner.get(path)
    expect(disabled.text).toContain('disabled after 6 failures')
    expect(disabled.text).toContain('Also replay the skipped deliveries of events since the endpoint was disabled: 1')
    expect(disabled.text).toContain('name="replaysSkipped" value="yes" checked')
    expect(disabled.text).not.toContain('Attempts before those shown here also affected the state of the endpoint.')
    const enabled = await owner.submit(path, `${path}/enable`, { replaysSkipped: 'yes' })
    expect(enabled.status).toBe(303)
    expect((await shop.endpoints())[0]).toMatchObject({ status: 'enabled', consecutiveFailures: 0 })
    expect((await owner.get('/dashboard/deliveries/replays')).text).toContain('running')
  })

  test('if an endpoint is enabled while its earlier bulk replay still runs, the page says that the skipped deliveries are not replayed', async () => {
    const receiver = await openReceiver(status(503))
    const { endpointId } = await shop.addEndpoint(receiver.url)
    const path = `/dashboard/webhooks/${endpointId}`
    const skipAndEnable = async () => {
      await owner.submit(path, `${path}/disable`)
      await shop.emit()
      return owner.submit(path, `${path}/enable`, { replaysSkipped: 'yes' })
    }
    expect((await skipAndEnable()).status).toBe(303)
    const { status: answered, text } = await skipAndEnable()
    expect(answered).toBe(200)
    expect(text).toContain('<h1>The endpoint is enabled</h1>')
    expect(text).toMatch(/skipped while it was disabled are not replayed: \d\./)
    expect(text).toContain('<a href="/dashboard/deliveries/replays">')
    expect(text).toContain(`<a href="/dashboard/deliveries/replay?endpoint=${endpointId}">`)
    expect((await shop.endpoints())[0]).toMatchObject({ status: 'enabled' })
  })

  test('a webhook endpoint that was disabled after six failures stays disabled when a replayed delivery succeeds', async () => {
    const receiver = await openReceiver(status(503))
    const endpoint = await shop.addEndpoint(receiver.url)
    await shop.fail(endpoint, 6)
    const [sixth] = await shop.deliveries()
    const delivery = `/dashboard/deliveries/${sixth?.id}`
    const held = await owner.get(delivery)
    expect(held.text).toMatch(/>failed<.*>held</s)
    expect(held.text).toContain('The last attempt failed, and the endpoint is disabled.')
    receiver.answer = status(200)
    await owner.submit(delivery, `${delivery}/replay`)
    await shop.deliver(endpoint)
    expect((await shop.endpoints())[0]).toMatchObject({ status: 'disabled', consecutiveFailures: 0 })
    const { text } = await owner.get(`/dashboard/webhooks/${endpoint.endpointId}`)
    expect(text).toContain('disabled after 6 failures')
  })

  test('the forms that disable and enable a webhook endpoint take effect once, however often they are submitted', async () => {
    const { endpointId } = await shop.addEndpoint(url)
    const path = `/dashboard/webhooks/${endpointId}`
    const before = formOf((await owner.get(path)).text, `${path}/disable`)
    const first = await owner.post(`${path}/disable`, before)
    expect((await owner.get(first.location ?? '')).text).toContain('disabled manually')
    const second = await owner.post(`${path}/disable`, {
      ...before,
      form: before.form?.replace(/.$/, (last) => (last === 'z' ? 'y' : 'z')) ?? '',
    })
    expect([second.status, second.text.includes('The endpoint is already disabled.')]).toEqual([422, true])
    expect((await owner.submit(path, `${path}/enable`)).status).toBe(303)
    expect((await shop.endpoints())[0]?.status).toBe('enabled')
  })
})

test('a test event is delivered to a webhook endpoint, and the page of its delivery shows the response', async () => {
  const receiver = await openReceiver((_, response) => response.writeHead(418).end('<b>short and stout</b>'))
  const endpoint = await shop.addEndpoint(receiver.url)
  const path = `/dashboard/webhooks/${endpoint.endpointId}`
  const sent = await owner.submit(path, `${path}/test`, { kind: 'order.refunded' })
  expect(sent.location).toMatch(/^\/dashboard\/deliveries\/dlv_/)
  expect((await owner.get(sent.location ?? '')).text).toContain('No delivery attempt has been made yet.')
  await shop.deliver(endpoint)
  const { text } = await owner.get(sent.location ?? '')
  expect(text).toContain('status 418')
  expect(text).toContain('&lt;b&gt;short and stout&lt;/b&gt;')
  expect(text).not.toContain('<b>short')
  expect(receiver.received[0]?.rawBody).toContain('"test":true')
})

test('the receiver check of a webhook endpoint reports whether the receiver can be reached', async () => {
  const receiver = await openReceiver()
  const { endpointId } = await shop.addEndpoint('http://127.0.0.1:9/none')
  const path = `/dashboard/webhooks/${endpointId}`
  const unreachable = await owner.submit(path, `${path}/check`)
  expect(unreachable.text).toContain('The receiver could not be reached')
  expect(receiver.received).toEqual([])
  expect(await audits('webhook_endpoint.check')).toHaveLength(1)
})

test('for each merchant, only one check of a webhook receiver runs at a time, but checks of different merchants run at the same time', async () => {
  const arrived = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  const server = createServer(async (_, response) => {
    arrived.resolve()
    await release.promise
    response.writeHead(204).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const slowUrl = `http://127.0.0.1:${portOf(server.address())}/hook`
  const slow = `/dashboard/webhooks/${(await shop.addEndpoint(slowUrl)).endpointId}`
  const other = `/dashboard/webhooks/${(await shop.addEndpoint(url)).endpointId}`
  const running = owner.submit(slow, `${slow}/check`)
  await arrived.promise
  const second = await owner.submit(other, `${other}/check`)
  expect([second.status, second.text.includes('Another check is running.')]).toEqual([422, true])
  const neighbour = await openWebhookShop(api())
  const stranger = await signedIn(api(), neighbour.merchantId, 'owner')
  const path = `/dashboard/webhooks/${(await neighbour.addEndpoint(url)).endpointId}`
  expect((await stranger.submit(path, `${path}/check`)).status).toBe(200)
  release.resolve()
  expect((await running).status).toBe(200)
  expect((await owner.submit(other, `${other}/check`)).status).toBe(200)
})

test('a webhook endpoint disappears from the list once its deletion is confirmed', async () => {
  const { endpointId } = await shop.addEndpoint(url, 'Warehouse')
  const path = `/dashboard/webhooks/${endpointId}/delete`
  expect((await owner.get(path)).text).toContain('This cannot be undone.')
  const deleted = await owner.submit(path, path)
  expect([deleted.status, deleted.location?.split('?')[0]]).toEqual([303, '/dashboard/webhooks'])
  expect(await shop.endpoints()).toEqual([])
  expect((await owner.get(`/dashboard/webhooks/${endpointId}`)).status).toBe(404)
})

test('a member with the viewer role can read webhook endpoints, but cannot change them', async () => {
  const viewer = await signedIn(api(), shop.merchantId, 'viewer')
  const { endpointId, secret } = await shop.addEndpoint(url)
  const path = `/dashboard/webhooks/${endpointId}`
  const before = await shop.endpoints()
  const page = await viewer.get(path)
  expect(page.status).toBe(200)
  expect(page.text).not.toContain('Disable endpoint')
  const { csrf = '' } = formOf(page.text, '/dashboard/select-merchant')
  const { form = '' } = formOf((await owner.get(newEndpoint)).text, newEndpoint)
  const paths = ['edit', 'test', 'check', 'secret', 'rotate', 'enable', 'disable', 'delete'].map(
    (verb) => `${path}/${verb}`,
  )
  for (const target of [newEndpoint, ...paths]) {
    const refused = await viewer.post(target, { ...filledIn, csrf, form, kind: 'order.created', graceHours: '0' })
    expect(refused.status, target).toBe(403)
    expect(refused.text).not.toContain(secret)
  }
  expect(await shop.endpoints()).toEqual(before)
  expect(await shop.deliveries()).toEqual([])
})

test('the pages of another merchant’s webhook endpoint return 404', async () => {
  const other = await openWebhookShop(api())
  const { endpointId } = await other.addEndpoint(url)
  const own = await shop.addEndpoint(url)
  const path = `/dashboard/webhooks/${own.endpointId}`
  const { text } = await owner.get(path)
  expect((await owner.get(`/dashboard/webhooks/${endpointId}`)).status).toBe(404)
  const verbs = { secret: {}, rotate: { graceHours: '0' }, disable: {}, test: { kind: 'order.created' } }
  for (const [verb, fields] of Object.entries(verbs)) {
    const sent = { ...formOf(text, `${path}/${verb}`), ...fields }
    expect((await owner.post(`/dashboard/webhooks/${endpointId}/${verb}`, sent)).status, verb).toBe(404)
  }
  expect((await other.endpoints())[0]?.status).toBe('enabled')
})
