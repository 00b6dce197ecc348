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
 * Failed attempts delay the next ones and never lock a user out. Each attempt is counted before it is verified, so that
 * concurrent guesses cannot exceed the limits. A device that signed in before has only its own counter: guesses from
 * elsewhere do not delay it.
 */
export interface Counter {
  /** SHA-256 of what is counted, in hex. */
  readonly key: string
  readonly rule: Rule
  /** Success clears the counters of one person, and takes back the attempt from those that others share. */
  readonly onSuccess: 'clear' | 'subtract'
}

interface Rule {
  /** Failures without a delay. Then the delay starts at one second and doubles. */
  readonly free: number
  readonly delayMaxMs: number
}

const firstDelayMs = 1_000
const minuteMs = 60_000

/** People mistype a password two or three times. A quarter of an hour allows at most 96 guesses a day. */
const personal: Rule = { free: 3, delayMaxMs: 15 * minuteMs }

/** Limits a distributed attack on one user to one guess a minute, and a user on a new device to one minute of delay. */
const perUser: Rule = { free: 20, delayMaxMs: minuteMs }

/** A shop or a mobile network shares one address, so several people may mistype. */
const perNetwork: Rule = { free: 50, delayMaxMs: minuteMs }

/** Only a person who has the password gets here, so the delay cannot be caused by strangers and may be long. */
const perTotpUser: Rule = { free: 20, delayMaxMs: 15 * minuteMs }

export interface Attacker {
  readonly network: string
  /** The device, if the user signed in with it before. */
  readonly knownDevice: Buffer | undefined
}

/** Returns the counters of a password attempt. The e-mail address is in lower case and may be unknown. */
export function passwordCounters(email: string, { network, knownDevice }: Attacker): readonly Counter[] {
  if (knownDevice !== undefined) return [counter(['device', knownDevice.toString('hex')], personal, 'clear')]
  return [
    counter(['email', email], perUser, 'subtract'),
    counter(['email and network', email, network], personal, 'clear'),
    counter(['network', network], perNetwork, 'subtract'),
  ]
}

/** Returns the counters of a TOTP attempt after the password. */
export function totpCounters(userId: UserId, { network, knownDevice }: Attacker): readonly Counter[] {
  if (knownDevice !== undefined) return [counter(['totp device', knownDevice.toString('hex')], personal, 'clear')]
  return [
    counter(['totp user', userId], perTotpUser, 'clear'),
    counter(['totp user and network', userId, network], personal, 'clear'),
  ]
}

/** Returns the counters of attempts within a session, where a stolen session could guess the password. */
export function sessionCounters(sessionId: SessionId): readonly Counter[] {
  return [counter(['session', sessionId], personal, 'clear')]
}

function counter(counted: readonly string[], rule: Rule, onSuccess: Counter['onSuccess']): Counter {
  return { key: createHash('sha256').update(JSON.stringify(counted)).digest('hex'), rule, onSuccess }
}

/** An attempt that may be verified. It counts as failed until it succeeds. */
export interface Reserved {
  readonly is: 'reserved'
  /** Failures of the first counter, this attempt included. */
  readonly failures: number
}

/** Counts an attempt, or returns how long it must wait. An attempt that must wait is not counted. */
export function reserveAttempt(context: Context, counters: readonly Counter[]): Promise<Reserved | BackedOff> {
  const keys = counters.map(({ key }) => key)
  return bookkeep(context.database, async (trx) => {
    const nowMs = context.clock.nowMs()
    const now = toTimestamp(nowMs)
    const counts = new Map((await lockFailures(trx, { keys, now })).map((count) => [count.key, count]))
    const retryAfterMs = Math.max(...counters.map(({ key, rule }) => waitMs(rule, counts.get(key), nowMs)))
    if (retryAfterMs > 0) {
      deleteUnusedCounters(trx, keys)
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
  // At most the delay, also after the clock was set back.
  return Math.max(0, Math.min(delayMs, toMs(failed.lastFailedAt) + delayMs - nowMs))
}

/** Takes back an attempt that was not verified. */
export function cancelAttempt(context: Context, counters: readonly Counter[]): Promise<void> {
  return bookkeep(context.database, async (trx) =>
    subtractFailures(
      trx,
      counters.map(({ key }) => key),
    ),
  )
}

/** Records that an attempt succeeded. */
export function settleAttempt(trx: WriteTrx, counters: readonly Counter[]): void {
  const keysOf = (wanted: Counter['onSuccess']) =>
    counters.flatMap(({ key, onSuccess }) => (onSuccess === wanted ? [key] : []))
  clearFailures(trx, keysOf('clear'))
  subtractFailures(trx, keysOf('subtract'))
}
