import { hostname } from 'node:os'
import { expect, test } from 'vitest'
import { connectionName, nameConnections, newClientOf } from '../../src/store/core/server-client.ts'
import { useDatabase } from '../support/database.ts'

const opened = useDatabase()

test.for([
  ['api', 'web1.eu.example.com', 4711, 'commerce-api-web1-4711'],
  // The process of a container has the id 1.
  ['api', 'commerce-api-7d9f8c6b5d-x2x4z', 1, 'commerce-api-commerce-api-7d9f8c6b5d-x2x4z-1'],
  ['worker', `${'a'.repeat(58)}-x2x4z`, 4_194_304, `commerce-worker-${'a'.repeat(33)}-x2x4z-4194304`],
] as const)('the database connections of the role %s on the host %s in the process %i are named %s', ([
  role,
  host,
  id,
  name,
]) => {
  expect(connectionName(role, host, id)).toBe(name)
  expect(name.length).toBeLessThanOrEqual(63)
})

test('the application_name of a connection has the host and the id of its process, and PostgreSQL does not truncate the name', async () => {
  // Another test file of this process may have set another role in the names of database connections.
  nameConnections('other')
  const client = newClientOf(opened().connectionString)
  await client.connect()
  const { rows } = await client.query(`select current_setting('application_name') as name`).finally(() => client.end())
  expect(rows).toEqual([{ name: connectionName('other', hostname(), process.pid) }])
})
