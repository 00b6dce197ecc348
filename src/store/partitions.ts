import type pg from 'pg'
import { eventFeedDays } from '../../registry/limits.ts'
import { lowestIdAt } from '../ids.ts'

/**
 * Events, deliveries and attempts lie in partitions by month. Whole months are dropped when they are old, which costs
 * the same however much was in them; the months to come are made ahead, so that no insert ever waits for one.
 */

/** Each table with the prefix of the id its months are ranges of. Attempts lie where their delivery does. */
const partitioned = [
  { table: 'webhook_attempts', prefix: 'dlv' },
  { table: 'webhook_deliveries', prefix: 'dlv' },
  { table: 'webhook_events', prefix: 'evt' },
] as const

/** A job that fails for a month is found before anything lands in the default partitions. */
const monthsAhead = 1

/**
 * A month goes when its last day has been in the feed of events for as long as that promises, and a few days more in which
 * somebody may still look into a failure. Months rather than weeks, because every look for what is due looks into each.
 */
const keptMs = (eventFeedDays + 5) * 24 * 60 * 60 * 1000

/** Attaching and detaching take short locks on tables every mutation uses: better to come back than to stand in the way. */
const lockTimeoutMs = 2_000

/** One process at a time: making one table twice at once fails in more ways than one. Any number nobody else uses does. */
const turningLock = 5748

export interface TurnedPartitions {
  readonly made: readonly string[]
  readonly dropped: readonly string[]
  /** Months that could not be made or dropped just now. The next run tries again. */
  readonly failures: readonly { readonly partition: string; readonly error: unknown }[]
}

/** Makes the months that are missing and drops those that have had their time. Any number of processes may call it. */
export async function turnPartitions(pool: pg.Pool, nowMs: number): Promise<TurnedPartitions> {
  const made: string[] = []
  const dropped: string[] = []
  const failures: { partition: string; error: unknown }[] = []
  const client = await pool.connect()
  try {
    const existing = await listPartitions(client)
    const attempt = async (partition: string, statements: readonly string[], done: string[]) => {
      try {
        await inTransaction(client, statements)
        done.push(partition)
      } catch (error) {
        // A busy table may not have let us in.
        if (!wasDoneElsewhere(error)) failures.push({ partition, error })
      }
    }
    const current = monthOf(nowMs)
    const oldestKept = monthOf(nowMs - keptMs)
    for (const { table, prefix } of partitioned) {
      for (let month = current; month <= current + monthsAhead; month++) {
        const partition = partitionOf(table, month)
        if (!existing.has(partition)) await attempt(partition, makingOf({ table, prefix, month }), made)
      }
      for (const partition of existing) {
        if (isOlderThan(table, partition, oldestKept)) {
          await attempt(partition, droppingOf(table, partition), dropped)
        }
      }
    }
  } finally {
    client.release()
  }
  return { made, dropped, failures }
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

/** Months since 1970, in UTC. */
function monthOf(ms: number): number {
  const date = new Date(ms)
  return (date.getUTCFullYear() - 1970) * 12 + date.getUTCMonth()
}

function startOf(month: number): number {
  return Date.UTC(1970, month)
}

/** Such as `webhook_events_202611`. */
function partitionOf(table: string, month: number): string {
  return `${table}_${new Date(startOf(month)).toISOString().slice(0, 7).replace('-', '')}`
}

/** By name, because the name is the month. */
function isOlderThan(table: string, partition: string, month: number): boolean {
  return /^\d{6}$/.test(partition.slice(table.length + 1)) && partition.startsWith(table)
    ? partition < partitionOf(table, month)
    : false
}

interface Month {
  readonly table: string
  readonly prefix: string
  readonly month: number
}

/** Attached rather than created in place, which would lock the whole table against every insert. */
function makingOf({ table, prefix, month }: Month): string[] {
  const partition = partitionOf(table, month)
  const from = lowestIdAt(prefix, startOf(month))
  const to = lowestIdAt(prefix, startOf(month + 1))
  return [
    `create table ${partition} (like ${table} including defaults including constraints)`,
    ...(table === 'webhook_deliveries' ? [withoutStatistics(partition)] : []),
    `alter table ${table} attach partition ${partition} for values from ('${from}') to ('${to}')`,
  ]
}

/**
 * Of the columns the partial indexes are made by. Statistics are mostly gathered while nothing waits; they would say that those
 * indexes hold nothing, however many pages they have, and PostgreSQL would rather read all deliveries of a merchant.
 */
const uncounted = ['status', 'next_attempt_at', 'lease_until', 'replay_of', 'bulk_replay_id']

function withoutStatistics(partition: string): string {
  const columns = uncounted.map((column) => `alter column ${column} set statistics 0`)
  return `alter table ${partition} ${columns.join(', ')}`
}

function droppingOf(table: string, partition: string): string[] {
  return [`alter table ${table} detach partition ${partition}`, `drop table ${partition}`]
}

async function inTransaction(client: pg.PoolClient, statements: readonly string[]): Promise<void> {
  await client.query('begin')
  try {
    await client.query(`set local lock_timeout = ${lockTimeoutMs}`)
    await client.query(`select pg_advisory_xact_lock(${turningLock})`)
    for (const statement of statements) await client.query(statement)
    await client.query('commit')
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
