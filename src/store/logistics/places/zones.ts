import { sql } from 'kysely'
import type { Zone, ZoneGeometry } from '../../../../registry/logistics/zones.ts'
import type { State } from '../../../../registry/values/states.ts'
import type { Timestamp } from '../../../../registry/values/vocabulary.ts'
import type { ReadDb } from '../../core/database.ts'
import { asRecord } from '../../core/json.ts'
import type { PageRequest } from '../../core/page.ts'
import { build, reading } from '../../core/statement.ts'
import type { SurgeMoment } from '../surge/surge-snapshots.ts'
import { surgeMultiplier } from './zone-surge.ts'

/** A delivery zone as stored. Its carriers and distance depend on the request. */
export type StoredZone = Omit<Zone, 'carriers' | 'distanceMeters' | 'geometry'> & { readonly geometry: ZoneGeometry }

const active = (p: SurgeMoment) =>
  build
    .selectFrom('delivery_zones')
    .where('active', '=', true)
    .select([
      'id',
      'name',
      'state',
      'city',
      'lgas',
      'areas',
      sql<Zone['centroid']>`jsonb_build_object('lat', centroid_lat, 'lng', centroid_lng)`.as('centroid'),
      'bbox',
      'geometry',
      'boundaryStatus',
      'serviceLevels',
      'operatingHours',
      'neighbours',
      'baseFareKobo',
      'perKmKobo',
      'includedMeters',
      'perKgKobo',
      'includedGrams',
      'averageSpeedKmh',
      surgeMultiplier(p),
      'active',
      'createdAt',
      'updatedAt',
    ])

export interface ZoneFilters {
  readonly state?: State | undefined
  /** Ids of the zones to include. Undefined includes all zones. */
  readonly ids?: readonly string[] | undefined
}

/** One statement serves every combination of filters, because there are only a few dozen zones. */
const list = reading<
  SurgeMoment & {
    state: State | null
    ids: readonly string[] | null
    limit: number
    afterCreatedAt: Timestamp | null
    afterId: string | null
  }
>()('list_zones', (p) =>
  active(p)
    .where(sql<boolean>`(${p.state}::text is null or state = ${p.state})`)
    .where(sql<boolean>`(${p.ids}::text[] is null or id = any(${p.ids}::text[]))`)
    .where(
      sql<boolean>`(${p.afterId}::text is null or (created_at, id) < (${p.afterCreatedAt}::timestamptz, ${p.afterId}))`,
    )
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(p.limit),
)

/** Returns a page of active zones with their surge multiplier, newest first. */
export async function listZones(
  db: ReadDb,
  filters: ZoneFilters & { readonly surge: SurgeMoment },
  page: PageRequest,
): Promise<readonly StoredZone[]> {
  const rows = await db.read(list, {
    ...filters.surge,
    state: filters.state ?? null,
    ids: filters.ids ?? null,
    limit: page.limit,
    afterCreatedAt: page.after?.createdAt ?? null,
    afterId: page.after?.id ?? null,
  })
  return rows.map((row) => asRecord<StoredZone>(row))
}

/** The fields of zones that are needed to find the zone of a point. */
export type ZoneOutline = Pick<StoredZone, 'id' | 'state' | 'bbox' | 'geometry'>

const outlines = reading<object>()('zone_outlines', () =>
  build
    .selectFrom('delivery_zones')
    .where('active', '=', true)
    .select(['id', 'state', 'bbox', 'geometry'])
    .orderBy('id'),
)

/** Returns the outlines of every active zone, ordered by id. */
export async function zoneOutlines(db: ReadDb): Promise<readonly ZoneOutline[]> {
  return (await db.read(outlines, {})).map((row) => asRecord<ZoneOutline>(row))
}
