import type { OrderMoveEvents } from '../../../registry/kit/event.ts'
import type { Failover } from '../../../registry/logistics/failover.ts'
import type { Place } from '../../../registry/logistics/place.ts'
import type { ProofInput } from '../../../registry/logistics/proof.ts'
import type { ShipmentItem } from '../../../registry/logistics/shipment-item.ts'
import type { UndeliverableAction } from '../../../registry/logistics/shipment-states.ts'
import { isPayable, type OrderStatus } from '../../../registry/orders/order-states.ts'
import type { Kobo, OfferId, QuoteId, ShipmentId, Timestamp } from '../../../registry/values/vocabulary.ts'
import { toTimestamp } from '../../base/clock.ts'
import { randomPin } from '../../base/ids.ts'
import { newShipmentId } from '../../base/records.ts'
import { noKobo, toKobo } from '../../commerce/money.ts'
import { activeShipmentOf, isUnshippable, openItemsOf } from '../../commerce/orders/open-items.ts'
import { isDropoffOf } from '../../commerce/orders/order-dropoff.ts'
import { uncollectedKobo } from '../../commerce/orders/uncollected-cash.ts'
import type { Work } from '../../store/core/mutation.ts'
import { isCustomerAnonymised } from '../../store/logistics/shipments/redact-shipments.ts'
import { insertShipment, insertShipmentEvent } from '../../store/logistics/shipments/shipments.ts'
import { findOrderToShip } from '../../store/orders/order-parcels.ts'
import { lockOrder } from '../../store/orders/order-writes.ts'
import type { PlannedOffer, StoredShipment } from '../../store/tables/shipment.ts'
import type { ResolvedRoute, ResolveRouteOutcome } from '../parcels/resolve-route.ts'
import { assignReturn, type ReturnRefusal } from '../parcels/return-to-ship.ts'
import { type ItemsRefusal, isOrderEnded, itemsRefusal } from '../parcels/route-contents.ts'
import { type ExpectedPrice, rulesOf } from '../quotes/failover-rules.ts'
import { type Plan, planDispatch } from '../quotes/plan-offers.ts'
import { requestLeaseMs } from '../shipments/leases.ts'
import { confirmOrder } from './confirm-order.ts'

export interface NewShipment {
  readonly reference: string
  readonly requestHash: string
  readonly quoteId: QuoteId | null
  /** Null without cash on delivery. */
  readonly codAmountKobo: Kobo | null
  readonly route: ResolvedRoute
  /**
   * The carrier offers for the shipment. Undefined for a scheduled shipment, whose offers are requested when the
   * shipment is due.
   */
  readonly offers: readonly PlannedOffer[] | undefined
  readonly firstOfferId: OfferId | undefined
  /**
   * Price at which a scheduled shipment would currently be offered. The real offers are requested when the shipment is
   * due.
   */
  readonly expectedPrice?: ExpectedPrice | undefined
  readonly surgeSnapshotId: string | null
  readonly failover: Failover
  readonly proof: ProofInput | undefined
  readonly undeliverableAction: UndeliverableAction
  readonly allowAdditional: boolean
  /** Whether a pending, unpaid order may be dispatched and thereby confirmed. */
  readonly confirmOrder: boolean
  /** Whether the request lists items of the order. Otherwise the shipment contains all remaining units. */
  readonly areItemsNamed: boolean
  /**
   * Whether the dropoff was read from the order for this request. False for a dispatch of a quote, because a quote does
   * not store where its dropoff comes from.
   */
  readonly isDropoffOfOrder: boolean
  readonly metadata: Readonly<Record<string, string>>
  /** Time at which the first carrier is requested. Null if it is requested at once. */
  readonly dispatchAt: Timestamp | null
  readonly scheduledPickupAt: Timestamp | null
  /** When a worker first checks the new shipment. Defaults to `dispatchAt`. */
  readonly firstCheckAt?: Timestamp
}

export type CreateShipmentOutcome =
  | { readonly is: 'created'; readonly shipment: StoredShipment }
  | { readonly is: 'contact_incomplete'; readonly missing: readonly string[] }
  | { readonly is: 'order_unknown' }
  | { readonly is: 'order_ended' | 'order_on_hold' | 'order_unpaid'; readonly status: OrderStatus }
  /** The address of the order changed after the dropoff was read from it. */
  | { readonly is: 'address_changed' }
  | AlreadyDispatched
  | Extract<ResolveRouteOutcome, { is: 'nothing_to_ship' }>
  | ItemsRefusal
  | ReturnRefusal
  /** The cash on delivery exceeds the amount due of the order minus the cash of its other shipments. */
  | { readonly is: 'cod_exceeds_due'; readonly dueKobo: Kobo }
  | { readonly is: 'ceiling_too_low'; readonly cheapestKobo: Kobo }

