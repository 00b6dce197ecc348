import type { DispatchAttempt } from '../../../registry/logistics/dispatch-attempt.ts'
import type { Shipment, ShipmentEvent } from '../../../registry/logistics/shipment.ts'
import { isShipmentOver, liveAttemptStates } from '../../../registry/logistics/shipment-states.ts'
import { toMs } from '../../base/clock.ts'
import { attemptIdOf } from '../../base/records.ts'
import { toKobo } from '../../commerce/money.ts'
import { asRecord } from '../../store/core/json.ts'
import type { ShipmentWindows } from '../../store/logistics/shipments/shipment-windows.ts'
import type { ShipmentWithAttempts, StoredShipmentEvent } from '../../store/logistics/shipments/shipments.ts'
import type { PlannedOffer, StoredAttempt, StoredShipment } from '../../store/tables/shipment.ts'
import type { StoredException } from '../../store/tables/shipment-exception.ts'
import { carrierNameOf } from '../carriers/carrier-names.ts'
import { momentsOf, notBefore } from '../moments.ts'
import { expectedCostAmong } from '../quotes/plan-offers.ts'
import { etaStart, noWindows } from '../quotes/windows.ts'
import { deliveryEtaOf } from './delivery-eta.ts'
import { messageOf } from './exception-message.ts'
import { reasonOf } from './status-reason.ts'

/** The fee is null when the shipment cannot be cancelled. */
export interface Cancellability {
  readonly allowed: boolean
  readonly estimatedFeeKobo: number | null
}

export function shipmentRecord(
  { shipment, attempts, events, windows }: ShipmentWithAttempts,
  mode: 'live' | 'test',
  cancellability: Cancellability,
): Shipment {
  const { carrier, status, cancelRequestedAt, cancelFeeKobo, cancelRefundKobo } = shipment
  return asRecord<Shipment>({
    id: shipment.id,
    reference: shipment.reference,
    orderId: shipment.orderId,
    returnId: shipment.returnId,
    items: shipment.items,
    quoteId: shipment.quoteId,
    status: shipment.status,
    statusReason: reasonOf(shipment),
    carrier: carrier === null ? null : { code: carrier, name: carrierNameOf(carrier) },
    service: shipment.service,
    serviceLevel: shipment.serviceLevel,
    vehicle: shipment.vehicle,
    carrierReference: shipment.carrierReference,
    trackingUrl: shipment.trackingUrl,
    labelUrl: shipment.labelUrl,
    currency: 'NGN',
    quotedPriceKobo: shipment.quotedPriceKobo,
    priceKobo: shipment.priceKobo,
    surgeKobo: shipment.surgeKobo,
    priceCeilingKobo: shipment.priceCeilingKobo,
    codAmountKobo: shipment.codAmountKobo,
    codCollectedKobo: shipment.codCollectedKobo,
    codCollectedAt: shipment.codCollectedAt,
    pickup: shipment.pickup,
    dropoff: shipment.dropoff,
    parcels: shipment.parcels,
    distanceMeters: shipment.distanceMeters,
    proof: { ...shipment.proof, captured: shipment.capturedProof },
    undeliverableAction: shipment.undeliverableAction,
    courier: isShipmentOver(shipment.status) ? null : shipment.courier,
    pickupEta: shipment.pickupEstimate,
    deliveryEta: deliveryEtaOf(shipment),
    pickupWindow: windows?.pickup ?? null,
    dropoffWindow: windows?.dropoff ?? null,
    dispatchAt: shipment.dispatchAt ?? shipment.dispatchedAt,
    scheduledPickupAt: shipment.scheduledPickupAt,
    plan: planRecord(shipment, windows ?? noWindows),
    attempts: attempts.map((attempt) => attemptRecord(attempt, attempts)),
    timeline: events.map(eventRecord),
    exceptions: shipment.exceptions.map(exceptionRecord),
    warnings: shipment.warnings,
    cancellation: {
      ...cancellability,
      status: status === 'cancelling' || status === 'cancelled' ? status : null,
      requestedAt: cancelRequestedAt,
      confirmedAt: status === 'cancelled' ? shipment.endedAt : null,
      reason: shipment.cancelReason,
      note: shipment.cancelNote,
      feeKobo: cancelFeeKobo,
      refundKobo: cancelRefundKobo,
    },
    metadata: shipment.metadata,
    mode,
    version: shipment.version,
    createdAt: shipment.createdAt,
    updatedAt: shipment.updatedAt,
    assignedAt: shipment.assignedAt,
    pickedUpAt: shipment.pickedUpAt,
    deliveredAt: shipment.deliveredAt,
  })
}

