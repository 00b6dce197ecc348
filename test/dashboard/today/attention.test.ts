import { beforeEach, describe, expect, test } from 'vitest'
import { createWebhookEndpoint } from '../../../src/access/create-webhook-endpoint.ts'
import { toTimestamp } from '../../../src/base/clock.ts'
import { newOrderId } from '../../../src/base/records.ts'
import { markAllNotificationsRead } from '../../../src/notifications/mark-read.ts'
import { useApi, vault } from '../../support/api.ts'
import { paidByPaystack } from '../../support/commerce/paystack.ts'
import { formOf, type SignedInMember, signedIn } from '../../support/dashboard.ts'
import { select } from '../../support/database-contents.ts'
import { storeShipment } from '../../support/logistics/shipment.ts'
import { notify } from '../../support/notify.ts'
import { textOf } from '../../support/page-text.ts'
import { mintToken, openShop, operator, placeOrder, type Shop, stockVariant } from '../../support/shop.ts'

const api = useApi()

let shop: Shop
let owner: SignedInMember
beforeEach(async () => {
  shop = await openShop(api().context)
  owner = await signedIn(api(), shop.merchantId, 'owner')
})

const dayMs = 24 * 60 * 60 * 1000
const inDays = (days: number) => toTimestamp(api().clock.nowMs() + days * dayMs)
const run = (text: string, values: readonly unknown[]) => select(api(), text, values)

async function endpoint(url: string): Promise<string> {
  const context = { ...api().context, vault, policy: { allowsLoopback: true } }
  const outcome = await createWebhookEndpoint(context, operator, shop.tenant, { url, kinds: ['order.created'] })
  if (outcome.is !== 'created') throw new Error(`No endpoint: ${outcome.is}.`)
  return outcome.id
}

test.each([
  ['refunds', 'status', 'needs_attention,failed', 'needs attention or failed'],
  ['orders', 'paymentStatus', 'unpaid,partially_paid', 'unpaid or partially paid'],
])('the filter form of a list page has an option for the %s that need attention', async (list, field, value, label) => {
  const { text } = await owner.get(`/dashboard/${list}?${field}=${value}`)
  expect(text).toContain(`<option value="${value}" selected>${label}</option>`)
  const unknown = await owner.get(`/dashboard/${list}?${field}=${value.split(',')[0]},nonsense`)
  expect(unknown.text).not.toContain('nonsense" selected')
})

