import type pg from 'pg'
import type { EndpointId, MerchantId } from '../../../registry/values/vocabulary.ts'
import { base32Of, rowsPerInsert } from '../list-rows.ts'

/** A backlog of due deliveries of one webhook endpoint, which is inserted in bulk. */
export interface Backlog {
  readonly merchantId: MerchantId
  readonly endpointId: EndpointId
  readonly count: number
  readonly trigger: 'automatic' | 'test'
  /** The time at which the last of these deliveries is due. Each delivery is due a millisecond before the next. */
  readonly untilMs: number
}

/**
 * Queues webhook deliveries of one event. The throttling of the endpoint applies to every second delivery. The rows are
 * inserted even if the endpoint is disabled: a disabled endpoint can have due deliveries until the sweeps put them on
 * hold.
 */
export async function queueBacklog(client: pg.Client, backlog: Backlog): Promise<void> {
  const { merchantId, endpointId, count, trigger, untilMs } = backlog
  for (let first = 0; first < count; first += rowsPerInsert) {
    const last = Math.min(first + rowsPerInsert, count) - 1
    await client.query(eventText, [merchantId, endpointId, untilMs - first])
    await client.query(deliveriesText, [merchantId, endpointId, untilMs - first, last - first, trigger])
  }
}

/** The ids of the deliveries end with the last characters of the endpoint's id, so that they are unique. */
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
