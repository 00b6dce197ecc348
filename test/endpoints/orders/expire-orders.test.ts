import { expect, test } from 'vitest'
import { expireOrders } from '../../../src/commerce/orders/expire-orders.ts'
import { listNotifications } from '../../../src/store/webhooks/notifications.ts'
import { useApi } from '../../support/api.ts'
import { orderAt, statusChanges } from '../../support/commerce/order-transitions.ts'
import { eventsOf, select } from '../../support/database-contents.ts'
import { openShop, placeOrder } from '../../support/shop.ts'

/** Unpaid orders expire after the expiry time that the merchant has set, and release their stock. */

const started = useApi()
const dayMs = 24 * 3_600_000

async function waiting() {
  const api = started()
  const shop = await openShop(api.context)
  const order = await orderAt(api, shop, 'pending')
  const pay = (amountKobo: number, reference: string) => {
    const body = { amountKobo, method: 'cash', reference }
    return api.send('POST', `${order.path}/payments`, { token: shop.token, body })
  }
  return { api, shop, order, pay }
}

test('an order is cancelled at the millisecond of its expiry and not before', async () => {
  const { api, shop, order } = await waiting()
  api.clock.advance(dayMs - 1)
  await expireOrders(api.context)
  expect((await order.read()).status).toBe('pending')
  api.clock.advance(1)
  await expireOrders(api.context)
  expect(await order.read()).toMatchObject({ status: 'cancelled', cancelReason: 'expired', expiresAt: null })
  expect(await order.stock()).toEqual({ onHand: 10, reserved: 0 })
  expect(await statusChanges(api, order.id)).toMatchObject([{ to: 'cancelled', reason: 'expired', actor: 'system' }])
  const [emitted] = await eventsOf(api, shop.merchantId, 'order.status_changed')
  expect(emitted.data).toMatchObject({ from: 'pending', to: 'cancelled', reason: 'expired', actor: { type: 'system' } })
  const audits = await select(
    api,
    "select actor_type, source_ip, resource_id from audit_log where merchant_id = $1 and action = 'order.expire'",
    [shop.merchantId],
  )
  expect(audits).toEqual([{ actor_type: 'system', source_ip: null, resource_id: order.id }])
})

test('a second run of the order expiry changes nothing', async () => {
  const { api, order } = await waiting()
  api.clock.advance(dayMs)
  await expireOrders(api.context)
  const before = await order.read()
  expect(await expireOrders(api.context)).toEqual({ cancelled: 0, failures: [] })
  expect(await order.read()).toEqual(before)
})

test('a partially paid order raises one notification at its expiry, and keeps its reserved units', async () => {
  const { api, shop, order, pay } = await waiting()
  await pay(1, 'a part')
  const { expiresAt } = await order.read()
  expect(expiresAt).not.toBeNull()
  const notifications = () => listNotifications(api.database, { merchantId: shop.merchantId, limit: 10 })
  expect(await notifications()).toEqual([])
  api.clock.advance(dayMs)
  for (let time = 0; time < 2; time++) {
    expect(await expireOrders(api.context)).toEqual({ cancelled: 0, failures: [] })
  }
  expect(await order.read()).toMatchObject({ status: 'pending', paymentStatus: 'partially_paid', expiresAt: null })
  expect(await order.stock()).toEqual({ onHand: 10, reserved: 3 })
  expect(await notifications()).toMatchObject([
    { kind: 'order.partly_paid', data: { orderId: order.id, amountKobo: 1 }, resolvedAt: null },
  ])
})

test.for([
  ['paid in full', 'payments', { method: 'cash', reference: 'the rest' }],
  ['cancelled', 'cancel', { reason: 'customer' }],
] as const)('the notification of an expired, partially paid order is resolved when the order is %s', async ([
  ,
  path,
  body,
]) => {
  const { api, shop, order, pay } = await waiting()
  await pay(1, 'a part')
  api.clock.advance(dayMs)
  await expireOrders(api.context)
  const { balanceKobo } = await order.read()
  const more = path === 'payments' ? { amountKobo: balanceKobo } : {}
  await api.send('POST', `${order.path}/${path}`, { token: shop.token, body: { ...body, ...more } })
  const rows = await listNotifications(api.database, { merchantId: shop.merchantId, limit: 10 })
  expect(rows.find(({ kind }) => kind === 'order.partly_paid')?.resolvedAt).toBe(
    new Date(api.clock.nowMs()).toISOString(),
  )
})