/**
 * Returns the plan of a shipment in the form that the API shows. Its times are relative to the request to the carrier,
 * like `pickupEta`, and not to the quote. A rider starts when requested, so times relative to an older quote could be
 * in the past before any carrier is requested.
 */
function planRecord(shipment: StoredShipment, windows: ShipmentWindows): Shipment['plan'] {
  const { plan, priceCeilingKobo, createdAt, dispatchAt, scheduledPickupAt } = shipment
  const requestedAt = dispatchAt ?? createdAt
  // The estimates of an offer are relative to `requestedAt`. If a pickup is scheduled and the offer has an estimated
  // pickup time, the estimates are relative to the dispatch time of the offer instead.
  const requestTimeOf = (offer: PlannedOffer) =>
    scheduledPickupAt === null || offer.pickupMinutes === null ? requestedAt : etaStart(windows, offer, requestedAt)
  const scheduledPickup = scheduledPickupAt === null ? null : { p50: scheduledPickupAt, p90: scheduledPickupAt }
  const dropoffEtaOf = (offer: PlannedOffer) => {
    const eta = momentsOf(requestTimeOf(offer), offer.dropoffMinutes)
    // The offer's dropoff minutes do not include the wait for a scheduled pickup, so the estimated delivery must not be
    // earlier than the pickup. If the offer states no minutes until the pickup, the shipment's scheduled pickup time is
    // used.
    return eta && notBefore(eta, momentsOf(requestTimeOf(offer), offer.pickupMinutes) ?? scheduledPickup)
  }
  const affordable = plan.filter(({ priceKobo }) => priceKobo <= priceCeilingKobo)
  const costOf = expectedCostAmong(affordable)
  return affordable.map((offer) => ({
    offerId: offer.offerId,
    carrier: offer.carrier,
    carrierName: carrierNameOf(offer.carrier),
    service: offer.service,
    serviceLevel: offer.serviceLevel,
    vehicle: offer.vehicle,
    priceKobo: offer.priceKobo,
    expectedCostKobo: toKobo(Math.round(costOf(offer))),
    pickupEta: momentsOf(requestTimeOf(offer), offer.pickupMinutes),
    dropoffEta: dropoffEtaOf(offer),
    reliability: Math.round(offer.reliability * 1000) / 1000,
  }))
}

function attemptRecord(attempt: StoredAttempt, all: readonly StoredAttempt[]): DispatchAttempt {
  const { startedAt, answeredAt, outcomeCode, outcomeMessage } = attempt
  return asRecord<DispatchAttempt>({
    id: attemptIdOf(attempt.shipmentId, attempt.number),
    number: attempt.number,
    carrier: attempt.carrier,
    service: attempt.offer.service,
    state: attempt.state,
    outcome: outcomeCode === null ? null : { code: outcomeCode, message: outcomeMessage ?? outcomeCode },
    priceKobo: attempt.priceKobo,
    carrierReference: attempt.carrierReference,
    cancellationFeeKobo: attempt.cancelFeeKobo,
    duplicateCostKobo: attempt.duplicateCostKobo,
    superseded: isSuperseded(attempt, all),
    latencyMs: answeredAt === null ? null : Math.max(0, toMs(answeredAt) - toMs(startedAt)),
    startedAt,
    endedAt: attempt.resolvedAt ?? answeredAt,
  })
}

/**
 * Whether another attempt replaced the dispatch attempt: a later attempt, or an earlier attempt that the carrier
 * accepted late.
 */
function isSuperseded({ state, number }: StoredAttempt, all: readonly StoredAttempt[]): boolean {
  if (state === 'superseded') return true
  if (state === 'completed' || liveStates.has(state)) return false
  return all.some((other) => other.number > number && other.state !== 'skipped')
}

const liveStates: ReadonlySet<StoredAttempt['state']> = new Set(liveAttemptStates)

function eventRecord(event: StoredShipmentEvent): ShipmentEvent {
  return {
    status: event.status,
    description: event.description,
    source: event.source,
    carrierStatus: event.carrierStatus,
    attemptNumber: event.attemptNumber,
    applied: event.isApplied,
    at: event.occurredAt,
    receivedAt: event.receivedAt,
  }
}

function exceptionRecord(exception: StoredException) {
  const { code, at, carrier = null, attemptNumber = null, resolvedAt = null, amounts = null } = exception
  return { code, message: messageOf(exception), carrier, attemptNumber, at, resolvedAt, amounts }
}
