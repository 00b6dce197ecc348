import { createHash } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { type Clock, toTimestamp } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import type { CarrierAccount } from '../partners/carriers/carrier.ts'
import type { CallPriority, SharedState } from '../partners/carriers/shared.ts'
import type { Database } from '../store/core/database.ts'
import {
  type AddressCodeKey,
  deleteAddressCode,
  findAddressCode,
  putAddressCode,
} from '../store/logistics/carriers/carrier-addresses.ts'
import { admitCarrierCall, type PaceLimits } from '../store/logistics/carriers/carrier-pace.ts'

interface ShareContext {
  readonly database: Database
  readonly clock: Clock
  readonly log: Log
}

/** Rate limits of each Shipbubble API key, according to Shipbubble's documentation. */
const documentedLimits: PaceLimits = { perMinute: 60, perSecond: 10 }

/**
 * Returns Shipbubble's rate limits for calls of a priority. Background calls such as polls may use half of each limit,
 * so that calls for a waiting request can proceed.
 */
function shareOf({ perMinute, perSecond }: PaceLimits, priority: CallPriority): PaceLimits {
  if (priority === 'interactive') return { perMinute, perSecond }
  return { perMinute: Math.floor(perMinute / 2), perSecond: Math.floor(perSecond / 2) }
}

/**
 * Milliseconds that a call waits when the rate limit of the current second is used up. The limit resets within one
 * second.
 */
const secondMs = 1_000

/**
 * Number of seconds for which a call waits for the rate limit before it is rejected. A quote must not wait longer
 * during a burst of calls.
 */
const secondsMax = 3

/**
 * Opens the state that Shipbubble's adapter shares with other processes: address codes and rate limits. While the
 * database is unreachable, calls do not use this state: addresses are validated again, and the limits are not enforced.
 */
export function shareCarrierState({ database, clock, log }: ShareContext, limits = documentedLimits): SharedState {
  const keyOf = (account: CarrierAccount, addressDigest: string): AddressCodeKey | undefined => {
    const owner = ownerOf(account)
    return owner && { ...owner, addressDigest }
  }
  const withFallback = async <Value>(work: () => Promise<Value>, fallback: Value): Promise<Value> => {
    try {
      return await work()
    } catch (error) {
      log.warn({ err: error }, 'The carrier state that the processes share could not be read or written.')
      return fallback
    }
  }
  return {
    addresses: {
      find: (account, digest) => {
        const key = keyOf(account, digest)
        return withFallback<number | undefined>(async () => key && (await findAddressCode(database, key)), undefined)
      },
      put: (account, digest, code) => {
        const key = keyOf(account, digest)
        const now = toTimestamp(clock.nowMs())
        return withFallback(async () => key && (await putAddressCode(database, { ...key, code, now })), undefined)
      },
      delete: (account, digest, code) => {
        const key = keyOf(account, digest)
        return withFallback(async () => key && (await deleteAddressCode(database, { ...key, code })), undefined)
      },
    },
    pace: {
      admit: async (account, priority, signal) => {
        const owner = ownerOf(account)
        if (owner === undefined) return { is: 'admitted', hasWaited: false }
        const share = shareOf(limits, priority)
        for (let second = 0; second < secondsMax; second++) {
          const open = { isAdmitted: true, isMinuteFull: false, secondsLeft: 0 }
          const admission = await withFallback(() => admitCarrierCall(database, { ...owner, ...share }), open)
          if (admission.isAdmitted) return { is: 'admitted', hasWaited: second > 0 }
          const { isMinuteFull, secondsLeft } = admission
          if (isMinuteFull) return { is: 'limited', retryAfterSeconds: Math.max(1, secondsLeft) }
          await delay(secondMs, undefined, { signal }).catch(() => undefined)
          if (signal.aborted) break
        }
        return { is: 'limited', retryAfterSeconds: 1 }
      },
    },
  }
}

/**
 * Returns the merchant and a digest of the API key of a Shipbubble account. Undefined for an account without a
 * merchant, as in tests.
 */
function ownerOf({ merchantId, credentials }: CarrierAccount): Omit<AddressCodeKey, 'addressDigest'> | undefined {
  if (merchantId === undefined) return undefined
  const accountDigest = createHash('sha256')
    .update(credentials.apiKey ?? '')
    .digest('base64url')
  return { merchantId, carrier: 'shipbubble', accountDigest }
}
