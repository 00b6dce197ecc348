import pg from 'pg'
import type { TestApi } from './api.ts'
import { select } from './database-contents.ts'

/** Resolves once the given number of database connections, of any role, wait for a lock. */
export async function untilWaiting(api: Pick<TestApi, 'database'>, count: number): Promise<void> {
  const waiting = `
    select distinct pid from pg_locks join pg_stat_activity using (pid)
    where datname = current_database() and not granted`
  while ((await select(api, waiting)).length < count) {
    // Each query is a round trip, so this loop does not spin.
  }
}

/**
 * Runs a function while a database connection of the tables' owner holds the locks that the statement takes. The function
 * may use the connection, for example to commit.
 */
export async function whileLocked<Result>(
  api: Pick<TestApi, 'ownerConnectionString'>,
  lock: { readonly text: string; readonly values?: readonly unknown[] },
  run: (holder: pg.Client) => Promise<Result>,
): Promise<Result> {
  const holder = new pg.Client({ connectionString: api.ownerConnectionString })
  await holder.connect()
  try {
    await holder.query('begin')
    await holder.query(lock.text, [...(lock.values ?? [])])
    return await run(holder)
  } finally {
    await holder.end()
  }
}
