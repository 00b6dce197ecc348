import type pg from 'pg'
import { webhookKeptDays } from '../../registry/limits.ts'
import { lostWith } from './held-expiry.ts'
import {
  firstIdOf,
  makingOf,
  monthOf,
  monthOfId,
  monthOfPartition,
  type Partitioned,
  partitioned,
  partitionOf,
} from './partition-months.ts'

/**
 * Events, deliveries and attempts lie in partitions by month. Whole months are dropped when they are old, which costs
 * the same however much was in them; the months to come are made ahead, so that no insert ever waits for one.
 */

/** A job that fails for a month is found before anything lands in the default partitions. */
const monthsAhead = 1

/**
 * A month goes when its last day has been kept for as long as is promised. Months rather than weeks, because every look for
 * what is due looks into each.
 */
const keptMs = webhookKeptDays * 24 * 60 * 60 * 1000

/** Attaching and detaching take short locks on tables every mutation uses: better to come back than to stand in the way. */
const lockTimeoutMs = 2_000

/** The rows of a month are copied at some hundred thousand in a second. More than this wants an operator. */
const sortingTimeoutMs = 10 * 60 * 1000

/** One process at a time: making one table twice at once fails in more ways than one. Any number nobody else uses does. */
const turningLock = 5748

export interface TurnedPartitions {
  readonly made: readonly string[]
  readonly dropped: readonly string[]
  /** What could not be made or dropped just now. The next run tries again. */
  readonly failures: readonly { readonly partition: string; readonly error: unknown }[]
}

/** What one transaction made and dropped. */
type Turned = Pick<TurnedPartitions, 'made' | 'dropped'>

/** Makes the months that are missing and drops those that have had their time. Any number of processes may call it. */
export async function turnPartitions(pool: pg.Pool, nowMs: number): Promise<TurnedPartitions> {
  const made: string[] = []
  const dropped: string[] = []
  const failures: { partition: string; error: unknown }[] = []
  const client = await pool.connect()
  try {
    const existing = await listPartitions(client)
    const attempt = async (partition: string, turn: () => Promise<Turned>) => {
      try {
        const turned = await inTransaction(client, turn)
        made.push(...turned.made)
        dropped.push(...turned.dropped)
      } catch (error) {
        // A busy table may not have let us in.
        if (!wasDoneElsewhere(error)) failures.push({ partition, error })
      }
    }
    const current = monthOf(nowMs)
    const oldestKept = monthOf(nowMs - keptMs)
    for (const each of partitioned) {
      const { table } = each
      if (!(await isEmpty(client, defaultOf(each)))) {
        await attempt(defaultOf(each), () => sortDefault(client, each, { oldestKept, nowMs }))
      }
      for (let month = current; month <= current + monthsAhead; month++) {
        const partition = partitionOf({ table, month })
        if (existing.has(partition) || made.includes(partition)) continue
        await attempt(partition, () => make(client, { ...each, month }))
      }
      for (const partition of existing) {
        const month = monthOfPartition(table, partition)
        if (month === undefined || month >= oldestKept) continue
        await attempt(partition, () => drop(client, { table, partition, nowMs }))
      }
    }
  } finally {
    client.release()
  }
  return { made, dropped, failures }
}

async function make(client: pg.PoolClient, month: Parameters<typeof makingOf>[0]): Promise<Turned> {
  for (const statement of makingOf(month)) await client.query(statement)
  return { made: [partitionOf(month)], dropped: [] }
}

interface Dropping {
  readonly table: Partitioned['table']
  readonly partition: string
  readonly nowMs: number
}

async function drop(client: pg.PoolClient, { table, partition, nowMs }: Dropping): Promise<Turned> {
  await client.query(`alter table ${table} detach partition ${partition}`)
  if (table === 'webhook_deliveries') await lostWith(client, { partition, beforeId: undefined, nowMs })
  await client.query(`drop table ${partition}`)
  return { made: [], dropped: [partition] }
}

/**
 * The default partition holds what no month was there for: what an earlier version kept, or the job's failures. While it
 * holds rows of a month that month cannot be made, and what lies in it would never be dropped. It is taken out, its rows
 * go where they belong, and it is put back empty. Out of the table its rows may go, even those of attempts, which never change.
 */
async function sortDefault(
  client: pg.PoolClient,
  each: Partitioned,
  { oldestKept, nowMs }: { readonly oldestKept: number; readonly nowMs: number },
): Promise<Turned> {
  const { table, prefix, key } = each
  const strays = defaultOf(each)
  await client.query(`set local statement_timeout = ${sortingTimeoutMs}`)
  await client.query(`alter table ${table} detach partition ${strays}`)
  const months = await monthsIn(client, each)
  const kept = months.filter((month) => month >= oldestKept)
  for (const month of kept) await make(client, { table, prefix, month })
  const oldestId = firstIdOf({ prefix, month: oldestKept })
  if (table === 'webhook_deliveries') await lostWith(client, { partition: strays, beforeId: oldestId, nowMs })
  await client.query(`insert into ${table} select * from ${strays} where ${key} >= '${oldestId}'`)
  await client.query(`truncate ${strays}`)
  await client.query(`alter table ${table} attach partition ${strays} default`)
  const named = (month: number) => partitionOf({ table, month })
  return { made: kept.map(named), dropped: months.filter((month) => month < oldestKept).map(named) }
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

function defaultOf({ table }: Partitioned): string {
  return `${table}_default`
}

async function isEmpty(client: pg.PoolClient, table: string): Promise<boolean> {
  return (await client.query(`select from ${table} limit 1`)).rowCount === 0
}

async function listPartitions(client: pg.PoolClient): Promise<ReadonlySet<string>> {
  const { rows } = await client.query<{ name: string }>(`
    select child.relname as name
    from pg_inherits
    join pg_class child on child.oid = inhrelid
    join pg_class parent on parent.oid = inhparent
    where parent.relkind = 'p' and parent.relnamespace = 'public'::regnamespace`)
  return new Set(rows.map(({ name }) => name))
}

async function inTransaction(client: pg.PoolClient, turn: () => Promise<Turned>): Promise<Turned> {
  await client.query('begin')
  try {
    await client.query(`set local lock_timeout = ${lockTimeoutMs}`)
    await client.query(`select pg_advisory_xact_lock(${turningLock})`)
    const turned = await turn()
    await client.query('commit')
    return turned
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}

const duplicateTable = '42P07'
const undefinedTable = '42P01'

/** Another process has made or dropped the very partition meanwhile. */
function wasDoneElsewhere(error: unknown): boolean {
  return (
    error instanceof Error && 'code' in error && [duplicateTable, undefinedTable].some((code) => code === error.code)
  )
}
