import { createHash } from 'node:crypto'
import type { SessionId, UserId } from '../../../registry/values/vocabulary.ts'
import { toMs, toTimestamp } from '../../base/clock.ts'
import {
  addFailures,
  clearFailures,
  deleteUnusedCounters,
  type FailureCount,
  lockFailures,
  subtractFailures,
} from '../../store/access/sign-in-failures.ts'
import { bookkeep } from '../../store/core/bookkeeping.ts'
import type { WriteTrx } from '../../store/core/database.ts'
import type { Context } from '../../store/core/mutation.ts'
import type { BackedOff } from './context.ts'

/**
 * A counter of failed authentication attempts. After several failures, further attempts are delayed, but a user is
 * never locked out. Each attempt is counted before it is verified, so that concurrent guesses cannot exceed the limits.
 * A device from which the user signed in before has its own counter, so guesses from other devices do not delay it.
 */
export interface Counter {
  /** SHA-256, in hex, of the name of the device, session, network or user whose failures are counted. */
  readonly key: string
  readonly rule: Rule
  /**
   * `clear`: a successful attempt resets the counter, which concerns one person. `subtract`: the counter is shared by
   * several people, so a successful attempt only reduces it by one.
   */
  readonly onSuccess: 'clear' | 'subtract'
}

interface Rule {
  /** Number of failed attempts without a delay. After further failures, the delay starts at one second and doubles. */
  readonly free: number
  readonly delayMaxMs: number
}

const firstDelayMs = 1_000
const minuteMs = 60_000

/**
 * Rule for a counter that concerns one person. People mistype a password two or three times, so three failures cause no
 * delay. With the maximum delay of 15 minutes, an attacker has at most 96 guesses a day.
 */
const personal: Rule = { free: 3, delayMaxMs: 15 * minuteMs }

/**
 * The maximum delay of one minute limits a distributed attack on one user to one guess a minute. Such an attack delays
 * a user on a new device by at most a minute.
 */
const perUser: Rule = { free: 20, delayMaxMs: minuteMs }

/**
 * People in a shop or on a mobile network share one IP address, and several of them may enter a wrong password. The
 * first 50 failures from an address therefore cause no delay.
 */
const perNetwork: Rule = { free: 50, delayMaxMs: minuteMs }

/**
 * Only a person who has the password reaches the TOTP step, so a stranger cannot cause the delay after wrong codes. The
 * delay may therefore be long.
 */
const perTotpUser: Rule = { free: 20, delayMaxMs: 15 * minuteMs }

export interface Attacker {
  readonly network: string
  /** Hash of the device's token. Undefined unless the user signed in with this device before. */
  readonly knownDevice: Buffer | undefined
}

/** The e-mail address is in lower case and may belong to no user. */
export function passwordCounters(email: string, { network, knownDevice }: Attacker): readonly Counter[] {
  if (knownDevice !== undefined) return [counter(['device', knownDevice.toString('hex')], personal, 'clear')]
  return [
    counter(['email', email], perUser, 'subtract'),
    counter(['email and network', email, network], personal, 'clear'),
    counter(['network', network], perNetwork, 'subtract'),
  ]
}

/** Returns the counters of failed TOTP attempts during a sign-in whose password was correct. */
export function totpCounters(userId: UserId, { network, knownDevice }: Attacker): readonly Counter[] {
  if (knownDevice !== undefined) return [counter(['totp device', knownDevice.toString('hex')], personal, 'clear')]
  return [
    counter(['totp user', userId], perTotpUser, 'clear'),
    counter(['totp user and network', userId, network], personal, 'clear'),
  ]
}

/** Failure counters that limit how often a person who has stolen the session can guess a password or a code. */
export function sessionCounters(sessionId: SessionId): readonly Counter[] {
  return [counter(['session', sessionId], personal, 'clear')]
}

function counter(counted: readonly string[], rule: Rule, onSuccess: Counter['onSuccess']): Counter {
  return { key: createHash('sha256').update(JSON.stringify(counted)).digest('hex'), rule, onSuccess }
}

/** A sign-in attempt whose password or code may be verified. It is treated as failed until it succeeds. */
export interface Reserved {
  readonly is: 'reserved'
  /** Number of failed attempts in the first of the failure counters of this attempt, including the attempt itself. */
  readonly failures: number
}

/** Counts a sign-in attempt, or returns how long it must wait. An attempt that must wait is not counted. */
export function reserveAttempt(context: Context, counters: readonly Counter[]): Promise<Reserved | BackedOff> {
  const keys = counters.map(({ key }) => key)
  return bookkeep(context.database, async (trx) => {
    const nowMs = context.clock.nowMs()
    const now = toTimestamp(nowMs)
    const counts = new Map((await lockFailures(trx, { keys, now })).map((count) => [count.key, count]))
    const retryAfterMs = Math.max(...counters.map(({ key, rule }) => waitMs(rule, counts.get(key), nowMs)))
    if (retryAfterMs > 0) {
      deleteUnusedCounters(trx, { keys })
      return { is: 'backed_off', retryAfterMs }
    }
    addFailures(trx, { keys, now })
    const [first] = counters
    return { is: 'reserved', failures: ((first && counts.get(first.key)?.count) ?? 0) + 1 }
  })
}

function waitMs({ free, delayMaxMs }: Rule, failed: FailureCount | undefined, nowMs: number): number {
  if (failed === undefined || failed.count < free) return 0
  const delayMs = Math.min(firstDelayMs * 2 ** (failed.count - free), delayMaxMs)
  // If the clock was set back, the time of the last failure may be in the future. The remaining wait is therefore
  // limited to `delayMs`, the whole delay after this failure.
  return Math.max(0, Math.min(delayMs, toMs(failed.lastFailedAt) + delayMs - nowMs))
}

/**
 * Subtracts a sign-in attempt from the failure counters. The attempt was counted in advance, but its secret was then
 * not verified, so it is not a failure.
 */
export function cancelAttempt(context: Context, counters: readonly Counter[]): Promise<void> {
  return bookkeep(context.database, async (trx) => subtractFailures(trx, { keys: counters.map(({ key }) => key) }))
}

/**
 * Updates the failure counters after a successful sign-in attempt. Resets the counters that concern only this person.
 * Subtracts one from each counter that several people share, such as people on the same network.
 */
export function settleAttempt(trx: WriteTrx, counters: readonly Counter[]): void {
  const keysOf = (wanted: Counter['onSuccess']) =>
    counters.flatMap(({ key, onSuccess }) => (onSuccess === wanted ? [key] : []))
  clearFailures(trx, { keys: keysOf('clear') })
  subtractFailures(trx, { keys: keysOf('subtract') })
}
