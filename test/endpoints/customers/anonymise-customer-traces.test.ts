import { expect, test } from 'vitest'
import { createWebhookEndpoint } from '../../../src/access/create-webhook-endpoint.ts'
import { replayDelivery } from '../../../src/access/replay-delivery.ts'
import { newDiscountId, newRefundId } from '../../../src/base/records.ts'
import { type ReplyBody, type TestApi, useApi, vault } from '../../support/api.ts'
import { createdCustomer, customersPath } from '../../support/commerce/customer.ts'
import { moveOrderTo } from '../../support/commerce/order-transitions.ts'
import { faultsOfValue } from '../../support/contract/document.ts'
import { asSuperuser, eventsOf, select } from '../../support/database-contents.ts'
import { dumpOf } from '../../support/database-dump.ts'
import { openShop, operator, orderBody, type Shop, stockVariant } from '../../support/shop.ts'

/**
 * Checks the anonymisation of a customer in a dump of the whole database, not only in the response of the operation.
 */

const started = useApi()

const person = {
  name: 'Zuwena Ityavyar',
  email: 'Zuwena.Ityavyar@example.com',
  phone: '+2348039876543',
  street: '9 Wurukum Close',
  account: '2093847561',
}
const traces = [/zuwena/i, /ityavyar/i, /8039876543/, /wurukum/i, /2093847561/, /crm-zu/, /7\.7337/]

const address = {
  recipientName: person.name,
  phone: person.phone,
  line1: person.street,
  line2: 'Behind Wurukum mill',
  landmark: 'Wurukum roundabout',
  area: 'Wurukum',
  city: 'Makurdi',
  state: 'Benue',
  postalCode: '970101',
  instructions: `Ask for ${person.name}.`,
  latitude: 7.7337,
  longitude: 8.5392,
}

/**
 * Subscribes the merchant to order events. Creates a customer whose name is in every field that can contain it, and two
 * orders.
 */
async function createTraces(api: TestApi, shop: Shop): Promise<{ id: string; orderIds: string[] }> {
  const policy = { allowsLoopback: true }
  const kinds = ['order.created', 'order.status_changed', 'order.refunded'] as const
  const request = { url: 'http://127.0.0.1:9/hooks', kinds }
  const endpoint = await createWebhookEndpoint({ ...api.context, policy, vault }, operator, shop.tenant, request)
  expect(endpoint.is).toBe('created')
  const { name, email, phone } = person
  const free = { note: `About ${name}.`, tags: [person.street], metadata: { who: name } }
  const reference = { externalReference: 'crm-zu' }
  const customer = await createdCustomer(api, shop, { name, email, phone, addresses: [address], ...free, ...reference })
  const ways = [{ customerId: customer.id }, { customer: { name, email: email.toLowerCase(), phone } }]
  const orderIds = []
  for (const way of ways) orderIds.push(await order(api, shop, { customer: undefined, ...way, ...free }))
  return { id: customer.id, orderIds }
}

/** Creates an order that is paid, partly refunded and delivered, with the events of all these changes. */
async function order(api: TestApi, shop: Shop, more: object): Promise<string> {
  const { variantId } = await stockVariant(api, shop.merchantId)
  await select(api, 'update product_variants set option_values = \'{"note": "Citrus"}\' where id = $1', [variantId])
  const customerNote = `I am ${person.name}.`
  const body = orderBody(variantId, { shippingAddress: address, billingAddress: address, customerNote, ...more })
  const send = async (path: string, sent: object, headers = {}) => {
    const reply = await api.send('POST', path, { token: shop.token, body: sent, headers })
    expect(reply.status, reply.text).toBe(201)
    return reply.body
  }
  const { id, totalKobo } = await send('/api/v1/orders', body)
  await send(`/api/v1/orders/${id}/payments`, { amountKobo: totalKobo, method: 'cash', reference: `cash-${id}` })
  const refund = { orderId: id, amountKobo: 1000, reason: 'damaged', note: `${person.name} was sad.` }
  await send('/api/v1/refunds', refund, { 'Idempotency-Key': `refund-${id}` })
  await insertRows(api, shop, id)
  await moveOrderTo(api, shop, id, 'delivered')
  return id
}

/**
 * Inserts a failed refund to a bank account and a discount redemption, because both contain personal data of the
 * customer.
 */
