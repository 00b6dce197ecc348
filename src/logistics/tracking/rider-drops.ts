import type { ShipmentStatus } from '../../../registry/logistics/shipment-states.ts'
import type { PastUpdate } from '../../store/logistics/shipments/tracking.ts'

/**
 * Number of riders of one carrier that may leave a shipment before the pickup. When the last permitted rider leaves,
 * dispatch requests the next carrier.
 */
export const ridersMax = 2

/** A rider drop: the assigned rider leaves the shipment before the pickup. */
export function isRiderDrop(from: ShipmentStatus, to: ShipmentStatus): boolean {
  return to === 'awaiting_courier' && (from === 'courier_assigned' || from === 'at_pickup')
}

export function countRiderDrops(past: readonly PastUpdate[]): number {
  const statuses = past.flatMap(({ isApplied, status }) => (isApplied && status !== null ? [status] : [])).reverse()
  return statuses.filter((status, index) => {
    const before = statuses[index - 1]
    return before !== undefined && isRiderDrop(before, status)
  }).length
}
