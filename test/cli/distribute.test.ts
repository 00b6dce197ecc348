import { expect, test, vi } from 'vitest'
import { distributionRecord } from '../../src/store/server/schema-state.ts'
import { asOwner, useDatabase } from '../support/database.ts'
import { commerce } from './commerce.ts'

vi.setConfig({ testTimeout: 240_000 })

const opened = useDatabase()

async function listForeignKeys(): Promise<readonly object[]> {
  const query = "select conname from pg_constraint where contype = 'f' order by conname"
  return (await opened().database.pool.query<object>(query)).rows
}

test.each([
  [[]],
  [['--apply']],
])('the command `distribute` with the options %j changes nothing in a database without the extension Citus', async (options) => {
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

const unfinished =
  'The distribution of the database has not finished. Wait for `commerce distribute`, or run `npm run -s commerce -- distribute --apply` again if it was interrupted.\n'

test('while the distribution of the database over nodes is unfinished, all commands except `distribute` fail, including `migrate`', async () => {
  const { ownerConnectionString } = opened()
  await asOwner(opened(), `create table ${distributionRecord} (name text)`)
  const refused = { code: 1, stdout: '', stderr: unfinished }
  expect(await commerce(ownerConnectionString, 'migrate')).toEqual(refused)
  expect(await commerce(ownerConnectionString, 'merchant', 'list')).toEqual(refused)
  const checked = await commerce(ownerConnectionString, 'migrate', '--check')
  expect(checked).toEqual({ code: 1, stdout: '', stderr: expect.stringContaining('Run distribute --apply.') })
  const { stderr } = await commerce(ownerConnectionString, 'distribute', '--apply')
  expect(stderr).toContain('The database does not have the extension citus.')
  await asOwner(opened(), `drop table ${distributionRecord}`)
  expect((await commerce(ownerConnectionString, 'migrate', '--check')).code).toBe(0)
})