async function insertRows(api: TestApi, { merchantId }: Shop, orderId: string): Promise<void> {
  const nowMs = api.clock.nowMs()
  await select(
    api,
    `insert into refunds (
       merchant_id, id, order_id, amount_kobo, reason, status, destination, account_number, bank_code, account_name,
       provider, failure_message, metadata, order_refunded_kobo, order_refundable_kobo, order_payment_status,
       created_by_type, failed_at, created_at, updated_at
     ) values ($1, $2, $3, 500, 'damaged', 'failed', 'bank_account', $4, '058', $5, 'manual',
       'No account of ' || $5, jsonb_build_object('who', $5::text), 0, 0, 'paid', 'system', now(), now(), now())`,
    [merchantId, newRefundId(nowMs), orderId, person.account, person.name],
  )
  const discountId = newDiscountId(nowMs)
  await select(
    api,
    `insert into discounts (merchant_id, id, title, type, amount_kobo, starts_at, created_at, updated_at)
     values ($1, $2, 'Welcome', 'fixed_amount', 100, now(), now(), now())`,
    [merchantId, discountId],
  )
  await select(
    api,
    `insert into discount_redemptions (
       merchant_id, id, discount_id, order_id, amount_kobo, customer_email, customer_phone, created_at
     ) values ($1, 'red_' || $2::text, $2, $3, 100, $4, $5, now())`,
    [merchantId, discountId, orderId, person.email.toLowerCase(), person.phone],
  )
}

/**
 * Replays each webhook delivery. The receiver returns the event body, so that the service stores it as the response.
 */
async function echoDeliveries(api: TestApi, { tenant, merchantId }: Shop): Promise<void> {
  const deliveries = await select(api, 'select id from webhook_deliveries where merchant_id = $1', [merchantId])
  expect(deliveries.length).toBeGreaterThan(0)
  for (const { id } of deliveries) await replayDelivery(api.context, operator, tenant, id)
  await select(
    api,
    `insert into webhook_attempts (
       merchant_id, delivery_id, number, started_at, finished_at, outcome, http_status, response_body, duration_ms, url,
       endpoint_epoch
     )
     select delivery.merchant_id, delivery.id, 1, now(), now(), 'succeeded', 200, left(event.body, 4096), 1,
       'http://127.0.0.1:9/hooks', 1
     from webhook_deliveries delivery
     join webhook_events event on event.merchant_id = delivery.merchant_id and event.id = delivery.event_id
     where delivery.merchant_id = $1`,
    [merchantId],
  )
}

async function anonymise(api: TestApi, shop: Shop, id: string): Promise<ReplyBody> {
  const reply = await api.send('POST', `${customersPath}/${id}/anonymise`, { token: shop.token })
  expect(reply.status, reply.text).toBe(200)
  return reply.body
}

test('anonymiseCustomer removes the name, e-mail address, phone, street and bank account from every table', async () => {
  const api = started()
  const shop = await openShop(api.context)
  const { id } = await createTraces(api, shop)
  await echoDeliveries(api, shop)
  const before = await dumpOf(api)
  for (const trace of traces) expect(before).toMatch(trace)
  await anonymise(api, shop, id)
  const left = (await dumpOf(api)).split('\n')
  for (const trace of traces) expect(left.filter((row) => trace.test(row))).toEqual([])
})

test('anonymiseCustomer keeps the ids, the field order and the non-personal fields of events', async () => {
  const api = started()
  const shop = await openShop(api.context)
  const { id, orderIds } = await createTraces(api, shop)
  const before = await eventsOf(api, shop.merchantId, 'order.created')
  const { email } = await anonymise(api, shop, id)
  const after = await eventsOf(api, shop.merchantId, 'order.created')
  expect(after.map((event) => event.data.order.id).sort()).toEqual(orderIds.toSorted())
  for (const [index, event] of after.entries()) {
    const was = before[index]
    expect(faultsOfValue(['components', 'schemas', 'OrderCreatedEvent'], event)).toEqual([])
    expect(Object.keys(event.data.order)).toEqual(Object.keys(was.data.order))
    expect(event).toMatchObject({ id: was.id, createdAt: was.createdAt })
    expect(event.data.order).toMatchObject({
      number: was.data.order.number,
      totalKobo: was.data.order.totalKobo,
      items: was.data.order.items,
      customer: { id, name: 'Deleted customer', email, phone: null },
      shippingAddress: { line1: 'Removed', city: 'Makurdi', state: 'Benue' },
    })
  }
})

