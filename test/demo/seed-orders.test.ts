import { expect, test } from 'vitest'
import { events } from '../../registry/webhooks/webhooks.ts'
import { createMerchant } from '../../src/access/create-merchant.ts'
import { stoppedClock } from '../../src/base/clock.ts'
import { newEndpointId } from '../../src/base/records.ts'
import { seedOrders } from '../../src/demo/seed-orders.ts'
import { listAudit } from '../../src/store/audit/audit-list.ts'
import type { Tenant } from '../../src/store/core/mutation.ts'
import { useDatabase } from '../support/database.ts'

const opened = useDatabase()
const operator = {
  type: 'operator',
  id: null,
  label: 'cli',
  sessionId: null,
  sourceIp: null,
  requestId: null,
  userAgent: null,
} as const
const nowMs = Date.parse('2026-11-21T09:00:00.000Z')

test('seeding creates 2,000 orders that satisfy the database constraints and can be listed page by page', async () => {
  const { context, tenant } = await newShop()
  const outcome = await seedOrders(context, operator, tenant, { orders: 2_000 })
  expect(outcome).toEqual({ is: 'seeded', orders: 2_000, products: 24, events: 0 })
  const seen = new Set<string>()
  let last = { created_at: '9999-01-01', id: 'z' }
  for (;;) {
    const page = await rows<{ id: string; created_at: string }>(
      `select id, created_at::text from orders where merchant_id = $1 and (created_at, id) < ($2, $3)
       order by created_at desc, id desc limit 100`,
      [tenant.merchantId, last.created_at, last.id],
    )
    for (const row of page) seen.add(row.id)
    const end = page.at(-1)
    if (end === undefined) break
    last = end
  }
  expect(seen.size).toBe(2_000)
})

test('seeding creates orders in every order status and payment status (paid, unpaid, partially paid)', async () => {
  const { context, tenant } = await newShop()
  await seedOrders(context, operator, tenant, { orders: 600 })
  const kinds = await rows<{ status: string; payment_status: string }>(
    'select distinct status, payment_status from orders where merchant_id = $1',
    [tenant.merchantId],
  )
  const states = ['pending', 'on_hold', 'processing', 'shipped', 'delivered', 'returned', 'cancelled'].sort()
  expect([...new Set(kinds.map((kind) => kind.status))].sort()).toEqual(states)
  expect(kinds.map((kind) => kind.payment_status)).toEqual(expect.arrayContaining(['paid', 'unpaid', 'partially_paid']))
})

test('the amounts and quantities of seeded orders equal the sums of their items and payments', async () => {
  const { context, tenant } = await newShop()
  await seedOrders(context, operator, tenant, { orders: 300 })
  const wrong = await rows(
    `select orders.id from orders
     join lateral (select sum(total_kobo) total, sum(quantity - cancelled_quantity) asked, sum(fulfilled_quantity) sent
       from order_items item where item.merchant_id = orders.merchant_id and item.order_id = orders.id) item on true
     join lateral (select coalesce(sum(amount_kobo), 0) paid from payments
       where payments.merchant_id = orders.merchant_id and payments.order_id = orders.id) payment on true
     join lateral (select max(version) last from order_status_changes change
       where change.merchant_id = orders.merchant_id and change.order_id = orders.id) change on true
     where merchant_id = $1 and (item.total + shipping_kobo <> total_kobo or item.asked <> item_quantity
       or item.sent <> fulfilled_quantity or payment.paid <> paid_kobo or change.last > version
       or (paid_at is null) = (paid_kobo >= total_kobo) or customer_id is null)`,
    [tenant.merchantId],
  )
  expect(wrong).toEqual([])
})

test('seeded inventory equals the sum of its movements, and each movement starts from the quantities after the previous movement', async () => {
  const { context, tenant } = await newShop()
  await seedOrders(context, operator, tenant, { orders: 400 })
  await seedOrders({ ...context, clock: stoppedClock(nowMs + 1_000) }, operator, tenant, { orders: 300 })
  const wrongSums = await rows(
    `select variant_id from inventory join (
       select variant_id, sum(on_hand_delta) on_hand, sum(reserved_delta) reserved
       from stock_movements where merchant_id = $1 group by variant_id
     ) ledger using (variant_id)
     where merchant_id = $1 and (ledger.on_hand <> inventory.on_hand or ledger.reserved <> inventory.reserved)`,
    [tenant.merchantId],
  )
  expect(wrongSums).toEqual([])
  const wrongSteps = await rows(
    `select id from (
       select id, on_hand, reserved, coalesce(lag(on_hand) over ledger, 0) + on_hand_delta as on_hand_due,
         coalesce(lag(reserved) over ledger, 0) + reserved_delta as reserved_due
       from stock_movements where merchant_id = $1 window ledger as (partition by variant_id order by id)
     ) step where on_hand <> on_hand_due or reserved <> reserved_due or on_hand < 0 or reserved < 0`,
    [tenant.merchantId],
  )
  expect(wrongSteps).toEqual([])
  const [promised] = await rows<{ owed: string; reserved: string }>(
    `select (select sum(reserved) from inventory where merchant_id = $1) as reserved,
       sum(item.quantity) as owed from orders join order_items item on item.merchant_id = orders.merchant_id
       and item.order_id = orders.id where orders.merchant_id = $1 and status in ('pending', 'on_hold', 'processing')`,
    [tenant.merchantId],
  )
  expect(promised?.reserved).toBe(promised?.owed)
})

