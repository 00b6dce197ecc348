import { isUnfetched } from '../../../registry/logistics/shipment-states.ts'
import { toMs, toTimestamp } from '../../base/clock.ts'
import type { StoredException, StoredShipment } from '../../store/tables/shipment.ts'
import { changeShipment, type ShipmentCommand } from '../shipments/change-shipment.ts'
import { messageOf } from '../shipments/exception-message.ts'
import { isSame, withException } from '../shipments/exceptions.ts'
import { moveShipment } from '../shipments/move-shipment.ts'

/** Half an hour after the promise the merchant has to decide: what goes on then is no delay any more (design, logistics 3.6). */
const graceMs = 30 * 60_000

/** Tells the merchant of a shipment that was not fetched as promised: once for each promise. */
export async function recordLatePickup(command: ShipmentCommand): Promise<void> {
  await changeShipment(command, 'shipment.record_late_pickup', (work, { shipment }) => {
    const exception = latePickupOf(shipment, work.nowMs)
    if (exception === undefined) return undefined
    const exceptions = withException(shipment.exceptions, exception)
    const news = { status: null, source: 'service', description: messageOf(exception) } as const
    return moveShipment(work, shipment, news, { exceptions })
  })
}

/** What there is to tell; undefined when there is nothing, or it has been told. */
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
  return exceptions.some((told) => isSame(told, exception)) ? undefined : exception
}
