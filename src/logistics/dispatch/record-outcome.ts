import type { Timestamp } from '../../../registry/values/vocabulary.ts'
import { toTimestamp } from '../../base/clock.ts'
import type { CarrierOrder, Outcome } from '../../partners/carriers/carrier.ts'
import { writeAttempt } from '../../store/logistics/shipments/shipments.ts'
import type { StoredAttempt, StoredShipment } from '../../store/tables/shipment.ts'
import type { CircuitOpen } from '../carriers/breakers.ts'
import { carrierNameOf } from '../carriers/carrier-names.ts'
import { momentsOf } from '../moments.ts'
import { totalPriceKobo } from '../quotes/price-parts.ts'
import { changeShipment, type LockedShipment, type ShipmentCommand } from '../shipments/change-shipment.ts'
import { isCancelledByOrder } from '../shipments/end-cancelled.ts'
import { isOf, orderCancelledReason, resolvedExceptions } from '../shipments/exceptions.ts'
import { firstCheckLeaseMs } from '../shipments/leases.ts'
import { moveShipment } from '../shipments/move-shipment.ts'
import { withPriceExceptions } from '../shipments/price-exceptions.ts'
import type { ShipmentWork } from '../shipments/shipment-work.ts'
import { assignTimeoutMs } from './assign-timeout.ts'
import { confirmOrder } from './confirm-order.ts'
import { notSentCode, subCarrierDownCode } from './next-offer.ts'
import { type Dismissal, dismiss, noteAttemptState, withoutUnknownOutcome } from './release-attempt.ts'
import { pausedCode } from './unpaid-order.ts'

export type RequestOutcome = Outcome<CarrierOrder> | CircuitOpen | { readonly is: 'not_sent' }

export type RecordedOutcome =
  | { readonly is: 'accepted' }
  | { readonly is: 'next' }
  | { readonly is: 'unknown' }
  /** The carrier accepted a shipment that the merchant has cancelled. The carrier’s order must be cancelled next. */
  | { readonly is: 'to_be_cancelled' }
  /** The merchant cancelled the shipment during the dispatch attempt, and the carrier did not accept the shipment. */
  | { readonly is: 'cancelled' }
  /** The dispatch attempt was abandoned before the carrier's response to it arrived. */
  | { readonly is: 'too_late'; readonly order: CarrierOrder | undefined }

export async function recordOutcome(
  command: ShipmentCommand,
  number: number,
  outcome: RequestOutcome,
): Promise<RecordedOutcome> {
  const recorded = await changeShipment<RecordedOutcome>(command, 'shipment.record_outcome', (work, locked) => {
    const attempt = locked.attempts.find((known) => known.number === number)
    if (attempt === undefined || (attempt.state !== 'sending' && attempt.state !== 'unknown')) return undefined
    if (outcome.is === 'ok') return accept(work, locked, attempt, outcome.value)
    if (outcome.is === 'unknown')
      return recordUnknown(work, locked, attempt, outcome, firstCheckLeaseMs(command.context.timeouts))
    return dismiss(work, locked, attempt, dismissalOf(outcome))
  })
  return recorded ?? { is: 'too_late', order: outcome.is === 'ok' ? outcome.value : undefined }
}

/**
 * The shipment gets the order, the price and the estimates of the carrier. A shipment that was cancelled during the
 * carrier request becomes `cancelling`.
 */
