import type pg from 'pg'
import { isAnyOpenIn } from './open-deliveries.ts'
import {
  attachingOf,
  defaultOf,
  firstIdOf,
  type Month,
  monthOfId,
  type Partitioned,
  partitionOf,
  rangeOf,
  stagingNameOf,
  stagingOf,
} from './partition-months.ts'

/**
 * The default partition holds rows of months that no partition was made for: those of an earlier version, or of a time in
 * which the job failed. While it holds rows of a month, that month's partition cannot be attached, and its rows would never
 * be dropped. So they are moved:
 *
 *   copy ─── in small batches, while everybody reads and writes the default partition
 *   switch ─── under an exclusive lock: what changed since is copied, the new partitions are attached, the default is emptied
 */

/** 2 MiB of a table: some thousand rows, which are copied in some tens of milliseconds. */
const blocksPerBatch = 256

/** Everything waits for the switch, so it must end well within the lock timeout of requests, or be tried again later. */
const switchTimeoutMs = 2_000

/** Reading a partition for its months takes no lock that anybody waits for. */
const copyTimeoutMs = 60_000

export interface Sorted {
  readonly made: readonly string[]
  readonly dropped: readonly string[]
}

/** Runs statements in one transaction whose locks are waited for briefly. */
export type InTransaction = <Result>(run: () => Promise<Result>) => Promise<Result>

/** Moves what is kept into partitions of its own and drops the rest. One process at a time may call it. */
export async function sortDefault(
  client: pg.PoolClient,
  each: Partitioned,
  { oldestKept, inTransaction }: { readonly oldestKept: number; readonly inTransaction: InTransaction },
): Promise<Sorted> {
  const { since, months } = await inTransaction(async () => {
    await client.query(`set local statement_timeout = ${copyTimeoutMs}`)
    const { rows } = await client.query<{ since: string }>(
      'select pg_snapshot_xmin(pg_current_snapshot())::text as since',
    )
    return { since: rows[0]?.since ?? '0', months: await monthsIn(client, each) }
  })
  const kept = await retainedOf(client, each, { months, oldestKept })
  await inTransaction(async () => {
    for (const statement of kept.flatMap(stagingOf)) await client.query(statement)
  })
  await copyAll(client, each, { kept, inTransaction })
  return inTransaction(() => switchOver(client, each, { kept, oldestKept, since }))
}

/** The months that are not old enough to be dropped, and older ones that an open delivery still needs. */
async function retainedOf(
  client: pg.PoolClient,
  { table, prefix, key }: Partitioned,
  { months, oldestKept }: { readonly months: readonly number[]; readonly oldestKept: number },
): Promise<Month[]> {
  const kept: Month[] = []
  for (const month of months) {
    if (month >= oldestKept || (await isAnyOpenIn(client, { table, month }))) kept.push({ table, prefix, key, month })
  }
  return kept
}

/** Of which months it holds rows, each found behind the last. */
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
  readonly kept: readonly Month[]
  readonly inTransaction: InTransaction
}

/** By place in the table, so that every block is read once. Rows that come or move meanwhile are left to the switch. */
async function copyAll(client: pg.PoolClient, each: Partitioned, { kept, inTransaction }: Copying): Promise<void> {
  const { rows } = await client.query<{ blocks: number }>(
    `select (pg_relation_size('${defaultOf(each)}') / current_setting('block_size')::int)::int as blocks`,
  )
  for (let block = 0; block < (rows[0]?.blocks ?? 0); block += blocksPerBatch) {
    await inTransaction(async () => {
      const place = `ctid >= '(${block},0)' and ctid < '(${block + blocksPerBatch},0)'`
      for (const month of kept) await copy(client, each, { month, which: place })
    })
  }
}

/** A row that moved between two batches is met twice; which of its versions counts is decided by the switch. */
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
 * Rows of these tables are inserted and updated, and never deleted one by one, so newer versions are all that is missing.
 * The months are read again under the lock: rows of another month may have been inserted since, and a replay may have been
 * queued that needs a month to be dropped. Such a month is copied here; it is small, or the next run copies it beforehand.
 */
async function switchOver(
  client: pg.PoolClient,
  each: Partitioned,
  { kept, oldestKept, since }: { readonly kept: readonly Month[]; readonly oldestKept: number; readonly since: string },
): Promise<Sorted> {
  const { table, primaryKey } = each
  const strays = defaultOf(each)
  await client.query(`set local statement_timeout = ${switchTimeoutMs}`)
  await client.query(`lock table only ${table}, ${strays} in access exclusive mode`)
  const months = await monthsIn(client, each)
  const others = months.filter((month) => kept.every((known) => known.month !== month))
  const late = await retainedOf(client, each, { months: others, oldestKept })
  await client.query(`alter table ${table} detach partition ${strays}`)
  const isNewer = `age(${strays}.xmin) <= age('${since}'::xid8::xid)`
  for (const month of kept) {
    const isSame = primaryKey.map((column) => `${stagingNameOf(month)}.${column} = ${strays}.${column}`).join(' and ')
    await client.query(`delete from ${stagingNameOf(month)} using ${strays} where ${isNewer} and ${isSame}`)
    await copy(client, each, { month, which: isNewer })
  }
  for (const month of late) {
    for (const statement of stagingOf(month)) await client.query(statement)
    await copy(client, each, { month, which: 'true' })
  }
  const moved = [...kept, ...late]
  for (const statement of moved.flatMap(attachingOf)) await client.query(statement)
  await client.query(`truncate ${strays}`)
  await client.query(`alter table ${table} attach partition ${strays} default`)
  const left = others.filter((month) => late.every((known) => known.month !== month))
  return { made: moved.map(partitionOf), dropped: left.map((month) => partitionOf({ table, month })) }
}
