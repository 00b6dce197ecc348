import { dispatchAttemptsMax } from '../../../registry/limits.ts'
import type { OrderStatus } from '../../../registry/order-states.ts'
import type { Place } from '../../../registry/place.ts'
import type { ProofInput } from '../../../registry/proof.ts'
import type { UndeliverableAction } from '../../../registry/shipment-states.ts'
import type { Failover } from '../../../registry/shipments.ts'
import type { Kobo, OfferId, OrderId, QuoteId, Timestamp } from '../../../registry/vocabulary.ts'
import { toTimestamp } from '../../clock.ts'
import { noKobo, toKobo } from '../../commerce/money.ts'
import { randomPin } from '../../ids.ts'
import { newShipmentId } from '../../records.ts'
import { isPersonForgotten } from '../../store/forgetting-shipments.ts'
import type { Work } from '../../store/mutation.ts'
import { lockOrder } from '../../store/order-writes.ts'
import type { FailoverRules, KeptShipment, PlannedOffer } from '../../store/shipment-columns.ts'
import { findShipmentUnderWay, insertShipment, insertShipmentEvent } from '../../store/shipments.ts'
import { isOrderOver, type Understood } from '../places/understand.ts'
import { requestLeaseMs } from './leases.ts'
import { planDispatch } from './plan-offers.ts'

/** All that is settled when a shipment is made, by a dispatch or by a schedule. */
export interface NewShipment {
  readonly reference: string
  readonly requestHash: string
  readonly quoteId: QuoteId | null
  readonly wanted: Understood
  /** Undefined where carriers are asked for offers when it is time. */
  readonly offers: readonly PlannedOffer[] | undefined
  readonly firstOfferId: OfferId | undefined
  /** Of one for which carriers are asked when it is time: what they want now. */
  readonly foreseen?: ForeseenPrice | undefined
  readonly surgeSnapshotId: string | null
  readonly failover: Failover
  readonly proof: ProofInput | undefined
  readonly undeliverableAction: UndeliverableAction
  readonly allowAdditional: boolean
  readonly metadata: Readonly<Record<string, string>>
  /** Null calls a carrier at once. */
  readonly dispatchAt: Timestamp | null
  readonly scheduledPickupAt: Timestamp | null
  /** When a worker first has something to do about it; left out, it is when a carrier is to be called. */
  readonly firstLookAt?: Timestamp
}

/** What a shipment would cost were it offered now, and what it may therefore cost when it is. */
export interface ForeseenPrice {
  readonly priceKobo: Kobo
  readonly ceilingKobo: Kobo
}

export type CreateShipmentOutcome =
  | { readonly is: 'created'; readonly shipment: KeptShipment }
  | { readonly is: 'contact_incomplete'; readonly missing: readonly string[] }
  | { readonly is: 'order_unknown' }
  | { readonly is: 'order_over'; readonly status: OrderStatus }
  | { readonly is: 'order_already_dispatched'; readonly shipmentId: string }
  | { readonly is: 'customer_anonymised' }
  | { readonly is: 'ceiling_too_low'; readonly cheapestKobo: Kobo }

/** Without a choice of the request’s, the rules of failover. */
const standardFailover: Failover = { enabled: true, strategy: 'best_value', maxAttempts: 3 }

/** As many digits as a person keeps in mind between the door and the phone. */
const pinDigits = 4

/** Writes down a shipment that no carrier has been asked for yet. */
export async function createShipment(work: Work, made: NewShipment): Promise<CreateShipmentOutcome> {
  const { trx, merchantId, now, nowMs } = work
  const { wanted, failover, dispatchAt } = made
  const missing = missingContacts(wanted)
  if (missing.length > 0) return { is: 'contact_incomplete', missing }
  const refused = wanted.orderId === null ? undefined : await refusalOfOrder(work, made, wanted.orderId)
  if (refused !== undefined) return refused
  const rules = rulesOf(failover, wanted.serviceLevels)
  const plan = planDispatch(made.offers ?? [], rules, made.firstOfferId)
  const { offers: affordable, tooDear, cheapestKobo } = plan
  if (cheapestKobo !== undefined && affordable.length === 0) return { is: 'ceiling_too_low', cheapestKobo }
  const isScheduled = dispatchAt !== null
  const shipment: KeptShipment = {
    ...emptyShipment,
    merchantId,
    id: newShipmentId(nowMs),
    reference: made.reference,
    requestHash: made.requestHash,
    orderId: wanted.orderId,
    quoteId: made.quoteId,
    offerId: made.quoteId === null ? null : (affordable[0]?.offerId ?? null),
    pickup: wanted.pickup,
    dropoff: wanted.dropoff,
    parcels: wanted.parcels,
    pickupZoneId: wanted.pickup.zoneId,
    dropoffZoneId: wanted.dropoff.zoneId,
    distanceMeters: wanted.distanceMeters,
    vehicle: wanted.vehicle,
    proof: proofOf(made.proof),
    undeliverableAction: made.undeliverableAction,
    failover: rules,
    priceCeilingKobo: made.foreseen?.ceilingKobo ?? toKobo(plan.ceilingKobo),
    quotedPriceKobo: affordable[0]?.priceKobo ?? made.foreseen?.priceKobo ?? noKobo,
    surgeSnapshotId: made.surgeSnapshotId,
    metadata: made.metadata,
    createdAt: now,
    status: isScheduled ? 'scheduled' : 'dispatching',
    plan: [...affordable, ...tooDear],
    dispatchAt,
    scheduledPickupAt: made.scheduledPickupAt,
    eventCount: 1,
    // Whoever made it goes on at once; should that end here, a worker does.
    nextLookAt: made.firstLookAt ?? dispatchAt ?? toTimestamp(nowMs + requestLeaseMs),
    updatedAt: now,
  }
  insertShipment(trx, shipment)
  insertShipmentEvent(trx, shipment, {
    number: 1,
    attemptNumber: null,
    status: shipment.status,
    carrierStatus: null,
    source: 'request',
    description: isScheduled ? 'It was scheduled.' : 'It is to be dispatched.',
    isApplied: true,
    occurredAt: now,
    receivedAt: now,
  })
  return { is: 'created', shipment }
}

