import { expect, test, vi } from 'vitest'
import { useDatabase } from '../support/database.ts'
import { commerce } from './commerce.ts'

vi.setConfig({ testTimeout: 240_000 })

const opened = useDatabase()

async function listForeignKeys(): Promise<readonly object[]> {
  const query = "select conname from pg_constraint where contype = 'f' order by conname"
  return (await opened().database.pool.query<object>(query)).rows
}

test.each([[[]], [['--apply']]])('the command distribute %j changes nothing without the extension', async (options) => {
  const before = await listForeignKeys()
  expect(before.length).toBeGreaterThan(50)
  const ended = await commerce(opened().ownerConnectionString, 'distribute', ...options)
  expect(ended).toEqual({
    code: 1,
    stdout: '',
    stderr: 'The database does not have the extension citus. Install it on every node, and add the worker nodes.\n',
  })
  expect(await listForeignKeys()).toEqual(before)
})
