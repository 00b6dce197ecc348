import type { TestDatabase } from './database.ts'
import { asOwner } from './database.ts'

/** The tables and the function by which Citus tells which node has the rows of a merchant. */
const catalogue = `
  create table pg_dist_partition (logicalrelid regclass);
  create table pg_dist_node (groupid integer, nodename text, nodeport integer, noderole text);
  create table pg_dist_placement (shardid bigint, groupid integer);
  create function get_shard_id_for_distribution_column(text, text) returns bigint language sql return length($2);
  insert into pg_dist_node values (1, 'one', 5432, 'primary');
  insert into pg_dist_placement values (30, 1);
  insert into pg_dist_partition values ('orders');
  grant select on pg_dist_partition, pg_dist_node, pg_dist_placement to public`

/**
 * Makes the service treat the database as distributed, with the single node one:5432, which has all merchants. A test
 * stops this node with `lostNode`.
 */
export function distributeToOneNode(opened: Pick<TestDatabase, 'ownerConnectionString'>): Promise<void> {
  return asOwner(opened, catalogue)
}

/** Takes a lock. While a transaction holds this lock, the database node does not respond to probes. */
export const lostNode = { text: 'lock table audit_heads in access exclusive mode' }
