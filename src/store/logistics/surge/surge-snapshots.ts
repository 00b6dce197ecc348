import { sql } from 'kysely'
import type { Surge, SurgeBook, SurgeFactor, SurgeTrend } from '../../../../registry/logistics/surge.ts'
import type { Kobo, SurgeSnapshotId, Timestamp } from '../../../../registry/values/vocabulary.ts'
import type { Database, ReadDb } from '../../core/database.ts'
import { asRecord } from '../../core/json.ts'
import { build, reading, writing } from '../../core/statement.ts'

/** Published surges, for whoever asks. */

export interface SurgeMoment {
  readonly book: SurgeBook
  readonly at: Timestamp
  /** A snapshot whose time ended before this no longer counts. */
  readonly validAfter: Timestamp
}

/** A zone with the surge in force there, if one is. */
export interface FoundSurge {
  readonly zoneId: string
  readonly baseFareKobo: Kobo
  readonly id: SurgeSnapshotId | null
  readonly multiplier: number | null
  readonly surgeKobo: Kobo | null
  readonly referenceFareKobo: Kobo | null
  readonly basis: Surge['basis'] | null
  readonly trend: SurgeTrend | null
  readonly cap: number | null
  readonly factors: readonly SurgeFactor[] | null
  readonly sampleSize: number | null
  /** When it was published first. */
  readonly publishedAt: Timestamp | null
  /** When it was reckoned last: where nothing happens, the same is confirmed slot by slot. */
  readonly computedAt: Timestamp | null
  readonly validUntil: Timestamp | null
}

const inForce = (p: SurgeMoment) =>
  build
    .selectFrom('delivery_zones as zone')
    .leftJoinLateral(
      (from) =>
        from
          .selectFrom('surge_snapshots as published')
          .whereRef('published.zone_id', '=', 'zone.id')
          .where('published.book', '=', p.book)
          .where('published.slot_at', '<=', p.at)
          .where('published.published_at', '<=', p.at)
          .where('published.valid_until', '>', p.validAfter)
          .orderBy('published.slot_at', 'desc')
          .limit(1)
          .selectAll()
          .as('surge'),
      (join) => join.onTrue(),
    )
    .where('zone.active', '=', true)
    .select([
      'zone.id as zoneId',
      'zone.base_fare_kobo as baseFareKobo',
      'surge.id as id',
      'surge.multiplier as multiplier',
      'surge.surge_kobo as surgeKobo',
      'surge.reference_fare_kobo as referenceFareKobo',
      'surge.basis as basis',
      'surge.trend as trend',
      'surge.cap as cap',
      'surge.factors as factors',
      'surge.sample_size as sampleSize',
      'surge.published_at as publishedAt',
      'surge.computed_at as computedAt',
      'surge.valid_until as validUntil',
    ])

const find = reading<SurgeMoment & { zoneId: string }>()('find_surge', (p) =>
  inForce(p).where('zone.id', '=', p.zoneId),
)

const list = reading<SurgeMoment>()('list_surge', (p) => inForce(p).orderBy('zone.id'))

/** Every active zone, by id. */
export async function listPublishedSurge(db: ReadDb, moment: SurgeMoment): Promise<readonly FoundSurge[]> {
  return (await db.read(list, moment)).map((row) => asRecord<FoundSurge>(row))
}

/** Undefined where there is no such zone. */
export async function findSurge(db: ReadDb, zoneId: string, moment: SurgeMoment): Promise<FoundSurge | undefined> {
  const [row] = await db.read(find, { ...moment, zoneId })
  return row && asRecord<FoundSurge>(row)
}

/** So many rows go in a fraction of a second, which keeps each delete far below the statement timeout. */
const batch = 5000

const deleteBatch = writing<{ before: Timestamp }>()(
  'delete_old_surge',
  (p) => sql<{ id: string }>`
    delete from surge_snapshots
    where id in (
      select id
      from surge_snapshots
      where valid_until < ${p.before}::timestamptz
      order by valid_until
      limit ${sql.lit(batch)}
      for update skip locked
    )
    returning id`,
)

/** Throws away what nobody may ask about any more. */
export async function deleteSnapshotsBefore(database: Database, before: Timestamp): Promise<number> {
  let total = 0
  for (;;) {
    const deleted = (await database.run(deleteBatch, { before })).length
    total += deleted
    if (deleted < batch) return total
  }
}