/** No unit of the order is left to ship, and the order already has an active or delivered shipment. */
export interface AlreadyDispatched {
  readonly is: 'order_already_dispatched'
  readonly shipmentId: ShipmentId
}

/**
 * Changes the outcome `nothing_to_ship` to `order_already_dispatched` when the order has a shipment and the request
 * does not set `allowAdditional`.
 */
export function asAlreadyDispatched<Outcome extends ResolveRouteOutcome>(
  outcome: Outcome,
  { allowAdditional }: Pick<NewShipment, 'allowAdditional'>,
): Outcome | AlreadyDispatched {
  if (outcome.is !== 'nothing_to_ship' || outcome.shipmentId === undefined || allowAdditional) return outcome
  return { is: 'order_already_dispatched', shipmentId: outcome.shipmentId }
}

/**
 * Length of the PIN that the recipient tells the rider. A recipient can remember four digits on the way from the phone
 * to the door.
 */
const pinDigits = 4

/** Inserts a shipment for which no carrier has been requested yet. Confirms the order of a scheduled shipment. */
export async function createShipment(work: Work<OrderMoveEvents>, input: NewShipment): Promise<CreateShipmentOutcome> {
  const { trx, now } = work
  const { route, failover } = input
  const missing = missingContacts(route)
  if (missing.length > 0) return { is: 'contact_incomplete', missing }
  const assigned = await assignItems(work, input)
  if (assigned.is !== 'assigned') return assigned
  const rules = rulesOf(failover, route.serviceLevels)
  const plan = planDispatch(input.offers ?? [], rules, input.firstOfferId)
  const { cheapestKobo } = plan
  if (cheapestKobo !== undefined && plan.offers.length === 0) return { is: 'ceiling_too_low', cheapestKobo }
  const shipment = newShipmentOf(work, input, { items: assigned.items, rules, plan })
  insertShipment(trx, shipment)
  insertShipmentEvent(trx, shipment, {
    number: 1,
    attemptNumber: null,
    status: shipment.status,
    carrierStatus: null,
    source: 'request',
    description: shipment.status === 'scheduled' ? 'The shipment was scheduled.' : 'The dispatch started.',
    isApplied: true,
    occurredAt: now,
    receivedAt: now,
  })
  return { is: 'created', shipment }
}

function newShipmentOf(
  { merchantId, now, nowMs }: Work<OrderMoveEvents>,
  input: NewShipment,
  {
    items,
    rules,
    plan,
  }: {
    readonly items: readonly ShipmentItem[]
    readonly rules: StoredShipment['failover']
    readonly plan: Plan<PlannedOffer>
  },
): StoredShipment {
  const { route, dispatchAt } = input
  const { offers: affordable, overCeiling } = plan
  return {
    ...emptyShipment,
    merchantId,
    id: newShipmentId(nowMs),
    reference: input.reference,
    requestHash: input.requestHash,
    orderId: route.orderId,
    returnId: route.returnId,
    items,
    quoteId: input.quoteId,
    offerId: input.quoteId === null ? null : (affordable[0]?.offerId ?? null),
    pickup: route.pickup,
    dropoff: route.dropoff,
    parcels: route.parcels,
    codAmountKobo: input.codAmountKobo,
    pickupZoneId: route.pickup.zoneId,
    dropoffZoneId: route.dropoff.zoneId,
    distanceMeters: route.distanceMeters,
    vehicle: route.vehicle,
    proof: proofOf(input.proof),
    undeliverableAction: input.undeliverableAction,
    failover: rules,
    priceCeilingKobo: input.expectedPrice?.ceilingKobo ?? toKobo(plan.ceilingKobo),
    quotedPriceKobo: affordable[0]?.priceKobo ?? input.expectedPrice?.priceKobo ?? noKobo,
    surgeSnapshotId: input.surgeSnapshotId,
    warnings: route.warnings,
    metadata: input.metadata,
    createdAt: now,
    status: dispatchAt !== null ? 'scheduled' : 'dispatching',
    plan: [...affordable, ...overCeiling],
    dispatchAt,
    scheduledPickupAt: input.scheduledPickupAt,
    eventCount: 1,
    // Without a scheduled time, the process that creates the shipment continues the dispatch itself, before
    // `nextCheckAt`. If this process ends, a worker continues the dispatch when the lease of the shipment has expired.
    nextCheckAt: input.firstCheckAt ?? dispatchAt ?? toTimestamp(nowMs + requestLeaseMs),
    updatedAt: now,
  }
}

