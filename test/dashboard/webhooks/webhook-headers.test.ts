import { beforeEach, describe, expect, test } from 'vitest'
import { listAudit } from '../../../src/store/audit/audit-list.ts'
import { useApi } from '../../support/api.ts'
import { formOf, type SignedInMember, signedIn } from '../../support/dashboard.ts'
import { openReceiver, type Receiver } from '../../webhooks/receiver.ts'
import { openWebhookShop, type WebhookShop } from './webhook-shop.ts'

/** The custom headers of webhook endpoints in the dashboard. Every value contains `zq.`, which no page may show. */

const api = useApi()
let shop: WebhookShop
let owner: SignedInMember
let receiver: Receiver

beforeEach(async () => {
  shop = await openWebhookShop(api())
  owner = await signedIn(api(), shop.merchantId, 'owner')
  receiver = await openReceiver()
})

const newEndpoint = '/dashboard/webhooks/new'
const base = () => ({ url: receiver.url, kinds: ['inventory.low_stock'] })
const twoHeaders = {
  ...{ headerName1: 'X-Api-Key', headerValue1: 'zq.1' },
  ...{ headerName3: 'Authorization', headerValue3: 'Bearer zq.2' },
}

/** The receiver does not verify signatures. */
async function openEndpoint() {
  const { endpointId, ...endpoint } = await shop.addEndpoint(receiver.url)
  const path = `/dashboard/webhooks/${endpointId}`
  const edit = `${path}/edit`
  const saved = await owner.submit(edit, edit, { ...base(), ...twoHeaders })
  expect(saved.status).toBe(303)
  const submit = (fields: Readonly<Record<string, string | readonly string[]>>) =>
    owner.submit(edit, edit, { ...base(), ...fields })
  const sent = async () => {
    await shop.emit()
    await shop.deliver({ ...endpoint, endpointId })
    const { authorization, 'x-api-key': key, 'x-new': added } = receiver.received.at(-1)?.headers ?? {}
    return { authorization, key, added }
  }
  return { endpointId, path, edit, submit, sent }
}

describe('creating a webhook endpoint with custom headers', () => {
  test('creating a webhook endpoint stores its custom headers, and its pages show only their names', async () => {
    const created = await owner.submit(newEndpoint, newEndpoint, { ...base(), ...twoHeaders })
    expect(created.status).toBe(200)
    const [endpoint] = await shop.endpoints()
    expect(endpoint?.headerNames).toEqual(['X-Api-Key', 'Authorization'])
    const page = await owner.get(`/dashboard/webhooks/${endpoint?.id}`)
    const edit = await owner.get(`/dashboard/webhooks/${endpoint?.id}/edit`)
    expect(page.text).toContain('X-Api-Key, Authorization')
    expect(edit.text).toContain('New value of Authorization')
    const audited = await listAudit(api().database, { merchantId: shop.merchantId, limit: 100 })
    expect(audited.map(({ changes }) => changes)).toContainEqual(
      expect.objectContaining({ headers: [null, ['X-Api-Key', 'Authorization']] }),
    )
    expect([created.text, page.text, edit.text, JSON.stringify(audited)].join()).not.toContain('zq.')
  })

  test.each([
    ['without a value', { headerName2: 'X-Other' }, 'headerValue2', 'The header has no value.'],
    ['without a name', { headerValue2: 'zq.' }, 'headerName2', 'Enter the name of header 2.'],
    [
      'that the service sends itself',
      { headerName2: 'Host', headerValue2: 'zq.' },
      'headerName2',
      'The service itself',
    ],
    ['of the same name', { headerName5: 'x-api-key', headerValue5: 'zq.' }, 'headerName5', 'is given twice'],
    ['with other characters', { headerName5: 'X-A', headerValue5: 'zq.\u{e9}' }, 'headerValue5', 'printable ASCII'],
  ])('the form for a new webhook endpoint shows the problem of a header %s at its field', async (_, fields, field, message) => {
    const first = { headerName1: 'X-Api-Key', headerValue1: 'zq.1' }
    const refused = await owner.submit(newEndpoint, newEndpoint, { ...base(), ...first, ...fields })
    expect(refused.status).toBe(422)
    expect(refused.text).toMatch(new RegExp(`id="p-${field}"[^>]*>[^<]*${message}`))
    const [, name = 'header 2'] = Object.entries(fields).find(([key]) => key.startsWith('headerName')) ?? []
    expect(refused.text).toMatch(new RegExp(`href="#f-${field}">[^<]*${name}`))
    expect(refused.text).not.toContain('zq.')
    expect(await shop.endpoints()).toEqual([])
  })
})

test('the descriptions of event types show names of fields as code, without backticks', async () => {
  const { text } = await owner.get(newEndpoint)
  expect(text).toContain('<code>')
  expect(text).not.toContain('`')
})