describe('the start page', () => {
  test('if there are no problems, the start page says that nothing needs attention, and the page updates automatically', async () => {
    const { status, text } = await owner.get('/dashboard')
    expect(status).toBe(200)
    expect(text).toContain('Nothing needs your attention.')
    expect(text).toContain('data-live')
  })

  test('the list of problems on the start page stays empty when only orders and shipments without a problem exist', async () => {
    await storeShipment(api(), shop)
    await placeOrder(api(), shop)
    expect((await owner.get('/dashboard')).text).toContain('<div id="problems"></div>')
  })

  test('the start page shows the newest five shipments with open exceptions, and the number of such shipments', async () => {
    const exceptions = [{ code: 'courier_late', at: inDays(0) }] as const
    for (let index = 0; index < 7; index++) await storeShipment(api(), shop, { reference: `LATE-${index}`, exceptions })
    const { text } = await owner.get('/dashboard')
    expect(text).toContain('Shipments with open problems (7)')
    const problems = text.slice(text.indexOf('id="problems"'))
    expect(problems.match(/>LATE-\d<\/a>/g)).toHaveLength(5)
    expect(problems.match(/">Solve the problem<\/a>/g)).toHaveLength(5)
    expect(text).toContain('href="/dashboard/shipments?exceptions=open"')
  })

  test('the start page names the order and the customer of each problem, and the recipient of a parcel without an order', async () => {
    const { id: orderId, number } = await placeOrder(api(), shop)
    const exceptions = [{ code: 'courier_late', at: inDays(0) }] as const
    await storeShipment(api(), shop, { reference: 'of-order', orderId, exceptions })
    await storeShipment(api(), shop, { reference: 'alone', exceptions })
    await notify(api().context, shop.merchantId, { kind: 'payment.overpaid', data: { orderId } })
    const { text } = await owner.get('/dashboard')
    const problems = textOf(text.slice(text.indexOf('id="problems"')))
    expect(problems).toContain(`of-order ${number} , Adaeze Okafor`)
    expect(problems).toContain('alone Adaeze Okafor')
    expect(problems).toContain(`Payment above the amount due: ${number} , Adaeze Okafor`)
    expect(textOf(text.slice(0, text.indexOf('id="problems"')))).toContain('alone Adaeze Okafor')
  })

  test('the start page shows refunds that await bank details, and refunds that failed within 30 days', async () => {
    const opened = await paidByPaystack(api(), shop, { priceKobo: 1_000_000 })
    const { id } = (await opened.refund(400_000)).body
    opened.server.newStatus = 'needs-attention'
    await opened.work()
    const before = await owner.get('/dashboard')
    expect(before.text).toContain(`href="/dashboard/refunds/${id}"`)
    expect(before.text).toContain('Refunds that failed or await bank details (1)')
    opened.server.move('failed')
    await opened.later()
    expect((await owner.get('/dashboard')).text).toContain('<span class="badge bad">failed</span>')
    await run('update refunds set failed_at = $2 where id = $1', [id, inDays(-31)])
    expect((await owner.get('/dashboard')).text).not.toContain(id)
  })

  test('the start page shows webhook endpoints that fail or were disabled by failures, not endpoints that a person disabled', async () => {
    const [failing, disabled, manual, healthy] = await Promise.all([
      endpoint('http://127.0.0.1:9/failing'),
      endpoint('http://127.0.0.1:9/disabled'),
      endpoint('http://127.0.0.1:9/manual'),
      endpoint('http://127.0.0.1:9/healthy'),
    ])
    await run('update webhook_endpoints set consecutive_failures = 2 where id = $1', [failing])
    for (const [id, reason] of [
      [disabled, 'consecutive_failures'],
      [manual, 'manual'],
    ]) {
      await run(
        "update webhook_endpoints set status = 'disabled', disabled_reason = $2, disabled_at = $3 where id = $1",
        [...[id, reason, inDays(0)]],
      )
    }
    const { text } = await owner.get('/dashboard')
    const shown = [failing, disabled, manual, healthy].map((id) => text.includes(`/dashboard/webhooks/${id}`))
    expect(shown).toEqual([true, true, false, false])
  })

  test('the start page and the list of notifications link to the disputed order and to the orders of its exchanges', async () => {
    const [orderId, exchangeId] = [newOrderId(api().clock.nowMs()), newOrderId(api().clock.nowMs())]
    const data = { orderId, disputeId: '77', creditedOrderIds: [exchangeId] }
    await notify(api().context, shop.merchantId, { kind: 'payment.dispute_lost', data })
    for (const path of ['/dashboard', '/dashboard/notifications']) {
      const { text } = await owner.get(path)
      for (const id of [orderId, exchangeId]) expect(text).toContain(`href="/dashboard/orders/${id}"`)
    }
  })

  test('the start page shows every member that a payment was not recorded, until one member marks the problem as resolved', async () => {
    const viewer = await signedIn(api(), shop.merchantId, 'viewer')
    const id = await notify(api().context, shop.merchantId, { kind: 'payment.not_recorded' })
    await notify(api().context, shop.merchantId, { kind: 'webhook_endpoint.held_expired' })
    await markAllNotificationsRead(api().context, { merchantId: shop.merchantId, memberId: owner.memberId })
    for (const member of [owner, viewer]) {
      const { text } = await member.get('/dashboard')
      expect(text).toContain('Payments, refunds, returns and disputes with a problem (1)')
      expect(text).toContain('Payment not recorded')
    }
    const path = `/dashboard/notifications/${id}/resolve`
    const viewed = (await viewer.get('/dashboard')).text
    expect(viewed).not.toContain(path)
    const forged = formOf(viewed, '/dashboard/sign-out')
    expect(await viewer.post(path, forged)).toMatchObject({ status: 403 })
    const fields = formOf((await owner.get('/dashboard')).text, path)
    const second = formOf((await owner.get('/dashboard/notifications')).text, path)
    expect(await owner.post(path, fields)).toMatchObject({
      status: 303,
      location: '/dashboard?done=notifications.id.resolve',
    })
    expect(await owner.post(path, second)).toMatchObject({
      status: 422,
      text: expect.stringContaining('The problem is already resolved.'),
    })
    for (const member of [owner, viewer]) expect((await member.get('/dashboard')).text).not.toContain('do not match')
    expect((await owner.get('/dashboard/notifications')).text).toContain('>resolved<')
    const entries = await run('select action, actor_type, resource_id from audit_log where action = $1', [
      'notification.resolve',
    ])
    expect(entries).toEqual([{ action: 'notification.resolve', actor_type: 'member', resource_id: id }])
  })

  test('members cannot resolve a notification on the start page if it only reports an event or belongs to another merchant', async () => {
    const other = await openShop(api().context)
    const own = await notify(api().context, shop.merchantId, { kind: 'payment.not_recorded' })
    const foreign = await notify(api().context, other.merchantId, { kind: 'payment.not_recorded' })
    const event = await notify(api().context, shop.merchantId, { kind: 'webhook_endpoint.held_expired' })
    for (const id of [foreign, event, 'ntf_unknown']) {
      const fields = formOf((await owner.get('/dashboard')).text, `/dashboard/notifications/${own}/resolve`)
      const reply = await owner.post(`/dashboard/notifications/${id}/resolve`, fields)
      expect(reply).toMatchObject({ status: 404 })
    }
    expect(
      await run('select from notifications where id = any($1) and resolved_at is not null', [[own, foreign, event]]),
    ).toHaveLength(0)
  })

  test('the start page shows tokens that expire within 14 days to members who may read tokens', async () => {
    const { id } = await mintToken(api().context, shop.tenant, { name: 'Warehouse', expiresAt: inDays(13) })
    await mintToken(api().context, shop.tenant, { name: 'Website', expiresAt: inDays(15) })
    const { text } = await owner.get('/dashboard')
    expect(text).toContain(`<a href="/dashboard/tokens/${id}">Warehouse</a>`)
    expect(text).not.toContain('Website')
    const viewer = await signedIn(api(), shop.merchantId, 'viewer')
    expect((await viewer.get('/dashboard')).text).not.toContain('Warehouse')
  })

  test('the start page shows low stock of the variants that are for sale', async () => {
    const { variantId } = await stockVariant(api(), shop.merchantId)
    const archived = await stockVariant(api(), shop.merchantId, { status: 'archived' })
    await run('update inventory set is_low = true where merchant_id = $1', [shop.merchantId])
    const { text } = await owner.get('/dashboard')
    expect(text).toContain('Low stock (1)')
    expect(text).toContain(`<a href="/dashboard/stock/${variantId}/adjust">Restock</a>`)
    expect(text).toContain(`/dashboard/stock/${variantId}`)
    expect(text).not.toContain(archived.variantId)
  })

  test('the start page shows no record of another merchant', async () => {
    const other = await openShop(api().context)
    await storeShipment(api(), other, { exceptions: [{ code: 'courier_late', at: inDays(0) }] })
    await run('update inventory set is_low = true where merchant_id = $1', [other.merchantId])
    expect((await owner.get('/dashboard')).text).toContain('Nothing needs your attention.')
  })
})

describe('the activity page', () => {
  test('the activity page charts orders and refunds per month and webhook deliveries per day, each with a table', async () => {
    await endpoint('http://127.0.0.1:9/hooks')
    const { id } = await placeOrder(api(), shop)
    await placeOrder(api(), shop, { isPaid: false })
    const body = { orderId: id, amountKobo: 1000, reason: 'damaged' }
    await api().send('POST', '/api/v1/refunds', { token: shop.token, body })
    await run(
      "update webhook_deliveries set status = 'succeeded', attempt_count = 1, next_attempt_at = null, completed_at = created_at where id = (select min(id) from webhook_deliveries where merchant_id = $1)",
      [shop.merchantId],
    )
    const { status, text } = await owner.get('/dashboard/activity')
    expect(status).toBe(200)
    expect(text.match(/<figcaption>/g)).toHaveLength(3)
    expect(text.match(/<svg class="chart"/g)).toHaveLength(2)
    // The text with the value of the last bar is centred in the bar, or ends at the right edge of the drawing.
    expect(text).toMatch(/<text class="value" x="(?:6\d\d|720)[^"]*" y="[^"]*" text-anchor="(?:middle|end)">2<\/text>/)
    // The value of the highest bar is above the bar, both for the orders and for the refunds.
    const [chart = ''] = /<svg class="chart"[\s\S]*?<\/svg>/.exec(text) ?? []
    expect([...chart.matchAll(/<text class="value"[^>]*>([^<]+)</g)].map(([, value]) => value)).toEqual(['2', '1'])
    // The dashboard's chart of API requests is empty, because the request log contains none.
    expect(text.match(/Nothing to count in this period yet/g)).toHaveLength(1)
    const rowOf = (label: string) => {
      const [, row = ''] = new RegExp(`<th scope="row">${label}</th>(.*?)</tr>`).exec(text) ?? []
      return [...row.matchAll(/>([\d,+]+)</g)].map(([, value]) => value)
    }
    expect(rowOf('Nov ’26')).toEqual(['2', '1'])
    expect(rowOf('Dec ’25')).toEqual(['0', '0'])
    expect(rowOf('21 Nov')).toEqual(['1', '0', '1'])
    expect(rowOf('8 Nov')).toEqual(['0', '0', '0'])
  })
})
