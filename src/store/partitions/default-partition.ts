import type pg from 'pg'
import { isAnyOpenIn } from './open-deliveries.ts'
import {
  attachEmptyDefault,
  attachPartition,
  detachDefault,
  lockWithDefault,
  stagePartition,
} from './partition-changes.ts'
import {
  defaultOf,
  firstIdOf,
  type Month,
  monthOfId,
  type Partitioned,
  partitionOf,
  rangeOf,
  stagingNameOf,
} from './partition-months.ts'

/**
 * The default partition receives the rows of months without a partition: from an earlier version, or while the job
 * failed. While it holds rows of a month, that month's partition cannot be attached, and the rows would never be
 * dropped. They are moved in two steps:
 *
 *   copy ─── in small batches, without blocking reads and writes of the default partition
 *   switch ─── under an exclusive lock: copy the changes, attach the new partitions, truncate the default partition
 */

/** 2 MiB of a table: a few thousand rows, copied in tens of milliseconds. */
const blocksPerBatch = 256

/** All requests wait for the switch, so it must end well within their lock timeout, or fail and be retried later. */
const switchTimeoutMs = 2_000

/** Listing the months of a partition blocks neither reads nor writes. */
const copyTimeoutMs = 60_000

export interface PartitionChanges {
  readonly created: readonly string[]
  readonly dropped: readonly string[]
}

/** Runs statements in one transaction with a short lock timeout. */
export type InTransaction = <Result>(run: () => Promise<Result>) => Promise<Result>

/**
 * Moves the retained months of a default partition to their own partitions and drops the others. Not concurrency-safe.
 */
export async function splitDefault(
  client: pg.PoolClient,
  each: Partitioned,
  { oldestRetained, inTransaction }: { readonly oldestRetained: number; readonly inTransaction: InTransaction },
): Promise<PartitionChanges> {
  const { since, months } = await inTransaction(async () => {
    await client.query(`set local statement_timeout = ${copyTimeoutMs}`)
    const { rows } = await client.query<{ since: string }>(
      'select pg_snapshot_xmin(pg_current_snapshot())::text as since',
    )
    return { since: rows[0]?.since ?? '0', months: await monthsIn(client, each) }
  })
  const retained = await retainedMonths(client, each, { months, oldestRetained })
  await inTransaction(async () => {
    for (const month of retained) await stagePartition(client, month)
  })
  await copyAll(client, each, { retained, inTransaction })
  return inTransaction(() => switchOver(client, each, { retained, oldestRetained, since }))
}

/** Returns the months within the retention period, and older ones that an open delivery still needs. */
async function retainedMonths(
  client: pg.PoolClient,
  { table, prefix, key }: Partitioned,
  { months, oldestRetained }: { readonly months: readonly number[]; readonly oldestRetained: number },
): Promise<Month[]> {
  const retained: Month[] = []
  for (const month of months) {
    if (month >= oldestRetained || (await isAnyOpenIn(client, { table, month })))
      retained.push({ table, prefix, key, month })
  }
  return retained
}

/** Returns the months that the default partition holds rows of, in order. */
async function monthsIn(client: pg.PoolClient, each: Partitioned): Promise<number[]> {
  const { prefix, key } = each
  const months: number[] = []
  for (let from = ''; ; ) {
    const { rows } = await client.query<{ id: string | null }>(
      `select min(${key}) as id from ${defaultOf(each)} where ${key} >= $1`,
      [from],
    )
    const id = rows[0]?.id
    if (id === undefined || id === null) return months
    const month = monthOfId(id)
    months.push(month)
    from = firstIdOf({ prefix, month: month + 1 })
  }
}

interface Copying {
  readonly retained: readonly Month[]
  readonly inTransaction: InTransaction
}

/** Copies rows in ctid order, so that every block is read once. The switch copies rows that change meanwhile. */
async function copyAll(client: pg.PoolClient, each: Partitioned, { retained, inTransaction }: Copying): Promise<void> {
  const { rows } = await client.query<{ blocks: number }>(
    `select (pg_relation_size('${defaultOf(each)}') / current_setting('block_size')::int)::int as blocks`,
  )
  for (let block = 0; block < (rows[0]?.blocks ?? 0); block += blocksPerBatch) {
    await inTransaction(async () => {
      const place = `ctid >= '(${block},0)' and ctid < '(${block + blocksPerBatch},0)'`
      for (const month of retained) await copy(client, each, { month, which: place })
    })
  }
}

/** Copies rows of a month. An updated row may be read twice; the switch copies its latest version. */
async function copy(
  client: pg.PoolClient,
  each: Partitioned,
  { month, which }: { readonly month: Month; readonly which: string },
): Promise<void> {
  const { key } = each
  const [from, to] = rangeOf(month)
  await client.query(
    `insert into ${stagingNameOf(month)} select * from ${defaultOf(each)}
     where ${which} and ${key} >= '${from}' and ${key} < '${to}'
     on conflict do nothing`,
  )
}

/**
 * Copies the rows changed since the copy and attaches the partitions. Rows of these tables are never deleted
 * individually, so only inserted and updated rows are missing. The months are listed again under the lock: rows of
 * another month may have been inserted, or a replay queued that needs a month to be dropped. Such a month is copied
 * here; if that times out, the next run copies it before the lock.
 */
async function switchOver(
  client: pg.PoolClient,
  each: Partitioned,
  {
    retained,
    oldestRetained,
    since,
  }: { readonly retained: readonly Month[]; readonly oldestRetained: number; readonly since: string },
): Promise<PartitionChanges> {
  const { table, primaryKey } = each
  const defaultPartition = defaultOf(each)
  await client.query(`set local statement_timeout = ${switchTimeoutMs}`)
  await lockWithDefault(client, each)
  const months = await monthsIn(client, each)
  const others = months.filter((month) => retained.every((known) => known.month !== month))
  const late = await retainedMonths(client, each, { months: others, oldestRetained })
  await detachDefault(client, each)
  const isNewer = `age(${defaultPartition}.xmin) <= age('${since}'::xid8::xid)`
  for (const month of retained) {
    const isSame = primaryKey
      .map((column) => `${stagingNameOf(month)}.${column} = ${defaultPartition}.${column}`)
      .join(' and ')
    await client.query(`delete from ${stagingNameOf(month)} using ${defaultPartition} where ${isNewer} and ${isSame}`)
    await copy(client, each, { month, which: isNewer })
  }
  for (const month of late) {
    await stagePartition(client, month)
    await copy(client, each, { month, which: 'true' })
  }
  const moved = [...retained, ...late]
  for (const month of moved) await attachPartition(client, month)
  await attachEmptyDefault(client, each)
  const left = others.filter((month) => late.every((known) => known.month !== month))
  return { created: moved.map(partitionOf), dropped: left.map((month) => partitionOf({ table, month })) }
}
