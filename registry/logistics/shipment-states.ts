export const shipmentStatuses = [
  'scheduled',
  'dispatching',
  'awaiting_courier',
  'courier_assigned',
  'at_pickup',
  'picked_up',
  'in_transit',
  'at_dropoff',
  'delivered',
  'delivery_failed',
  'returning',
  'returned',
  'cancelling',
  'cancelled',
  'failed',
  'lost',
] as const

export type ShipmentStatus = (typeof shipmentStatuses)[number]

/**
 * Shipment statuses from which the service concludes that the parcel was picked up. Many carriers never report the
 * pickup, or report it late.
 */
const beyondPickup = [
  'in_transit',
  'at_dropoff',
  'delivered',
  'delivery_failed',
  'returning',
  'returned',
  'lost',
] as const

/**
 * Allowed status transitions of a shipment. Carriers skip statuses, so a later status may follow directly; stale and
 * repeated updates never move a shipment back. The OpenAPI document publishes this table, and the database rejects
 * every other transition.
 */
export const shipmentTransitions = {
  scheduled: ['dispatching', 'cancelled'],
  dispatching: ['awaiting_courier', 'courier_assigned', 'failed', 'cancelling', 'cancelled'],
  awaiting_courier: [
    'courier_assigned',
    'at_pickup',
    'picked_up',
    ...beyondPickup,
    'dispatching',
    'cancelling',
    'cancelled',
    'failed',
  ],
  courier_assigned: [
    'at_pickup',
    'picked_up',
    ...beyondPickup,
    'awaiting_courier',
    'dispatching',
    'cancelling',
    'cancelled',
    'failed',
  ],
  at_pickup: ['picked_up', ...beyondPickup, 'awaiting_courier', 'dispatching', 'cancelling', 'cancelled', 'failed'],
  picked_up: beyondPickup,
  in_transit: ['at_dropoff', 'delivered', 'delivery_failed', 'returning', 'returned', 'lost'],
  at_dropoff: ['delivered', 'delivery_failed', 'in_transit', 'returning', 'returned', 'lost'],
  delivered: [],
  delivery_failed: ['in_transit', 'at_dropoff', 'delivered', 'returning', 'returned', 'lost'],
  returning: ['returned', 'lost', 'delivered'],
  returned: [],
  // A shipment in `cancelling` may still progress to later statuses: the carrier may reject the cancellation, or
  // receive the request too late.
  cancelling: ['cancelled', 'awaiting_courier', 'courier_assigned', 'at_pickup', 'picked_up', ...beyondPickup],
  cancelled: [],
  failed: [],
  lost: [],
} as const satisfies Record<ShipmentStatus, readonly ShipmentStatus[]>

export function mayShipmentMove(from: ShipmentStatus, to: ShipmentStatus): boolean {
  const allowed: readonly ShipmentStatus[] = shipmentTransitions[from]
  return allowed.includes(to)
}

export function isShipmentOver(status: ShipmentStatus): boolean {
  return shipmentTransitions[status].length === 0
}

/** Statuses of a shipment that a carrier has accepted but not picked up yet. */
export const unfetchedStatuses: readonly ShipmentStatus[] = ['awaiting_courier', 'courier_assigned', 'at_pickup']

export const beforePickupStatuses: readonly ShipmentStatus[] = ['scheduled', 'dispatching', ...unfetchedStatuses]

export function isUnfetched(status: ShipmentStatus): boolean {
  return unfetchedStatuses.includes(status)
}

export const pickupBoundStatuses: readonly ShipmentStatus[] = ['courier_assigned', 'at_pickup']

/** A shipment with one of these statuses can be returned but not cancelled. */
export const handedOverStatuses: readonly ShipmentStatus[] = [
  'picked_up',
  'in_transit',
  'at_dropoff',
  'delivery_failed',
  'returning',
]

/**
 * Shipment statuses in which another shipment may contain the same order items: nothing was picked up, or the parcel
 * was returned.
 */
const releasedStatuses: readonly ShipmentStatus[] = ['failed', 'cancelled', 'returned']

/** Reports whether the order items of a shipment with this status cannot be in another shipment. */
export function holdsItems(status: string): boolean {
  return releasedStatuses.every((released) => released !== status)
}

/** Final statuses of a shipment whose parcel was picked up. They state where the parcel is. */
const parcelEnds: readonly ShipmentStatus[] = ['delivered', 'returned', 'lost']

export function isParcelEnd(status: ShipmentStatus): boolean {
  return parcelEnds.includes(status)
}

export const undeliveredEnds = ['cancelled', 'failed', 'returned', 'lost'] as const satisfies readonly ShipmentStatus[]

export function isActiveOrDelivered(status: string): boolean {
  return undeliveredEnds.every((end) => end !== status)
}

/** Reports whether the parcel of a shipment with this status was picked up, even if it was returned or lost later. */
export function hasLeftShop(status: ShipmentStatus): boolean {
  return beyondPickup.some((each) => each === status) || status === 'picked_up'
}

export const attemptStates = [
  'sending',
  'unknown',
  'accepted',
  'cancelling',
  'refused',
  'unavailable',
  'invalid',
  'skipped',
  'not_found_at_carrier',
  'abandoned',
  'late_cancelled',
  'superseded',
  'cancelled',
  'completed',
] as const

export type AttemptState = (typeof attemptStates)[number]

/** States of an active dispatch attempt. The database allows one active attempt per shipment. */
export const liveAttemptStates = [
  'sending',
  'unknown',
  'accepted',
  'cancelling',
] as const satisfies readonly AttemptState[]

/** Conditions of a shipment that need manual action. */
export const shipmentExceptionCodes = [
  'outcome_unknown',
  'possible_duplicate',
  'duplicate_dispatch',
  'carrier_wallet_low',
  'carrier_not_connected',
  'carrier_account_blocked',
  'order_missing',
  'order_not_moved',
  'order_cancelled',
  'courier_late',
  'pickup_late',
  'tracking_stalled',
  'unknown_carrier_status',
  'price_above_ceiling',
  'price_above_offer',
  'cancellation_fee_above_accepted',
  'cancelled_after_pickup',
  'dispatch_failed',
  'delivery_failed',
  'parcel_returned',
  'parcel_lost',
  'delivered_after_cancellation',
  'units_refunded',
  'units_not_shipped',
  'cod_amount_mismatch',
] as const

export type ShipmentExceptionCode = (typeof shipmentExceptionCodes)[number]

export const serviceLevels = ['on_demand', 'same_day', 'next_day', 'standard'] as const
export type ServiceLevel = (typeof serviceLevels)[number]

/** Vehicle types for deliveries, smallest first. */
export const vehicles = ['bike', 'car', 'van', 'truck'] as const
export type Vehicle = (typeof vehicles)[number]

export const cancellationReasons = [
  'customer_request',
  'out_of_stock',
  'wrong_address',
  'duplicate',
  'too_slow',
  'too_expensive',
  'other',
] as const
export type CancellationReason = (typeof cancellationReasons)[number]

export const undeliverableActions = ['return', 'leave_at_door', 'hold'] as const
export type UndeliverableAction = (typeof undeliverableActions)[number]

export const dispatchStrategies = ['best_value', 'cheapest', 'fastest', 'most_reliable', 'preferred'] as const
export type DispatchStrategy = (typeof dispatchStrategies)[number]
