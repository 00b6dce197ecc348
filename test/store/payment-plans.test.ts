import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { MerchantId } from '../../registry/values/vocabulary.ts'
import { crowd } from '../../scripts/bench/crowd.ts'
import { indexesOf, planOf, type Query, scannedTables } from '../../scripts/bench/plan.ts'
import { createMerchant } from '../../src/access/create-merchant.ts'
import { systemClock, toTimestamp } from '../../src/base/clock.ts'
import { providerCallbacks } from '../../src/store/callbacks/inboxes.ts'
import { merchantsWithRefundsDue } from '../../src/store/refunds/refund-checks.ts'
import { refundClaim } from '../../src/store/refunds/refund-claims.ts'
import { unnotifiedItems } from '../../src/store/webhooks/notifications.ts'
import { asOwner, useDatabase } from '../support/database.ts'
import { operator } from '../support/shop.ts'

/**
 * The query plans of the statements that find due payment work: no plan reads due rows of another merchant. A tenth of
 * the rows are due, and half of the due rows belong to the first merchant.
 */

const opened = useDatabase()

const callbacks = `
  insert into provider_callbacks (
    merchant_id, id, provider, body, body_hash, source_ip, request_id, received_at, next_attempt_at, outcome, processed_at
  )
  select
    merchant_id, 'clb_' || substr(id, 5), case when row % 20 < 10 then 'paystack' else 'flutterwave' end, 'body', sha256(id::bytea), '127.0.0.1', id, now() - interval '99 days',
    case when row % 10 = 0 then now() - row * interval '1 second' end,
    case when row % 10 > 0 then 'applied' end,
    case when row % 10 > 0 then now() - row * interval '5 minutes' end
  from (select merchant_id, id, row_number() over (order by id) as row from orders) as numbered`

const refunds = `
  insert into refunds (
    merchant_id, id, order_id, amount_kobo, reason, status, destination, provider, order_refunded_kobo, order_refundable_kobo,
    order_payment_status, created_by_type, succeeded_at, created_at, updated_at, next_check_at
  )
  select
    merchant_id, 'rfd_' || substr(id, 5), id, 1, 'other', 'succeeded', 'manual', 'manual', 0, 0,
    'paid', 'system', now(), now(), now(), case when row % 10 = 0 then now() - row * interval '1 second' end
  from (select merchant_id, id, row_number() over (order by id) as row from orders) as numbered`

/** Inserts a thousand notifications of one merchant. A tenth of them report a hundred payment differences each. */
const notifications = `
  insert into notifications (merchant_id, id, kind, data, created_at)
  select
    merchant_id, 'ntf_' || substr(id, 5), case when row % 10 = 0 then 'payment.differences' else 'payment.dispute_lost' end,
    case when row % 10 = 0 then jsonb_build_object('differences', (
      select jsonb_agg(jsonb_build_object('reference', numbered.id || each)) from generate_series(1, 100) each
    )) else '{}' end,
    now()
  from (
    select merchant_id, id, row_number() over (order by id) as row from orders where merchant_id = $1 limit 1000
  ) as numbered`

let merchants: MerchantId[]
let client: pg.Client
beforeAll(async () => {
  const { database, connectionString, ownerConnectionString } = opened()
  const context = { database, clock: systemClock, nudge: () => undefined }
  merchants = []
  for (let index = 0; index < 8; index++) merchants.push((await createMerchant(context, operator, `Shop ${index}`)).id)
  await crowd(ownerConnectionString, merchants, { orders: 20_000, products: 100 })
  client = new pg.Client({ connectionString })
  await client.connect()
  await client.query(callbacks)
  await client.query(refunds)
  await client.query(notifications, [merchants[0]])
  await asOwner(opened(), 'vacuum analyze provider_callbacks, refunds, notifications')
})
afterAll(() => client.end())

type Plans = Awaited<ReturnType<typeof planOf>>

/**
 * Returns the query plans for the merchant with half of the due rows, and those for a merchant whose rows come later in
 * the indexes.
 */
async function plansOf<Args>(queryOf: (merchantId: MerchantId) => Query<Args>) {
  const some = merchants.filter((_, index) => index === 0 || index === 5)
  return Promise.all(some.map((id) => planOf(client, queryOf(id))))
}

/** Returns the index conditions of a query plan, without its filter conditions. */
function conditionOf(plan: Plans, index: string) {
  return plan.find((node) => node['Index Name'] === index)?.['Index Cond']
}

describe('claims of due callbacks and refunds for one merchant', () => {
  const now = toTimestamp(systemClock.nowMs())

  test.for([
    { senders: [], areExcluded: true },
    { senders: ['flutterwave'], areExcluded: true },
    { senders: ['flutterwave'], areExcluded: false },
  ])('a claim of due payment callbacks for one merchant uses an index on that merchant: %j', async (named) => {
    const plans = await plansOf((merchantId) => ({
      statement: providerCallbacks.claim,
      args: { merchantId, now, leaseSeconds: 60, ...named },
    }))
    expect(plans.flatMap(scannedTables)).toEqual([])
    for (const plan of plans) {
      expect(conditionOf(plan, 'provider_callbacks_to_apply')).toContain('merchant_id')
      expect(plan.map((node) => node['Node Type'])).not.toContain('Sort')
    }
  })

  test('a claim of due refunds for one merchant uses an index on that merchant', async () => {
    const plans = await plansOf((merchantId) => ({ statement: refundClaim, args: { merchantId, now } }))
    for (const plan of plans) {
      expect(scannedTables(plan)).not.toContain('refunds')
      expect(conditionOf(plan, 'refunds_due_for_check')).toContain('merchant_id')
      expect(plan.map((node) => node['Node Type'])).not.toContain('Sort')
    }
  })
})

test('the queries that find merchants with due callbacks or refunds use partial indexes, which contain only unprocessed rows', async () => {
  const args = { now: toTimestamp(systemClock.nowMs()) }
  const plans = await Promise.all(
    [providerCallbacks.merchants, merchantsWithRefundsDue].map((statement) => planOf(client, { statement, args })),
  )
  expect(plans.map(indexesOf)).toEqual([['provider_callbacks_to_apply'], ['refunds_due_for_check']])
  expect(plans.flatMap(scannedTables)).toEqual([])
})

test('the query for payment callbacks that are old enough to be redacted uses an index on their age', async () => {
  const processedBefore = toTimestamp(systemClock.nowMs())
  const plan = await planOf(client, { statement: providerCallbacks.redaction.find, args: { processedBefore } })
  expect(indexesOf(plan)).toEqual(['provider_callbacks_to_redact'])
})

test('the query that compares payment discrepancies with those of earlier notifications uses a hash join', async () => {
  const items = JSON.stringify(Array.from({ length: 1000 }, (_, index) => ({ reference: `T${index}` })))
  const [merchantId] = merchants
  if (merchantId === undefined) throw new Error('No merchant was created.')
  const args = { merchantId, kind: 'payment.differences', field: 'differences', items } as const
  const plan = await planOf(client, { statement: unnotifiedItems, args })
  expect(plan.map((node) => node['Node Type'])).toContain('Hash Join')
})
