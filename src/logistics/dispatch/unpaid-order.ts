import type { Timestamp } from '../../../registry/values/vocabulary.ts'
import type { Tracking } from '../../partners/carriers/carrier.ts'
import type { StoredAttempt, StoredShipment } from '../../store/tables/shipment.ts'
import type { CircuitOpen } from '../carriers/breakers.ts'

/**
 * Merchants fund an account with each carrier. If the balance does not cover an order, most carriers refuse the order;
 * some accept the order and suspend it until the account is funded.
 */

/**
 * Outcome code of an accepted order that the carrier suspends, because the balance of the merchant's account at the
 * carrier does not cover the order. A carrier's refusal for this reason has the same code.
 */
export const unpaidCode = 'wallet_insufficient'

/**
 * Outcome code of a dispatch attempt that was not sent, because requests to its carrier are paused. They are paused if
 * the carrier fails, or if the carrier refuses the merchant's account.
 */
export const circuitOpenCode = 'circuit_open'

/**
 * Returns the outcome code for a carrier whose requests are paused. The code is `wallet_insufficient` if the merchant
 * can end the pause by funding the carrier account, and `circuit_open` otherwise.
 */
export function pausedCode({ code }: CircuitOpen): string {
  return code === unpaidCode ? unpaidCode : circuitOpenCode
}

/** Whether the carrier suspends the order of an attempt until the merchant funds the carrier account. */
export function isUnpaid({ state, outcomeCode }: Pick<StoredAttempt, 'state' | 'outcomeCode'>): boolean {
  return state === 'accepted' && outcomeCode === unpaidCode
}

/** Only the merchant can resolve this exception, by funding the account. */
export function walletLowException(carrier: string, at: Timestamp): StoredShipment['exceptions'][number] {
  return { code: 'carrier_wallet_low', carrier, at }
}

/**
 * Returns the dispatch attempt after a report of its carrier. A carrier may suspend an order until the merchant funds
 * the carrier account. The attempt changes if this suspension has started or ended. If the suspension has started, the
 * deadline for assigning a rider is set to the current time.
 */
export function withPaymentState(
  attempt: StoredAttempt,
  { isUnpaid: isSuspended = false }: Tracking,
  now: Timestamp,
): StoredAttempt {
  if (attempt.state !== 'accepted' || isSuspended === isUnpaid(attempt)) return attempt
  return isSuspended
    ? {
        ...attempt,
        outcomeCode: unpaidCode,
        outcomeMessage: 'The carrier suspends the order until the merchant’s account is funded.',
        assignDeadline: now,
      }
    : { ...attempt, outcomeCode: 'accepted', outcomeMessage: 'The carrier accepted the shipment.' }
}
