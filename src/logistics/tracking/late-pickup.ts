import { isUnfetched } from '../../../registry/shipment-states.ts'
import { toMs } from '../../clock.ts'
import type { KeptShipment } from '../../store/shipment-columns.ts'
import { carrierNameOf } from '../carrier-names.ts'
import { changeShipment, type ShipmentHand } from '../shipment/change-shipment.ts'
import { withException } from '../shipment/exceptions.ts'
import { moveShipment } from '../shipment/move-shipment.ts'

/** Half an hour after the promise the merchant has to decide: what goes on then is no delay any more (design, logistics 3.6). */
const graceMs = 30 * 60_000

/** Tells the merchant of a shipment that was not fetched as promised: once for each promise. */
export async function noteLatePickup(hand: ShipmentHand): Promise<void> {
  await changeShipment(hand, 'shipment.note_late_pickup', (work, { shipment }) => {
    const message = lateMessage(shipment, work.nowMs)
    if (message === undefined) return undefined
    const exceptions = withException(shipment.exceptions, { code: 'pickup_late', message, at: work.now })
    return moveShipment(work, shipment, { status: null, source: 'service', description: message }, { exceptions })
  })
}

/** What there is to tell; undefined when there is nothing, or it has been told. */
export function lateMessage(
  {
    status,
    carrier,
    pickupEstimate,
    exceptions,
  }: Pick<KeptShipment, 'status' | 'carrier' | 'pickupEstimate' | 'exceptions'>,
  nowMs: number,
): string | undefined {
  if (!isUnfetched(status) || carrier === null || pickupEstimate === null) return undefined
  if (nowMs <= toMs(pickupEstimate.p90) + graceMs) return undefined
  const name = carrierNameOf(carrier)
  const message = `${name} was to fetch it by ${pickupEstimate.p90}, and has not: call ${name}, or cancel the shipment.`
  return exceptions.some((told) => told.code === 'pickup_late' && told.message === message) ? undefined : message
}
