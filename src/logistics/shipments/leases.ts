import { toMs } from '../../base/clock.ts'
import type { StoredAttempt } from '../../store/tables/shipment.ts'
import type { CarrierTimeouts } from '../carriers/context.ts'

/**
 * Leases: how long a shipment is reserved for the process that works on it. A lease is longer than the carrier calls
 * made under it, so that two processes never repeat each other’s call, and short enough that a dead process delays the
 * shipment little.
 */

/** Grace period after the timeout of a call, after which its process is considered dead. */
export const graceMs = 5_000

/**
 * Maximum duration of a dispatch request. After it the response is sent and a worker continues.
 */
export const dispatchResponseMs = 25_000

/** Returns when a request in flight has ended, in ms since the epoch, even if its process died. */
export function requestEndMs({ startedAt }: Pick<StoredAttempt, 'startedAt'>, { createMs }: CarrierTimeouts): number {
  return toMs(startedAt) + createMs + graceMs
}

/** Lease of the request that creates a shipment, which continues the dispatch itself. */
export const requestLeaseMs = dispatchResponseMs + graceMs

/**
 * Lease until the next carrier is requested, which the same process does after a new offer. If it has died, a worker
 * does.
 */
export const nextRequestLeaseMs = 15_000

/** Returns the maximum duration of a check of an unknown outcome, which is a lookup or a repeated request, in ms. */
export function checkMs({ createMs, readMs }: CarrierTimeouts): number {
  return Math.max(createMs, readMs)
}

/** Returns the lease of the first check of an unknown outcome, by the process that sent the request, in ms. */
export function firstCheckLeaseMs(timeouts: CarrierTimeouts): number {
  return checkMs(timeouts) + graceMs
}

/** Returns the lease of a reconciliation, in ms: one order is cancelled, and the other one if that is rejected. */
export function lateAcceptanceLeaseMs({ cancelMs }: CarrierTimeouts): number {
  return 2 * cancelMs + graceMs
}