test('GET /events returns the events of an anonymised customer without personal data', async () => {
  const api = started()
  const shop = await openShop(api.context)
  const { id } = await createTraces(api, shop)
  const feed = async () => (await api.send('GET', '/api/v1/events?limit=100', { token: shop.token })).text
  const before = await feed()
  for (const trace of [/zuwena/i, /8039876543/, /wurukum/i]) expect(before).toMatch(trace)
  await anonymise(api, shop, id)
  const after = await feed()
  for (const trace of traces) expect(after).not.toMatch(trace)
  // The anonymisation itself adds an event.
  expect(JSON.parse(after).data).toHaveLength(JSON.parse(before).data.length + 1)
})

test('after an anonymisation, createRefund with an earlier Idempotency-Key returns the stored reply without the refund’s note', async () => {
  const api = started()
  const shop = await openShop(api.context)
  const { id, orderIds } = await createTraces(api, shop)
  await anonymise(api, shop, id)
  const [orderId = ''] = orderIds
  const body = { orderId, amountKobo: 1000, reason: 'damaged', note: `${person.name} was sad.` }
  const headers = { 'Idempotency-Key': `refund-${orderId}` }
  const replay = await api.send('POST', '/api/v1/refunds', { token: shop.token, body, headers })
  expect(replay.status, replay.text).toBe(201)
  expect(replay.headers.get('idempotent-replayed')).toBe('true')
  expect(replay.body).toMatchObject({ orderId, amountKobo: 1000, note: null })
})

test('anonymiseCustomer keeps every amount owed and paid', async () => {
  const api = started()
  const shop = await openShop(api.context)
  const { id } = await createTraces(api, shop)
  const amounts = () =>
    select(
      api,
      `select total_kobo, paid_kobo, refunded_kobo, 'order' as what from orders where merchant_id = $1
       union all select amount_kobo, tax_kobo, order_refunded_kobo, 'refund' from refunds where merchant_id = $1
       union all select amount_kobo, 0, 0, 'payment' from payments where merchant_id = $1
       union all select amount_kobo, 0, 0, 'redemption' from discount_redemptions where merchant_id = $1
       order by 4, 1, 2, 3`,
      [shop.merchantId],
    )
  const before = await amounts()
  await anonymise(api, shop, id)
  expect(await amounts()).toEqual(before)
})

test('anonymiseCustomer changes no other customer, not even a namesake or the same person at another merchant', async () => {
  const api = started()
  const [shop, other] = [await openShop(api.context), await openShop(api.context)]
  const { id } = await createTraces(api, shop)
  const theirs = await createTraces(api, other)
  const { variantId } = await stockVariant(api, shop.merchantId)
  const namesake = { name: person.name, email: 'namesake@example.com', phone: person.phone }
  const body = orderBody(variantId, { customer: namesake, shippingAddress: address })
  const kept = await api.send('POST', '/api/v1/orders', { token: shop.token, body })
  const read = async (token: string, path: string) => (await api.send('GET', path, { token })).body
  const paths = [
    [other.token, `${customersPath}/${theirs.id}`],
    [other.token, `/api/v1/orders/${theirs.orderIds[0]}`],
    [shop.token, `/api/v1/orders/${kept.body.id}`],
  ] as const
  const before = await Promise.all(paths.map(([token, path]) => read(token, path)))
  const events = await eventsOf(api, other.merchantId, 'order.created')
  await anonymise(api, shop, id)
  expect(await Promise.all(paths.map(([token, path]) => read(token, path)))).toEqual(before)
  expect(await eventsOf(api, other.merchantId, 'order.created')).toEqual(events)
})

test.each([
  "update webhook_attempts set outcome = 'failed', http_status = 500",
  "update webhook_attempts set response_body = 'another'",
  'update webhook_attempts set response_body = null, duration_ms = 7',
  'delete from webhook_attempts',
  'truncate webhook_attempts',
])('the database rejects any change of a webhook delivery attempt except removing its response body, even by a superuser: %s', async (change) => {
  const api = started()
  const shop = await openShop(api.context)
  await createTraces(api, shop)
  await echoDeliveries(api, shop)
  await asSuperuser(api, async (client) => {
    await expect(client.query(change)).rejects.toThrow(/webhook_attempts is append-only/)
  })
})
