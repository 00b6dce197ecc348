import type pg from 'pg'
import { advisoryLocks } from '../core/advisory-locks.ts'
import { abortable, cutClient } from '../core/end-client.ts'
import { type PartitionChanges, splitDefault } from './default-partition.ts'
import { isAnyOpenIn } from './open-deliveries.ts'
import { createPartition, dropPartition, lockWithPartitions } from './partition-changes.ts'
import {
  defaultOf,
  numberAt,
  numberOfPartition,
  oldestRetainedOf,
  type Partitioned,
  type Period,
  partitioned,
  partitionOf,
} from './partition-periods.ts'

/**
 * Rotates the monthly partitions of events, deliveries and attempts and the daily partitions of the request log. Old
 * partitions are dropped as a whole, at a cost independent of their size. Partitions are created ahead of their period,
 * so that no insert waits for one.
 */

/**
 * Number of periods for which partitions are created ahead. If the job fails, a month or a weekend remains to repair
 * it.
 */
const periodsAhead = { month: 1, day: 3 } as const

/**
 * Lock timeout in milliseconds of the rotation of partitions. A partition is attached or detached under a lock on
 * tables that every mutation uses. While the rotation waits for this lock, the mutations wait too, so the timeout is
 * short.
 */
const lockTimeoutMs = 2_000

export interface RotatedPartitions {
  readonly created: readonly string[]
  readonly dropped: readonly string[]
  /**
   * Expired partitions that are not dropped, because deliveries in them are queued or leased, or wait for a disabled
   * endpoint.
   */
  readonly retained: readonly string[]
  /** The next run retries the failed partitions. */
  readonly failures: readonly { readonly partition: string; readonly error: unknown }[]
}

/**
 * Creates missing partitions. Does nothing while another process creates partitions. Rejects with the reason of the
 * signal when the signal is aborted.
 */
export function createPartitions(pool: pg.Pool, nowMs: number, signal?: AbortSignal): Promise<RotatedPartitions> {
  return rotate(pool, { nowMs, isDropping: false }, signal)
}

/** `nowMs` must be the database's time. */
export function rotatePartitions(pool: pg.Pool, nowMs: number): Promise<RotatedPartitions> {
  return rotate(pool, { nowMs, isDropping: true })
}

interface Rotation {
  readonly nowMs: number
  readonly isDropping: boolean
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
      // Closing the connection also releases its advisory lock.
      client.release(true)
      throw error
    }
  })
}

async function rotateAlone(client: pg.PoolClient, rotation: Rotation): Promise<RotatedPartitions> {
  const { rows } = await client.query<{ locked: boolean }>(
    `select pg_try_advisory_lock(${advisoryLocks.partitions}) as locked`,
  )
  if (rows[0]?.locked !== true) return { created: [], dropped: [], retained: [], failures: [] }
  const rotated = await rotateAll(client, rotation)
  await client.query(`select pg_advisory_unlock(${advisoryLocks.partitions})`)
  return rotated
}

async function rotateAll(client: pg.PoolClient, rotation: Rotation): Promise<RotatedPartitions> {
  const rotated: Rotated = { created: [], dropped: [], retained: [], failures: [] }
  const existing = await listPartitions(client)
  for (const each of partitioned) await rotateTable(client, each, { ...rotation, existing, rotated })
  return rotated
}

interface Rotated {
  readonly created: string[]
  readonly dropped: string[]
  readonly retained: string[]
  readonly failures: { readonly partition: string; readonly error: unknown }[]
}

interface TableRotation extends Rotation {
  /** The partitions of all tables, as read before the rotation. */
  readonly existing: ReadonlySet<string>
  readonly rotated: Rotated
}

async function rotateTable(client: pg.PoolClient, each: Partitioned, rotation: TableRotation): Promise<void> {
  const { nowMs, isDropping, existing, rotated } = rotation
  const { unit } = each
  const oldestRetained = isDropping ? oldestRetainedOf(each, nowMs) : Number.NEGATIVE_INFINITY
  await attempt(rotated, defaultOf(each), async () =>
    (await isEmpty(client, defaultOf(each)))
      ? { created: [], dropped: [] }
      : splitDefault(client, each, { oldestRetained, inTransaction: (run) => inTransaction(client, run) }),
  )
  const current = numberAt(unit, nowMs)
  for (let number = current; number <= current + periodsAhead[unit]; number++) {
    const partition = partitionOf({ ...each, number })
    if (existing.has(partition) || rotated.created.includes(partition)) continue
    await attempt(rotated, partition, async () => {
      await inTransaction(client, () => createPartition(client, { ...each, number }))
      return { created: [partition], dropped: [] }
    })
  }
  for (const partition of existing) {
    const number = numberOfPartition(each, partition)
    if (number === undefined || number >= oldestRetained) continue
    await attempt(rotated, partition, async () => {
      const isDropped = await dropIfClosed(client, { ...each, number })
      if (!isDropped) rotated.retained.push(partition)
      return { created: [], dropped: isDropped ? [partition] : [] }
    })
  }
}

/**
 * Runs a change of partitions. Records the partitions that it created and dropped, or the reason for its failure, such
 * as a lock timeout on a busy table.
 */
async function attempt(rotated: Rotated, partition: string, run: () => Promise<PartitionChanges>): Promise<void> {
  try {
    const changed = await run()
    rotated.created.push(...changed.created)
    rotated.dropped.push(...changed.dropped)
  } catch (error) {
    rotated.failures.push({ partition, error })
  }
}

/**
 * Drops the partition of a period without open deliveries. Checks for such deliveries again under the lock, because a
 * replay may have been queued since the first check.
 */
async function dropIfClosed(client: pg.PoolClient, period: Period): Promise<boolean> {
  if (await isAnyOpenIn(client, period)) return false
  return inTransaction(client, async () => {
    await lockWithPartitions(client, period)
    if (await isAnyOpenIn(client, period)) return false
    await dropPartition(client, period)
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
