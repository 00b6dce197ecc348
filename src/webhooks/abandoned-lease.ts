import { toMs, toTimestamp } from '../base/clock.ts'
import { leaseSeconds } from '../store/webhooks/delivery-claims.ts'
import type { Lease } from '../store/webhooks/delivery-sweeps.ts'
import type { Result } from './record-results.ts'

/** A lease of which nobody will tell how it ended: an attempt whose outcome is unknown, so it counts for nothing. */
export function abandonedLease(lease: Lease, cause: 'worker_lost' | 'stopped', nowMs: number): Result {
  const startedMs = toMs(lease.leaseUntil) - leaseSeconds * 1000
  const finishedMs = Math.max(startedMs, nowMs)
  return {
    end: { is: 'aborted', cause },
    trigger: lease.trigger,
    isClean: false,
    attempt: {
      merchantId: lease.merchantId,
      endpointId: lease.endpointId,
      deliveryId: lease.deliveryId,
      workerId: lease.workerId,
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
      // No longer than it was its worker's: how long nobody looked says nothing, and may be more than the column holds.
      durationMs: Math.min(finishedMs - startedMs, leaseSeconds * 1000),
      isReused: null,
      url: lease.url,
      epoch: lease.epoch,
      failuresAtClaim: null,
    },
  }
}
