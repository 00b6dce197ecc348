import { pointIn } from '../../registry/logistics/zones.ts'
import { nearReachKilometers } from '../../registry/values/limits.ts'
import { toMs } from '../base/clock.ts'
import { cachedZones } from '../logistics/places/cached-zones.ts'
import { metersToZone } from '../logistics/places/distance.ts'
import { carriersServing, coverageOf, simulatedCoverage } from '../logistics/places/zone-carriers.ts'
import { surgeMoment } from '../logistics/surge/current-surge.ts'
import { findCarrierAccounts } from '../store/logistics/carriers/carrier-accounts.ts'
import { listZones as listZoneRows } from '../store/logistics/places/zones.ts'
import { implement } from './execute/implement.ts'

export const listZones = implement('listZones', async ({ db, caller, now, filters, page, carriers }) => {
  const { state, near, include } = filters
  const distances = near === undefined ? undefined : distancesFrom(near, await cachedZones(db, toMs(now)))
  const [zones, accounts] = await Promise.all([
    listZoneRows(db, { state, ids: distances && [...distances.keys()], surge: surgeMoment(caller.mode, now) }, page),
    caller.mode === 'test' ? [] : findCarrierAccounts(db, caller.merchantId),
  ])
  const coverage = caller.mode === 'test' ? simulatedCoverage : coverageOf(accounts, carriers)
  return zones.map((zone) => ({
    ...zone,
    geometry: include?.includes('geometry') ? zone.geometry : null,
    carriers: carriersServing(zone, coverage),
    distanceMeters: distances?.get(zone.id) ?? null,
  }))
})

/** Returns the distances in metres of the zones within the search radius, by zone id. */
function distancesFrom(near: string, zones: Awaited<ReturnType<typeof cachedZones>>): ReadonlyMap<string, number> {
  const point = pointIn(near)
  const distances = zones.map((zone) => [zone.id, metersToZone(point, zone)] as const)
  return new Map(distances.filter(([, meters]) => meters <= nearReachKilometers * 1000))
}
