import { sql } from 'kysely'
import type { MerchantId } from '../../../registry/values/vocabulary.ts'
import { checking, finding, listing } from '../core/calls.ts'
import type { Database, ReadDb } from '../core/database.ts'
import { isNodeLost, isTransient } from '../core/faults.ts'

/** Reads which node of a distributed database has the rows of which merchant, and which nodes respond. */

/** A node of the distributed database that stores the rows of at least one merchant. */
export interface DatabaseNode {
  /** Host and port by which the coordinator connects to the node. */
  readonly name: string
  /** The merchants on the node. A node without a merchant is not listed. */
  readonly merchants: readonly [MerchantId, ...MerchantId[]]
}

const hasCatalogue = checking<object>()(
  'has_distribution_catalogue',
  () => sql`select 1 from pg_class where relname = 'pg_dist_partition' and relkind = 'r'`,
)

// The queries read the distribution of only the table of orders, because all rows of a merchant are on the same node.
const isDistributed = checking<object>()(
  'is_distributed',
  () => sql`select 1 from pg_dist_partition where logicalrelid = 'orders'::regclass`,
)

const listRows = listing<object>()(
  'list_database_nodes',
  () => sql<DatabaseNode>`
    select nodename || ':' || nodeport as name, json_agg(id order by id) as merchants
    from merchants
    join pg_dist_placement as placement
      on placement.shardid = get_shard_id_for_distribution_column('orders', merchants.id)
    join pg_dist_node as node on node.groupid = placement.groupid and node.noderole = 'primary'
    group by 1
    order by 1`,
)

// The probe reads audit_heads, because the table is small and no request locks it.
const probe = finding<{ merchantId: MerchantId }>()(
  'probe_database_node',
  (p) => sql`select 1 from audit_heads where merchant_id = ${p.merchantId} limit 1`,
)

/** Undefined if the database is not distributed. */
export async function listNodes(db: ReadDb): Promise<readonly DatabaseNode[] | undefined> {
  return (await hasCatalogue(db, {})) && (await isDistributed(db, {})) ? listRows(db, {}) : undefined
}

/**
 * Reports whether a database node responds to a read of one of its merchants. `database` must limit the time of its
 * statements. It must also send statements for merchants that are marked as unreachable, instead of rejecting these
 * statements.
 */
export async function isResponding(database: Database, { merchants: [merchantId] }: DatabaseNode): Promise<boolean> {
  try {
    await probe(database, { merchantId })
    return true
  } catch (error) {
    // If an error is neither transient nor about a lost node, the node itself returned the error. The node therefore
    // responds.
    return !isTransient(error) && !isNodeLost(error)
  }
}
