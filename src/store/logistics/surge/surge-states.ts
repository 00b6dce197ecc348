import { sql } from 'kysely'
import type { SurgeBook, surgeBases } from '../../../../registry/logistics/surge.ts'
import type { Kobo, SurgeSnapshotId, Timestamp } from '../../../../registry/values/vocabulary.ts'
import { advisoryLocks } from '../../core/advisory-locks.ts'
import { listing } from '../../core/calls.ts'
import type { LockTrx, WriteTrx } from '../../core/database.ts'
import { insertingRows, type NewRow } from '../../core/rows.ts'
import { locking, writing } from '../../core/statement.ts'

/** The surge state and the published snapshots of each zone. One process at a time writes them. */

/** The JSON value of a stored baseline, as surge-baselines.ts wrote it. */
export type StoredBaseline = object

export interface SurgeZone {
  readonly book: SurgeBook
  readonly zoneId: string
  readonly city: string
  readonly neighbours: readonly string[]
  readonly baseFareKobo: Kobo
  readonly logMultiplier: number | null
  readonly tickedAt: Timestamp | null
  readonly baseline: StoredBaseline | null
  readonly baselineHour: Timestamp | null
  readonly latest: LatestSnapshot | null
}

export interface LatestSnapshot {
  readonly id: SurgeSnapshotId
  readonly validUntilMs: number
  readonly multiplier: number
  readonly smoothed: number
  readonly basis: (typeof surgeBases)[number]
  readonly sampleSize: number
  readonly referenceFareKobo: Kobo
}

const lock = locking<object>()(
  'lock_surge',
  () => sql<{ isMine: boolean }>`select pg_try_advisory_xact_lock(${sql.lit(advisoryLocks.surge)}) as is_mine`,
)

/** Tries to take the surge lock until the transaction ends. Returns false when another process has it. */
export async function lockSurge(trx: LockTrx): Promise<boolean> {
  const [row] = await trx.lock(lock, {})
  return row?.isMine ?? false
}

const epochMs = (column: string) => sql`(extract(epoch from ${sql.ref(column)}) * 1000)::bigint`

/** Returns every active zone in live and in test mode, with its state and latest snapshot. */
export const listSurgeZones = listing<object>()(
  'list_surge_zones',
  () => sql<SurgeZone>`
    select
      book.name as book, zone.id as zone_id, zone.city, zone.neighbours, zone.base_fare_kobo,
      state.log_multiplier, state.ticked_at, state.baseline,
      state.baseline_hour, latest.snapshot as latest
    from delivery_zones zone
    cross join (values ('live'), ('test')) as book (name)
    left join surge_states state on state.book = book.name and state.zone_id = zone.id
    left join lateral (
      select
        jsonb_build_object(
          'id', id, 'validUntilMs', ${epochMs('validUntil')},
          'multiplier', multiplier, 'smoothed', smoothed, 'basis', basis, 'sampleSize', sample_size,
          'referenceFareKobo', reference_fare_kobo
        ) as snapshot
      from surge_snapshots
      where surge_snapshots.book = book.name and surge_snapshots.zone_id = zone.id
      order by slot_at desc
      limit 1
    ) latest on true
    where zone.active
    order by book.name, zone.id`,
)

export type StoredSurgeState = NewRow<'surge_states'>

const stateRows = insertingRows(
  'surge_states',
  sql`
    on conflict (book, zone_id) do update
    set log_multiplier = excluded.log_multiplier, ticked_at = excluded.ticked_at, baseline = excluded.baseline,
      baseline_hour = excluded.baseline_hour`,
)

export function storeSurgeStates(trx: WriteTrx, states: readonly StoredSurgeState[]): void {
  stateRows.insert(trx, states)
}

export type NewSnapshot = NewRow<'surge_snapshots'>

const snapshotRows = insertingRows('surge_snapshots')

/** The database rejects a second snapshot of a zone for the same mode and publication time. */
export function insertSnapshots(trx: WriteTrx, snapshots: readonly NewSnapshot[]): void {
  snapshotRows.insert(trx, snapshots)
}

const confirm = writing<{ ids: readonly SurgeSnapshotId[]; now: Timestamp; validUntil: Timestamp }>()(
  'confirm_surge_snapshots',
  (p) => sql`
    update surge_snapshots
    set computed_at = ${p.now}::timestamptz, valid_until = ${p.validUntil}::timestamptz
    where id = any(${p.ids}::text[])`,
)

/** Extends the validity of surge snapshots by one publication interval, without changing their multipliers. */
export function confirmSnapshots(
  trx: WriteTrx,
  ids: readonly SurgeSnapshotId[],
  times: { readonly now: Timestamp; readonly validUntil: Timestamp },
): void {
  if (ids.length > 0) trx.queue(confirm, { ids, ...times })
}
