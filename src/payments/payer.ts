import type { Timestamp } from '../../registry/values/vocabulary.ts'
import { toTimestamp } from '../base/clock.ts'
import type { OpenedKey, PaymentContext } from './open-key.ts'

/** Selects the payment provider of a merchant's refunds, and defines the intervals at which refunds are polled. */

const minuteMs = 60_000

/**
 * Retry delays of a refund in minutes, while its outcome is unknown or it could not be submitted: short at first, then
 * every six hours.
 */
export const retryMinutes = [1, 5, 15, 60, 360] as const

/**
 * Polling intervals in milliseconds while the provider processes the refund. Callbacks normally arrive first; polling
 * covers lost ones.
 */
const pollMs = [60 * minuteMs, 360 * minuteMs] as const

/**
 * Interval in minutes between the checks of a refund while its payment is disputed. The end of the dispute normally
 * triggers the refund; the checks are a fallback.
 */
export const disputedMinutes = [360] as const

/**
 * Time between two searches for a refund. It is much longer than a request can be in transit, and much longer than the
 * provider needs to list an accepted refund. If two successive searches do not find the refund, it was therefore never
 * submitted.
 */
const searchIntervalMs = 10 * minuteMs

/** Context in which the refunds of one payment provider are processed. Not the person who paid. */
export interface Payer extends PaymentContext, Pick<OpenedKey, 'provider' | 'secretKey'> {
  readonly searchIntervalMs: number
  readonly pollMs: readonly number[]
}

/**
 * The intervals of searches and polls are shorter for the simulated provider, which lists a new refund at once and
 * changes its status in steps.
 */
export function payerOf(context: PaymentContext, { mode, provider, secretKey }: OpenedKey): Payer {
  const stepMs = context.testPayments?.stepMs
  const isTest = mode === 'test' && stepMs !== undefined
  return {
    ...context,
    provider,
    secretKey,
    searchIntervalMs: isTest ? 0 : searchIntervalMs,
    pollMs: isTest ? [...testPollSteps.map((steps) => steps * stepMs), ...pollMs] : pollMs,
  }
}

/**
 * Polling intervals of a refund at the simulated provider, as multiples of the duration of a simulation step. A refund
 * changes status after one step; a refund that waits is polled less often. Polling is needed because the simulated
 * provider sends its callbacks to the API, and a worker may run without the API.
 */
const testPollSteps = [1, 1, 2, 10] as const

export function nextTimeInMinutes(context: PaymentContext, minutes: readonly number[], checks: number): Timestamp {
  return nextTime(
    context,
    minutes.map((wait) => wait * minuteMs),
    checks,
  )
}

export function nextTime(context: PaymentContext, waitsMs: readonly number[], checks: number): Timestamp {
  const waitMs = waitsMs[Math.min(checks, waitsMs.length) - 1] ?? waitsMs[0] ?? minuteMs
  return toTimestamp(context.clock.nowMs() + waitMs)
}

export function now({ clock }: PaymentContext): Timestamp {
  return toTimestamp(clock.nowMs())
}
