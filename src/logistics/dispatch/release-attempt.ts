import type { AttemptState } from '../../../registry/logistics/shipment-states.ts'
import type { Kobo, Timestamp } from '../../../registry/values/vocabulary.ts'
import { toTimestamp } from '../../base/clock.ts'
import { noKobo } from '../../commerce/money.ts'
import { writeAttempt } from '../../store/logistics/shipments/shipments.ts'
import type { StoredAttempt, StoredShipment } from '../../store/tables/shipment.ts'
import { carrierNameOf } from '../carriers/carrier-names.ts'
import { withFeeException } from '../shipments/cancellation-fee.ts'
import type { LockedShipment } from '../shipments/change-shipment.ts'
import { isCancelledByOrder } from '../shipments/end-cancelled.ts'
import { hasCancelledOrder, orderCancelledReason, resolvedOf, withException } from '../shipments/exceptions.ts'
import { nextRequestLeaseMs } from '../shipments/leases.ts'
import { moveShipment } from '../shipments/move-shipment.ts'
import type { ShipmentWork } from '../shipments/shipment-work.ts'
import { reasonOf } from '../shipments/status-reason.ts'
import { unpaidCode, walletLowException } from './unpaid-order.ts'

/** Ends dispatch attempts whose carriers have accepted no order. */

/** The outcome of a dispatch attempt that ended without an accepted order. */
export interface Dismissal {
  readonly state: Extract<
    AttemptState,
    'refused' | 'unavailable' | 'invalid' | 'not_found_at_carrier' | 'abandoned' | 'superseded'
  >
  readonly code: string
  readonly message: string
  /** Time until which an ended dispatch attempt is monitored: its carrier may still create an order for the attempt. */
  readonly monitorUntil?: Timestamp
  readonly cancelFeeKobo?: Kobo
}

/**
 * Ends a dispatch attempt that failed or was abandoned. The next carrier may then be requested, unless the merchant
 * cancelled the shipment.
 */
export async function dismiss(
  work: ShipmentWork,
  locked: LockedShipment,
  attempt: StoredAttempt,
  dismissal: Dismissal,
): Promise<{ readonly is: 'cancelled' | 'next' }> {
  const { status } = await release(work, locked, attempt, dismissal)
  return { is: status === 'cancelled' ? 'cancelled' : 'next' }
}

/**
 * Ends a dispatch attempt and removes its carrier from the shipment. The shipment returns to `dispatching`, or becomes
 * `cancelled` if its cancellation was requested.
 */
export async function release(
  work: ShipmentWork,
  { shipment }: LockedShipment,
  attempt: StoredAttempt,
  { state, code, message, monitorUntil, cancelFeeKobo: reportedFeeKobo }: Dismissal,
): Promise<StoredShipment> {
  const cancelFeeKobo = reportedFeeKobo ?? attempt.cancelFeeKobo ?? undefined
  writeAttempt(work.trx, {
    ...attempt,
    state,
    outcomeCode: code,
    outcomeMessage: message,
    answeredAt: attempt.answeredAt ?? work.now,
    resolvedAt: work.now,
    cancelFeeKobo: cancelFeeKobo ?? null,
    nextCheckAt: monitorUntil === undefined ? null : toTimestamp(work.nowMs + firstMonitorMs),
    checks: 0,
    monitorUntil: monitorUntil ?? null,
  })
  noteAttemptState(work, attempt, state)
  // The carrier may have rejected an earlier cancellation of the shipment. This cancellation takes effect now: the
  // dispatch attempt has ended, so the consent of the carrier is not needed.
  const isOrderCancelled = hasCancelledOrder(shipment) || isCancelledByOrder(shipment)
  const isCancelled = shipment.status === 'cancelling' || shipment.cancelRequestedAt !== null || isOrderCancelled
  const isReleased = !isCancelled && shipment.status !== 'dispatching'
  const withWalletException =
    code === unpaidCode
      ? withException(shipment.exceptions, walletLowException(attempt.carrier, work.now))
      : shipment.exceptions
  const allowedKobo = isCancelled ? (shipment.cancelMaxFeeKobo ?? undefined) : undefined
  const exceptions = withFeeException(withWalletException, attempt, cancelFeeKobo, { allowedKobo, at: work.now })
  const { shipment: released } = await moveShipment(
    work,
    shipment,
    {
      status: isCancelled ? 'cancelled' : isReleased ? 'dispatching' : null,
      // A cancellation that is in progress has already set the status reason, which stays unchanged.
      reason: isReleased
        ? { code, message }
        : isOrderCancelled && shipment.status !== 'cancelling'
          ? orderCancelledReason
          : reasonOf(shipment),
      source: 'service',
      description: `${carrierNameOf(attempt.carrier)} did not accept the shipment: ${message}`,
      attemptNumber: attempt.number,
    },
    {
      exceptions: withoutUnknownOutcome({ exceptions }, work.now),
      ...(isCancelled
        ? {
            cancelFeeKobo:
              shipment.cancelFeeKobo ?? cancelFeeKobo ?? (statesWithoutOrder.includes(state) ? noKobo : null),
          }
        : { ...noCarrier, nextCheckAt: toTimestamp(work.nowMs + nextRequestLeaseMs), checks: 0 }),
    },
  )
  return released
}

/**
 * States of a dispatch attempt that ended without an order, so that no cancellation fee applies. In any other state
 * only the carrier can state the fee.
 */
const statesWithoutOrder: readonly AttemptState[] = ['refused', 'unavailable', 'invalid', 'not_found_at_carrier']

/**
 * Delay until the first check of an abandoned dispatch attempt. By then, even a delayed request has reached the
 * carrier.
 */
const firstMonitorMs = 60_000

export function noteAttemptState(work: ShipmentWork, { number, state: from }: StoredAttempt, to: AttemptState): void {
  work.note({
    attempt: [
      { number, state: from },
      { number, state: to },
    ],
  })
}

/**
 * Resolves the exception `outcome_unknown`, because the outcome of the dispatch attempt is now known or the attempt was
 * abandoned.
 */
export function withoutUnknownOutcome(
  { exceptions }: Pick<StoredShipment, 'exceptions'>,
  now: Timestamp,
): StoredShipment['exceptions'] {
  return resolvedOf(exceptions, ['outcome_unknown'], now)
}

export const noCarrier = {
  carrier: null,
  carrierReference: null,
  service: null,
  serviceLevel: null,
  trackingUrl: null,
  labelUrl: null,
  courier: null,
  priceKobo: null,
  surgeKobo: noKobo,
  pickupEstimate: null,
  deliveryEstimate: null,
  acceptedAt: null,
  assignedAt: null,
} as const