test('seeding with the same random seed creates the same orders for another merchant, and a second run creates further orders', async () => {
  const [first, second] = [await newShop(), await newShop()]
  await seedOrders(first.context, operator, first.tenant, { orders: 50, seed: 'lagos' })
  await seedOrders(second.context, operator, second.tenant, { orders: 50, seed: 'lagos' })
  const facesOf = (tenant: Tenant) =>
    rows(
      `select number, status, customer_name, total_kobo, paid_kobo, created_at::text
       from orders where merchant_id = $1 order by created_at, number`,
      [tenant.merchantId],
    )
  expect(await facesOf(second.tenant)).toEqual(await facesOf(first.tenant))
  await seedOrders(first.context, operator, first.tenant, { orders: 50, seed: 'lagos' })
  expect(await facesOf(first.tenant)).toHaveLength(100)
})

test('seeding continues when a real order has the number of a demo order', async () => {
  const [taken, tenantWith] = [await newShop(), await newShop()]
  await seedOrders(taken.context, operator, taken.tenant, { orders: 3, seed: 'clash' })
  await seedOrders(tenantWith.context, operator, tenantWith.tenant, { orders: 3, seed: 'clash' })
  // Changes the demo orders to real orders: they keep their numbers and lose the references by which the service
  // recognises demo orders.
  await rows('update orders set external_reference = null where merchant_id = $1', [taken.tenant.merchantId])
  await rows('delete from payments where merchant_id = $1', [taken.tenant.merchantId])
  const seed = { orders: 3, seed: 'other' }
  expect(await seedOrders(taken.context, operator, taken.tenant, seed)).toMatchObject({ is: 'seeded', orders: 3 })
})

test('seeding writes one audit row per batch, without personal data', async () => {
  const { context, tenant } = await newShop()
  await seedOrders(context, operator, tenant, { orders: 20 })
  const audits = await listAudit(context.database, { merchantId: tenant.merchantId, limit: 10 })
  expect(audits.filter((audit) => audit.action === 'seed.orders')).toMatchObject([
    { actorType: 'operator', changes: { orders: [0, 20], seed: [null, 'demo'] } },
  ])
})

test('seeding emits events only on request, and each event matches the contract and has a pending delivery to the merchant’s endpoint', async () => {
  const { context, tenant, nudged } = await newShop()
  await addEndpoint(tenant)
  await seedOrders(context, operator, tenant, { orders: 10 })
  const count = 'select id from webhook_events where merchant_id = $1'
  expect(await rows(count, [tenant.merchantId])).toHaveLength(0)
  await seedOrders(context, operator, tenant, { orders: 10, emitEvents: true })
  const written = await rows<{ body: string }>('select body from webhook_events where merchant_id = $1', [
    tenant.merchantId,
  ])
  expect(written).toHaveLength(10)
  for (const { body } of written) events['order.created'].envelope.parse(JSON.parse(body))
  const due = `select id from webhook_deliveries where merchant_id = $1 and status = 'pending'`
  expect(await rows(due, [tenant.merchantId])).toHaveLength(10)
  expect(nudged).toEqual([tenant.merchantId])
})

async function newShop() {
  const { database } = opened()
  const nudged: string[] = []
  const context = {
    database,
    clock: stoppedClock(nowMs),
    nudge: (merchantId: string) => {
      nudged.push(merchantId)
    },
  }
  const { id } = await createMerchant(context, operator, 'Adire Lagos')
  return { context, tenant: { merchantId: id, mode: 'live' } as const, nudged }
}

async function addEndpoint({ merchantId }: Tenant): Promise<void> {
  const id = newEndpointId(nowMs)
  await rows(
    `insert into webhook_endpoints (merchant_id, id, url, created_at, updated_at)
     values ($1, $2, 'https://example.com/hook', now(), now())`,
    [merchantId, id],
  )
  await rows(`insert into webhook_subscriptions (merchant_id, kind, endpoint_id) values ($1, 'order.created', $2)`, [
    merchantId,
    id,
  ])
}

async function rows<Row extends object>(text: string, values: readonly string[]): Promise<Row[]> {
  const { rows } = await opened().database.pool.query<Row>(text, [...values])
  return rows
}
