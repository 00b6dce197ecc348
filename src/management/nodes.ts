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
  /** The database of the process. Its reachability is set. */
  readonly database: Database
  /** A pool of its own, because requests may use all connections of the other pool. */
  readonly probes: Database
  /** Called after each probe of all nodes. */
  readonly onProbed: (nodes: readonly NodeState[]) => void
}

/** Interval between probes. Requests to a lost node wait for their time limit until the next probe, so it is short. */
const probeEveryMs = 2_000

/** Time limit of a probe of a database node, so that a probe of all nodes ends before the next one is due. */
const probeMs = 1_500

/**
 * Interval at which the merchants of the nodes are read. They change when a merchant is created or when a shard moves.
 * The query takes a few milliseconds per thousand merchants.
 */
const listEveryMs = 30_000

/**
 * Returns the check of the nodes; undefined if the database is not distributed. A lost node is a warning: the process
 * serves the merchants of the other nodes.
 */
export async function openNodesCheck({ database, probes, onProbed }: Monitored): Promise<Check | undefined> {
  let nodes = await listNodes(probes)
  if (nodes === undefined) return undefined
  database.reachability.set({ reachable: [], unreachable: [] })
  let listedMs = performance.now()
  const limited = probes.within(probeMs)
  let lostBefore: readonly string[] = []

  const probe = async (): Promise<readonly NodeState[]> => {
    if (performance.now() - listedMs >= listEveryMs) await list()
    return Promise.all((nodes ?? []).map(async (node) => ({ ...node, isUp: await isResponding(limited, node) })))
  }
  const list = async () => {
    nodes = await listNodes(probes)
    listedMs = performance.now()
  }

  return {
    name: 'nodes',
    everyMs: probeEveryMs,
    withoutResult: 'warned',
    run: async () => {
      let states = await probe()
      const lost = namesOf(states.filter(({ isUp }) => !isUp))
      if (lost.some((name) => !lostBefore.includes(name))) {
        // A shard may have moved from the node since the merchants were read.
        await list()
        states = await probe()
      }
      lostBefore = lost
      const [up, down] = [states.filter(({ isUp }) => isUp), states.filter(({ isUp }) => !isUp)]
      const [reachable, unreachable] = [up, down].map((group) => group.flatMap(({ merchants }) => merchants))
      database.reachability.set({ reachable: reachable ?? [], unreachable: unreachable ?? [] })
      onProbed(states)
      if (down.length === 0) return passed
      return warned(
        `${down.length} of ${states.length} database nodes do not respond. Unreachable merchants: ${unreachable?.length}.`,
      )
    },
  }
}

function namesOf(nodes: readonly NodeState[]): readonly string[] {
  return nodes.map(({ name }) => name)
}
