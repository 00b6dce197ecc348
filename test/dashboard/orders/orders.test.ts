import { beforeEach, describe, expect, test } from 'vitest'
import type { EventKind } from '../../../registry/kit/event.ts'
import { createWebhookEndpoint } from '../../../src/access/create-webhook-endpoint.ts'
import { useApi, vault } from '../../support/api.ts'
import { linksOf } from '../../support/commerce/buyer-pages.ts'
import { moveOrderTo } from '../../support/commerce/order-transitions.ts'
import { type SignedInMember, signedIn } from '../../support/dashboard.ts'
import { select } from '../../support/database-contents.ts'
import { formValuesOf } from '../../support/form-values.ts'
import { storeShipment } from '../../support/logistics/shipment.ts'
import { applyUpdate } from '../../support/logistics/tracking-updates.ts'
import { textOf } from '../../support/page-text.ts'
import { openShop, operator, placeOrder, type Shop } from '../../support/shop.ts'

const api = useApi()

let shop: Shop
let member: SignedInMember
beforeEach(async () => {
  shop = await openShop(api().context)
  member = await signedIn(api(), shop.merchantId, 'operations')
})

const pathOf = (id: string, action = '') => `/dashboard/orders/${id}${action}`

async function orderOf(id: string) {
  return (await api().send('GET', `/api/v1/orders/${id}`, { token: shop.token })).body
}

/** Creates a webhook endpoint that gets no deliveries, because no worker runs. */
async function endpointOf(kinds: readonly EventKind[]): Promise<string> {
  const context = { ...api().context, vault, policy: { allowsLoopback: true } }
  const outcome = await createWebhookEndpoint(context, operator, shop.tenant, {
    url: 'http://127.0.0.1:9/hooks',
    kinds,
  })
  if (outcome.is !== 'created') throw new Error(`No endpoint: ${outcome.is}.`)
  return outcome.id
}

test('nothing is due for an unpaid order whose parcel came back, on its page and in the list of orders', async () => {
  const { id } = await placeOrder(api(), shop, { isPaid: false, body: { paymentMethod: 'pay_on_delivery' } })
  const read = async () => {
    const [page, list] = await Promise.all([member.get(pathOf(id)), member.get('/dashboard/orders')])
    const due = /<dt>Due<\/dt><dd>(.*?)<\/dd>/.exec(page.text)?.[1] ?? ''
    return [textOf(due), /[\d,.]+ due/.exec(textOf(list.text))?.[0]]
  }
  expect(await read()).toEqual(['₦15,000.00', '15,000.00 due'])
  await moveOrderTo(api(), shop, id, 'returned')
  expect(await read()).toEqual(['nothing', undefined])
})

