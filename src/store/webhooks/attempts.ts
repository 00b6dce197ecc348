import { sql } from 'kysely'
import type { DeliveryId, MerchantId, Timestamp } from '../../../registry/values/vocabulary.ts'
import type { ReadDb } from '../core/database.ts'
import type { RowOf } from '../core/rows.ts'
import { insertingRows } from '../core/rows.ts'
import { build, reading } from '../core/statement.ts'
import type { EndpointKey } from './endpoints.ts'

/** An attempt to send a delivery, and the lease under which its result is recorded. */
export interface AttemptRecord extends EndpointKey {
  readonly deliveryId: DeliveryId
  readonly leaseId: string
  /** The number of the attempt, which equals the number of its lease. */
  readonly leaseNumber: number
  readonly startedAt: Timestamp
  readonly finishedAt: Timestamp
  readonly httpStatus: number | null
  readonly errorCode: string | null
  readonly responseBody: string | null
  /** Duration of the DNS lookup in milliseconds. As for each phase, null if the phase was not reached or not needed. */
  readonly dnsMs: number | null
  readonly connectMs: number | null
  readonly tlsMs: number | null
  readonly firstByteMs: number | null
  readonly durationMs: number
  readonly isReused: boolean | null
  readonly url: string
  readonly epoch: number
}

export const attemptColumns = [
  'merchant_id',
  'delivery_id',
  'number',
  'started_at',
  'finished_at',
  'outcome',
  'http_status',
  'error_code',
  'response_body',
  'dns_ms',
  'connect_ms',
  'tls_ms',
  'first_byte_ms',
  'duration_ms',
  'is_reused',
  'url',
  'endpoint_epoch',
] as const

/**
 * Inserts attempts of deliveries. An attempt whose number is already stored is ignored, because it must not block the
 * delivery.
 */
export const attemptRows = insertingRows('webhook_attempts', attemptColumns, {
  conflict: sql`on conflict do nothing`,
  withDefaults: ['failures_at_claim'],
})

export function attemptRowOf(
  attempt: AttemptRecord,
  outcome: 'succeeded' | 'failed' | 'aborted',
): RowOf<typeof attemptRows> {
  return {
    merchant_id: attempt.merchantId,
    delivery_id: attempt.deliveryId,
    number: attempt.leaseNumber,
    started_at: attempt.startedAt,
    finished_at: attempt.finishedAt,
    outcome,
    http_status: attempt.httpStatus,
    error_code: attempt.errorCode,
    response_body: attempt.responseBody,
    dns_ms: attempt.dnsMs,
    connect_ms: attempt.connectMs,
    tls_ms: attempt.tlsMs,
    first_byte_ms: attempt.firstByteMs,
    duration_ms: attempt.durationMs,
    is_reused: attempt.isReused,
    url: attempt.url,
    endpoint_epoch: attempt.epoch,
  }
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
      'dns_ms as dnsMs',
      'connect_ms as connectMs',
      'tls_ms as tlsMs',
      'first_byte_ms as firstByteMs',
      'duration_ms as durationMs',
      'is_reused as isReused',
      'url',
    ])
    .orderBy('number'),
)

/** Returns the attempts of a delivery, oldest first. */
export function listAttempts(db: ReadDb, delivery: { merchantId: MerchantId; deliveryId: DeliveryId }) {
  return db.read(list, delivery)
}
