import type { ReadDb } from '../../store/core/database.ts'
import { type AssignmentTimes, findAssignmentTimes } from '../../store/logistics/carriers/assignment-times.ts'
import type { StoredAttempt, StoredShipment } from '../../store/tables/shipment.ts'

/** How long a carrier that has said yes may take to name a rider before the next one is asked (design, logistics 3.6). */
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

/** Ten minutes on demand, four hours for parcels: what a carrier’s own rules allow it at most. */
const priorMs = { onDemand: 10 * 60_000, parcel: 4 * 3_600_000 } as const

/** With fewer, the slowest of them decides alone what is slow. */
const leastSamples = 30

/** The bounds a merchant has too: riders are not told of an order any faster, and a day later nobody waits. */
const leastMs = 60_000
const longestMs = 24 * 3_600_000

/** What the carrier keeps to in that zone in 95 of a hundred cases, once it has shown that. */
export function usualTimeoutMs(times: AssignmentTimes | undefined, isOnDemand: boolean): number {
  if (times === undefined || times.sampleSize < leastSamples || times.p95Seconds === null) {
    return isOnDemand ? priorMs.onDemand : priorMs.parcel
  }
  return Math.min(longestMs, Math.max(leastMs, Math.ceil(times.p95Seconds) * 1000))
}