export async function accept(
  work: ShipmentWork,
  { shipment }: LockedShipment,
  attempt: StoredAttempt,
  order: CarrierOrder,
): Promise<RecordedOutcome> {
  const timeoutMs = await assignTimeoutMs(work.trx, shipment, attempt)
  // The merchant may have cancelled the order while the carrier request was in progress, when the shipment could not be
  // cancelled yet. In that case, the shipment is cancelled now.
  const isOrderCancelled = isCancelledByOrder(shipment)
  const isCancelled = shipment.status === 'cancelling' || isOrderCancelled
  const acceptedAttempt = {
    ...withOrder(attempt, order, work.now),
    state: isCancelled ? 'cancelling' : 'accepted',
    assignDeadline: toTimestamp(work.nowMs + timeoutMs),
  } as const
  writeAttempt(work.trx, acceptedAttempt)
  noteAttemptState(work, attempt, acceptedAttempt.state)
  if (!isCancelled) await confirmOrder(work, shipment.orderId)
  const { offer } = attempt
  await moveShipment(
    work,
    shipment,
    {
      status: isCancelled ? 'cancelling' : 'awaiting_courier',
      reason: isOrderCancelled ? orderCancelledReason : null,
      source: 'service',
      description: `${carrierNameOf(attempt.carrier)} accepted the shipment.`,
      attemptNumber: attempt.number,
    },
    {
      carrier: attempt.carrier,
      carrierReference: order.carrierReference,
      service: offer.service,
      serviceLevel: offer.serviceLevel,
      trackingUrl: order.trackingUrl ?? null,
      labelUrl: order.labelUrl ?? null,
      priceKobo: totalPriceKobo(acceptedAttempt),
      surgeKobo: offer.surgeKobo,
      // The rider of a late-accepted carrier order collects the requested cash, even if the merchant's order was paid
      // since then.
      ...(offer.codAmountKobo === undefined || shipment.codCollectedAt !== null
        ? {}
        : { codAmountKobo: offer.codAmountKobo }),
      // The carrier's estimated minutes are counted from the time of the request, because the service may learn of the
      // acceptance much later.
      pickupEstimate: momentsOf(attempt.startedAt, offer.pickupMinutes),
      deliveryEstimate: order.dropoffAt ?? momentsOf(attempt.startedAt, offer.dropoffMinutes),
      exceptions: withPriceExceptions(
        { ...shipment, exceptions: withoutDuplicate(shipment, acceptedAttempt, work.now) },
        acceptedAttempt,
        work.now,
      ),
      acceptedAt: work.now,
      nextCheckAt: isCancelled ? work.now : toTimestamp(work.nowMs + firstPollMs),
      checks: 0,
    },
  )
  return { is: isCancelled ? 'to_be_cancelled' : 'accepted' }
}

function withOrder(attempt: StoredAttempt, order: CarrierOrder, now: Timestamp): StoredAttempt {
  return {
    ...attempt,
    carrierReference: order.carrierReference,
    priceKobo: order.priceKobo ?? attempt.priceKobo,
    outcomeCode: 'accepted',
    outcomeMessage: 'The carrier accepted the shipment.',
    cancelFeeKobo: null,
    duplicateCostKobo: null,
    answeredAt: attempt.answeredAt ?? now,
    resolvedAt: now,
    nextCheckAt: null,
    notFoundCount: 0,
    notFoundSince: null,
    monitorUntil: null,
  }
}

/**
 * Delay between the acceptance of a dispatch attempt by its carrier and the first poll of the carrier. Carriers seldom
 * assign a rider sooner.
 */
const firstPollMs = 10_000

async function recordUnknown(
  work: ShipmentWork,
  { shipment }: LockedShipment,
  attempt: StoredAttempt,
  { cause, message }: { readonly cause: string; readonly message: string },
  leaseMs: number,
): Promise<RecordedOutcome> {
  // This process checks the unknown outcome of the attempt at once. If the process ends before that, a worker makes the
  // check when the lease ends.
  const nextCheckAt = toTimestamp(work.nowMs + leaseMs)
  writeAttempt(work.trx, {
    ...attempt,
    state: 'unknown',
    outcomeCode: cause,
    outcomeMessage: message,
    answeredAt: work.now,
    nextCheckAt,
  })
  await moveShipment(
    work,
    shipment,
    {
      status: null,
      source: 'service',
      description: `It is unknown whether ${carrierNameOf(attempt.carrier)} accepted the shipment: ${message}`,
      attemptNumber: attempt.number,
    },
    { nextCheckAt, checks: 0 },
  )
  noteAttemptState(work, attempt, 'unknown')
  return { is: 'unknown' }
}

function dismissalOf(outcome: Exclude<RequestOutcome, { is: 'ok' | 'unknown' }>): Dismissal {
  switch (outcome.is) {
    case 'refused':
      return { state: 'refused', code: outcome.code, message: outcome.message }
    case 'invalid':
      return { state: 'invalid', code: 'invalid', message: outcome.message }
    case 'unavailable': {
      const code = outcome.isOfSubCarrier === true ? subCarrierDownCode : 'unavailable'
      return { state: 'unavailable', code, message: outcome.message }
    }
    case 'not_sent':
      return { state: 'unavailable', code: notSentCode, message: 'The request to the carrier was not sent in time.' }
    case 'circuit_open':
      return { state: 'unavailable', code: pausedCode(outcome), message: outcome.message }
  }
}

/**
 * Resolves `outcome_unknown`, and `possible_duplicate` of the accepted attempt, and returns the exceptions of the
 * shipment.
 */
function withoutDuplicate(
  shipment: StoredShipment,
  attempt: StoredAttempt,
  now: Timestamp,
): StoredShipment['exceptions'] {
  return resolvedExceptions(
    withoutUnknownOutcome(shipment, now),
    (known) => isOf(known, ['possible_duplicate'], attempt),
    now,
  )
}
