import { isUnfetched } from '../../../registry/logistics/shipment-states.ts'
import { toMs, toTimestamp } from '../../base/clock.ts'
import type { StoredShipment } from '../../store/tables/shipment.ts'
import type { StoredException } from '../../store/tables/shipment-exception.ts'
import { changeShipment, type ShipmentCommand } from '../shipments/change-shipment.ts'
import { messageOf } from '../shipments/exception-message.ts'
import { isSame, withException } from '../shipments/exceptions.ts'
import { moveShipment } from '../shipments/move-shipment.ts'

/**
 * Grace period after the estimated pickup (p90). A shipment not picked up by then gets the exception `pickup_late`, and
 * the merchant decides what to do.
 */
const graceMs = 30 * 60_000

/** Adds the `pickup_late` exception once per estimate. */
export async function recordLatePickup(command: ShipmentCommand): Promise<void> {
  await changeShipment(command, 'shipment.record_late_pickup', (work, { shipment }) => {
    const exception = latePickupOf(shipment, work.nowMs)
    if (exception === undefined) return undefined
    const exceptions = withException(shipment.exceptions, exception)
    const update = { status: null, source: 'service', description: messageOf(exception) } as const
    return moveShipment(work, shipment, update, { exceptions })
  })
}

/** Undefined when the pickup is not late or the exception already exists. */
export function latePickupOf(
  {
    status,
    carrier,
    pickupEstimate,
    exceptions,
  }: Pick<StoredShipment, 'status' | 'carrier' | 'pickupEstimate' | 'exceptions'>,
  nowMs: number,
): StoredException | undefined {
  if (!isUnfetched(status) || carrier === null || pickupEstimate === null) return undefined
  if (nowMs <= toMs(pickupEstimate.p90) + graceMs) return undefined
  const dueAt = pickupEstimate.p90
  const exception = { code: 'pickup_late', carrier, facts: { dueAt }, at: toTimestamp(nowMs) } as const
  return exceptions.some((known) => isSame(known, exception)) ? undefined : exception
}