describe('editing the custom headers of a webhook endpoint', () => {
  test('a new URL with another scheme, host or port is refused, and an error at each header field asks for the header value again', async () => {
    const { submit } = await openEndpoint()
    const refused = await submit({ url: (await openReceiver()).url })
    expect(refused.status).toBe(422)
    for (const field of ['headerValue1', 'headerValue2'])
      expect(refused.text).toMatch(new RegExp(`id="p-${field}"[^>]*>The new URL has another scheme, host or port`))
    expect(refused.text).toContain('unless the URL gets another scheme, host or port.')
  })

  test('editing a webhook endpoint without entering header values does not change the stored values', async () => {
    const { submit, sent } = await openEndpoint()
    expect((await submit({ description: 'Warehouse' })).status).toBe(303)
    expect(await sent()).toEqual({ authorization: 'Bearer zq.2', key: 'zq.1', added: undefined })
  })

  test('editing a webhook endpoint replaces, adds and removes custom headers', async () => {
    const { submit, sent } = await openEndpoint()
    const change = { headerValue1: 'zq.3', headerName3: 'X-New', headerValue3: 'zq.4', removedHeaders: 'Authorization' }
    expect((await submit(change)).status).toBe(303)
    expect(await sent()).toEqual({ authorization: undefined, key: 'zq.3', added: 'zq.4' })
  })

  test('a form that is shown again because of a problem does not contain the entered header value and asks for the value again', async () => {
    const { submit, sent } = await openEndpoint()
    const refused = await submit({ headerValue1: 'zq.3', url: 'nonsense' })
    expect(refused.status).toBe(422)
    expect(refused.text).toMatch(
      /<input id="f-headerValue1" name="headerValue1" type="password" value=""[^>]* required/,
    )
    expect(refused.text).not.toMatch(/<input id="f-headerValue2"[^>]* required/)
    expect(refused.text).toContain('Enter the value again.')
    expect(refused.text).not.toContain('zq.')
    expect(await sent()).toMatchObject({ key: 'zq.1' })
  })

  test('editing custom headers requires a recent sign-in, after which the form asks for the values again', async () => {
    const { submit } = await openEndpoint()
    api().clock.advance(11 * 60 * 1000)
    const asked = await submit({ headerValue1: 'zq.3' })
    expect([asked.status, asked.text.includes('zq.')]).toEqual([403, false])
    const confirm = '/dashboard/sign-in/confirm'
    const restored = await owner.post(confirm, { ...formOf(asked.text, confirm), password: owner.password })
    expect(restored.text).toMatch(/<input id="f-headerValue1"[^>]* required/)
  })

  test('editing custom headers is refused when another member changed a value after the form was opened', async () => {
    const { edit, submit, sent } = await openEndpoint()
    const stale = formOf((await owner.get(edit)).text, edit)
    api().clock.advance(1000)
    await submit({ headerValue1: 'zq.3' })
    const refused = await owner.post(edit, { ...stale, ...base(), headerValue1: 'zq.4' })
    expect(refused.text).toContain('The endpoint was changed after you opened this form.')
    expect(await sent()).toMatchObject({ key: 'zq.3' })
  })

  test('changing the URL to another host is refused if the header values are not entered again, so that stored values are not sent to the new host', async () => {
    const { submit } = await openEndpoint()
    const other = await openReceiver()
    const refused = await submit({ url: other.url })
    expect(refused.status).toBe(422)
    expect(refused.text).toContain('to which stored values are not sent')
    expect((await shop.endpoints())[0]?.url).toBe(receiver.url)
  })
})

describe('the custom headers on the page of a webhook delivery', () => {
  test('the page of a webhook delivery shows a mask instead of the values of custom headers', async () => {
    const { sent } = await openEndpoint()
    api().clock.advance(60_000)
    await sent()
    const [delivery] = await shop.deliveries()
    const { text } = await owner.get(`/dashboard/deliveries/${delivery?.id}`)
    expect(text).toContain('X-Api-Key: ••••••\nAuthorization: ••••••\n')
    expect(text).not.toContain('zq.')
    expect(text).not.toContain('The custom headers are left out')
  })

  test('the page of a webhook delivery omits the custom headers if they were changed after the delivery attempt', async () => {
    const { sent, submit } = await openEndpoint()
    api().clock.advance(60_000)
    await sent()
    api().clock.advance(1000)
    await submit({ removedHeaders: ['Authorization'] })
    const [delivery] = await shop.deliveries()
    const { text } = await owner.get(`/dashboard/deliveries/${delivery?.id}`)
    expect(text).toContain(
      'The custom headers are left out, because they were changed around the time of the attempt or later.',
    )
    expect(text).not.toContain('X-Api-Key')
  })
})
