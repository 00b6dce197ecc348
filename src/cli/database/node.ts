import { z } from 'zod'
import type { Database } from '../../store/core/database.ts'
import { type DatabaseNode, isResponding, listNodes } from '../../store/distribution/nodes.ts'
import { readOldestDueMs } from '../../store/webhooks/delivery-sweeps.ts'
import { command } from '../kit/command.ts'
import { connected } from '../kit/connect.ts'
import { CommandFailure } from '../kit/failure.ts'
import { table } from '../kit/output.ts'

/**
 * Time limit in milliseconds for the response of a database node: long enough for a busy node, and short enough for an
 * operator who waits for the output.
 */
const answerMs = 5_000

export const nodeList = command({
  name: 'node list',
  summary:
    'List the nodes of a distributed database. The output shows whether each node responds, its number of merchants, and for how many seconds the oldest due webhook delivery of these merchants has been due. With --json, the output contains the ids of the merchants.',
  options: z.strictObject({}),
  run: () =>
    connected(async ({ database }) => {
      const nodes = await probeNodes(database)
      if (nodes === undefined) throw new CommandFailure('The database is not distributed.')
      const json = await Promise.all(
        nodes.map(async (node) => ({ ...node, oldestDueSeconds: await oldestDueSecondsOf(database, node) })),
      )
      const rows = json.map((node) => ({ ...node, merchants: node.merchants.length }))
      return { json, text: table(rows, ['name', 'isResponding', 'merchants', 'oldestDueSeconds']) }
    }),
})

interface ProbedNode extends DatabaseNode {
  readonly isResponding: boolean
}

/**
 * Probes the nodes of a distributed database. If a node does not respond, the command skips the merchants whose data is
 * on that node. Undefined if the database is not distributed.
 */
async function probeNodes(database: Database): Promise<readonly ProbedNode[] | undefined> {
  const nodes = await listNodes(database)
  if (nodes === undefined) return undefined
  const probed = database.within(answerMs)
  const states = await Promise.all(
    nodes.map(async (node) => ({ ...node, isResponding: await isResponding(probed, node) })),
  )
  const merchantsOf = (wanted: boolean) =>
    states.flatMap((node) => (node.isResponding === wanted ? node.merchants : []))
  database.reachability.set({ reachable: merchantsOf(true), unreachable: merchantsOf(false), nodes })
  return states
}

/** Null if the node does not respond. */
async function oldestDueSecondsOf(database: Database, node: ProbedNode): Promise<number | null> {
  return node.isResponding ? Math.round((await readOldestDueMs(database, node.merchants)) / 1000) : null
}

/** Fails if a node of a distributed database does not respond. */
export async function requireNodes(database: Database): Promise<void> {
  const lost = (await probeNodes(database))?.filter((node) => !node.isResponding).map(({ name }) => name) ?? []
  if (lost.length === 0) return
  throw new CommandFailure(
    `The command changed nothing, because these database nodes do not respond: ${lost.join(', ')}. Start them, and run the command again.`,
  )
}
