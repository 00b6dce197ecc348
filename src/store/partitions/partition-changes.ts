import type pg from 'pg'
import { type Month, type Partitioned, partitionOf, rangeOf } from './partition-months.ts'

/**
 * Changes of partitions. The role of the service owns no tables, so functions of the schema make them with the privileges of
 * the owner.
 */

/** Locks a table and its partitions until the end of the transaction. Waits for all readers and writers. */
export async function lockWithPartitions(client: pg.PoolClient, { table }: Pick<Partitioned, 'table'>): Promise<void> {
  await client.query('select lock_for_rotation($1, true)', [table])
}

/** Locks a table and its default partition until the end of the transaction. Readers of other partitions need not wait. */
export async function lockWithDefault(client: pg.PoolClient, { table }: Pick<Partitioned, 'table'>): Promise<void> {
  await client.query('select lock_for_rotation($1, false)', [table])
}

/** Creates a table and attaches it as the partition of a month. */
export async function createPartition(client: pg.PoolClient, month: Month): Promise<void> {
  await stagePartition(client, month)
  await attachPartition(client, month)
}

/** Creates the table of a month without attaching it. */
export async function stagePartition(client: pg.PoolClient, month: Month): Promise<void> {
  await client.query('select stage_partition($1, $2, $3, $4)', [month.table, partitionOf(month), ...rangeOf(month)])
}

/** Attaches the table that stagePartition() created. */
export async function attachPartition(client: pg.PoolClient, month: Month): Promise<void> {
  await client.query('select attach_partition($1, $2, $3, $4)', [month.table, partitionOf(month), ...rangeOf(month)])
}

export async function dropPartition(client: pg.PoolClient, month: Pick<Month, 'table' | 'month'>): Promise<void> {
  await client.query('select drop_partition($1, $2)', [month.table, partitionOf(month)])
}

export async function detachDefault(client: pg.PoolClient, { table }: Pick<Partitioned, 'table'>): Promise<void> {
  await client.query('select detach_default_partition($1)', [table])
}

/** Empties the default partition and attaches it again. */
export async function attachEmptyDefault(client: pg.PoolClient, { table }: Pick<Partitioned, 'table'>): Promise<void> {
  await client.query('select attach_empty_default_partition($1)', [table])
}
