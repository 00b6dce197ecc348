import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { openDatabase } from '../../src/store/core/database.ts'
import { isResponding, listNodes } from '../../src/store/distribution/nodes.ts'
import { until } from '../faults/until.ts'

export interface Loss {
  /** Shell commands that stop a node, as a crash would, and start it. */
  readonly stop: string
  readonly start: string
}

/** The clients of this process continue while the command runs. Throws if the command fails. */
export async function runCommand(command: string): Promise<void> {
  const shell = spawn('sh', ['-c', command], { stdio: ['ignore', 'ignore', 'inherit'] })
  const [code]: (number | null)[] = await once(shell, 'exit')
  if (code !== 0) throw new Error(`The command failed: ${command}`)
}

export async function untilAllRespond(connectionString: string): Promise<void> {
  const database = openDatabase({ connectionString, maxConnections: 2 })
  try {
    const nodes = (await listNodes(database)) ?? []
    await until(
      async () => (await Promise.all(nodes.map((node) => isResponding(database, node)))).every(Boolean),
      'A node does not respond after its start.',
    )
  } finally {
    await database.close()
  }
}

/** Returns the merchants on nodes that do not respond. */
export async function listLost(connectionString: string): Promise<readonly string[]> {
  const database = openDatabase({ connectionString, maxConnections: 2 })
  try {
    const nodes = (await listNodes(database)) ?? []
    const lost = await Promise.all(nodes.map(async (node) => ((await isResponding(database, node)) ? [] : [node])))
    return lost.flat().flatMap(({ merchants }) => merchants)
  } finally {
    await database.close()
  }
}
