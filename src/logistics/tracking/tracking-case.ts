import { writeAttempt } from '../../store/logistics/shipments/shipments.ts'
import type { PastUpdate } from '../../store/logistics/shipments/tracking.ts'
import type { StoredAttempt, StoredShipment } from '../../store/tables/shipment.ts'
import type { StoredException } from '../../store/tables/shipment-exception.ts'
import { isUnpaid, walletLowException, withPaymentState } from '../dispatch/unpaid-order.ts'
import { totalPriceKobo } from '../quotes/price-parts.ts'
import { resolvedExceptions, resolvedOf, withException, withStatusException } from '../shipments/exceptions.ts'
import type { ShipmentUpdate } from '../shipments/move-shipment.ts'
import { withPriceExceptions } from '../shipments/price-exceptions.ts'
import type { ShipmentWork } from '../shipments/shipment-work.ts'
import type { AttemptUpdate } from './attempt-update.ts'
import type { CarrierUpdate, Verdict } from './classify-update.ts'
import { withUnknownStatus } from './unknown-status.ts'
import { updateMessage } from './update-message.ts'

/** A tracking update with the locked records that it concerns, and with its effect on the shipment. */
export interface TrackingCase {
  readonly work: ShipmentWork
  readonly update: AttemptUpdate
  readonly shipment: StoredShipment
  readonly attempt: StoredAttempt
  readonly past: readonly PastUpdate[]
  readonly carrierUpdate: CarrierUpdate
  readonly verdict: Verdict
}

/**
 * Adds an exception if no adapter maps the raw carrier status to a shipment status. Otherwise, resolves an earlier
 * exception of this kind.
 */
export function withUnknownStatusException(current: TrackingCase): TrackingCase {
  const exceptions = withUnknownStatus(
    current.shipment.exceptions,
    current.attempt.carrier,
    current.update.tracking,
    current.work.now,
  )
  return exceptions === current.shipment.exceptions
    ? current
    : { ...current, shipment: { ...current.shipment, exceptions } }
}

/**
 * Stores whether the carrier's order is paid. If it is not, adds a `carrier_wallet_low` exception, which the merchant
 * resolves by funding the account at the carrier.
 */
export function withPayment(current: TrackingCase): TrackingCase {
  const { work, update, shipment, attempt } = current
  const now = withPaymentState(attempt, update.tracking, work.now)
  if (now === attempt) return current
  writeAttempt(work.trx, now)
  if (!isUnpaid(now)) {
    const isPaid = ({ code, carrier }: StoredException) => code === 'carrier_wallet_low' && carrier === attempt.carrier
    const paid = resolvedExceptions(shipment.exceptions, isPaid, work.now)
    return { ...current, attempt: now, shipment: { ...shipment, exceptions: paid } }
  }
  const exceptions = withException(shipment.exceptions, walletLowException(attempt.carrier, work.now))
  return { ...current, attempt: now, shipment: { ...shipment, exceptions, nextCheckAt: work.now } }
}

/**
 * Adds the exception `delivery_failed` when another attempt to deliver the parcel failed, because a member may have
 * resolved the exception of the earlier attempt.
 */
export function withAnotherFailure(current: TrackingCase): TrackingCase {
  const { work, shipment, verdict } = current
  if (verdict.is !== 'stays' || !verdict.isAnotherFailure) return current
  const exceptions = withStatusException(shipment.exceptions, shipment, { to: 'delivery_failed' }, work.now)
  return { ...current, shipment: { ...shipment, exceptions } }
}

/**
 * Updates the price of the shipment if a poll returns another price than the stored one: the carrier may report or
 * change its price after its acceptance of the order. Prices in callbacks are ignored, because they may be stale.
 */
export function withPrice(current: TrackingCase): TrackingCase {
  const { work, update, shipment, attempt } = current
  const { priceKobo, status } = update.tracking
  const isReported = update.source === 'poll' && priceKobo !== undefined && status !== 'cancelled'
  const isLive = attempt.state === 'accepted' || attempt.state === 'cancelling'
  if (!isReported || !isLive || priceKobo === attempt.priceKobo) return current
  const now = { ...attempt, priceKobo }
  writeAttempt(work.trx, now)
  const exceptions = withPriceExceptions(shipment, now, work.now)
  return { ...current, attempt: now, shipment: { ...shipment, priceKobo: totalPriceKobo(now), exceptions } }
}

/**
 * Resolves the exception `tracking_stalled` and resets the poll interval. The caller's next write of the shipment
 * stores both changes.
 */
export function withUpdateReceived(current: TrackingCase): TrackingCase {
  const { work, shipment } = current
  const exceptions = resolvedOf(shipment.exceptions, ['tracking_stalled'], work.now)
  return { ...current, shipment: { ...shipment, exceptions, checks: 0 } }
}

export function shipmentUpdateFrom({ update, attempt, carrierUpdate }: TrackingCase): ShipmentUpdate {
  const status = carrierUpdate.status ?? null
  return {
    status,
    source: update.source,
    description: updateMessage(carrierUpdate.status, carrierUpdate.carrierStatus),
    carrierStatus: carrierUpdate.carrierStatus,
    attemptNumber: update.attemptNumber,
    cash: {
      carrier: attempt.carrier,
      amountKobo: update.tracking.cashKobo,
      requestedKobo: attempt.offer.codAmountKobo,
    },
    ...(carrierUpdate.at === undefined ? {} : { occurredAt: carrierUpdate.at }),
  }
}

export function withCarrierReference({ attempt, update }: TrackingCase): StoredAttempt {
  return { ...attempt, carrierReference: attempt.carrierReference ?? update.carrierReference ?? null }
}

export function exceptionsWith(
  { work, shipment, attempt }: TrackingCase,
  update: Pick<StoredException, 'code' | 'cause' | 'facts'>,
): StoredShipment['exceptions'] {
  const { carrier, number: attemptNumber } = attempt
  return withException(shipment.exceptions, { ...update, carrier, attemptNumber, at: work.now })
}
