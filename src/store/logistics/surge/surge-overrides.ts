import { type Selectable, sql } from 'kysely'
import type { SurgeBook } from '../../../../registry/logistics/surge.ts'
import type { Timestamp } from '../../../../registry/values/vocabulary.ts'
import { listing } from '../../core/calls.ts'
import type { Database, ReadDb, WriteTrx } from '../../core/database.ts'
import { insertingRows } from '../../core/rows.ts'
import { reading } from '../../core/statement.ts'
import type { Tables } from '../../tables/tables.ts'

/**
 * Changes of the surge by an operator: a freeze, an override, or a `clear`, which ends either. Rows are append-only;
 * for each zone or city, the newest row is in force.
 */

/** Either `zoneId` or `city` names the place to which a freeze or override applies; the other field is null. */
export type SurgeOverride = Readonly<Selectable<Tables['surge_overrides']>>

const rows = insertingRows('surge_overrides')

export function insertSurgeOverride(trx: WriteTrx, entry: SurgeOverride): void {
  rows.insert(trx, [entry])
}

const columns = sql`
  id, book, zone_id, city, kind, multiplier, reason, actor_label,
  created_at, expires_at`

/** Returns the newest freeze or override of each zone or city, unless it has expired or was cleared later. */
export const listOverridesInForce = listing<{ now: Timestamp }>()(
  'list_surge_overrides_in_force',
  (p) => sql<SurgeOverride>`
    select ${columns}
    from (
      select distinct on (book, zone_id, city) *
      from surge_overrides
      order by book, zone_id, city, id desc
    ) latest
    where kind <> 'clear' and expires_at > ${p.now}::timestamptz`,
)

const history = reading<{ book: SurgeBook; limit: number }>()(
  'list_surge_overrides',
  (p) => sql<SurgeOverride>`
    select ${columns} from surge_overrides where book = ${p.book} order by id desc limit ${p.limit}`,
)

/** Includes freezes and clears, newest first. */
export function listSurgeOverrides(
  database: Database,
  book: SurgeBook,
  limit: number,
): Promise<readonly SurgeOverride[]> {
  return database.run(history, { book, limit })
}

const findPlace = reading<{ zoneId: string | null; city: string | null }>()(
  'find_surge_place',
  (p) => sql<{ id: string }>`
    select id from delivery_zones where active and (id = ${p.zoneId}::text or city = ${p.city}::text)`,
)

/** Returns the ids of the active zones with a given id or in a given city. Empty if there is none. */
export async function zonesOfPlace(
  trx: ReadDb,
  place: { readonly zoneId: string | null; readonly city: string | null },
): Promise<readonly string[]> {
  return (await trx.read(findPlace, place)).map(({ id }) => id)
}
