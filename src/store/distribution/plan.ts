import { clockSkewMaxMs } from '../../base/clock.ts'
import { tablesOf } from '../tables/distribution.ts'
import type { Cluster, ClusterNode } from './cluster.ts'

/** A step of the distribution. A step is one transaction, or several transactions that can be repeated. */
export type Step =
  /**
   * Records and drops the foreign keys of tables, because Citus cannot distribute a table while an undistributed table
   * refers to it.
   */
  | { readonly is: 'drop_foreign_keys'; readonly tables: readonly string[] }
  | { readonly is: 'create_reference_table'; readonly table: string }
  | { readonly is: 'distribute_table'; readonly table: string }
  | { readonly is: 'add_foreign_keys' }

/** The major version of the extension Citus with which the schema was tested. */
const supportedMajor = '13'

/** Returns the reasons why the distribution cannot start, one sentence each. */
export function problemsOf(
  cluster: Cluster | undefined,
  { hasServiceRole }: { readonly hasServiceRole: boolean },
): readonly string[] {
  if (cluster === undefined)
    return ['The database does not have the extension citus. Install it on every node, and add the worker nodes.']
  const { nodes, connections } = cluster
  return [
    ...nodes.flatMap((node) => problemsOfNode(node, cluster)),
    ...(nodes.some(({ hasShards }) => hasShards) ? [] : ['No node is allowed to have shards. Add worker nodes.']),
    ...problemsOfTables(cluster),
    // A separate role for the service is not supported. This role would need privileges on single columns, and Citus
    // does not pass on such privileges to the nodes.
    ...(hasServiceRole
      ? ['The service must connect as the owner of the tables. Set DATABASE_URL to the owner’s URL.']
      : []),
    ...(connections.length === 0
      ? []
      : [`Processes of the service are connected: ${connections.join(', ')}. Stop them first.`]),
  ]
}

function problemsOfNode({ name, report, fault, diskFault }: ClusterNode, { asked }: Cluster): readonly string[] {
  if (report === null) return [`Node ${name} did not respond: ${fault ?? 'it is not active.'}`]
  const { version, allowsTriggers, isReadOnly, plansWithoutArguments, atMs } = report
  const skewMs = Math.max(0, asked.fromMs - atMs, atMs - asked.toMs)
  return [
    ...(version?.split('.')[0] === supportedMajor
      ? []
      : [
          `Node ${name} has ${version === null ? 'no extension citus' : `citus ${version}`}; citus ${supportedMajor} is required.`,
        ]),
    ...(allowsTriggers ? [] : [`Node ${name} has citus.enable_unsafe_triggers off. Turn it on.`]),
    ...(isReadOnly ? [`Node ${name} is read-only.`] : []),
    ...(plansWithoutArguments ? [`Node ${name} has plan_cache_mode force_generic_plan. Set it to auto.`] : []),
    ...(diskFault === null ? [] : [`Node ${name} cannot write a temporary file: ${diskFault}`]),
    ...(skewMs <= clockSkewMaxMs
      ? []
      : [`The clock of node ${name} differs by ${Math.round(skewMs / 1_000)} s from that of the coordinator.`]),
  ]
}

/**
 * Returns an error message if tables were distributed without `commerce distribute`. Foreign keys of these tables may
 * be missing, and no record lists the missing keys. After `commerce distribute`, a table that is not distributed is no
 * error, because a later release may have added it.
 */
function problemsOfTables(cluster: Cluster): readonly string[] {
  const distributed = [...cluster.tables].flatMap(([table, is]) =>
    is === 'distributed' || is === 'reference' ? [table] : [],
  )
  const coordinator = new Set(tablesOf('coordinator'))
  const isWhole = cluster.isKnown || remainingOf(cluster).length === 0
  const wrong = isWhole ? distributed.filter((table) => coordinator.has(table)) : distributed
  return wrong.length === 0
    ? []
    : [`These tables were distributed by another command: ${wrong.join(', ')}. Call undistribute_table() for each.`]
}

/** Empty if the database is already distributed. */
export function stepsOf(cluster: Cluster): readonly Step[] {
  const remaining = remainingOf(cluster)
  if (remaining.length === 0) return cluster.isInterrupted ? [{ is: 'add_foreign_keys' }] : []
  const tables = remaining.map(({ table }) => table)
  return [{ is: 'drop_foreign_keys', tables }, ...remaining, { is: 'add_foreign_keys' }]
}

/** Reference tables come first in the plan, because the distributed tables have foreign keys to them. */
function remainingOf({ tables }: Cluster) {
  const not = (is: string) => (table: string) => tables.get(table) !== is
  return [
    ...tablesOf('reference')
      .filter(not('reference'))
      .map((table) => ({ is: 'create_reference_table', table }) as const),
    ...tablesOf('distributed')
      .filter(not('distributed'))
      .map((table) => ({ is: 'distribute_table', table }) as const),
  ]
}
