import { sql } from 'kysely'
import type { Zone, ZoneGeometry } from '../../../../registry/logistics/zones.ts'
import type { State } from '../../../../registry/values/states.ts'
import type { ReadDb } from '../../core/database.ts'
import { asRecord } from '../../core/json.ts'
import { ifGiven, onPage, type PageArgs, type PageRequest, pageArgs } from '../../core/page.ts'
import { build, reading } from '../../core/statement.ts'
import type { SurgeMoment } from '../surge/surge-snapshots.ts'
import { surgeMultiplier } from './zone-surge.ts'

/** A delivery zone as stored, without its carriers and its distance, which depend on the request. */
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
  /** Undefined includes all zones. */
  readonly ids?: readonly string[] | undefined
}

/** One statement serves every combination of filters, because there are only a few dozen zones. */
const list = reading<SurgeMoment & ZoneFilters & PageArgs>()('list_zones', (p) =>
  active(p)
    .where(ifGiven(p.state, sql`state = ${p.state}`))
    .where(ifGiven(p.ids, sql`id = any(${p.ids}::text[])`))
    .where(onPage('delivery_zones', p))
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(p.limit),
)

/** Active zones only, newest first. */
export async function listZones(
  db: ReadDb,
  { surge, ...filters }: ZoneFilters & { readonly surge: SurgeMoment },
  page: PageRequest,
): Promise<readonly StoredZone[]> {
  const rows = await db.read(list, { ...surge, ...filters, ...pageArgs(page) })
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

/** Active zones only, ordered by id. */
export async function zoneOutlines(db: ReadDb): Promise<readonly ZoneOutline[]> {
  return (await db.read(outlines, {})).map((row) => asRecord<ZoneOutline>(row))
}
