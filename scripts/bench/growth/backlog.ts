import type pg from 'pg'
import type { EndpointId, MerchantId } from '../../../registry/values/vocabulary.ts'
import { base32Of, rowsPerInsert } from '../list-rows.ts'

/** A backlog of due deliveries of one endpoint, which is inserted in bulk. */
export interface Backlog {
  readonly merchantId: MerchantId
  readonly endpointId: EndpointId
  readonly count: number
  readonly trigger: 'automatic' | 'test'
  /** The time at which the last delivery is due. Each of the others is due a millisecond before the next. */
  readonly untilMs: number
}

/**
 * Queues deliveries of one event, half of them throttled. The rows are inserted even if the endpoint is disabled: an
 * endpoint has such a backlog between its disabling and the sweeps that hold its deliveries.
 */
export async function queueBacklog(client: pg.Client, backlog: Backlog): Promise<void> {
  const { merchantId, endpointId, count, trigger, untilMs } = backlog
  for (let first = 0; first < count; first += rowsPerInsert) {
    const last = Math.min(first + rowsPerInsert, count) - 1
    await client.query(eventText, [merchantId, endpointId, untilMs - first])
    await client.query(deliveriesText, [merchantId, endpointId, untilMs - first, last - first, trigger])
  }
}

/** The end of the endpoint's id, as a suffix of their ids, makes the ids of its deliveries unique. */
const suffixOf = (ms: string) => `${base32Of(ms)} || right($2, 16)`

const eventText = `
  insert into webhook_events (merchant_id, id, kind, resource_id, body, created_at)
  select $1, 'evt_' || ${suffixOf('$3::bigint')}, 'order.created', 'ord_backlog', '{}', to_timestamp($3::bigint / 1000.0)`

const deliveriesText = `
  insert into webhook_deliveries (
    merchant_id, id, event_id, endpoint_id, status, trigger, next_attempt_at, is_paced, created_at
  )
  select
    $1, 'dlv_' || ${suffixOf('ms')}, 'evt_' || ${suffixOf('$3::bigint')}, $2, 'pending', $5,
    to_timestamp(ms / 1000.0), ms % 2 = 0, to_timestamp(ms / 1000.0)
  from (select $3::bigint - number as ms from generate_series(0, $4::bigint) as number) as due`
