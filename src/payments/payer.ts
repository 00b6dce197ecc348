import type { Timestamp } from '../../registry/values/vocabulary.ts'
import { toTimestamp } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import type { Vault } from '../base/vault.ts'
import type { PaymentProvider } from '../partners/payments/provider.ts'
import type { Context } from '../store/core/mutation.ts'
import { type OpenedKey, providerOf, type TestPayments } from './open-key.ts'

/** Whom a merchant's refunds are submitted to, and how long the worker waits between its looks at them. */

export interface PayContext extends Context {
  readonly log: Log
  readonly vault: Vault
  readonly provider: PaymentProvider
  /** Undefined where no provider is simulated: then refunds of test mode wait. */
  readonly testPayments?: TestPayments | undefined
  /** No further claim once it has aborted. */
  readonly stopping?: AbortSignal
}

const minuteMs = 60_000

/** Waits while nothing is sure or nothing could be sent: soon at first, then as often as a day has quarters. */
export const retryMinutes = [1, 5, 15, 60, 360] as const

/** Waits while the provider works on it. Callbacks come first; this is for one that was lost. */
const pollMs = [60 * minuteMs, 360 * minuteMs] as const

/** Waits while its payment is disputed. The end of the dispute comes first; this is for one that was overlooked. */
export const heldMinutes = [360] as const

/**
 * A request that was sent is answered or dead long before this, and by then the provider lists what it took from it. Only
 * two searches this far apart that find nothing mean that it never was there.
 */
const settlingMs = 10 * minuteMs

/** What depends on whose provider it is. */
export interface Payer extends PayContext {
  readonly settlingMs: number
  /** Waits while the provider works on it. */
  readonly pollMs: readonly number[]
}

/** The simulated provider lists at once what it took, and its refunds move with its steps. */
export function payerOf(context: PayContext, key: OpenedKey | undefined): Payer {
  const stepMs = context.testPayments?.stepMs
  const isTest = key?.mode === 'test' && stepMs !== undefined
  return {
    ...context,
    provider: key === undefined ? context.provider : providerOf(context, key),
    settlingMs: isTest ? 0 : settlingMs,
    pollMs: isTest ? [...testPollSteps.map((steps) => steps * stepMs), ...pollMs] : pollMs,
  }
}

/** Nobody calls a worker back that serves no API. A refund moves after a step, and one that waits is asked for less. */
const testPollSteps = [1, 1, 2, 10] as const

export function after(context: Payer, minutes: readonly number[], checks: number): Timestamp {
  return waited(
    context,
    minutes.map((wait) => wait * minuteMs),
    checks,
  )
}

export function waited(context: Payer, waitsMs: readonly number[], checks: number): Timestamp {
  const waitMs = waitsMs[Math.min(checks, waitsMs.length) - 1] ?? waitsMs[0] ?? minuteMs
  return toTimestamp(context.clock.nowMs() + waitMs)
}

export function now({ clock }: PayContext): Timestamp {
  return toTimestamp(clock.nowMs())
}
