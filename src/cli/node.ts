import { z } from 'zod'
import { isResponding, listNodes } from '../store/distribution/nodes.ts'
import { command } from './command.ts'
import { connected } from './connect.ts'
import { CommandFailure } from './failure.ts'
import { table } from './output.ts'

/** Limit on the response of a node in milliseconds: long enough for a busy node, short enough for an operator. */
const answerMs = 5_000

export const nodeList = command({
  name: 'node list',
  summary:
    'List the nodes of a distributed database, with the merchants on each and whether it responds. With --json, the output contains the ids of the merchants.',
  options: z.strictObject({}),
  run: () =>
    connected(async ({ database }) => {
      const nodes = await listNodes(database)
      if (nodes === undefined) throw new CommandFailure('The database is not distributed.')
      const probed = database.within(answerMs)
      const json = await Promise.all(
        nodes.map(async (node) => ({ ...node, isResponding: await isResponding(probed, node) })),
      )
      const rows = json.map((node) => ({ ...node, merchants: node.merchants.length }))
      return { json, text: table(rows, ['name', 'isResponding', 'merchants']) }
    }),
})
