import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Clock } from '../../base/clock.ts'
import type { CarrierAccount, CarrierCode, Outcome, RefusalCode } from '../../partners/carriers/carrier.ts'

/**
 * Accounts a carrier does not want to hear from for now: one that asked too often, until the carrier said that it may
 * again, and one whose credentials or wallet it declines again and again, for half a minute each time, so that one
 * merchant’s mistake does not make the carrier turn away all who come from this address. An account is its credentials:
 * whoever puts others is asked for at once.
 */
export interface AccountPauses {
  /** Why the account is not asked now; undefined where it may be. */
  pausedFor(asked: RequestedCarrier, operation: CarrierOperation): PauseReason | undefined
  /** What came of an asking. */
  note(asked: RequestedCarrier, operation: CarrierOperation, outcome: Outcome<unknown>): void
}

/** A carrier, and the account it is asked by. */
export interface RequestedCarrier {
  readonly carrier: { readonly code: CarrierCode }
  readonly account: CarrierAccount
}

export type CarrierOperation = 'quote' | 'create' | 'read' | 'cancel'

export interface PauseReason {
  readonly message: string
  /** As what it was declined, where it was. */
  readonly code?: RefusalCode
}

interface Pause extends PauseReason {
  /** In a row, of its kind. */
  readonly count: number
  readonly sinceMs: number
  readonly untilMs: number
}

/** Some megabytes. Of more accounts in trouble at once the longest quiet are asked again too early, which does no harm. */
const pausesMax = 10_000

/** One that is declined once may have been paid for or renewed a moment later; five in a row are no such moment. */
const declinesMax = 5

/** Long enough to spare the carrier; short for a merchant who has just filled the wallet. */
const declinedMs = 30_000

/** Where a 429 does not say how long: twice as long each time, as far as five minutes. */
const firstTooManyMs = 30_000
const longestGuessMs = 5 * 60_000

/** What says to wait for longer than an hour is more likely a mistake than a limit; then one call tries. */
const longestMs = 3_600_000

/** A shipment that is under way is asked after though the quotes were too many: one call a minute is no flood. */
const longestReadMs = 60_000

export function openAccountPauses(clock: Clock): AccountPauses {
  const pauses = new LRUCache<string, Pause>({ max: pausesMax })
  return {
    pausedFor: (asked, operation) => {
      // A rider who is to be called off goes on meanwhile.
      if (operation === 'cancel') return undefined
      const account = keyOf(asked)
      const nowMs = clock.nowMs()
      return [account, `${account} ${operation}`]
        .map((key) => pauses.get(key))
        .find((pause) => pause !== undefined && endOf(pause, operation) > nowMs)
    },
    note: (asked, operation, outcome) => {
      const account = keyOf(asked)
      const ofOperation = `${account} ${operation}`
      const nowMs = clock.nowMs()
      if (outcome.is === 'unavailable' && outcome.isOfAccount === true) {
        pauses.set(account, tooMany(pauses.get(account), outcome.retryAfterSeconds, nowMs))
      } else if (outcome.is === 'refused' && isOfAccount(outcome.code)) {
        pauses.set(ofOperation, declined(pauses.get(ofOperation), outcome, nowMs))
      } else if (outcome.is === 'ok') {
        // An answer that was on its way before the carrier had enough does not shorten the pause.
        for (const key of [account, ofOperation]) if ((pauses.get(key)?.untilMs ?? 0) <= nowMs) pauses.delete(key)
      }
    },
  }
}

/** A digest, because secrets are not to lie about in a cache’s keys. */
function keyOf({ carrier, account }: RequestedCarrier): string {
  const digest = createHash('sha256').update(JSON.stringify(account.credentials)).digest('base64')
  return `${carrier.code} ${digest}`
}

function endOf({ sinceMs, untilMs }: Pause, operation: CarrierOperation): number {
  return operation === 'read' ? Math.min(untilMs, sinceMs + longestReadMs) : untilMs
}

function isOfAccount(code: string): boolean {
  return code === 'account_blocked' || code === 'wallet_insufficient'
}

function tooMany(before: Pause | undefined, retryAfterSeconds: number | undefined, nowMs: number): Pause {
  const count = (before?.count ?? 0) + 1
  const guessMs = Math.min(longestGuessMs, firstTooManyMs * 2 ** (count - 1))
  const pauseMs = Math.min(longestMs, retryAfterSeconds === undefined ? guessMs : retryAfterSeconds * 1000)
  const untilMs = Math.max(before?.untilMs ?? 0, nowMs + pauseMs)
  const message = 'It wants fewer requests from this account, and is left alone for a moment.'
  return { count, sinceMs: nowMs, untilMs, message }
}

function declined(
  before: Pause | undefined,
  { code, message: said }: { readonly code: RefusalCode; readonly message: string },
  nowMs: number,
): Pause {
  const count = (before?.count ?? 0) + 1
  return {
    count,
    code,
    sinceMs: nowMs,
    untilMs: count < declinesMax ? 0 : nowMs + declinedMs,
    message: `The carrier rejected this account ${count} times in a row, so requests to it are paused. Its last message: ${said}`,
  }
}
