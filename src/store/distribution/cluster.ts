import type pg from 'pg'
import { distributionRecord } from '../server/schema-state.ts'
import { distribution } from '../tables/distribution.ts'

/** The coordinator is a node too. */
export interface ClusterNode {
  /** Host and port by which the coordinator connects to the node. */
  readonly name: string
  readonly hasShards: boolean
  /** The report of the node about itself. Null if the node did not respond; `fault` then contains the reason. */
  readonly report: NodeReport | null
  readonly fault: string | null
  /** Reason why the node cannot write a temporary file, such as a full disk. Null if the node can write one. */
  readonly diskFault: string | null
}

interface NodeReport {
  /** Version of the extension Citus. Null if the database of the node does not have the extension. */
  readonly version: string | null
  readonly allowsTriggers: boolean
  readonly isReadOnly: boolean
  /**
   * Whether the server is set to use only generic plans for prepared statements. A generic plan does not depend on the
   * arguments, so the merchant's id cannot determine the node to read.
   */
  readonly plansWithoutArguments: boolean
  readonly atMs: number
}

export interface Cluster {
  readonly nodes: readonly ClusterNode[]
  /** When the coordinator requested the reports of the nodes, and when it received the last report. */
  readonly asked: { readonly fromMs: number; readonly toMs: number }
  /**
   * The current distribution class of each table, such as `distributed`. Null for a table that exists only on the
   * coordinator and that Citus does not manage.
   */
  readonly tables: ReadonlyMap<string, string | null>
  /**
   * Whether the command has distributed tables of the database before. `isInterrupted`: whether its last run was
   * interrupted.
   */
  readonly isKnown: boolean
  readonly isInterrupted: boolean
  /** Names of the service's connections to the coordinator, apart from the connection of this command. */
  readonly connections: readonly string[]
}

/** Undefined if the database does not have the extension Citus. */
export async function readCluster(client: pg.Client): Promise<Cluster | undefined> {
  const { rows } = await client.query("select from pg_extension where extname = 'citus'")
  if (rows.length === 0) return undefined
  const fromMs = await readClock(client)
  const nodes = await client.query<ClusterNode>(nodesText, [reportText, spillText])
  const toMs = await readClock(client)
  const tables = await client.query<{ name: string; is: string | null }>(tablesText, [Object.keys(distribution)])
  const isInterrupted = await hasTable(client, distributionRecord)
  const isKnown = isInterrupted || (await hasTable(client, finishedTable))
  const connections = await client.query<{ name: string }>(connectionsText)
  return {
    nodes: nodes.rows,
    asked: { fromMs, toMs },
    tables: new Map(tables.rows.map(({ name, is }) => [name, is])),
    isKnown,
    isInterrupted,
    connections: connections.rows.map(({ name }) => name),
  }
}

/**
 * The table with the time of each finished run of `commerce distribute`. The command creates this table, so the table
 * is not part of the migrated schema.
 */
export const finishedTable = 'finished_distributions'

async function hasTable(client: pg.Client, name: string): Promise<boolean> {
  const { rows } = await client.query<{ isFound: boolean }>('select to_regclass($1) is not null as "isFound"', [name])
  return rows[0]?.isFound === true
}

async function readClock(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ atMs: number }>(
    'select (extract(epoch from clock_timestamp()) * 1000)::float8 as "atMs"',
  )
  const [row] = rows
  if (row === undefined) throw new Error('The coordinator returned no time.')
  return row.atMs
}

const reportText = `
  select json_build_object(
    'version', (select extversion from pg_extension where extname = 'citus'),
    'allowsTriggers', coalesce(current_setting('citus.enable_unsafe_triggers', true) = 'on', false),
    'isReadOnly', current_setting('transaction_read_only') = 'on',
    'plansWithoutArguments', current_setting('plan_cache_mode') = 'force_generic_plan',
    'atMs', (extract(epoch from clock_timestamp()) * 1000)::float8
  )`

/**
 * SQL statement that fails if the disk of the database server is full. Its sort exceeds the low `work_mem`, and
 * therefore writes a temporary file. The low `work_mem` applies only to this statement.
 */
const spillText = `
  select count(*)
  from (select set_config('work_mem', '64kB', true) as memory) as setting
  cross join lateral (
    select number from generate_series(1, 50000) as number where memory is not null order by number desc
  ) as sorted`

const nodesText = `
  select
    concat_ws(':', nodename, nodeport) as name,
    shouldhaveshards as "hasShards",
    case when reported.success then reported.result::json end as report,
    case when not reported.success then reported.result when not isactive then 'The node is not active.' end as fault,
    case when reported.success and not spilled.success then spilled.result end as "diskFault"
  from pg_dist_node
  left join run_command_on_all_nodes($1, give_warning_for_connection_errors => true) as reported using (nodeid)
  left join run_command_on_all_nodes($2, give_warning_for_connection_errors => true) as spilled using (nodeid)
  where noderole = 'primary'
  order by nodeid`

const tablesText = `
  select relname as name, citus_table_type as is
  from pg_class
  left join citus_tables on table_name = pg_class.oid::regclass
  where relnamespace = 'public'::regnamespace and relname = any($1)`

const connectionsText = `
  select application_name as name
  from pg_stat_activity
  where datname = current_database()
    and application_name like 'commerce-%'
    and application_name <> current_setting('application_name')
  order by 1`
