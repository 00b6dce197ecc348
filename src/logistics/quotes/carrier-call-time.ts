import type { Timestamp } from '../../../registry/values/vocabulary.ts'
import { toMs } from '../../base/clock.ts'
import type { ReadDb } from '../../store/core/database.ts'
import type { Tenant } from '../../store/core/mutation.ts'
import { findEstimates } from '../../store/logistics/schedule/quantiles.ts'
import type { ShipmentWindows } from '../../store/logistics/shipments/shipment-windows.ts'
import type { PlannedOffer, StoredShipment } from '../../store/tables/shipment.ts'
import { leadOf } from '../estimates/learnt-times.ts'
import { quantileAt } from '../estimates/quantiles.ts'
import { callTime, pickupTime } from './windows.ts'

/** When a carrier is called for an offer, and when its rider is then expected. */
export interface Call {
  readonly callAt: Timestamp
  /** Null where no window has to be waited for. */
  readonly pickupAt: Timestamp | null
}

interface Way {
  readonly tenant: Tenant
  readonly windows: ShipmentWindows
  readonly pickupZoneId: string | null
  readonly dropoffZoneId: string | null
}

/** The lead of a carrier that does not say how soon it comes is what riders of the merchant have needed, as for a schedule. */
export async function carrierCallTime(db: ReadDb, way: Way, offer: PlannedOffer, now: Timestamp): Promise<Call> {
  const { windows } = way
  const { pickup } = windows
  const isAsked = offer.pickupMinutes === null && pickup !== null && toMs(pickup.from) > toMs(now)
  const unknownLeadMs = isAsked ? await learntLeadMs(db, way, pickup.from) : 0
  const callAt = callTime(windows, offer, now, unknownLeadMs)
  return { callAt, pickupAt: pickupTime(windows, offer, { now, callAt, unknownLeadMs }) }
}

async function learntLeadMs(db: ReadDb, { tenant, ...way }: Way, at: Timestamp): Promise<number> {
  const learnt = await findEstimates(db, {
    merchantId: tenant.merchantId,
    isSimulated: tenant.mode === 'test',
    zoneFrom: way.pickupZoneId ?? '',
    zoneTo: way.dropoffZoneId ?? '',
  })
  return quantileAt(leadOf(learnt, at), 0.5) * 1000
}

/** When a rider is to come: as its window or its schedule says, or as soon as may be. */
export function wantedPickupAt(
  { scheduledPickupAt }: Pick<StoredShipment, 'scheduledPickupAt'>,
  now: Timestamp,
): Timestamp {
  return scheduledPickupAt !== null && toMs(scheduledPickupAt) > toMs(now) ? scheduledPickupAt : now
}
