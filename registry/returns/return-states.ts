import { holdsItems, isShipmentOver, type ShipmentStatus } from '../logistics/shipment-states.ts'

/** Statuses of a return, the allowed transitions, and the reasons for a return. */

export const returnStatuses = ['requested', 'approved', 'in_transit', 'received', 'closed', 'rejected'] as const

export type ReturnStatus = (typeof returnStatuses)[number]

/**
 * Allowed status transitions of a return. A status with an empty list is final. The code, the OpenAPI document and the
 * database read or repeat this table.
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
 * Returns the transitions that a return allows now. While a shipment transports its units, the status follows from the
 * shipment, and the return cannot end: a rider would come for a return that is over. Units that have left the customer
 * can be received at any time, because many carriers report a delivery late. A delivered or lost parcel does not go back
 * to the customer.
 */
export function allowedTransitionsOf(
  status: ReturnStatus,
  shipments: readonly { readonly status: ShipmentStatus }[],
): ReturnStatus[] {
  const shipment = shipments.find((each) => holdsItems(each.status))
  const transitions: readonly ReturnStatus[] = returnTransitions[status]
  if (shipment === undefined || !returnsUnderWay.includes(status)) return [...transitions]
  if (isShipmentOver(shipment.status)) return transitions.filter((to) => to === 'received' || to === 'closed')
  return status === 'in_transit' ? ['received'] : []
}

/** Statuses of a return whose units have not come back yet. Such a unit cannot be part of a second return. */
export const returnsUnderWay: readonly ReturnStatus[] = ['requested', 'approved', 'in_transit']

/** Statuses that a merchant can set. A return becomes `received` by an operation of its own, which counts the units. */
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
