import pg from 'pg'
import { distribute } from '../../src/store/distribution/distribute.ts'
import { inDatabase, prepareDatabase } from '../prepare-database.ts'

/**
 * A distributed template database on an existing cluster. If the database is copied under the same name on all nodes,
 * the copies are a distributed database too. The reason is that the database of each node contains the addresses of the
 * other nodes.
 */
export interface TemplateCluster {
  /** Connection string of the template database on the coordinator. */
  readonly connectionString: string
  /** Connection strings of the nodes, the coordinator first. */
  readonly nodes: readonly string[]
  /** Drops the template database. */
  close(): Promise<void>
}

interface Node {
  readonly host: string
  readonly port: number
}

/**
 * Number of shards of each table. Every shard has all indexes of its table, so a copy of the template is cheap with few
 * shards. Two shards are enough: on two nodes, each node still has several merchants.
 */
const shardCount = 2

/**
 * Creates and distributes a template database on the nodes of a cluster. `connectionString` is the URL of another
 * database of this cluster. The role in the URL must be a superuser on every node.
 */
export async function openTemplateCluster(connectionString: string, name: string): Promise<TemplateCluster> {
  const nodes = await on(connectionString, listNodes)
  const [coordinator, ...workers] = nodes
  if (coordinator === undefined || workers.length === 0) throw new Error('The cluster has no worker nodes.')
  const urls = nodes.map(({ host, port }) => Object.assign(new URL(connectionString), { hostname: host, port }).href)
  const template = inDatabase(urls[0] ?? connectionString, name)
  await runOnServers(urls, `drop database if exists ${name} with (force)`)
  await runOnServers(urls, `create database ${name}`)
  await runOnServers(urls, `alter database ${name} set citus.shard_count = ${shardCount}`)
  for (const url of urls) await on(inDatabase(url, name), (client) => client.query('create extension citus'))
  await on(template, async (client) => {
    await client.query('select citus_set_coordinator_host($1, $2)', [coordinator.host, coordinator.port])
    for (const { host, port } of workers) await client.query('select citus_add_node($1, $2)', [host, port])
  })
  await prepareDatabase({ connectionString: template, ownerConnectionString: template })
  const options = { isApplied: true, hasServiceRole: false, onDone: () => undefined }
  const outcome = await distribute(template, options)
  if (outcome.is === 'refused') throw new Error(outcome.problems.join('\n'))
  // PostgreSQL copies only a database without connections. Existing connections, such as that of the Citus maintenance
  // process, are therefore ended.
  await runOnServers(urls, `alter database ${name} with allow_connections false`)
  await runOnServers(urls, `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`)
  return {
    connectionString: template,
    nodes: urls,
    close: () => runOnServers(urls, `drop database ${name} with (force)`),
  }
}

async function listNodes(client: pg.Client): Promise<readonly Node[]> {
  const { rows } = await client.query<Node>(
    `select nodename as host, nodeport as port from pg_dist_node
     where noderole = 'primary' and isactive order by groupid`,
  )
  return rows
}

export async function runOnServers(urls: readonly string[], statement: string): Promise<void> {
  await Promise.all(urls.map((url) => on(inDatabase(url, 'postgres'), (client) => client.query(statement))))
}

async function on<Result>(connectionString: string, run: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    return await run(client)
  } finally {
    await client.end()
  }
}
