/** The words a shipment’s state is told in, and the moves between them. */

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

/** Where only a parcel that was fetched can be. Many carriers do not tell of fetching it, or tell that later. */
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
 * The moves a shipment can make (design, logistics 2.1). Carriers skip states, so a later one may follow at once; what they
 * tell late or twice moves nothing back. The document publishes the table, and the database refuses every other move.
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
  // The carrier may refuse to cancel, or be told too late.
  cancelling: ['cancelled', 'awaiting_courier', 'courier_assigned', 'at_pickup', 'picked_up', ...beyondPickup],
  cancelled: [],
  failed: [],
  lost: [],
} as const satisfies Record<ShipmentStatus, readonly ShipmentStatus[]>

export function mayShipmentMove(from: ShipmentStatus, to: ShipmentStatus): boolean {
  const allowed: readonly ShipmentStatus[] = shipmentTransitions[from]
  return allowed.includes(to)
}

/** Where nothing more happens. */
export function isShipmentOver(status: ShipmentStatus): boolean {
  return shipmentTransitions[status].length === 0
}

/** A carrier has it, and nobody has fetched it. */
export const unfetchedStatuses: readonly ShipmentStatus[] = ['awaiting_courier', 'courier_assigned', 'at_pickup']

export function isUnfetched(status: ShipmentStatus): boolean {
  return unfetchedStatuses.includes(status)
}

/** A rider is named, whose next stop is the pickup. */
export const pickupBoundStatuses: readonly ShipmentStatus[] = ['courier_assigned', 'at_pickup']

/** Where the parcel is in somebody’s hands and can come back, but not be called off. */
export const handedOverStatuses: readonly ShipmentStatus[] = [
  'picked_up',
  'in_transit',
  'at_dropoff',
  'delivery_failed',
  'returning',
]

/** Where a shipment gives its items back to the order: nothing was handed over, or it came back. */
const releasedStatuses: readonly ShipmentStatus[] = ['failed', 'cancelled', 'returned']

/** Whether the items of a shipment in this state can be sent with no other shipment. */
export function holdsItems(status: ShipmentStatus): boolean {
  return !releasedStatuses.includes(status)
}

/** Where a shipment is over and its recipient has nothing. */
export const undeliveredEnds = ['cancelled', 'failed', 'returned', 'lost'] as const satisfies readonly ShipmentStatus[]

/** Whether a shipment in this state is on its way, or was delivered. */
export function isActiveOrDelivered(status: string): boolean {
  return undeliveredEnds.every((end) => end !== status)
}

/** Whether the parcel has left the shop, wherever it is by now. */
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

/** The database lets a shipment have one attempt in these at a time. */
export const liveAttemptStates = [
  'sending',
  'unknown',
  'accepted',
  'cancelling',
] as const satisfies readonly AttemptState[]

/** What a person should look at, beside the status: the whole list. */
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
] as const

export type ShipmentExceptionCode = (typeof shipmentExceptionCodes)[number]

export const serviceLevels = ['on_demand', 'same_day', 'next_day', 'standard'] as const
export type ServiceLevel = (typeof serviceLevels)[number]

/** From the smallest up. */
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
