import { expect, test } from 'vitest'
import { connectionsOf, embeddedConnections } from '../../src/app/connections.ts'
import { warnIfUnsafe } from '../../src/app/warn-if-unsafe.ts'
import { readConfig } from '../../src/base/config.ts'
import { openLog } from '../../src/base/log.ts'
import { readConnectionLimit } from '../../src/store/server/connection-limit.ts'
import { useDatabase } from '../support/database.ts'

/**
 * The number of database connections that a process and its API processes may open, compared with the limit of the
 * database server.
 */

const opened = useDatabase()

/** Starts the service with this number of API processes. Returns the warnings that it logs. */
async function warningsOf(processes: number, pooler = false): Promise<readonly Record<string, unknown>[]> {
  const lines: string[] = []
  const log = openLog('warn', { write: (line) => void lines.push(line) })
  const { database, connectionString, ownerConnectionString } = opened()
  const directConnectionString = pooler ? connectionString : undefined
  const roles = { connectionString, ownerConnectionString, directConnectionString }
  await warnIfUnsafe(database, roles, { config: { ...readConfig({}), processes }, log })
  return lines.map((line) => JSON.parse(line)).filter(({ msg }) => /fewer connections/.test(msg))
}

test('the start logs a warning if the service needs more connections than the database server accepts, but not with a pooler', async () => {
  const limit = await readConnectionLimit(opened().database)
  expect(await warningsOf(1)).toEqual([])
  const processes = 64
  const needed = connectionsOf({ ...readConfig({}), processes })
  expect(needed).toBeGreaterThan(limit)
  expect(await warningsOf(processes)).toEqual([expect.objectContaining({ limit, needed })])
  expect(await warningsOf(processes, true)).toEqual([])
})

test('the number of database connections of the service is as the guide states, and each further API process adds its own connections', () => {
  const config = readConfig({})
  expect(connectionsOf(config)).toBe(20 + 10 + 2 + 2)
  expect(connectionsOf({ ...config, role: 'api' })).toBe(20 + 2 + 2)
  expect(connectionsOf({ ...config, processes: 3 })).toBe(34 + 3 * 24)
})

test.for([
  1, 2, 3, 8,
])('the embedded database server accepts the connections of %i API processes and the worker', (processes) => {
  const config = { ...readConfig({}), processes }
  expect(embeddedConnections(config)).toBeGreaterThanOrEqual(connectionsOf(config) + 20)
  expect(embeddedConnections(config)).toBeGreaterThanOrEqual(100)
})