describe('the main action of an order', () => {
  const mainOf = async (id: string) =>
    /record-actions"><a class="main" href="([^"]*)">([^<]*)</.exec((await member.get(pathOf(id))).text)?.slice(1)

  test('if a rider still comes for a cancelled order, the main action of the order is to cancel the shipment', async () => {
    const { id } = await placeOrder(api(), shop)
    const shipment = await storeShipment(api(), shop, { orderId: id, status: 'awaiting_courier' })
    const { token } = shop
    await api().send('POST', `/api/v1/orders/${id}/cancel`, { token, body: { reason: 'customer' } })
    expect((await orderOf(id)).status).toBe('cancelled')
    expect(await mainOf(id)).toEqual([`/dashboard/shipments/${shipment.id}/cancel`, 'Cancel the shipment'])
  })

  test('the page of a cancelled order says that there is nothing to do once nothing is left to refund', async () => {
    const { id } = await placeOrder(api(), shop)
    const { token } = shop
    await api().send('POST', `/api/v1/orders/${id}/cancel`, { token, body: { reason: 'customer' } })
    const finished = 'Nothing to do: the order is cancelled, and nothing is left to refund.'
    expect((await member.get(pathOf(id))).text).not.toContain(finished)
    const body = { orderId: id, amountKobo: 1_500_000, reason: 'damaged' }
    await api().send('POST', '/api/v1/refunds', { token, body })
    expect((await member.get(pathOf(id))).text).toContain(finished)
  })

  test('the page of an order whose units were all lost offers no return', async () => {
    const { id } = await placeOrder(api(), shop)
    const key = await storeShipment(api(), shop, { orderId: id, status: 'in_transit' })
    await moveOrderTo(api(), shop, id, 'shipped')
    expect((await member.get(pathOf(id))).text).toContain(`href="${pathOf(id, '/return')}"`)
    await applyUpdate(api(), shop, key, { status: 'lost' })
    expect((await member.get(pathOf(id))).text).not.toContain(`href="${pathOf(id, '/return')}"`)
  })
})

describe('the page of an order', () => {
  test('the page of an order shows one history of payments, refunds, shipments, events, deliveries and audit entries', async () => {
    const endpoint = await endpointOf(['order.refunded'])
    const { id } = await placeOrder(api(), shop)
    const { id: shipmentId } = await storeShipment(api(), shop, { orderId: id })
    const body = { orderId: id, amountKobo: 1000, reason: 'damaged' }
    const refund = await api().send('POST', '/api/v1/refunds', { token: shop.token, body })
    const { text } = await member.get(pathOf(id))
    const history = text.slice(text.indexOf('<ol class="timeline">'))
    expect(history).toContain(
      'Status <span class="badge waiting">pending</span> → <span class="badge active">processing',
    )
    expect(history).toContain('Payment of <span class="money">₦15,000.00</span>')
    expect(history).toContain(`/dashboard/refunds/${refund.body.id}`)
    expect(history).toContain('<code>order.refunded</code>')
    expect(history).toMatch(
      new RegExp(`Delivery</a> of <code>order.refunded</code> to <a href="/dashboard/webhooks/${endpoint}"`),
    )
    expect(history).toMatch(/<code>refund\.create<\/code><\/a> by token test from <code>127\.0\.0\.1<\/code>/)
    expect(text).toContain(`/dashboard/shipments/${shipmentId}`)
  })

  test('the history of an order describes in words an actor who is not a member of the shop, such as the operator of the service', async () => {
    const { id } = await placeOrder(api(), shop)
    const change = `insert into order_status_changes
      (merchant_id, order_id, version, from_status, to_status, actor_type, occurred_at)
      values ($1, $2, 99, 'processing', 'on_hold', 'operator', $3)`
    await select(api(), change, [shop.merchantId, id, new Date(api().clock.nowMs())])
    expect((await member.get(pathOf(id))).text).toContain('by the operator of the service.')
  })

  test('the page of an order shows a webhook delivery even if its id is the highest possible delivery id of its event', async () => {
    const endpoint = await endpointOf(['order.refunded'])
    const { id } = await placeOrder(api(), shop)
    const body = { orderId: id, amountKobo: 1000, reason: 'damaged' }
    await api().send('POST', '/api/v1/refunds', { token: shop.token, body })
    await api().database.pool.query(
      `update webhook_deliveries set id = left(id, 22) || 'zzzzzzzz' where merchant_id = $1 and endpoint_id = $2`,
      [shop.merchantId, endpoint],
    )
    const { text } = await member.get(pathOf(id))
    expect(text).toContain(`of <code>order.refunded</code> to <a href="/dashboard/webhooks/${endpoint}"`)
  })

  test('the page of an order shows a failed webhook delivery as held if the endpoint is disabled, and as retrying if an attempt is left', async () => {
    const endpoint = await endpointOf(['order.created', 'order.refunded'])
    const { id } = await placeOrder(api(), shop)
    const body = { orderId: id, amountKobo: 1000, reason: 'damaged' }
    await api().send('POST', '/api/v1/refunds', { token: shop.token, body })
    const set = (kind: string, values: string) =>
      api().database.pool.query(
        `update webhook_deliveries delivery set ${values} from webhook_events event
        where event.merchant_id = delivery.merchant_id and event.id = delivery.event_id
          and delivery.merchant_id = $1 and delivery.endpoint_id = $2 and event.kind = $3`,
        [shop.merchantId, endpoint, kind],
      )
    await set('order.created', `status = 'held', attempt_count = 6, next_attempt_at = null`)
    await set('order.refunded', `status = 'failed', attempt_count = 1`)
    const { text } = await member.get(pathOf(id))
    const statuses = [...text.matchAll(/to <a href="\/dashboard\/webhooks\/[^:]*: (.*?) after (\d) attempt/g)]
    expect(statuses.map(([, shown = '', count]) => [shown.replaceAll(/<[^>]*>/g, ''), count]).toSorted()).toEqual([
      ['failed held', '6'],
      ['retrying', '1'],
    ])
  })

  test('the page of an unknown order or of another merchant’s order returns 404', async () => {
    const other = await placeOrder(api(), await openShop(api().context))
    for (const id of [other.id, 'ord_1', 'ord_01jd3f8q6hf5n8v1zr4c7e2m9k']) {
      expect((await member.get(pathOf(id))).status).toBe(404)
    }
  })

  test('the page of an order shows the picture of an item, and the browser requests the picture from its host without a referrer', async () => {
    const { id } = await placeOrder(api(), shop)
    const url = 'https://cdn.example.com/ankara.jpg'
    await select(api(), 'update order_items set image_url = $2 where order_id = $1', [id, url])
    const { text } = await member.get(pathOf(id))
    expect(text).toMatch(new RegExp(`<img class="picture" src="${url}" alt="" [^>]*referrerpolicy="no-referrer">`))
  })

  test('the page of an order shows the amount due first, and below it only amounts that are not zero', async () => {
    const { id } = await placeOrder(api(), shop, { isPaid: false })
    const { text } = await member.get(pathOf(id))
    const ledger = text.slice(text.indexOf('<dl class="ledger">'), text.indexOf('</dl>'))
    const names = [...ledger.matchAll(/<dt>([^<]+)<\/dt>/g)].map(([, name]) => name)
    expect(names).toEqual(['Due', 'Items', 'Total'])
  })

  test('the page of an order names who changed its status', async () => {
    const { id } = await placeOrder(api(), shop)
    await member.submit(pathOf(id), pathOf(id, '/transition'), { to: 'on_hold' })
    const [session] = await select(
      api(),
      'select name from users join members on members.user_id = users.id where members.id = $1',
      [member.memberId],
    )
    expect((await member.get(pathOf(id))).text).toContain(`on hold</span> by ${session?.name}.`)
  })

  test('the history of an order names who edited it, which fields changed, and who recorded a payment', async () => {
    const { id } = await placeOrder(api(), shop, { isPaid: false })
    const page = await member.get(pathOf(id, '/edit'))
    const edit = { ...formValuesOf(page.text, pathOf(id, '/edit')), note: 'Gate code 12', intent: 'save' }
    expect((await member.post(pathOf(id, '/edit'), edit)).status).toBe(303)
    const payment = { amount: '15000', method: 'cash', reference: 'TILL-1' }
    await member.submit(pathOf(id, '/payment'), pathOf(id, '/payment'), payment)
    const { text } = await member.get(pathOf(id))
    expect(text).toContain('The order was edited by Ada Obi: note.')
    expect(text).toContain('by cash, reference <code>TILL-1</code>, recorded by Ada Obi.')
  })

  test('the page of an order offers the status transitions that the contract allows', async () => {
    const { id } = await placeOrder(api(), shop)
    const { allowedTransitions } = await orderOf(id)
    const { text } = await member.get(pathOf(id))
    expect(allowedTransitions).toEqual(['on_hold', 'shipped', 'delivered', 'cancelled'])
    for (const label of ['Put on hold', 'Set to shipped', 'Set to delivered'])
      expect(text).toContain(`>${label}</button>`)
    expect([...text.matchAll(/name="to" value="(\w+)"/g)].map(([, to]) => to)).toEqual([
      'on_hold',
      'shipped',
      'delivered',
    ])
    expect(text).toContain(`href="${pathOf(id, '/cancel')}"`)
  })
})

describe('a status transition', () => {
  test('a status transition of an order is recorded in the audit log with the member who made it', async () => {
    const { id } = await placeOrder(api(), shop)
    const done = await member.submit(pathOf(id), pathOf(id, '/transition'), { to: 'shipped' })
    expect([done.status, done.location]).toEqual([303, `${pathOf(id)}?done=orders.id.transition`])
    expect(await orderOf(id)).toMatchObject({ status: 'shipped' })
    const [entry] = await select(
      api(),
      "select actor_type, actor_id, source_ip from audit_log where resource_id = $1 and action = 'order.transition'",
      [id],
    )
    expect(entry).toEqual({ actor_type: 'member', actor_id: member.memberId, source_ip: '127.0.0.1' })
    expect((await member.get(done.location ?? '')).text).toContain('The status of the order was changed.')
  })

  test('the form of a status transition offers reasons in words, and rejects a reason that is not in its list', async () => {
    const { id } = await placeOrder(api(), shop)
    const form = pathOf(id, '/transition')
    expect((await member.get(form)).text).toContain(
      '<option value="handed_to_rider">The parcel was handed to a rider</option>',
    )
    const refused = await member.submit(form, form, { to: 'shipped', reason: 'other words' })
    expect([refused.status, refused.text.includes('Choose a reason from the list.')]).toEqual([422, true])
    expect((await member.submit(form, form, { to: 'shipped', reason: 'handed_to_rider' })).status).toBe(303)
    expect((await member.get(pathOf(id))).text).toContain('(handed to rider)')
  })

  test('a status transition from a stale page is refused, and the form is shown again with the order’s current version', async () => {
    const { id } = await placeOrder(api(), shop)
    const { version } = await orderOf(id)
    await api().send('PATCH', `/api/v1/orders/${id}`, { token: shop.token, body: { note: 'changed' } })
    const stale = { to: 'shipped', version: String(version) }
    const refused = await member.submit(pathOf(id), pathOf(id, '/transition'), stale)
    expect(refused.status).toBe(422)
    expect(refused.text).toContain('role="alert"')
    expect(refused.text).toContain(`name="version" value="${version + 1}"`)
    expect(await orderOf(id)).toMatchObject({ status: 'processing', version: version + 1 })
  })

  test('the status transition of an order to `returned` restocks the chosen items', async () => {
    const order = await placeOrder(api(), shop)
    await member.submit(pathOf(order.id), pathOf(order.id, '/transition'), { to: 'delivered' })
    const [item] = order.items
    const page = pathOf(order.id, '/transition?to=returned')
    const done = await member.submit(page, pathOf(order.id, '/transition'), {
      to: 'returned',
      restock: item?.id ?? '',
    })
    expect(done.status).toBe(303)
    const rows = await select(
      api(),
      "select reason from stock_movements where order_id = $1 and reason = 'order_returned'",
      [order.id],
    )
    expect(rows).toHaveLength(1)
  })
})

describe('a cancellation of an order', () => {
  test('the cancellation form cancels the order, and stores the entered reason and note', async () => {
    const { id } = await placeOrder(api(), shop)
    const form = { reason: 'fraud', note: 'Card was stolen.' }
    const done = await member.submit(pathOf(id, '/cancel'), pathOf(id, '/cancel'), form)
    expect([done.status, done.location]).toEqual([303, `${pathOf(id)}?done=orders.id.cancel`])
    expect(await orderOf(id)).toMatchObject({
      status: 'cancelled',
      cancelReason: 'fraud',
      cancelNote: 'Card was stolen.',
    })
  })

  test('a cancellation of an order from a stale page or without a reason changes nothing', async () => {
    const { id } = await placeOrder(api(), shop)
    for (const form of [{ reason: 'fraud', version: '1' }, { reason: 'expired' }]) {
      const refused = await member.submit(pathOf(id, '/cancel'), pathOf(id, '/cancel'), form)
      expect(refused.status).toBe(422)
    }
    expect(await orderOf(id)).toMatchObject({ status: 'processing' })
  })
})

describe('the links for the buyer of an order', () => {
  test('the page of an order shows its receipt number, and links for the buyer that can be copied or sent by WhatsApp', async () => {
    const customer = { name: 'Adaeze Okafor', email: 'adaeze@example.com', phone: '+2348031234567' }
    const { id, number } = await placeOrder(api(), shop, { body: { customer } })
    const { receiptUrl, trackingUrl } = await linksOf(api(), shop, id)
    const { text } = await member.get(pathOf(id))
    expect(text).toContain('<dt>Receipt number</dt><dd>1</dd>')
    for (const [label, url] of [
      ['Receipt for your order', receiptUrl],
      ['Track your order', trackingUrl],
    ]) {
      expect(text).toContain(`<code data-copy>${url}</code>`)
      const query = new URLSearchParams({ text: `${label} ${number}: ${url}` })
      expect(text).toContain(`href="https://wa.me/2348031234567?${query}"`)
    }
  })

  test('the page of an unpaid order shows the link to the tracking page, but no link to a receipt', async () => {
    const { id } = await placeOrder(api(), shop, { isPaid: false })
    const { trackingUrl } = await linksOf(api(), shop, id)
    const { text } = await member.get(pathOf(id))
    expect(text).toContain(`<code data-copy>${trackingUrl}</code>`)
    expect(text).not.toMatch(/\/receipts\/|Receipt number/)
  })
})

test('a member with the viewer role sees orders without actions, and every form that the member submits is refused', async () => {
  const viewer = await signedIn(api(), shop.merchantId, 'viewer')
  const { id } = await placeOrder(api(), shop)
  const page = await viewer.get(pathOf(id))
  expect(page.status).toBe(200)
  expect(page.text).not.toContain(pathOf(id, '/'))
  const { csrf = '' } = /name="csrf" value="(?<csrf>[^"]+)"/.exec(page.text)?.groups ?? {}
  for (const action of ['/transition', '/cancel', '/payment', '/payment-link', '/refund']) {
    expect((await viewer.get(pathOf(id, action))).status).toBe(403)
    const form = { csrf, form: 'frm_01jd3f8q6hf5n8v1zr4c7e2m9k', to: 'shipped', reason: 'fraud', amount: '1' }
    const refused = await viewer.post(pathOf(id, action), form)
    expect([refused.status, refused.text.includes('lacks the permission')]).toEqual([403, true])
  }
  expect(await orderOf(id)).toMatchObject({ status: 'processing', refundedKobo: 0 })
})
