import { type Database, openDatabase } from '../../src/store/core/database.ts'
import type { TestDatabase } from '../support/database.ts'

/**
 * Runs a function on a separate database connection. Returns the number of rows that the function read from the audit
 * log, its queue and its hash chain, and the number of scans. Reads by index and sequential reads are both counted.
 */
export async function countedReads({ connectionString }: TestDatabase, work: (database: Database) => Promise<unknown>) {
  const database = openDatabase({ connectionString, maxConnections: 1 })
  try {
    const before = await readsOf(database)
    await work(database)
    const after = await readsOf(database)
    return { rows: after.rows - before.rows, scans: after.scans - before.scans }
  } finally {
    await database.close()
  }
}

async function readsOf({ pool }: Database): Promise<{ readonly rows: number; readonly scans: number }> {
  // Flushes PostgreSQL's statistics of row reads, because PostgreSQL otherwise updates them at most once per second.
  await pool.query('select pg_stat_force_next_flush()')
  const { rows } = await pool.query<{ rows: number; scans: number }>(
    `select
       sum(seq_tup_read + idx_tup_fetch + indexed)::bigint as rows, sum(seq_scan + idx_scan)::bigint as scans
     from pg_stat_user_tables
     join (select relid, sum(idx_tup_read) as indexed from pg_stat_user_indexes group by relid) as indexes using (relid)
     where relname in ('audit_log', 'audit_chain', 'audit_queue')`,
  )
  const [counted] = rows
  if (counted === undefined) throw new Error('PostgreSQL returned no statistics.')
  return counted
}