/** Initial values of the columns for which a new shipment has no data. */
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
  codCollectedKobo: null,
  codCollectedAt: null,
  courier: null,
  pickupEstimate: null,
  deliveryEstimate: null,
  itemsBooked: 'none',
  removedItems: [],
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
  checks: 0,
  version: 1,
} as const

/** A rider must be able to find and call a contact at both ends. */
function missingContacts({ pickup, dropoff }: ResolvedRoute): string[] {
  const of = (name: string, { name: contact, phone }: Place) => [
    ...(contact === null ? [`${name}.name`] : []),
    ...(phone === null ? [`${name}.phone`] : []),
  ]
  return [...of('pickup', pickup), ...of('dropoff', dropoff)]
}

type Assignment =
  | { readonly is: 'assigned'; readonly items: readonly ShipmentItem[] }
  | Exclude<CreateShipmentOutcome, { is: 'created' }>

/**
 * Assigns the order items to the shipment under the lock of the order, so that only one of two concurrent dispatches
 * gets each unit. The lock also prevents shipping units that were cancelled since the order was read, shipping to a
 * customer who was anonymised since then, or shipping to an address that was changed since then.
 */
async function assignItems(work: Work<OrderMoveEvents>, input: NewShipment): Promise<Assignment> {
  const { trx, merchantId } = work
  const { route, codAmountKobo, allowAdditional, areItemsNamed } = input
  const { orderId, returnId } = route
  if (returnId !== null) return (await assignReturn(work, returnId)) ?? { is: 'assigned', items: [] }
  if (orderId === null) return { is: 'assigned', items: [] }
  const [locked, order, isRedacted] = await Promise.all([
    lockOrder(trx, merchantId, orderId),
    // This query runs on the same connection after the lock statement, so that it reads the locked state.
    findOrderToShip(trx, { merchantId, id: orderId }),
    isCustomerAnonymised(trx, { merchantId, orderId }),
  ])
  if (locked === undefined || order === undefined) return { is: 'order_unknown' }
  if (isOrderEnded(locked.status)) return { is: 'order_ended', status: locked.status }
  if (isRedacted) return { is: 'customer_anonymised' }
  if (input.isDropoffOfOrder && !isDropoffOf(order, route.dropoff)) return { is: 'address_changed' }
  const { status } = locked
  if (status === 'on_hold') return { is: 'order_on_hold', status }
  if (status === 'pending' && !input.confirmOrder && !isPayable(locked)) return { is: 'order_unpaid', status }
  if (isUnshippable(order)) return { is: 'nothing_to_ship', shipmentId: undefined }
  const items = route.items ?? openItemsOf(order)
  const refused = itemsRefusal(order, items)
  const shipmentId = activeShipmentOf(order)
  // An empty item list in a request does not permit an additional shipment of an order that was already dispatched.
  const isNothingLeft =
    items.length === 0 || (!areItemsNamed && refused !== undefined && openItemsOf(order).length === 0)
  if (isNothingLeft && shipmentId !== undefined && !allowAdditional) {
    return { is: 'order_already_dispatched', shipmentId }
  }
  if (refused !== undefined) return refused
  const dueKobo = uncollectedKobo(locked, order)
  if ((codAmountKobo ?? 0) > dueKobo) return { is: 'cod_exceeds_due', dueKobo }
  // The creation of a scheduled shipment confirms the order at once. An immediate dispatch confirms the order only when
  // a carrier accepts the shipment, because it is possible that no carrier accepts it.
  if (input.dispatchAt !== null) await confirmOrder(work, orderId)
  return { is: 'assigned', items }
}

function proofOf(proof: ProofInput | undefined): StoredShipment['proof'] {
  const { photo = false, signature = false, pin = 'none' } = proof ?? {}
  return { photo, signature, pin: pin === 'none' ? null : pin === 'generate' ? randomPin(pinDigits) : pin }
}
