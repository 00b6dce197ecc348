import type pg from 'pg'
import { advisoryLocks } from '../core/advisory-locks.ts'
import { withClient } from '../core/server-client.ts'
import { distributionRecord } from '../server/schema-state.ts'
import { tablesOf } from '../tables/distribution.ts'
import { finishedTable, readCluster } from './cluster.ts'
import { problemsOf, type Step, stepsOf } from './plan.ts'

export type DistributionOutcome =
  | { readonly is: 'refused'; readonly problems: readonly string[] }
  /**
   * The steps of the distribution. With `planned`, these are the steps that remain; with `done`, the steps that were
   * made.
   */
  | { readonly is: 'planned' | 'done'; readonly steps: readonly Step[] }

export interface DistributionOptions {
  readonly isApplied: boolean
  /** Whether the service connects with a role of its own, which does not own the tables. */
  readonly hasServiceRole: boolean
  /** Called after each step of the distribution. `rows` is the number of rows of the table that the step concerns. */
  readonly onDone: (step: Step, rows: number) => void
}

/**
 * Distributes the migrated schema, with its rows, over the nodes of a cluster. The service must not run at the same
 * time, because its statements fail while only some of their tables are distributed. After an interruption, the next
 * run continues the distribution.
 */
export function distribute(connectionString: string, options: DistributionOptions): Promise<DistributionOutcome> {
  return withClient(connectionString, undefined, async (client) => {
    // While this lock is held, other processes cannot migrate the database. A process that migrates at its start waits
    // until the distribution has ended.
    const lock = await client.query<{ isMine: boolean }>(
      `select pg_try_advisory_lock(${advisoryLocks.migrations}) as "isMine"`,
    )
    if (lock.rows[0]?.isMine !== true)
      return { is: 'refused', problems: ['Another process is migrating or distributing the database.'] }
    const cluster = await readCluster(client)
    const problems = problemsOf(cluster, options)
    if (cluster === undefined || problems.length > 0) return { is: 'refused', problems }
    const steps = stepsOf(cluster)
    if (!options.isApplied) return { is: 'planned', steps }
    for (const step of steps) options.onDone(step, await perform(client, step))
    return { is: 'done', steps }
  })
}

/**
 * Performs a step of the distribution. Returns the number of rows in the table of the step, or the number of foreign
 * keys that the step dropped or added.
 */
async function perform(client: pg.Client, step: Step): Promise<number> {
  switch (step.is) {
    case 'drop_foreign_keys':
      return inTransaction(client, () => dropForeignKeys(client, step.tables))
    case 'create_reference_table':
      return place(client, step.table, () => client.query('select create_reference_table($1)', [step.table]))
    case 'distribute_table':
      return place(client, step.table, () => distributeTable(client, step.table))
    case 'add_foreign_keys':
      return addForeignKeys(client)
  }
}

async function inTransaction<Result>(client: pg.Client, work: () => Promise<Result>): Promise<Result> {
  await client.query('begin')
  try {
    const result = await work()
    await client.query('commit')
    return result
  } catch (error) {
    // The error of the work is thrown, even if the rollback fails because the connection was lost.
    await client.query('rollback').catch(() => undefined)
    throw error
  }
}

/**
 * Records the foreign keys from and to the given tables, and then drops these foreign keys. The foreign keys that an
 * interrupted run dropped are already recorded.
 */
async function dropForeignKeys(client: pg.Client, tables: readonly string[]): Promise<number> {
  await client.query(`create table if not exists ${distributionRecord} ("table" text, name text, definition text)`)
  const record = await client.query(
    `insert into ${distributionRecord} ("table", name, definition)
     select conrelid::regclass::text, conname, pg_get_constraintdef(pg_constraint.oid)
     from pg_constraint
     join pg_class own on own.oid = conrelid
     join pg_class referenced on referenced.oid = confrelid
     where contype = 'f' and conparentid = 0 and own.relnamespace = 'public'::regnamespace
       and (own.relname = any($1) or referenced.relname = any($1))`,
    [tables],
  )
  await execute(client, "format('alter table %s drop constraint if exists %I', record.table, record.name)")
  return record.rowCount ?? 0
}

/** Runs a statement for each recorded foreign key that fulfils the SQL condition. */
async function execute(client: pg.Client, statement: string, condition = 'true'): Promise<void> {
  const { rows } = await client.query<{ text: string }>(
    `select ${statement} as text from ${distributionRecord} as record where ${condition} order by record.table, record.name`,
  )
  for (const { text } of rows) await client.query(text)
}

