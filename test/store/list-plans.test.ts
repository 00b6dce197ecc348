import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { EventId, type MerchantId, OrderId } from '../../registry/values/vocabulary.ts'
import { fillAuditLog, fillDeliveries } from '../../scripts/bench/list-rows.ts'
import { buffersOf } from '../../scripts/bench/plan.ts'
import { createMerchant } from '../../src/access/create-merchant.ts'
import { systemClock, toTimestamp } from '../../src/base/clock.ts'
import { auditQuery } from '../../src/store/audit/audit-list.ts'
import { pageArgs } from '../../src/store/core/page.ts'
import { orderComments } from '../../src/store/orders/order-comments.ts'
import { paymentQuery } from '../../src/store/orders/payments.ts'
import { refundQuery } from '../../src/store/refunds/refunds.ts'
import { deliveryQuery, listDeliveries } from '../../src/store/webhooks/delivery-list.ts'
import { asOwner, useDatabase } from '../support/database.ts'
import { operator } from '../support/shop.ts'
import { auditCases, deliveryCases, pageLimit } from './list-cases.ts'

/**
 * Tests that, with any filter, the query for a page of a long list reads an index and a limited number of buffers, far
 * fewer than the table has.
 */

const opened = useDatabase()

const count = 20_000
const untilMs = systemClock.nowMs()

let merchantId: MerchantId
let client: pg.Client
beforeAll(async () => {
  const { database, connectionString } = opened()
  const context = { database, clock: systemClock, nudge: () => undefined }
  merchantId = (await createMerchant(context, operator, 'Adire Lagos')).id
  client = new pg.Client({ connectionString })
  await client.connect()
  await fillAuditLog(client, { merchantId, count, untilMs })
  await fillDeliveries(client, { merchantId, count, untilMs })
  await asOwner(opened(), 'vacuum analyze audit_log, audit_resources, webhook_events, webhook_deliveries')
})
afterAll(() => client.end())

/**
 * Maximum number of buffers that a page reads. Each row needs up to four buffers, for the row, its index entry and its
 * token.
 */
const buffersMax = 4 * pageLimit

describe('queries of the audit log', () => {
  test.for(auditCases(untilMs))('the query of the audit log for $name uses its index', async ({ filter, index }) => {
    const query = await auditQuery(opened().database, { ...filter, merchantId, limit: pageLimit })
    // Executes the statement with a custom and with a generic plan. For a generic plan, PostgreSQL plans without the
    // parameter values, as it does after the first executions of a prepared statement.
    for (const mode of ['force_custom_plan', 'force_generic_plan']) {
      await client.query(`set plan_cache_mode = ${mode}`)
      const { buffers, indexes, scanned } = await buffersOf(client, query)
      expect(scanned).not.toContain('audit_log')
      expect(indexes).toContain(index)
      expect(buffers).toBeLessThan(buffersMax)
    }
  })

  test('the query for a group of actions in the audit log reads no rows of other actions', async () => {
    const group = await auditQuery(opened().database, { merchantId, limit: pageLimit, action: 'order' })
    expect(group.args.actions).toEqual(['order', 'order.update'])
  })
})

describe('queries of the webhook delivery list', () => {
  /**
   * Maximum number of buffers that a page reads: three for each delivery, three for each event, three for each search
   * for an attempt, and a few for each index.
   */
  const deliveryBuffersMax = 16 * pageLimit

  const eventId = async () => {
    const [, delivery] = await listDeliveries(opened().database, { merchantId, limit: 2 })
    return EventId.parse(delivery?.eventId)
  }

  test.for(
    deliveryCases(untilMs, EventId.parse(`evt_${'0'.repeat(26)}`)),
  )('the query of the webhook delivery list for $name uses its index', async ({ filter, index }) => {
    const ofEvent = filter.eventId === undefined ? {} : { eventId: await eventId() }
    const query = deliveryQuery({ ...filter, ...ofEvent, merchantId, limit: pageLimit })
    for (const mode of ['force_custom_plan', 'force_generic_plan']) {
      await client.query(`set plan_cache_mode = ${mode}`)
      const { buffers, indexes, scanned } = await buffersOf(client, query)
      expect(scanned).not.toContain('webhook_deliveries_default')
      expect(scanned).not.toContain('webhook_events_default')
      expect(indexes.join(' ')).toContain(index)
      expect(buffers).toBeLessThan(deliveryBuffersMax)
    }
  })

  test('the pages of the webhook delivery list, filtered by status, contain every matching delivery exactly once', async () => {
    const { database } = opened()
    const all = await listDeliveries(database, { merchantId, limit: 100, status: 'failed' })
    expect(all).toHaveLength(20)
    const pages = []
    for (let beforeId: (typeof all)[number]['id'] | undefined, page = 0; page < 3; page++) {
      const rows = await listDeliveries(database, {
        merchantId,
        limit: 8,
        status: 'failed',
        beforeId: beforeId ?? null,
      })
      beforeId = rows.at(-1)?.id
      pages.push(rows)
    }
    expect(pages.map((rows) => rows.length)).toEqual([8, 8, 4])
    expect(pages.flat()).toEqual(all)
  })

  test('the query of the webhook delivery list finds the deliveries of an event by its id', async () => {
    const id = await eventId()
    const rows = await listDeliveries(opened().database, { merchantId, limit: 10, eventId: id })
    expect(rows).toMatchObject([{ eventId: id, kind: 'order.created' }])
  })

  test('the query of the webhook delivery list finds the deliveries of a rare event kind', async () => {
    const rows = await listDeliveries(opened().database, { merchantId, limit: 100, kind: 'order.refunded' })
    expect(rows).toHaveLength(20)
  })
})

/** Makes the planner use an index and a generic plan. Otherwise, the planner would scan and sort an empty table. */
async function preferIndexes(): Promise<void> {
  for (const method of ['seqscan', 'bitmapscan', 'sort']) await client.query(`set enable_${method} = off`)
  await client.query('set plan_cache_mode = force_generic_plan')
}

test('the query for a page of order comments reads the newest comments of the order first, from an index', async () => {
  const orderId = OrderId.parse(`ord_${'0'.repeat(26)}`)
  const page = pageArgs({ limit: pageLimit, after: { createdAt: toTimestamp(untilMs), id: '' } })
  await preferIndexes()
  const { indexes, scanned } = await buffersOf(client, {
    statement: orderComments,
    args: { merchantId, orderId, ...page },
  })
  expect(scanned).toEqual([])
  expect(indexes).toEqual(['order_comments_newest_first'])
})

describe('queries of the payment list and the refund list', () => {
  test.for([
    ['payments', paymentQuery],
    ['refunds', refundQuery],
  ] as const)('the query for a later page of %s starts at the position of that page in the index', async ([
    ,
    queryOf,
  ]) => {
    const after = { createdAt: toTimestamp(untilMs), id: '' }
    const query = queryOf(merchantId, {}, { limit: pageLimit, after })
    await preferIndexes()
    const { conditions } = await buffersOf(client, query)
    expect(conditions.filter((condition) => condition.includes('ROW(created_at, (id)::text) <'))).toHaveLength(1)
  })
})
