import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import type { Acknowledged } from '../faults/failover/writers.ts'
import { underLoad } from './load.ts'

/** Adds a node and moves shards to it under load of merchants on all nodes. */

interface Addition {
  readonly url: string
  /** Host and port of a server that is not part of the cluster. Its database has the extension Citus. */
  readonly node: string
}

/** Time before and after the rebalancing in which no shard moves. */
const calmMs = 4_000

/**
 * Returns true if no acknowledged write was lost and every refused write can be repeated. While a shard is moving, the
 * cluster blocks the writes of its merchants for a moment. A write that waits too long for its lock is refused.
 */
export async function rebalance({ url, node }: Addition): Promise<boolean> {
  const { hostname, port } = new URL(`postgres://${node}`)
  const writes = await underLoad(url, async () => {
    await wait(calmMs)
    // Creates the type of the distribution column on the new node, because Citus 13.0.5 would use this type before
    // creating it.
    await on(Object.assign(new URL(url), { hostname, port }).href, async (client) => {
      await client.query('drop domain if exists record_id')
      await client.query('create domain record_id as text collate "C"')
    })
    await on(url, async (client) => {
      const startedMs = performance.now()
      await client.query('select citus_add_node($1, $2)', [hostname, Number(port)])
      const addedMs = performance.now()
      await client.query('select rebalance_table_shards()')
      const movedMs = performance.now()
      console.log(
        `node added in ${Math.round(addedMs - startedMs)} ms, shards moved in ${Math.round(movedMs - addedMs)} ms: ${await groupsOf(client)}`,
      )
    })
    await wait(calmMs)
  })
  const { journals, lost } = writes
  const refused = journals.reduce((sum, journal) => sum + journal.refused, 0)
  const pauses = journals.map(({ acknowledged }) => longestPauseOf(acknowledged))
  console.log(
    `refused writes that can be repeated: ${refused}; longest time without a write of a merchant: ${Math.round(Math.max(...pauses))} ms`,
  )
  const others = journals.flatMap(({ unexpected }) => unexpected.filter((response) => !isLockRefusal(response)))
  return lost.length === 0 && others.length === 0
}

function isLockRefusal(response: string): boolean {
  return response.startsWith('409 ') && response.includes('"code":"concurrent_update"')
}

function longestPauseOf(acknowledged: readonly Acknowledged[]): number {
  return Math.max(0, ...acknowledged.slice(1).map(({ atMs }, index) => atMs - (acknowledged[index]?.atMs ?? atMs)))
}

async function on(connectionString: string, run: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    await run(client)
  } finally {
    await client.end()
  }
}

/** Returns the number of shards of the table of orders on each node, as text. */
async function groupsOf(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ name: string; count: number }>(
    `select nodename || ':' || nodeport as name, count(*)::int as count
     from citus_shards
     where table_name = 'orders'::regclass
     group by 1
     order by 1`,
  )
  return rows.map(({ name, count }) => `${name} has ${count} shards`).join(', ')
}
