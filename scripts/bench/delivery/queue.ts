import { systemClock, toTimestamp } from '../../../src/base/clock.ts'
import type { Database } from '../../../src/store/core/database.ts'
import { pendingEvent } from '../../../src/store/core/outbox.ts'
import { type BenchMerchant, endpointsEach, order } from './merchants.ts'

/**
 * Queues webhook deliveries with one SQL statement, in the same way as mutations queue them: one delivery for each
 * endpoint of the event's merchant.
 */
export async function queueDeliveries(
  database: Database,
  merchants: readonly BenchMerchant[],
  count: number,
): Promise<void> {
  const nowMs = systemClock.nowMs()
  const moment = { nowMs, now: toTimestamp(nowMs), mode: 'live' } as const
  const rows = Array.from({ length: count / endpointsEach }, (_, index) => {
    const { id, body } = pendingEvent('order.created', order.order.id, order, moment)
    return { merchant_id: merchants[index % merchants.length]?.merchantId, id, body }
  })
  await database.pool.query(queueText, [JSON.stringify(rows), order.order.id])
}

/** Generates delivery ids in the same way as src/store/core/outbox.ts. */
const queueText = `
  with event as (
    insert into webhook_events (merchant_id, id, kind, resource_id, body, created_at)
    select merchant_id, id, 'order.created', $2, body, now()
    from json_to_recordset($1::json) as made (merchant_id text, id text, body text)
    returning merchant_id, id
  )
  insert into webhook_deliveries (merchant_id, id, event_id, endpoint_id, status, next_attempt_at, created_at)
  select
    event.merchant_id, 'dlv_' || substr(event.id, 5, 18) || substr(endpoint.id, 23, 8), event.id, endpoint.id, 'pending',
    now(), now()
  from event
  join webhook_endpoints endpoint on endpoint.merchant_id = event.merchant_id`

export async function countDeliveries(
  database: Database,
  merchants: readonly BenchMerchant[],
): Promise<Readonly<Record<string, number>>> {
  const { rows } = await database.pool.query<{ status: string; deliveries: number }>(countText, [
    merchants.map(({ merchantId }) => merchantId),
  ])
  return Object.fromEntries(rows.map(({ status, deliveries }) => [status, deliveries]))
}

const countText = `
  select status, count(*) as deliveries
  from webhook_deliveries
  where merchant_id = any($1::text[])
  group by status`
