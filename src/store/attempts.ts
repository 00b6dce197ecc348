import { sql } from 'kysely'
import type { DeliveryId, EndpointId, MerchantId, Timestamp } from '../../registry/vocabulary.ts'
import type { ReadDb } from './database.ts'
import { build, reading } from './statement.ts'

/** One try to send one delivery, and the lease under which it may be written down. */
export interface AttemptRecord {
  readonly merchantId: MerchantId
  readonly endpointId: EndpointId
  readonly deliveryId: DeliveryId
  readonly workerId: string
  readonly leaseNumber: number
  readonly startedAt: Timestamp
  readonly finishedAt: Timestamp
  readonly httpStatus: number | null
  readonly errorCode: string | null
  readonly responseBody: string | null
  readonly durationMs: number
  readonly url: string
  readonly epoch: number
}

/** To be written after `settled`, the delivery's update: without the lease that yields no row, and so none here. */
export function attemptInsert(attempt: AttemptRecord, outcome: 'succeeded' | 'failed' | 'aborted') {
  return sql`
    insert into webhook_attempts (
      merchant_id, delivery_id, number, started_at, finished_at, outcome, http_status, error_code, response_body,
      duration_ms, url, endpoint_epoch
    )
    select
      settled.merchant_id,
      settled.id,
      (
        select coalesce(max(earlier.number), 0) + 1
        from webhook_attempts earlier
        where earlier.merchant_id = settled.merchant_id and earlier.delivery_id = settled.id
      ),
      ${attempt.startedAt}::timestamptz, ${attempt.finishedAt}::timestamptz, ${sql.lit(outcome)},
      ${attempt.httpStatus}::integer, ${attempt.errorCode}::text, ${attempt.responseBody}::text,
      ${attempt.durationMs}::integer, ${attempt.url}::text, ${attempt.epoch}::integer
    from settled`
}

const list = reading<{ merchantId: MerchantId; deliveryId: DeliveryId }>()('list_attempts', (p) =>
  build
    .selectFrom('webhook_attempts')
    .where('merchant_id', '=', p.merchantId)
    .where('delivery_id', '=', p.deliveryId)
    .select([
      'number',
      'started_at as startedAt',
      'finished_at as finishedAt',
      'outcome',
      'http_status as httpStatus',
      'error_code as errorCode',
      'response_body as responseBody',
      'duration_ms as durationMs',
      'url',
    ])
    .orderBy('number'),
)

export function listAttempts(db: ReadDb, delivery: { merchantId: MerchantId; deliveryId: DeliveryId }) {
  return db.read(list, delivery)
}
