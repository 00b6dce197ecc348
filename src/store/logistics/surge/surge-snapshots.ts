import { sql } from 'kysely'
import type { Surge, SurgeBook, SurgeFactor, SurgeTrend } from '../../../../registry/logistics/surge.ts'
import type { Kobo, SurgeSnapshotId, Timestamp } from '../../../../registry/values/vocabulary.ts'
import type { Database, ReadDb } from '../../core/database.ts'
import { asRecord } from '../../core/json.ts'
import { runInBatches } from '../../core/run-in-batches.ts'
import { build, reading, shortReading, writing } from '../../core/statement.ts'

export interface SurgeMoment {
  readonly book: SurgeBook
  readonly at: Timestamp
  /** Surge snapshots whose validity ended at this time or earlier are no longer in force. */
  readonly validAfter: Timestamp
}

/** A zone with the surge snapshot that applies now. The snapshot fields are null when there is none. */
export interface PublishedSurge {
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
  /** When the surge snapshot was first published. Null without a snapshot. */
  readonly publishedAt: Timestamp | null
  /**
   * When the surge was last computed. If a zone has neither surge nor observations, a publication updates this time
   * instead of replacing the snapshot.
   */
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
          .whereRef('published.zoneId', '=', 'zone.id')
          .where('published.book', '=', p.book)
          .where('published.slotAt', '<=', p.at)
          .where('published.publishedAt', '<=', p.at)
          .where('published.validUntil', '>', p.validAfter)
          .orderBy('published.slotAt', 'desc')
          .limit(1)
          .selectAll()
          .as('surge'),
      (join) => join.onTrue(),
    )
    .where('zone.active', '=', true)
    .select([
      'zone.id as zoneId',
      'zone.baseFareKobo',
      'surge.id as id',
      'surge.multiplier as multiplier',
      'surge.surgeKobo',
      'surge.referenceFareKobo',
      'surge.basis as basis',
      'surge.trend as trend',
      'surge.cap as cap',
      'surge.factors as factors',
      'surge.sampleSize',
      'surge.publishedAt',
      'surge.computedAt',
      'surge.validUntil',
    ])

const find = shortReading<SurgeMoment & { zoneId: string }>()('find_published_surge', (p) =>
  inForce(p).where('zone.id', '=', p.zoneId),
)

const list = reading<SurgeMoment>()('list_published_surge', (p) => inForce(p).orderBy('zone.id'))

/** Active zones only, ordered by zone id. */
export async function listPublishedSurge(db: ReadDb, moment: SurgeMoment): Promise<readonly PublishedSurge[]> {
  return (await db.read(list, moment)).map((row) => asRecord<PublishedSurge>(row))
}

/** Undefined when no active zone has this id. */
export async function findPublishedSurge(
  db: ReadDb,
  zoneId: string,
  moment: SurgeMoment,
): Promise<PublishedSurge | undefined> {
  const [row] = await db.read(find, { ...moment, zoneId })
  return row && asRecord<PublishedSurge>(row)
}

/**
 * Maximum number of surge snapshots that one statement deletes. Deleting this many takes a fraction of a second, far
 * below the statement timeout.
 */
const batchSize = 5000

const deleteBatch = writing<{ before: Timestamp }>()(
  'delete_old_surge',
  (p) => sql<{ id: string }>`
    delete from surge_snapshots
    where id in (
      select id
      from surge_snapshots
      where valid_until < ${p.before}::timestamptz
      order by valid_until
      limit ${sql.lit(batchSize)}
      for update skip locked
    )
    returning id`,
)

/** Returns the number of deleted snapshots. */
export function deleteSnapshotsBefore(database: Database, before: Timestamp): Promise<number> {
  return runInBatches(database, { statement: deleteBatch, args: { before }, size: batchSize })
}
