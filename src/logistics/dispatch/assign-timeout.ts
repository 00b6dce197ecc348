import type { ReadDb } from '../../store/core/database.ts'
import { type AssignmentTimes, findAssignmentTimes } from '../../store/logistics/carriers/assignment-times.ts'
import type { StoredAttempt, StoredShipment } from '../../store/tables/shipment.ts'

/**
 * Returns the time in milliseconds that a carrier has to assign a rider after it has accepted a shipment. After this
 * time, the next carrier is requested.
 */
export async function assignTimeoutMs(
  db: ReadDb,
  { failover, pickupZoneId }: Pick<StoredShipment, 'failover' | 'pickupZoneId'>,
  { carrier, offer }: Pick<StoredAttempt, 'carrier' | 'offer'>,
): Promise<number> {
  if (failover.assignTimeoutSeconds !== null) return failover.assignTimeoutSeconds * 1000
  const isOnDemand = offer.serviceLevel === 'on_demand'
  const times =
    pickupZoneId === null ? undefined : await findAssignmentTimes(db, { carrier, zoneId: pickupZoneId, isOnDemand })
  return usualTimeoutMs(times, isOnDemand)
}

/**
 * Default times for assigning a rider, if there are too few samples: ten minutes for on-demand offers and four hours
 * for parcels, the most that the carriers’ own rules allow.
 */
const defaultMs = { onDemand: 10 * 60_000, parcel: 4 * 3_600_000 } as const

/**
 * Minimum number of measured rider assignment times. With fewer, a single slow case would determine the 95th
 * percentile.
 */
const samplesMin = 30

/**
 * The bounds of `assignTimeoutSeconds`: no rider is assigned within less than a minute, and a timeout of more than a
 * day is useless.
 */
const timeoutMinMs = 60_000
const timeoutMaxMs = 24 * 3_600_000

/**
 * Returns the 95th percentile of the carrier’s rider assignment times in the zone in milliseconds, limited to the
 * bounds. Returns the default if there are too few samples.
 */
export function usualTimeoutMs(times: AssignmentTimes | undefined, isOnDemand: boolean): number {
  if (times === undefined || times.sampleSize < samplesMin || times.p95Seconds === null) {
    return isOnDemand ? defaultMs.onDemand : defaultMs.parcel
  }
  return Math.min(timeoutMaxMs, Math.max(timeoutMinMs, Math.ceil(times.p95Seconds) * 1000))
}
