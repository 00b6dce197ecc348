import { toMs } from '../../base/clock.ts'
import type { StoredAttempt } from '../../store/tables/shipment.ts'
import type { Patience } from '../carriers/context.ts'

/**
 * How long others keep away from a shipment while somebody does something about it: always longer than the calls that are
 * made under it may take together, so that two never do the same at once, and no longer than a dead process may cost.
 */

/** What is added to a call’s own deadline before its process is taken for dead. */
export const graceMs = 5_000

/** A person waits for the answer: after this the worker goes on, and the answer says so (design, logistics 3.3). */
export const answerWithinMs = 25_000

/** When an asking that is in the air has been answered, or whoever sent it is dead. */
export function requestEndMs({ startedAt }: Pick<StoredAttempt, 'startedAt'>, { createMs }: Patience): number {
  return toMs(startedAt) + createMs + graceMs
}

/** The request that made a shipment asks for it itself. */
export const requestLeaseMs = answerWithinMs + graceMs

/** Whoever let a carrier go asks the next one at once, after a new offer of its; should that process be gone, a worker does. */
export const nextRequestLeaseMs = 15_000

/** A look is a search, or the same asking once more. */
export function checkMs({ createMs, readMs }: Patience): number {
  return Math.max(createMs, readMs)
}

/** The first look at an unknown outcome is taken by whoever asked. */
export function firstCheckLeaseMs(patience: Patience): number {
  return checkMs(patience) + graceMs
}

/** Of two orders one is called off, and if that is refused the other. */
export function lateAcceptanceLeaseMs({ cancelMs }: Patience): number {
  return 2 * cancelMs + graceMs
}
