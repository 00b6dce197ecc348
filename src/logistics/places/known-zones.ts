import type { ReadDb } from '../../store/core/database.ts'
import { type ZoneOutline, zoneOutlines } from '../../store/logistics/places/zones.ts'

/** Outlines change when somebody local corrects one, which may be seen everywhere half a minute later. */
const keptMs = 30_000

export type KnownZones = (db: ReadDb, nowMs: number) => Promise<readonly ZoneOutline[]>

/**
 * The active zones with their outlines, read again when what is known of them is too old. Only what was read whole is
 * kept: a question asked inside a transaction that then fails must not answer for others.
 */
export function createKnownZones(): KnownZones {
  let known: { readonly zones: readonly ZoneOutline[]; readonly readAtMs: number } | undefined
  return async (db, nowMs) => {
    const ageMs = known === undefined ? -1 : nowMs - known.readAtMs
    // A clock that was set back must not make what is known young again.
    if (known !== undefined && ageMs >= 0 && ageMs < keptMs) return known.zones
    const zones = await zoneOutlines(db)
    known = { zones, readAtMs: nowMs }
    return zones
  }
}

/** One process serves one database, and zones are the same for every merchant. */
export const knownZones: KnownZones = createKnownZones()
