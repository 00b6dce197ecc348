import type { Timestamp } from '../../../registry/values/vocabulary.ts'
import { toMs } from '../../base/clock.ts'
import type { ReadDb } from '../../store/core/database.ts'
import type { Tenant } from '../../store/core/mutation.ts'
import { findEstimates } from '../../store/logistics/schedule/quantiles.ts'
import type { ShipmentWindows } from '../../store/logistics/shipments/shipment-windows.ts'
import type { PlannedOffer, StoredShipment } from '../../store/tables/shipment.ts'
import { leadOf } from '../estimates/duration-estimates.ts'
import { quantileAt } from '../estimates/quantiles.ts'
import { dispatchTime, pickupTime } from './windows.ts'

/** When this service requests a rider from the carrier, and when the rider is expected at the pickup. */
export interface DispatchTimes {
  readonly dispatchAt: Timestamp
  /** Null if the dispatch does not wait for a time window. */
  readonly pickupAt: Timestamp | null
}

interface Trip {
  readonly tenant: Tenant
  readonly windows: ShipmentWindows
  readonly pickupZoneId: string | null
  readonly dropoffZoneId: string | null
}

/**
 * Returns when an offer must be dispatched to meet the time windows, and when the rider is then expected at the pickup.
 * If the carrier does not estimate the pickup, the lead time is the median of the merchant's estimated lead times, as
 * in a schedule.
 */
export async function dispatchTimes(
  db: ReadDb,
  trip: Trip,
  offer: PlannedOffer,
  now: Timestamp,
): Promise<DispatchTimes> {
  const { windows } = trip
  const { pickup } = windows
  const needsLead = offer.pickupMinutes === null && pickup !== null && toMs(pickup.from) > toMs(now)
  const defaultLeadMs = needsLead ? await estimatedLeadMs(db, trip, pickup.from) : 0
  const dispatchAt = dispatchTime(windows, offer, now, defaultLeadMs)
  return { dispatchAt, pickupAt: pickupTime(windows, offer, { now, dispatchAt, defaultLeadMs }) }
}

async function estimatedLeadMs(db: ReadDb, { tenant, ...trip }: Trip, at: Timestamp): Promise<number> {
  const estimates = await findEstimates(db, {
    merchantId: tenant.merchantId,
    isSimulated: tenant.mode === 'test',
    zoneFrom: trip.pickupZoneId ?? '',
    zoneTo: trip.dropoffZoneId ?? '',
  })
  return quantileAt(leadOf(estimates, at), 0.5) * 1000
}

/** Returns the pickup time to request from a carrier: the scheduled pickup while it is in the future, otherwise now. */
export function requestedPickupAt(
  { scheduledPickupAt }: Pick<StoredShipment, 'scheduledPickupAt'>,
  now: Timestamp,
): Timestamp {
  return scheduledPickupAt !== null && toMs(scheduledPickupAt) > toMs(now) ? scheduledPickupAt : now
}
