import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Clock } from '../../base/clock.ts'
import type { CarrierAccount, CarrierCode, Outcome, RefusalCode } from '../../partners/carriers/carrier.ts'

/**
 * Pauses of requests to carriers, by merchant account. An account over its rate limit is paused for as long as the
 * carrier demands. A carrier may repeatedly reject the credentials of an account, or report that the account's wallet
 * (the prepaid balance) is too low. Requests of the same kind are then paused for half a minute, so that the carrier
 * does not block this service’s address because of one merchant. An account is identified by its credentials, so an
 * account with new credentials is not paused.
 */
export interface AccountPauses {
  /** Returns why requests of the merchant's carrier account are paused. Undefined when they are not paused. */
  pausedFor(requested: RequestedCarrier, operation: CarrierOperation): PauseReason | undefined
  /** Some outcomes start a pause. */
  note(requested: RequestedCarrier, operation: CarrierOperation, outcome: Outcome<unknown>): void
}

export interface RequestedCarrier {
  readonly carrier: { readonly code: CarrierCode }
  readonly account: CarrierAccount
}

export type CarrierOperation = 'quote' | 'create' | 'read' | 'cancel'

export interface PauseReason {
  readonly message: string
  /** Undefined if no refusal of the carrier caused the pause. */
  readonly code?: RefusalCode
}

interface Pause extends PauseReason {
  /** Number of consecutive requests of an account with the same kind of outcome. */
  readonly count: number
  readonly sinceMs: number
  readonly untilMs: number
}

/**
 * Maximum number of account pauses in memory: a few megabytes. If there are more, the least recently used pause ends
 * early, which does no harm.
 */
const pausesMax = 10_000

/**
 * Number of consecutive rejections by a carrier after which the merchant's account is paused. A single rejection does
 * not pause the account, because a payment or new credentials may remove the cause of the rejection a moment later.
 */
const rejectionsMax = 5

/**
 * Length of the pause of a carrier account after rejections. It is long enough to spare the carrier, and short enough
 * for a merchant who has just paid into the wallet, the merchant's prepaid balance at the carrier.
 */
const rejectedPauseMs = 30_000

/**
 * Length of a pause after a 429 response without a retry time. After each further consecutive 429 response, the length
 * is doubled, up to five minutes.
 */
const firstRateLimitMs = 30_000
const longestDefaultMs = 5 * 60_000

/**
 * Longest pause of an account that exceeds the rate limit of a carrier. A longer `Retry-After` of the carrier is more
 * likely an error, so the service sends a request again after this time.
 */
const longestMs = 3_600_000

/**
 * Longest pause of the polls of a carrier account. Polls are paused separately from quotes, and for at most a minute,
 * because one request a minute does not burden the carrier.
 */
const longestReadMs = 60_000

export function openAccountPauses(clock: Clock): AccountPauses {
  const pauses = new LRUCache<string, Pause>({ max: pausesMax })
  return {
    pausedFor: (requested, operation) => {
      // Cancellation requests are never paused, because the rider continues until the order is cancelled.
      if (operation === 'cancel') return undefined
      const account = keyOf(requested)
      const nowMs = clock.nowMs()
      return [account, `${account} ${operation}`]
        .map((key) => pauses.get(key))
        .find((pause) => pause !== undefined && endOf(pause, operation) > nowMs)
    },
    note: (requested, operation, outcome) => {
      const account = keyOf(requested)
      const ofOperation = `${account} ${operation}`
      const nowMs = clock.nowMs()
      if (outcome.is === 'unavailable' && outcome.isOfAccount === true) {
        pauses.set(account, rateLimited(pauses.get(account), outcome.retryAfterSeconds, nowMs))
      } else if (outcome.is === 'refused' && isOfAccount(outcome.code)) {
        pauses.set(ofOperation, rejected(pauses.get(ofOperation), outcome, nowMs))
      } else if (outcome.is === 'ok') {
        // A response to a request that was sent before the pause does not shorten the pause.
        for (const key of [account, ofOperation]) if ((pauses.get(key)?.untilMs ?? 0) <= nowMs) pauses.delete(key)
      }
    },
  }
}

/** The key contains a digest of the account's credentials instead of the credentials, so that the key is not secret. */
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

function rateLimited(before: Pause | undefined, retryAfterSeconds: number | undefined, nowMs: number): Pause {
  const count = (before?.count ?? 0) + 1
  const defaultMs = Math.min(longestDefaultMs, firstRateLimitMs * 2 ** (count - 1))
  const pauseMs = Math.min(longestMs, retryAfterSeconds === undefined ? defaultMs : retryAfterSeconds * 1000)
  const untilMs = Math.max(before?.untilMs ?? 0, nowMs + pauseMs)
  const message = 'The carrier rate-limits this account, so requests with the account are paused.'
  return { count, sinceMs: nowMs, untilMs, message }
}

function rejected(
  before: Pause | undefined,
  { code, message: lastMessage }: { readonly code: RefusalCode; readonly message: string },
  nowMs: number,
): Pause {
  const count = (before?.count ?? 0) + 1
  return {
    count,
    code,
    sinceMs: nowMs,
    untilMs: count < rejectionsMax ? 0 : nowMs + rejectedPauseMs,
    message: `The carrier rejected the merchant’s account ${count} times in a row, so requests with this account are paused. The carrier’s last message: ${lastMessage}`,
  }
}
