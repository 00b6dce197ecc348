import type { Point } from '../../registry/logistics/place.ts'
import { surgeHistoryDays } from '../../registry/values/limits.ts'
import { normaliseInstant, toMs, toTimestamp } from '../base/clock.ts'
import { cachedZones } from '../logistics/places/cached-zones.ts'
import { zoneOf } from '../logistics/places/zone-of.ts'
import { surgeMoment, surgeRecord } from '../logistics/surge/current-surge.ts'
import type { ReadDb } from '../store/core/database.ts'
import { findPublishedSurge } from '../store/logistics/surge/surge-snapshots.ts'
import { implement } from './execute/implement.ts'

const msPerDay = 86_400_000

export const getSurge = implement('getSurge', async ({ db, caller, query, now, refuse }) => {
  const at = query.at === undefined ? now : normaliseInstant(query.at)
  const oldest = toTimestamp(toMs(now) - surgeHistoryDays * msPerDay)
  if (at > now) refuse('surge_not_found', `${at} is in the future.`)
  if (at < oldest) refuse('surge_not_found', `${at} is more than ${surgeHistoryDays} days ago.`)
  const zoneId =
    query.zone ??
    (await zoneIdAt(db, { lat: query.lat ?? Number.NaN, lng: query.lng ?? Number.NaN }, toMs(now))) ??
    refuse('outside_coverage', `No delivery zone contains the point ${query.lat}, ${query.lng}.`, { place: 'point' })
  const found = await findPublishedSurge(db, zoneId, surgeMoment(caller.mode, at))
  if (found === undefined) return refuse('zone_not_found', `No active delivery zone has the id ${zoneId}.`)
  return surgeRecord(found, at)
})

async function zoneIdAt(db: ReadDb, point: Point, nowMs: number): Promise<string | undefined> {
  return zoneOf(point, await cachedZones(db, nowMs))?.id
}
