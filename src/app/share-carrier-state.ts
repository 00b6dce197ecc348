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

/** Shipbubble allows each key so many calls, by its documents. */
const documentedLimits: PaceLimits = { perMinute: 60, perSecond: 10 }

/** Background calls stop at half of each limit, so that polls leave the other half to what a merchant waits for. */
function shareOf({ perMinute, perSecond }: PaceLimits, priority: CallPriority): PaceLimits {
  if (priority === 'interactive') return { perMinute, perSecond }
  return { perMinute: Math.floor(perMinute / 2), perSecond: Math.floor(perSecond / 2) }
}

/** A second that is full is over within one. */
const secondMs = 1_000

/** Three full seconds in a row are a burst that a person's quote should not wait behind. */
const secondsMax = 3

/** What Shipbubble's adapter shares with other processes. A database that is away costs money or a limit, and no quote. */
export function shareCarrierState({ database, clock, log }: ShareContext, limits = documentedLimits): SharedState {
  const keyOf = (account: CarrierAccount, addressDigest: string): AddressCodeKey | undefined => {
    const owner = ownerOf(account)
    return owner && { ...owner, addressDigest }
  }
  const shielded = async <Value>(work: () => Promise<Value>, otherwise: Value): Promise<Value> => {
    try {
      return await work()
    } catch (error) {
      log.warn({ err: error }, 'What carriers share could not be read or written.')
      return otherwise
    }
  }
  return {
    addresses: {
      find: (account, digest) => {
        const key = keyOf(account, digest)
        return shielded<number | undefined>(async () => key && (await findAddressCode(database, key)), undefined)
      },
      put: (account, digest, code) => {
        const key = keyOf(account, digest)
        const now = toTimestamp(clock.nowMs())
        return shielded(async () => key && (await putAddressCode(database, { ...key, code, now })), undefined)
      },
      delete: (account, digest, code) => {
        const key = keyOf(account, digest)
        return shielded(async () => key && (await deleteAddressCode(database, { ...key, code })), undefined)
      },
    },
    pace: {
      admit: async (account, priority, signal) => {
        const owner = ownerOf(account)
        if (owner === undefined) return { is: 'admitted', hasWaited: false }
        const share = shareOf(limits, priority)
        for (let second = 0; second < secondsMax; second++) {
          const open = { isAdmitted: true, isMinuteFull: false, secondsLeft: 0 }
          const admission = await shielded(() => admitCarrierCall(database, { ...owner, ...share }), open)
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

/** Undefined for an account of nobody, which a test has. The key itself is not stored. */
function ownerOf({ merchantId, credentials }: CarrierAccount): Omit<AddressCodeKey, 'addressDigest'> | undefined {
  if (merchantId === undefined) return undefined
  const accountDigest = createHash('sha256')
    .update(credentials.apiKey ?? '')
    .digest('base64url')
  return { merchantId, carrier: 'shipbubble', accountDigest }
}
