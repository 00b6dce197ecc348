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
  /**
   * Duration of the DNS lookup in milliseconds. Like the duration of every phase, null if the phase was not reached or
   * was not needed.
   */
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
  'merchantId',
  'deliveryId',
  'number',
  'startedAt',
  'finishedAt',
  'outcome',
  'httpStatus',
  'errorCode',
  'responseBody',
  'dnsMs',
  'connectMs',
  'tlsMs',
  'firstByteMs',
  'durationMs',
  'isReused',
  'url',
  'endpointEpoch',
] as const

/**
 * Inserts attempts of deliveries. An attempt whose number is already stored is ignored, because it must not block the
 * delivery.
 */
export const attemptRows = insertingRows('webhook_attempts', sql`on conflict do nothing`)

export function attemptRowOf(
  attempt: AttemptRecord,
  outcome: 'succeeded' | 'failed' | 'aborted',
): RowOf<typeof attemptRows> {
  return {
    merchantId: attempt.merchantId,
    deliveryId: attempt.deliveryId,
    number: attempt.leaseNumber,
    startedAt: attempt.startedAt,
    finishedAt: attempt.finishedAt,
    outcome,
    httpStatus: attempt.httpStatus,
    errorCode: attempt.errorCode,
    responseBody: attempt.responseBody,
    dnsMs: attempt.dnsMs,
    connectMs: attempt.connectMs,
    tlsMs: attempt.tlsMs,
    firstByteMs: attempt.firstByteMs,
    durationMs: attempt.durationMs,
    isReused: attempt.isReused,
    url: attempt.url,
    endpointEpoch: attempt.epoch,
  }
}

const list = reading<{ merchantId: MerchantId; deliveryId: DeliveryId }>()('list_attempts', (p) =>
  build
    .selectFrom('webhook_attempts')
    .where('merchantId', '=', p.merchantId)
    .where('deliveryId', '=', p.deliveryId)
    .select([
      'number',
      'startedAt',
      'finishedAt',
      'outcome',
      'httpStatus',
      'errorCode',
      'responseBody',
      'dnsMs',
      'connectMs',
      'tlsMs',
      'firstByteMs',
      'durationMs',
      'isReused',
      'url',
    ])
    .orderBy('number'),
)

/** Oldest first. */
export function listAttempts(db: ReadDb, delivery: { merchantId: MerchantId; deliveryId: DeliveryId }) {
  return db.read(list, delivery)
}