/**
 * Moves the rows of a table to the nodes, verifies that no row is lost, and deletes the copy that remains on the
 * coordinator. The triggers are disabled during the move. Otherwise, they would fire for each copied row, and the
 * triggers of an append-only table would refuse the deletion of the copy.
 */
async function place(client: pg.Client, table: string, move: () => Promise<unknown>): Promise<number> {
  return inTransaction(client, async () => {
    // The owner of an append-only table has revoked its own privileges to change rows. Without these privileges, the
    // owner can neither lock the table nor delete the copy of the rows on the coordinator.
    const lacking = await lackingPrivileges(client, table)
    if (lacking !== '') await client.query(`grant ${lacking} on ${table} to current_user`)
    await client.query(`lock table ${table} in share row exclusive mode`)
    const before = await countRows(client, table)
    const triggers = await listTriggers(client, table)
    for (const { name } of triggers) await client.query(`alter table ${table} disable trigger ${name}`)
    await move()
    const after = await countRows(client, table)
    if (after !== before) throw new Error(`Table ${table} had ${before} rows and has ${after}. It was not distributed.`)
    await client.query('select truncate_local_data_after_distributing_table($1)', [table])
    for (const { name, mode } of triggers) await client.query(`alter table ${table} enable ${mode} trigger ${name}`)
    if (lacking !== '') await client.query(`revoke ${lacking} on ${table} from current_user`)
    return before
  })
}

/**
 * Returns an SQL list of privileges: those that the role of the connection needs to change the rows of a table, but
 * does not have.
 */
async function lackingPrivileges(client: pg.Client, table: string): Promise<string> {
  const { rows } = await client.query<{ lacking: string }>(
    `select coalesce(string_agg(privilege, ', '), '') as lacking
     from unnest(array['update', 'delete', 'truncate']) as privilege
     where not has_table_privilege(current_user, $1, privilege)`,
    [table],
  )
  return rows[0]?.lacking ?? ''
}

async function countRows(client: pg.Client, table: string): Promise<number> {
  const { rows } = await client.query<{ count: number }>(`select count(*)::float8 as count from ${table}`)
  return rows[0]?.count ?? 0
}

/**
 * Distributes a table over the nodes by `merchant_id`, together with the other distributed tables, so that all rows of
 * a merchant are on one node.
 */
async function distributeTable(client: pg.Client, table: string): Promise<void> {
  const [first] = tablesOf('distributed')
  const colocation = table === first ? 'none' : first
  await client.query("select create_distributed_table($1, 'merchant_id', colocate_with => $2)", [table, colocation])
}

interface Trigger {
  readonly name: string
  /** `always` if the trigger also fires while a server replicates rows. */
  readonly mode: string
}

async function listTriggers(client: pg.Client, table: string): Promise<readonly Trigger[]> {
  const { rows } = await client.query<Trigger>(
    `select quote_ident(tgname) as name, case tgenabled when 'A' then 'always' else '' end as mode
     from pg_trigger
     where tgrelid = $1::regclass and not tgisinternal and tgenabled <> 'D'`,
    [table],
  )
  return rows
}

const isMissing = `not exists (
  select from pg_constraint
  where conrelid = record.table::regclass and conname = record.name
    and pg_get_constraintdef(pg_constraint.oid) = record.definition
)`

async function addForeignKeys(client: pg.Client): Promise<number> {
  await execute(
    client,
    "format('alter table %s add constraint %I %s', record.table, record.name, record.definition)",
    isMissing,
  )
  const cluster = await readCluster(client)
  const [remaining] = cluster === undefined ? [] : stepsOf(cluster).filter((step) => step.is !== 'add_foreign_keys')
  if (remaining !== undefined) throw new Error(`The step ${JSON.stringify(remaining)} had no effect.`)
  return inTransaction(client, () => finish(client))
}

/**
 * Ends the run of `commerce distribute`. Until the run has ended, processes of the service refuse to start. Returns the
 * number of foreign keys that the run has recorded.
 */
async function finish(client: pg.Client): Promise<number> {
  const count = await countRows(client, distributionRecord)
  await client.query(`create table if not exists ${finishedTable} (finished_at timestamptz not null)`)
  await client.query(`insert into ${finishedTable} values (now())`)
  await client.query(`drop table ${distributionRecord}`)
  return count
}
