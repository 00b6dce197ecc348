import { toTimestamp } from '../../clock.ts'
import type { Log } from '../../log.ts'
import type { CarrierCode, Tracking } from '../../partners/carriers/carrier.ts'
import type { Context } from '../../store/mutation.ts'
import type { ShipmentKey } from '../../store/shipments.ts'
import { countUnknownStatus } from '../../store/unknown-statuses.ts'

/** Logs and counts a carrier's status that no adapter maps, the moment it is first reported of a shipment. */
export async function reportUnknownStatus(
  { database, clock, log }: Context & { readonly log: Log },
  { shipment: { id, merchantId }, tracking }: { readonly shipment: ShipmentKey; readonly tracking: Tracking },
  carrier: CarrierCode | null,
): Promise<void> {
  if (carrier === null) return
  const { carrierStatus } = tracking
  log.warn({ merchantId, shipmentId: id, carrier, carrierStatus }, 'A carrier reports a status that is not mapped.')
  await countUnknownStatus(database, { carrier, status: carrierStatus, now: toTimestamp(clock.nowMs()) })
}