interface Choice {
  readonly failover?: Failover | undefined
  readonly carriers?: readonly string[] | undefined
}

/** Whom to ask may be said of the offers and of the failover; where both are said, both hold. */
export function failoverOf({ failover = standardFailover, carriers }: Choice): Failover {
  if (carriers === undefined) return failover
  const both = failover.carriers?.filter((code) => carriers.includes(code))
  return { ...failover, carriers: both ?? [...carriers] }
}

/** Without failover one carrier is asked, and no more. */
export function rulesOf(failover: Failover, serviceLevels: Understood['serviceLevels']): FailoverRules {
  return {
    enabled: failover.enabled,
    strategy: failover.strategy,
    maxAttempts: failover.enabled ? Math.min(failover.maxAttempts, dispatchAttemptsMax) : 1,
    carriers: failover.carriers ?? null,
    excludeCarriers: failover.excludeCarriers ?? null,
    maxPriceKobo: failover.maxPriceKobo ?? null,
    maxPriceIncreaseKobo: failover.maxPriceIncreaseKobo ?? null,
    assignTimeoutSeconds: failover.assignTimeoutSeconds ?? null,
    onUnknown: failover.onUnknown ?? null,
    serviceLevels,
  }
}

/** What a new shipment has none of. */
const emptyShipment = {
  statusCode: null,
  statusMessage: null,
  serviceLevel: null,
  service: null,
  carrier: null,
  carrierReference: null,
  trackingUrl: null,
  labelUrl: null,
  priceKobo: null,
  surgeKobo: noKobo,
  courier: null,
  pickupEstimate: null,
  deliveryEstimate: null,
  capturedProof: [],
  exceptions: [],
  cancelRequestedAt: null,
  cancelReason: null,
  cancelNote: null,
  cancelMaxFeeKobo: null,
  cancelFeeKobo: null,
  cancelRefundKobo: null,
  dispatchedAt: null,
  acceptedAt: null,
  assignedAt: null,
  pickedUpAt: null,
  deliveredAt: null,
  endedAt: null,
  attemptCount: 0,
  looks: 0,
  version: 1,
} as const

/** A rider has to find somebody at both ends, and to be able to call them. */
function missingContacts({ pickup, dropoff }: Understood): string[] {
  const of = (name: string, { name: contact, phone }: Place) => [
    ...(contact === null ? [`${name}.name`] : []),
    ...(phone === null ? [`${name}.phone`] : []),
  ]
  return [...of('pickup', pickup), ...of('dropoff', dropoff)]
}

async function refusalOfOrder(
  { trx, merchantId }: Work,
  { allowAdditional }: NewShipment,
  orderId: OrderId,
): Promise<Exclude<CreateShipmentOutcome, { is: 'created' }> | undefined> {
  // Two dispatches of one order at once must not both find that there is no other; nor may one send what was called off, or
  // bring back somebody who was erased, since the order was read.
  const [order, other, isForgotten] = await Promise.all([
    lockOrder(trx, merchantId, orderId),
    findShipmentUnderWay(trx, merchantId, orderId),
    isPersonForgotten(trx, merchantId, orderId),
  ])
  if (order === undefined) return { is: 'order_unknown' }
  if (isOrderOver(order.status)) return { is: 'order_over', status: order.status }
  if (isForgotten) return { is: 'customer_anonymised' }
  return other === undefined || allowAdditional ? undefined : { is: 'order_already_dispatched', shipmentId: other }
}

function proofOf(proof: ProofInput | undefined): KeptShipment['proof'] {
  const { photo = false, signature = false, pin = 'none' } = proof ?? {}
  return { photo, signature, pin: pin === 'none' ? null : pin === 'generate' ? randomPin(pinDigits) : pin }
}
