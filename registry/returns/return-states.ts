import { holdsItems, isShipmentOver, isUnfetched, type ShipmentStatus } from '../logistics/shipment-states.ts'

export const returnStatuses = ['requested', 'approved', 'in_transit', 'received', 'closed', 'rejected'] as const

export type ReturnStatus = (typeof returnStatuses)[number]

/**
 * Allowed status transitions of a return. A status with an empty list is final. The code and the OpenAPI document use
 * this table, and the database contains a copy of the table.
 */
export const returnTransitions = {
  requested: ['approved', 'rejected'],
  approved: ['in_transit', 'received', 'closed'],
  in_transit: ['approved', 'received', 'closed'],
  received: ['closed'],
  closed: [],
  rejected: [],
} as const satisfies Record<ReturnStatus, readonly ReturnStatus[]>

/**
 * Returns the transitions that a return allows now. While a shipment transports the units of the return, the status
 * follows from the shipment. The return cannot be closed then, because a rider would still come to pick up its units.
 * The units can be received as soon as a carrier has accepted the shipment, because many carriers never report the
 * pickup, or report it late. If the parcel with the units was delivered or lost, the return can only be received or
 * closed, because the parcel does not go back to the customer.
 */
export function allowedTransitionsOf(status: ReturnStatus, shipments: readonly ShipmentState[]): ReturnStatus[] {
  const shipment = decidingShipmentOf(status, shipments)
  const transitions: readonly ReturnStatus[] = returnTransitions[status]
  if (shipment === undefined) return [...transitions]
  if (isShipmentOver(shipment.status)) return transitions.filter((to) => to === 'received' || to === 'closed')
  return isUnaccepted(shipment.status) ? [] : ['received']
}

interface ShipmentState {
  readonly status: ShipmentStatus
}

/**
 * Returns the shipment from which the status of an open return follows. Undefined if the return has no such shipment.
 */
export function decidingShipmentOf<Shipment extends ShipmentState>(
  status: ReturnStatus,
  shipments: readonly Shipment[],
): Shipment | undefined {
  return returnsUnderWay.includes(status) ? shipments.find((each) => holdsItems(each.status)) : undefined
}

/**
 * Returns the next step for a merchant who wants to change the status of a return. The merchant cannot set the status
 * directly, because the shipment of the return determines it.
 */
export function nextStepOf({ status }: ShipmentState): string {
  if (isShipmentOver(status)) return 'Receive or close the return.'
  if (isUnaccepted(status)) return 'Cancel the shipment first.'
  if (isUnfetched(status)) return 'If you have the parcel, receive the return. Otherwise cancel the shipment first.'
  return status === 'cancelling'
    ? 'If you have the parcel, receive the return. Otherwise wait until the shipment is cancelled.'
    : 'Receive the return when you have the parcel.'
}

function isUnaccepted(status: ShipmentStatus): boolean {
  return status === 'scheduled' || status === 'dispatching'
}

/** Statuses of a return whose units have not come back yet. Such a unit cannot be part of a second return. */
export const returnsUnderWay: readonly ReturnStatus[] = ['requested', 'approved', 'in_transit']

/** A return becomes `received` only by the operation that records how many units came back. */
export const settableReturnStatuses = ['approved', 'in_transit', 'closed', 'rejected'] as const

export const returnReasons = [
  'wrong_size',
  'wrong_item',
  'damaged',
  'not_as_described',
  'arrived_late',
  'changed_mind',
  'other',
] as const

export type ReturnReason = (typeof returnReasons)[number]
