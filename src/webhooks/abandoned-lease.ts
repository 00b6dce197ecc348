import { toMs, toTimestamp } from '../base/clock.ts'
import { type Lease, leaseSeconds } from '../store/webhooks/leases.ts'
import type { Result } from './record-results.ts'

/**
 * Returns the result of an abandoned lease: an attempt with an unknown outcome, which counts neither as a success nor
 * as a failure.
 */
export function abandonedLease(lease: Lease, cause: 'worker_lost' | 'stopped', nowMs: number): Result {
  const startedMs = toMs(lease.expiresAt) - leaseSeconds * 1000
  const finishedMs = Math.max(startedMs, nowMs)
  return {
    end: { is: 'aborted', cause },
    trigger: lease.trigger,
    mode: lease.mode,
    isHealthy: false,
    attempt: {
      merchantId: lease.merchantId,
      endpointId: lease.endpointId,
      deliveryId: lease.deliveryId,
      leaseId: lease.leaseId,
      leaseNumber: lease.leaseNumber,
      startedAt: toTimestamp(startedMs),
      finishedAt: toTimestamp(finishedMs),
      httpStatus: null,
      errorCode: cause,
      responseBody: null,
      dnsMs: null,
      connectMs: null,
      tlsMs: null,
      firstByteMs: null,
      // The duration of the abandoned attempt is limited to the duration of its lease. The time after the lease is not
      // part of the attempt, and could exceed the range of the column.
      durationMs: Math.min(finishedMs - startedMs, leaseSeconds * 1000),
      isReused: null,
      url: lease.url,
      epoch: lease.epoch,
    },
  }
}
