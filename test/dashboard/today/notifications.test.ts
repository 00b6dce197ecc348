import { beforeEach, describe, expect, test } from 'vitest'
import { notificationKindNames } from '../../../registry/values/notifications.ts'
import { newEndpointId } from '../../../src/base/records.ts'
import { preferencesOf } from '../../../src/notifications/set-preferences.ts'
import { useApi } from '../../support/api.ts'
import { formOf, signedIn } from '../../support/dashboard.ts'
import { notify } from '../../support/notify.ts'
import { openShop, placeOrder, type Shop } from '../../support/shop.ts'

const api = useApi()
let shop: Shop

const path = '/dashboard/notifications'

beforeEach(async () => {
  api().clock.advance(1)
  shop = await openShop(api().context)
})

/** Returns the number of unread notifications in the page header. Undefined if the header shows none. */
function unreadIn(page: string): string | undefined {
  return /<span class="unread">(\S+) unread<\/span>/.exec(page)?.[1]
}

const member = (role: 'owner' | 'viewer' = 'owner') => signedIn(api(), shop.merchantId, role)
const add = (merchantId = shop.merchantId) => notify(api().context, merchantId)

describe('the list of notifications', () => {
  test('an empty list of notifications explains what notifications are', async () => {
    const page = await (await member()).get(path)
    expect(page.status).toBe(200)
    expect(page.text).toContain('There are no notifications yet.')
    expect(unreadIn(page.text)).toBeUndefined()
  })

  test('the list of notifications shows the cause of each notification, and links to the page where the member can act', async () => {
    const browser = await member()
    await notify(api().context, shop.merchantId, {
      kind: 'payment.dispute_unclear',
      data: { disputeId: '<b>7</b>', resolution: 'odd' },
    })
    const { text } = await browser.get(path)
    expect(text).toContain('Dispute with an unclear result')
    expect(text).toContain('The dispute &lt;b&gt;7&lt;/b&gt; ended (odd)')
    expect(text).toContain('<a href="/dashboard/orders">Open the orders</a>')
  })

  test('the list of notifications names the order and the customer of a notification, but no order of another merchant', async () => {
    const browser = await member()
    const order = await placeOrder(api(), shop)
    const other = await placeOrder(api(), await openShop(api().context))
    for (const { id } of [order, other])
      await notify(api().context, shop.merchantId, { kind: 'payment.overpaid', data: { orderId: id } })
    const { text } = await browser.get(path)
    const named = `<strong>Payment above the amount due: <span class="nowrap">${order.number}</span>, Adaeze Okafor</strong>`
    expect(text).toContain(named)
    expect(text).toContain('<strong>Payment above the amount due</strong>')
    expect(text.match(/Payment above the amount due: /g)).toHaveLength(1)
  })

  test('the list of notifications is paginated, newest first, and each page applies the chosen filter', async () => {
    const browser = await member()
    for (let count = 0; count < 30; count++) {
      api().clock.advance(1)
      await add()
    }
    const first = await browser.get(`${path}?state=unread`)
    expect(unreadIn(first.text)).toBe('30')
    const [, next = ''] = /href="([^"]+cursor=[^"]+)">Next page/.exec(first.text) ?? []
    const second = await browser.get(next.replaceAll('&amp;', '&'))
    const ids = (page: string) => [...page.matchAll(/notifications\/(ntf_\w+)\/read"/g)].map(([, id]) => id)
    expect([ids(first.text).length, ids(second.text).length]).toEqual([25, 5])
    const all = [...ids(first.text), ...ids(second.text)]
    expect(all).toEqual(all.toSorted().toReversed())
    expect(new Set(all).size).toBe(30)
    expect(second.text).not.toContain('Next page')
  })

  test.each([
    'nothing',
    'ntf_00000000000000000000000000',
    "'; drop table notifications",
  ])('the list of notifications is empty for an unknown cursor: %s', async (cursor) => {
    const browser = await member()
    await add()
    const page = await browser.get(`${path}?cursor=${encodeURIComponent(cursor)}`)
    expect(page.status).toBe(200)
    expect(page.text).toContain('There are no older notifications.')
  })

  test('the list of notifications shows the notifications of the selected mode only', async () => {
    const browser = await member()
    await add(shop.testMerchantId)
    expect((await browser.get(path)).text).toContain('There are no notifications yet.')
    const { text } = await browser.get(path)
    const fields = { ...formOf(text, '/dashboard/select-merchant'), merchant: shop.testMerchantId }
    await browser.post('/dashboard/select-merchant', fields)
    expect(unreadIn((await browser.get(path)).text)).toBe('1')
  })
})

test('while a merchant’s database node does not respond, the account page of a member is shown without the number of unread notifications', async () => {
  const account = '/dashboard/settings/account'
  const { reachability } = api().database
  const [known, unknown] = [await member(), await member()]
  await add()
  expect(unreadIn((await known.get(account)).text)).toBe('1')
  reachability.set({ reachable: [], unreachable: [shop.merchantId] })
  try {
    for (const browser of [known, unknown]) {
      const page = await browser.get(account)
      expect([page.status, unreadIn(page.text)]).toEqual([200, undefined])
    }
  } finally {
    reachability.set({ reachable: [], unreachable: [] })
  }
  expect(unreadIn((await known.get(account)).text)).toBe('1')
})

describe('marking notifications as read', () => {
  test('marking one notification as read lowers the number of unread notifications in the header and returns to the filtered list', async () => {
    const browser = await member()
    const id = await add()
    await add()
    expect(unreadIn((await browser.get(path)).text)).toBe('2')
    const done = await browser.submit(`${path}?state=unread`, `${path}/${id}/read`)
    expect([done.status, done.location]).toEqual([303, `${path}?state=unread&done=notifications.id.read`])
    const page = await browser.get(done.location ?? '')
    expect(page.text).toContain('The notification is marked as read.')
    expect(page.text).not.toContain(id)
    expect(unreadIn(page.text)).toBe('1')
  })

  test('a notification that one member marks as read stays unread for other members', async () => {
    const [owner, viewer] = [await member(), await member('viewer')]
    await add()
    const done = await viewer.submit(path, `${path}/read`)
    expect(done.status).toBe(303)
    expect(unreadIn((await viewer.get(path)).text)).toBeUndefined()
    expect(unreadIn((await owner.get(path)).text)).toBe('1')
  })

  test('marking a notification of another merchant as read returns 404', async () => {
    const browser = await member()
    const own = await add()
    const other = await openShop(api().context)
    const foreign = await add(other.merchantId)
    const fields = formOf((await browser.get(path)).text, `${path}/${own}/read`)
    expect((await browser.post(`${path}/${foreign}/read`, fields)).status).toBe(404)
    const { rows } = await api().database.pool.query('select from notification_reads where notification_id = $1', [
      foreign,
    ])
    expect(rows).toEqual([])
  })

  test('more than 99 unread notifications are shown as 99+', async () => {
    const browser = await member()
    await Promise.all(Array.from({ length: 105 }, () => add()))
    expect(unreadIn((await browser.get(path)).text)).toBe('99+')
  })
})

describe('the e-mail settings', () => {
  test('by default, a member gets e-mails only for notifications that need action, and the e-mail settings apply to one member only', async () => {
    const [owner, viewer] = [await member(), await member('viewer')]
    const page = await viewer.get(`${path}/preferences`)
    expect(page.text).toContain('value="webhook_endpoint.disabled" checked')
    const boxes = [...page.text.matchAll(/name="kinds" value="([^"]+)"/g)].map(([, kind]) => kind)
    expect(boxes.toSorted()).toEqual(notificationKindNames.toSorted())
    expect(page.text.match(/<fieldset class="field group">/g)).toHaveLength(5)
    expect(page.text).toMatch(/value="webhook_endpoint.failing"><span>/)
    const saved = await viewer.submit(`${path}/preferences`, `${path}/preferences`, {
      kinds: ['webhook_endpoint.failing'],
    })
    expect([saved.status, saved.location]).toEqual([303, `${path}/preferences?done=notifications.preferences`])
    expect((await viewer.get(`${path}/preferences`)).text).toContain('value="webhook_endpoint.failing" checked')
    const chosen = async (memberId: typeof owner.memberId) =>
      (await preferencesOf(api().database, { merchantId: shop.merchantId, memberId }))
        .filter(({ isByEmail }) => isByEmail)
        .map(({ kind }) => kind)
    expect(await chosen(viewer.memberId)).toEqual(['webhook_endpoint.failing'])
    expect(await chosen(owner.memberId)).toContain('webhook_endpoint.disabled')
  })

  test('a member can turn off all e-mails in the e-mail settings, and an audit row lists the change', async () => {
    const browser = await member()
    const saved = await browser.submit(`${path}/preferences`, `${path}/preferences`)
    expect(saved.status).toBe(303)
    expect((await browser.get(`${path}/preferences`)).text).not.toContain(' checked')
    const { rows } = await api().database.pool.query(
      `select actor_type, resource_id, changes from audit_log
       where merchant_id = $1 and action = 'member.notification_preferences'`,
      [shop.merchantId],
    )
    expect(rows).toMatchObject([
      { actor_type: 'member', resource_id: browser.memberId, changes: { emailed: [expect.any(Array), []] } },
    ])
  })

  test('the e-mail settings ignore kinds of notifications that do not exist', async () => {
    const browser = await member()
    const kinds = ['constructor', '__proto__', 'refund.contradicted', 'x'.repeat(1000)]
    const saved = await browser.submit(`${path}/preferences`, `${path}/preferences`, { kinds })
    expect(saved.status).toBe(303)
    expect((await browser.get(`${path}/preferences`)).text.match(/ checked/g)).toHaveLength(1)
  })
})

test('a notification about a webhook endpoint links to the page of that endpoint', async () => {
  const browser = await member()
  const endpointId = newEndpointId(api().clock.nowMs())
  await api().database.pool.query(
    `insert into webhook_endpoints (merchant_id, id, url, created_at, updated_at)
     values ($1, $2, 'https://example.com/hooks', now(), now())`,
    [shop.merchantId, endpointId],
  )
  await notify(api().context, shop.merchantId, { kind: 'webhook_endpoint.failing', data: {}, endpointId })
  expect((await browser.get(path)).text).toContain(`/dashboard/webhooks/${endpointId}`)
})
