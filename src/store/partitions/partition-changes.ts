import type pg from 'pg'
import { type Partitioned, type Period, partitionOf, rangeOf } from './partition-periods.ts'

/**
 * Changes of partitions. The role of the service owns no tables, so functions of the database schema make the changes
 * with the privileges of the owner.
 */

/** Locks a table and its partitions until the end of the transaction. Waits for all readers and writers. */
export async function lockWithPartitions(client: pg.PoolClient, { table }: Pick<Partitioned, 'table'>): Promise<void> {
  await client.query('select lock_for_rotation($1, true)', [table])
}

/**
 * Locks a table and its default partition until the end of the transaction. Readers of the other partitions do not wait
 * for this lock.
 */
export async function lockWithDefault(client: pg.PoolClient, { table }: Pick<Partitioned, 'table'>): Promise<void> {
  await client.query('select lock_for_rotation($1, false)', [table])
}

export async function createPartition(client: pg.PoolClient, period: Period): Promise<void> {
  await stagePartition(client, period)
  await attachPartition(client, period)
}

/** Creates the table for a month or day without attaching it as a partition. */
export async function stagePartition(client: pg.PoolClient, period: Period): Promise<void> {
  await client.query('select stage_partition($1, $2, $3, $4)', [period.table, partitionOf(period), ...rangeOf(period)])
}

/** Requires the table that stagePartition() creates. */
export async function attachPartition(client: pg.PoolClient, period: Period): Promise<void> {
  await client.query('select attach_partition($1, $2, $3, $4)', [period.table, partitionOf(period), ...rangeOf(period)])
}

export async function dropPartition(
  client: pg.PoolClient,
  period: Pick<Period, 'table' | 'unit' | 'number'>,
): Promise<void> {
  await client.query('select drop_partition($1, $2)', [period.table, partitionOf(period)])
}

export async function detachDefault(client: pg.PoolClient, { table }: Pick<Partitioned, 'table'>): Promise<void> {
  await client.query('select detach_default_partition($1)', [table])
}

/** Empties the default partition and attaches it again. */
export async function attachEmptyDefault(client: pg.PoolClient, { table }: Pick<Partitioned, 'table'>): Promise<void> {
  await client.query('select attach_empty_default_partition($1)', [table])
}
