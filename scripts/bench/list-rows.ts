import type pg from 'pg'
import type { MerchantId } from '../../registry/values/vocabulary.ts'

/** Audit rows and deliveries of one merchant, inserted in bulk with ids that contain their times. */

export const dayMs = 24 * 60 * 60 * 1000

/** The time span, ending at `untilMs`, over which audit rows and deliveries are spread evenly. */
export const spanMs = 90 * dayMs

interface Filling {
  readonly merchantId: MerchantId
  readonly count: number
  readonly untilMs: number
}

/** Number of rows that one statement inserts, so that no statement reaches the statement timeout. */
export const rowsPerInsert = 100_000

/** Returns the ten base32 characters (Crockford) of a time in milliseconds, with which an id begins. */
export const base32Of = (ms: string) =>
  [9, 8, 7, 6, 5, 4, 3, 2, 1, 0]
    .map((place) => `substr('0123456789abcdefghjkmnpqrstvwxyz', ((${ms} >> ${place * 5}) & 31)::int + 1, 1)`)
    .join(' || ')

const timed = `
  select
    number,
    to_timestamp(ms / 1000.0) as at,
    ${base32Of('ms')} || 'f' || lpad(to_hex(number), 7, '0') || '00000000' as suffix
  from (
    select number, $2::bigint - $6::bigint + number::bigint * $6::bigint / $3 as ms
    from generate_series($4::bigint, $5::bigint) as number
  ) as spread`

async function fill(client: pg.Client, text: string, { merchantId, count, untilMs }: Filling): Promise<void> {
  for (let first = 1; first <= count; first += rowsPerInsert) {
    const last = Math.min(first + rowsPerInsert - 1, count)
    await client.query(text, [merchantId, untilMs, count, first, last, spanMs])
  }
}

/**
 * In the audit log, one of a thousand rows has a rare actor, action and record. Every second row has the most frequent
 * token.
 */
export async function fillAuditLog(client: pg.Client, filling: Filling): Promise<void> {
  await fill(
    client,
    `insert into audit_log (
       merchant_id, id, occurred_at, actor_type, actor_id, actor_label, action, resource_type, resource_id, request_id,
       source_ip, changes, resources
     )
     select
       $1, 'aud_' || suffix, at, 'token', actor, actor,
       case when number % 1000 = 0 then 'merchant.suspend' when number % 3 = 0 then 'refund.create' else 'order.update' end,
       'order', case when number % 1000 = 0 then 'ord_rare' else 'ord_' || number / 5 end, 'req_' || suffix, '192.0.2.7',
       '{"status": ["pending", "processing"]}',
       case when number % 2 = 0 and number % 1000 <> 0 then array['ord_' || number / 5, 'pay_' || number / 5] end
     from (
       select
         *,
         case when number % 1000 = 0 then 'tok_rare' when number % 2 = 0 then 'tok_usual' else 'tok_' || number % 50 end as actor
       from (${timed}) as timed
     ) as acted`,
    filling,
  )
  await client.query(
    `insert into audit_resources (merchant_id, resource_id, audit_id)
     select merchant_id, named, id from audit_log, unnest(resources) as named where merchant_id = $1 and named <> resource_id`,
    [filling.merchantId],
  )
}

/**
 * Three webhook endpoints receive the events in turn. One delivery in a thousand failed, and one in a thousand was
 * skipped.
 */
export async function fillDeliveries(client: pg.Client, filling: Filling): Promise<void> {
  await client.query(
    `insert into webhook_endpoints (merchant_id, id, url, created_at, updated_at)
     select $1, 'whe_' || lpad(number::text, 26, '0'), 'https://example.com/hooks', now(), now()
     from generate_series(0, 2) as number`,
    [filling.merchantId],
  )
  await fill(
    client,
    `with sent as (
       insert into webhook_events (merchant_id, id, kind, resource_id, body, created_at)
       select
         $1, 'evt_' || suffix, case when number % 1000 = 7 then 'order.refunded' else 'order.created' end, 'ord_' || number,
         '{}', at
       from (${timed}) as timed
     )
     insert into webhook_deliveries (
       merchant_id, id, event_id, endpoint_id, status, attempt_count, created_at, completed_at
     )
     select
       $1, 'dlv_' || substr(suffix, 1, 18) || '0000000' || number % 3, 'evt_' || suffix,
       'whe_' || lpad((number % 3)::text, 26, '0'),
       case when number % 1000 = 0 then 'failed' when number % 1000 = 1 then 'skipped' else 'succeeded' end,
       case when number % 1000 = 1 then 0 else 1 end, at, at
     from (${timed}) as timed`,
    filling,
  )
}
