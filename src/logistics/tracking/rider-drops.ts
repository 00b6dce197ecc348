import type { ShipmentStatus } from '../../../registry/logistics/shipment-states.ts'
import type { PastUpdate } from '../../store/logistics/shipments/tracking.ts'

/**
 * Maximum riders of one carrier that may leave a shipment before the next carrier is requested.
 */
export const ridersMax = 2

/** Reports whether an assigned rider leaves the shipment before the pickup. */
export function isRiderDrop(from: ShipmentStatus, to: ShipmentStatus): boolean {
  return to === 'awaiting_courier' && (from === 'courier_assigned' || from === 'at_pickup')
}

/** Counts the riders that left the shipment before: each change from an assigned rider back to `awaiting_courier`. */
export function countRiderDrops(past: readonly PastUpdate[]): number {
  const statuses = past.flatMap(({ isApplied, status }) => (isApplied && status !== null ? [status] : [])).reverse()
  return statuses.filter((status, index) => {
    const before = statuses[index - 1]
    return before !== undefined && isRiderDrop(before, status)
  }).length
}
