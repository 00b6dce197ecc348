import { toTimestamp } from '../../base/clock.ts'
import { postponeShipmentCheck } from '../../store/logistics/shipments/shipment-checks.ts'
import { isOrderOnHold } from '../../store/orders/order-shipments.ts'
import type { StoredShipment } from '../../store/tables/shipment.ts'
import type { ShipmentHand } from './change-shipment.ts'

/** The release of an order brings the look forward; until then there is nothing to do. */
const heldLookMs = 10 * 60_000

/** Whether the order of a shipment is on hold. Then no carrier is asked for it before the order is released. */
export async function waitsForOrder({ context }: ShipmentHand, shipment: StoredShipment): Promise<boolean> {
  const { database, clock } = context
  if (!(await isOrderOnHold(database, shipment))) return false
  const { merchantId, id, nextLookAt: seenLookAt } = shipment
  await postponeShipmentCheck(database, { merchantId, id, seenLookAt }, toTimestamp(clock.nowMs() + heldLookMs))
  return true
}
