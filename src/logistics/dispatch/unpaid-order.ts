import type { Timestamp } from '../../../registry/values/vocabulary.ts'
import type { Tracking } from '../../partners/carriers/carrier.ts'
import type { StoredAttempt, StoredShipment } from '../../store/tables/shipment.ts'
import type { CircuitOpen } from '../carriers/breakers.ts'

/**
 * Carriers are paid from an account the merchant has to fund with them. Most refuse an order that it does not cover; some
 * take it and let it stand still until it does (design, logistics 2.2).
 */

/** As carriers refuse for it, too. */
export const unpaidCode = 'wallet_insufficient'

/** What is told of a carrier that is left alone: for money it is what it would say again, and the merchant can mend. */
export function pausedCode({ code }: CircuitOpen): string {
  return code === unpaidCode ? unpaidCode : 'circuit_open'
}

export function isUnpaid({ state, outcomeCode }: StoredAttempt): boolean {
  return state === 'accepted' && outcomeCode === unpaidCode
}

/** What only the merchant can mend. */
export function walletLow(carrier: string, at: Timestamp): StoredShipment['exceptions'][number] {
  return { code: 'carrier_wallet_low', carrier, at }
}

/**
 * The asking by what the carrier now says of its money: one that stands still is given no more time to name a rider, and
 * one that is paid after all goes on like any other.
 */
export function asPaid(attempt: StoredAttempt, { isUnpaid: stands = false }: Tracking, now: Timestamp): StoredAttempt {
  if (attempt.state !== 'accepted' || stands === isUnpaid(attempt)) return attempt
  return stands
    ? {
        ...attempt,
        outcomeCode: unpaidCode,
        outcomeMessage: 'The carrier waits for the funding of its account.',
        assignDeadline: now,
      }
    : { ...attempt, outcomeCode: 'accepted', outcomeMessage: 'The carrier accepted the shipment.' }
}
