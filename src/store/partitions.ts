import type pg from 'pg'
import { lowestIdAt } from '../ids.ts'

/**
 * Events, deliveries and attempts lie in partitions by week. Whole weeks are dropped when they are old, which costs the
 * same however much was in them; the weeks to come are made ahead, so that no insert ever waits for one.
 */

/** Each table with the prefix of the id its weeks are ranges of. Attempts lie where their delivery does. */
const partitioned = [
  { table: 'webhook_attempts', prefix: 'dlv' },
  { table: 'webhook_deliveries', prefix: 'dlv' },
  { table: 'webhook_events', prefix: 'evt' },
] as const

const weekMs = 7 * 24 * 60 * 60 * 1000

/** 5 January 1970 was a Monday. */
const firstMondayMs = 4 * 24 * 60 * 60 * 1000

/** A job that fails for a fortnight is found before anything lands in the default partitions. */
const weeksAhead = 3

/**
 * The feed of events promises 30 days and the last retry comes 39 hours after an event, so five whole weeks hold
 * everything that anybody may still ask for.
 */
const weeksKept = 5

/** Attaching and detaching take short locks on tables every mutation uses: better to come back than to stand in the way. */
const lockTimeoutMs = 2_000

export interface TurnedPartitions {
  readonly made: readonly string[]
  readonly dropped: readonly string[]
  /** Weeks that could not be made or dropped just now. The next run tries again. */
  readonly failures: readonly { readonly partition: string; readonly error: unknown }[]
}

/** Makes the weeks that are missing and drops those that have had their time. Any number of processes may call it. */
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
        // Somebody else was quicker, or a busy table did not let us in.
        if (!isDuplicate(error)) failures.push({ partition, error })
      }
    }
    const currentWeek = weekOf(nowMs)
    for (const { table, prefix } of partitioned) {
      for (let week = currentWeek; week <= currentWeek + weeksAhead; week++) {
        const partition = partitionOf(table, week)
        if (!existing.has(partition)) await attempt(partition, makingOf({ table, prefix, week }), made)
      }
      for (const partition of existing) {
        if (isOlderThan(table, partition, currentWeek - weeksKept)) {
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

function weekOf(ms: number): number {
  return Math.floor((ms - firstMondayMs) / weekMs)
}

function startOf(week: number): number {
  return firstMondayMs + week * weekMs
}

/** Such as `webhook_events_20261116`, after the Monday it begins with. */
function partitionOf(table: string, week: number): string {
  return `${table}_${new Date(startOf(week)).toISOString().slice(0, 10).replaceAll('-', '')}`
}

/** By name, because the name is the week. */
function isOlderThan(table: string, partition: string, week: number): boolean {
  return /^\d{8}$/.test(partition.slice(table.length + 1)) && partition.startsWith(table)
    ? partition < partitionOf(table, week)
    : false
}

interface Week {
  readonly table: string
  readonly prefix: string
  readonly week: number
}

/** Attached rather than created in place, which would lock the whole table against every insert. */
function makingOf({ table, prefix, week }: Week): string[] {
  const partition = partitionOf(table, week)
  const from = lowestIdAt(prefix, startOf(week))
  const to = lowestIdAt(prefix, startOf(week + 1))
  return [
    `create table ${partition} (like ${table} including defaults including constraints)`,
    `alter table ${table} attach partition ${partition} for values from ('${from}') to ('${to}')`,
  ]
}

function droppingOf(table: string, partition: string): string[] {
  return [`alter table ${table} detach partition ${partition}`, `drop table ${partition}`]
}

async function inTransaction(client: pg.PoolClient, statements: readonly string[]): Promise<void> {
  await client.query('begin')
  try {
    await client.query(`set local lock_timeout = ${lockTimeoutMs}`)
    for (const statement of statements) await client.query(statement)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}

const duplicateTable = '42P07'

function isDuplicate(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === duplicateTable
}
