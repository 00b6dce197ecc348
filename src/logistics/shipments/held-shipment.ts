import { toTimestamp } from '../../base/clock.ts'
import { postponeShipmentCheck } from '../../store/logistics/shipments/shipment-checks.ts'
import { isOrderOnHold } from '../../store/orders/order-shipments.ts'
import type { StoredShipment } from '../../store/tables/shipment.ts'
import type { ShipmentCommand } from './change-shipment.ts'

/**
 * Interval of checks of a shipment whose order is on hold. These checks are a fallback: releasing the order makes its
 * shipments due.
 */
const heldCheckMs = 10 * 60_000

/**
 * If the order is on hold, the function also postpones the next check, so that no carrier is requested before that
 * check.
 */
export async function waitsForOrder({ context }: ShipmentCommand, shipment: StoredShipment): Promise<boolean> {
  const { database, clock } = context
  if (!(await isOrderOnHold(database, shipment))) return false
  const { merchantId, id, nextCheckAt: seenCheckAt } = shipment
  await postponeShipmentCheck(database, { merchantId, id, seenCheckAt }, toTimestamp(clock.nowMs() + heldCheckMs))
  return true
}
