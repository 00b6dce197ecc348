import type pg from 'pg'
import { webhookRetentionDays } from '../../../registry/values/limits.ts'
import { abortable, cutClient } from '../core/end-client.ts'
import { type PartitionChanges, splitDefault } from './default-partition.ts'
import { isAnyOpenIn } from './open-deliveries.ts'
import { createPartition, dropPartition, lockWithPartitions } from './partition-changes.ts'
import { defaultOf, monthOf, monthOfPartition, type Partitioned, partitioned, partitionOf } from './partition-months.ts'

/**
 * Rotates the monthly partitions of events, deliveries and attempts. Old months are dropped as a whole, at a cost
 * independent of their size. Future months are created ahead, so that no insert waits for one.
 */

/** Partitions are created one month ahead, which leaves a month to repair a failing job. */
const monthsAhead = 1

/**
 * The retention period. A month is dropped when its last day is older. Monthly rather than weekly partitions, because
 * every query for due deliveries scans all partitions.
 */
const retentionMs = webhookRetentionDays * 24 * 60 * 60 * 1000

/**
 * Attaching and detaching lock tables that every mutation uses. A lock request that waits blocks them, so it times out
 * soon.
 */
const lockTimeoutMs = 2_000

/** The advisory lock that allows one process at a time. An arbitrary number that nothing else uses. */
const rotationLock = 5748

export interface RotatedPartitions {
  readonly created: readonly string[]
  readonly dropped: readonly string[]
  /** Expired months that are not dropped, because deliveries in them are queued, leased or held. */
  readonly retained: readonly string[]
  /** The partitions that could not be created or dropped. The next run retries them. */
  readonly failures: readonly { readonly partition: string; readonly error: unknown }[]
}

/**
 * Creates missing partitions. Concurrent calls of other processes do nothing. Rejects with the signal's reason when it
 * aborts.
 */
export function createPartitions(pool: pg.Pool, nowMs: number, signal?: AbortSignal): Promise<RotatedPartitions> {
  return rotate(pool, { nowMs, oldestRetained: Number.NEGATIVE_INFINITY }, signal)
}

/** Creates missing partitions and drops expired ones. `nowMs` must be the database's time. */
export function rotatePartitions(pool: pg.Pool, nowMs: number): Promise<RotatedPartitions> {
  return rotate(pool, { nowMs, oldestRetained: monthOf(nowMs - retentionMs) })
}

interface Rotation {
  readonly nowMs: number
  /** Older months are dropped. */
  readonly oldestRetained: number
}

async function rotate(pool: pg.Pool, rotation: Rotation, signal?: AbortSignal): Promise<RotatedPartitions> {
  let client: pg.PoolClient | undefined
  const cut = () => {
    if (client !== undefined) cutClient(client)
  }
  return abortable(signal, cut, async () => {
    client = await pool.connect()
    try {
      signal?.throwIfAborted()
      const rotated = await rotateAlone(client, rotation)
      client.release()
      return rotated
    } catch (error) {
      // Closing the connection also releases the lock.
      client.release(true)
      throw error
    }
  })
}

async function rotateAlone(client: pg.PoolClient, rotation: Rotation): Promise<RotatedPartitions> {
  const { rows } = await client.query<{ locked: boolean }>(`select pg_try_advisory_lock(${rotationLock}) as locked`)
  if (rows[0]?.locked !== true) return { created: [], dropped: [], retained: [], failures: [] }
  const rotated = await rotateAll(client, rotation)
  await client.query(`select pg_advisory_unlock(${rotationLock})`)
  return rotated
}

async function rotateAll(client: pg.PoolClient, { nowMs, oldestRetained }: Rotation): Promise<RotatedPartitions> {
  const created: string[] = []
  const dropped: string[] = []
  const retained: string[] = []
  const failures: { partition: string; error: unknown }[] = []
  const attempt = async (partition: string, run: () => Promise<PartitionChanges>) => {
    try {
      const changed = await run()
      created.push(...changed.created)
      dropped.push(...changed.dropped)
    } catch (error) {
      // For example a lock timeout on a busy table.
      failures.push({ partition, error })
    }
  }
  const existing = await listPartitions(client)
  const current = monthOf(nowMs)
  for (const each of partitioned) {
    const { table } = each
    if (!(await isEmpty(client, defaultOf(each)))) {
      await attempt(defaultOf(each), () =>
        splitDefault(client, each, { oldestRetained, inTransaction: (run) => inTransaction(client, run) }),
      )
    }
    for (let month = current; month <= current + monthsAhead; month++) {
      const partition = partitionOf({ table, month })
      if (existing.has(partition) || created.includes(partition)) continue
      await attempt(partition, async () => {
        await inTransaction(client, () => createPartition(client, { ...each, month }))
        return { created: [partition], dropped: [] }
      })
    }
    for (const partition of existing) {
      const month = monthOfPartition(table, partition)
      if (month === undefined || month >= oldestRetained) continue
      await attempt(partition, async () => {
        const isDropped = await dropIfClosed(client, { table, month })
        if (!isDropped) retained.push(partition)
        return { created: [], dropped: isDropped ? [partition] : [] }
      })
    }
  }
  return { created, dropped, retained, failures }
}

interface Dropping {
  readonly table: Partitioned['table']
  readonly month: number
}

/** Drops a month without open deliveries. Checks again under the lock: a replay may have been queued meanwhile. */
async function dropIfClosed(client: pg.PoolClient, { table, month }: Dropping): Promise<boolean> {
  if (await isAnyOpenIn(client, { table, month })) return false
  return inTransaction(client, async () => {
    await lockWithPartitions(client, { table })
    if (await isAnyOpenIn(client, { table, month })) return false
    await dropPartition(client, { table, month })
    return true
  })
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

async function inTransaction<Result>(client: pg.PoolClient, run: () => Promise<Result>): Promise<Result> {
  await client.query('begin')
  try {
    await client.query(`set local lock_timeout = ${lockTimeoutMs}`)
    const result = await run()
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}
