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
  numberOfId,
  type Partitioned,
  type Period,
  partitionOf,
  rangeOf,
  stagingNameOf,
} from './partition-periods.ts'

/**
 * The default partition receives the rows of periods that have no partition: rows that an earlier version stored, and
 * rows that were stored while the job that creates partitions failed. While it holds rows of a period, that period's
 * partition cannot be attached, and the rows would never be dropped. They are moved in two steps:
 *
 * copy ─── in small batches, without blocking reads and writes of the default partition switch ─── under an exclusive
 * lock: copy the changes, attach the new partitions, truncate the default partition
 */

/**
 * Number of blocks of a table that are copied per batch. They are 2 MiB, or a few thousand rows, and copying them takes
 * tens of milliseconds.
 */
const blocksPerBatch = 256

/**
 * Timeout in milliseconds of the step that replaces rows of the default partition by new partitions. All requests wait
 * for this step, so it must end well within their lock timeout, or fail and be retried later.
 */
const switchTimeoutMs = 2_000

/**
 * Timeout in milliseconds for listing the periods in a default partition. The listing blocks neither reads nor writes.
 */
const copyTimeoutMs = 60_000

export interface PartitionChanges {
  readonly created: readonly string[]
  readonly dropped: readonly string[]
}

/** Runs statements in one transaction whose lock timeout is short. */
export type InTransaction = <Result>(run: () => Promise<Result>) => Promise<Result>

/**
 * Moves the rows of a default partition to a partition for each retained period, and drops the rows of the other
 * periods. Must not run concurrently.
 */
export async function splitDefault(
  client: pg.PoolClient,
  each: Partitioned,
  { oldestRetained, inTransaction }: { readonly oldestRetained: number; readonly inTransaction: InTransaction },
): Promise<PartitionChanges> {
  const { since, numbers } = await inTransaction(async () => {
    await client.query(`set local statement_timeout = ${copyTimeoutMs}`)
    const { rows } = await client.query<{ since: string }>(
      'select pg_snapshot_xmin(pg_current_snapshot())::text as since',
    )
    return { since: rows[0]?.since ?? '0', numbers: await numbersIn(client, each) }
  })
  const retained = await retainedPeriods(client, each, { numbers, oldestRetained })
  await inTransaction(async () => {
    for (const period of retained) await stagePartition(client, period)
  })
  await copyAll(client, each, { retained, inTransaction })
  return inTransaction(() => switchOver(client, each, { retained, oldestRetained, since }))
}

/**
 * Returns those of the given periods that must be retained. A period is retained if its retention has not ended, or if
 * it contains rows of an open delivery.
 */
async function retainedPeriods(
  client: pg.PoolClient,
  { table, prefix, key, unit }: Partitioned,
  { numbers, oldestRetained }: { readonly numbers: readonly number[]; readonly oldestRetained: number },
): Promise<Period[]> {
  const retained: Period[] = []
  for (const number of numbers) {
    const period = { table, prefix, key, unit, number }
    if (number >= oldestRetained || (await isAnyOpenIn(client, period))) retained.push(period)
  }
  return retained
}

/** Returns the periods (months or days) of which the default partition has rows, in order. */
async function numbersIn(client: pg.PoolClient, each: Partitioned): Promise<number[]> {
  const { prefix, key, unit } = each
  const numbers: number[] = []
  for (let from = ''; ; ) {
    const { rows } = await client.query<{ id: string | null }>(
      `select min(${key}) as id from ${defaultOf(each)} where ${key} >= $1`,
      [from],
    )
    const id = rows[0]?.id
    if (id === undefined || id === null) return numbers
    const number = numberOfId(unit, id)
    numbers.push(number)
    from = firstIdOf({ prefix, unit, number: number + 1 })
  }
}

interface Copying {
  readonly retained: readonly Period[]
  readonly inTransaction: InTransaction
}

/**
 * Copies rows of the default partition in ctid order, so that every block is read once. Rows that change during the
 * copy are copied later, under the exclusive lock.
 */
async function copyAll(client: pg.PoolClient, each: Partitioned, { retained, inTransaction }: Copying): Promise<void> {
  const { rows } = await client.query<{ blocks: number }>(
    `select (pg_relation_size('${defaultOf(each)}') / current_setting('block_size')::int)::int as blocks`,
  )
  for (let block = 0; block < (rows[0]?.blocks ?? 0); block += blocksPerBatch) {
    await inTransaction(async () => {
      const place = `ctid >= '(${block},0)' and ctid < '(${block + blocksPerBatch},0)'`
      for (const period of retained) await copy(client, each, { period, which: place })
    })
  }
}

/**
 * Copies the rows of a period. A row that is updated during the copy may be read twice; its latest version is copied
 * later, under the exclusive lock.
 */
async function copy(
  client: pg.PoolClient,
  each: Partitioned,
  { period, which }: { readonly period: Period; readonly which: string },
): Promise<void> {
  const { key } = each
  const [from, to] = rangeOf(period)
  await client.query(
    `insert into ${stagingNameOf(period)} select * from ${defaultOf(each)}
     where ${which} and ${key} >= '${from}' and ${key} < '${to}'
     on conflict do nothing`,
  )
}

/**
 * Copies the rows of the default partition that changed since the first copy, and attaches the new partitions. Rows of
 * these tables are never deleted individually, so only inserted and updated rows are missing. The periods are listed
 * again under the lock. In the meantime, rows of another period may have been inserted, or a queued replay may need
 * rows of a period that was about to be dropped. The rows of such a period are copied under the lock. If this copy
 * times out, the next run copies the rows before it takes the lock.
 */
async function switchOver(
  client: pg.PoolClient,
  each: Partitioned,
  {
    retained,
    oldestRetained,
    since,
  }: { readonly retained: readonly Period[]; readonly oldestRetained: number; readonly since: string },
): Promise<PartitionChanges> {
  const { table, unit, primaryKey } = each
  const defaultPartition = defaultOf(each)
  await client.query(`set local statement_timeout = ${switchTimeoutMs}`)
  await lockWithDefault(client, each)
  const numbers = await numbersIn(client, each)
  const others = numbers.filter((number) => retained.every((known) => known.number !== number))
  const late = await retainedPeriods(client, each, { numbers: others, oldestRetained })
  await detachDefault(client, each)
  const isNewer = `age(${defaultPartition}.xmin) <= age('${since}'::xid8::xid)`
  for (const period of retained) {
    const isSame = primaryKey
      .map((column) => `${stagingNameOf(period)}.${column} = ${defaultPartition}.${column}`)
      .join(' and ')
    await client.query(`delete from ${stagingNameOf(period)} using ${defaultPartition} where ${isNewer} and ${isSame}`)
    await copy(client, each, { period, which: isNewer })
  }
  for (const period of late) {
    await stagePartition(client, period)
    await copy(client, each, { period, which: 'true' })
  }
  const moved = [...retained, ...late]
  for (const period of moved) await attachPartition(client, period)
  await attachEmptyDefault(client, each)
  const left = others.filter((number) => late.every((known) => known.number !== number))
  return { created: moved.map(partitionOf), dropped: left.map((number) => partitionOf({ table, unit, number })) }
}