test('an order whose partial payment was fully refunded can expire', async () => {
  const { api, shop, order, pay } = await waiting()
  await pay(1, 'a part')
  const body = { orderId: order.id, amountKobo: 1, reason: 'customer_request' }
  await api.send('POST', '/api/v1/refunds', { token: shop.token, body })
  api.clock.advance(dayMs)
  expect(await expireOrders(api.context)).toEqual({ cancelled: 1, failures: [] })
  expect(await order.read()).toMatchObject({ status: 'cancelled', cancelReason: 'expired' })
})

test('an order on hold does not expire', async () => {
  const { api, order } = await waiting()
  await order.move('on_hold')
  api.clock.advance(dayMs)
  await expireOrders(api.context)
  expect((await order.read()).status).toBe('on_hold')
})

test('orders never expire when the merchant’s expiry time is null', async () => {
  const api = started()
  const shop = await openShop(api.context)
  await select(api, 'update merchants set pending_order_ttl_minutes = null where id = $1', [shop.merchantId])
  expect(await placeOrder(api, shop, { isPaid: false })).toMatchObject({ expiresAt: null })
})

test('the order expiry handles several batches, and each concurrent payment either confirms its order or arrives after the expiry', async () => {
  const api = started()
  const shop = await openShop(api.context)
  const orders: Awaited<ReturnType<typeof placeOrder>>[] = []
  // The test creates as many orders at the same time as the merchant has database connections. Further requests would
  // wait in a queue, which has a time limit.
  while (orders.length < 130) {
    const placed = Array.from({ length: 8 }, () => placeOrder(api, shop, { isPaid: false }))
    orders.push(...(await Promise.all(placed)))
  }
  api.clock.advance(dayMs)
  const pays = orders.slice(0, 30).map(({ id, totalKobo }) => {
    const body = { amountKobo: totalKobo, method: 'cash', reference: `late-${id}` }
    return api.send('POST', `/api/v1/orders/${id}/payments`, { token: shop.token, body })
  })
  const [{ cancelled }, ...paid] = await Promise.all([expireOrders(api.context), ...pays])
  const confirmed = paid.filter(({ body }) => body.order.status === 'processing').length
  expect(cancelled + confirmed).toBe(orders.length)
  const rows = await select(
    api,
    `select status, count(*)::int from orders where merchant_id = $1 group by status order by status`,
    [shop.merchantId],
  )
  expect(rows).toEqual(
    [
      { status: 'cancelled', count: cancelled },
      { status: 'processing', count: confirmed },
    ].filter(({ count }) => count > 0),
  )
})

test('if the expiry of an order fails, expireOrders returns the failure and still cancels other expired orders', async () => {
  const { api, shop, order } = await waiting()
  const next = await placeOrder(api, await openShop(api.context), { isPaid: false })
  // Without the order's stock reservation, the service cannot release the stock, and the expiry fails.
  await select(api, 'update inventory set reserved = 0 where variant_id = $1', [order.variantId])
  api.clock.advance(dayMs)
  const { cancelled, failures } = await expireOrders(api.context)
  expect(failures).toMatchObject([{ orderId: order.id, error: { constraint: 'inventory_reserved_is_not_negative' } }])
  expect(cancelled).toBe(1)
  const rows = await select(api, 'select id, status from orders where id = any($1)', [[order.id, next.id]])
  expect(new Map(rows.map(({ id, status }) => [id, status]))).toEqual(
    new Map([
      [order.id, 'pending'],
      [next.id, 'cancelled'],
    ]),
  )
  await select(api, 'update inventory set reserved = 3 where variant_id = $1', [order.variantId])
  expect(await expireOrders(api.context)).toEqual({ cancelled: 1, failures: [] })
  expect((await eventsOf(api, shop.merchantId, 'order.status_changed')).length).toBe(1)
})
