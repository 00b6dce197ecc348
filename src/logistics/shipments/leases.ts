import { toMs } from '../../base/clock.ts'
import type { StoredAttempt } from '../../store/tables/shipment.ts'
import type { CarrierTimeouts } from '../carriers/context.ts'

/**
 * Leases: how long a shipment is reserved for the process that works on it. A lease is longer than the carrier requests
 * made under it, so that no second process repeats a request. It is short enough that a dead process delays the
 * shipment only a little.
 */

/** Grace period after the timeout of a carrier call, after which the process that made the call is considered dead. */
export const graceMs = 5_000

/**
 * Maximum duration of a dispatch request. After that time the response is sent, and a worker continues the dispatch.
 */
export const dispatchResponseMs = 25_000

/**
 * Returns the latest time at which a carrier request in progress can end, in milliseconds since the epoch. After this
 * time, the request has ended even if its process died.
 */
export function requestEndMs({ startedAt }: Pick<StoredAttempt, 'startedAt'>, { createMs }: CarrierTimeouts): number {
  return toMs(startedAt) + createMs + graceMs
}

/**
 * Duration of the lease of a new shipment. During the lease, only the request that created the shipment continues its
 * dispatch.
 */
export const requestLeaseMs = dispatchResponseMs + graceMs

/**
 * Duration in milliseconds of the lease of a shipment before the request to its next carrier. The process that holds
 * the lease sends this request as soon as it has a new offer. If this process dies, a worker sends the request after
 * the lease has expired.
 */
export const nextRequestLeaseMs = 15_000

/**
 * Returns the maximum duration, in milliseconds, of the check of an unknown outcome. The check is a lookup at the
 * carrier, or a repetition of the request.
 */
export function checkMs({ createMs, readMs }: CarrierTimeouts): number {
  return Math.max(createMs, readMs)
}

/**
 * Returns the lease in milliseconds for the first check of an unknown outcome. The process that sent the dispatch
 * request makes this check.
 */
export function firstCheckLeaseMs(timeouts: CarrierTimeouts): number {
  return checkMs(timeouts) + graceMs
}

/**
 * Returns the duration, in milliseconds, of the lease for the check of a late acceptance. Under this lease, the service
 * cancels one of the two carrier orders. If the carrier rejects the cancellation, the service cancels the other carrier
 * order. The lease therefore covers two cancellations.
 */
export function lateAcceptanceLeaseMs({ cancelMs }: CarrierTimeouts): number {
  return 2 * cancelMs + graceMs
}
