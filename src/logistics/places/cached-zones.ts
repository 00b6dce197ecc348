import type { ReadDb } from '../../store/core/database.ts'
import { type ZoneOutline, zoneOutlines } from '../../store/logistics/places/zones.ts'

/**
 * Lifetime of the cached delivery zones. The outlines of zones change only by manual corrections. A correction takes
 * effect when this lifetime has ended, at the latest.
 */
const cacheLifetimeMs = 30_000

export type ZoneCache = (db: ReadDb, nowMs: number) => Promise<readonly ZoneOutline[]>

/**
 * The cache stores the result of a completed query, and not the promise of a query. If the transaction of one caller
 * fails, the other callers therefore do not fail with it.
 */
export function createZoneCache(): ZoneCache {
  let cached: { readonly zones: readonly ZoneOutline[]; readonly readAtMs: number } | undefined
  return async (db, nowMs) => {
    const ageMs = cached === undefined ? -1 : nowMs - cached.readAtMs
    // If the age of the cached zones is negative, the clock was set back, and the zones are read again.
    if (cached !== undefined && ageMs >= 0 && ageMs < cacheLifetimeMs) return cached.zones
    const zones = await zoneOutlines(db)
    cached = { zones, readAtMs: nowMs }
    return zones
  }
}

/** One cache per process is enough: the process uses one database, and the zones are the same for every merchant. */
export const cachedZones: ZoneCache = createZoneCache()
