import type { Database } from '../store/core/database.ts'
import { type DatabaseNode, isResponding, listNodes } from '../store/distribution/nodes.ts'
import { type Check, passed, warned } from './check.ts'

/**
 * Monitors the nodes of a distributed database. The merchants on a node that does not respond become unreachable for this
 * process, until the node responds again.
 */

export interface NodeState extends DatabaseNode {
  readonly isUp: boolean
}

interface Monitored {
  /** The probes set which merchants of this database are reachable. */
  readonly database: Database
  /**
   * The connection pool of the probes. It is separate from the pool of the requests, because requests may use all
   * connections of their pool.
   */
  readonly probes: Database
  /** Called after each probe of all nodes. */
  readonly onProbed: (nodes: readonly NodeState[]) => void
}

/**
 * Interval between probes. The interval is short: until the next probe detects a lost node, each request to this node
 * waits for its time limit.
 */
const probeEveryMs = 2_000

/** Time limit of a probe of a database node, so that a probe of all nodes ends before the next one is due. */
const probeMs = 1_500

/**
 * Interval at which the service reads which merchants each node stores. This assignment changes when a merchant is
 * created or when a shard moves. The query takes a few milliseconds per thousand merchants.
 */
const listEveryMs = 30_000

/**
 * Returns the health check of the database nodes; undefined if the database is not distributed. For a lost node, the
 * check only reports a warning, because the process still serves the merchants of the other nodes.
 */
export async function openNodesCheck({ database, probes, onProbed }: Monitored): Promise<Check | undefined> {
  const found = await listNodes(probes)
  if (found === undefined) return undefined
  database.reachability.set({ reachable: [], unreachable: [], nodes: found })
  let listed = { nodes: found, atMs: performance.now() }
  const limited = probes.within(probeMs)
  let lostBefore: ReadonlySet<string> = new Set()

  const list = async () => {
    // A distributed database that was moved back to one server has no nodes.
    listed = { nodes: (await listNodes(probes)) ?? [], atMs: performance.now() }
  }
  const probe = (): Promise<readonly NodeState[]> =>
    Promise.all(listed.nodes.map(async (node) => ({ ...node, isUp: await isResponding(limited, node) })))

  return {
    name: 'nodes',
    everyMs: probeEveryMs,
    withoutResult: 'warned',
    run: async () => {
      if (performance.now() - listed.atMs >= listEveryMs) await list()
      let states = await probe()
      if (states.some(({ isUp, name }) => !isUp && !lostBefore.has(name))) {
        // A node was lost. The list of each node's merchants is read again, because some may have been moved to another
        // node since the last reading.
        await list()
        states = await probe()
      }
      const lost = states.filter(({ isUp }) => !isUp)
      lostBefore = new Set(lost.map(({ name }) => name))
      const unreachable = lost.flatMap(({ merchants }) => merchants)
      const reachable = states.flatMap(({ isUp, merchants }) => (isUp ? merchants : []))
      database.reachability.set({ reachable, unreachable, nodes: listed.nodes })
      onProbed(states)
      if (lost.length === 0) return passed
      return warned(
        `${lost.length} of ${states.length} database nodes do not respond. Unreachable merchants: ${unreachable.length}.`,
      )
    },
  }
}
