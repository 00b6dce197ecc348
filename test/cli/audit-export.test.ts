import { expect, test } from 'vitest'
import { useDatabase } from '../support/database.ts'
import { commerce, commerceJson } from './commerce.ts'

const opened = useDatabase()

test('the command `audit export` prints every audit row as one line of JSON, newest first, with the same filters as `audit list`', async () => {
  const { connectionString, database } = opened()
  const created = await commerceJson(connectionString, 'merchant', 'create', '--name', 'Adire Lagos')
  const merchant = String(Reflect.get(Object(created), 'id'))
  // Inserts more audit rows than fit on one page.
  await database.pool.query(
    `insert into audit_log (
       merchant_id, id, occurred_at, actor_type, actor_label, action, resource_type, resource_id, changes
     )
     select $1, 'aud_' || to_char(number, 'FM0000'), clock_timestamp(), 'system', 'test', 'test.run', 'test', 'test', '{}'
     from generate_series(1, 2500) as number`,
    [merchant],
  )
  const { code, stdout } = await commerce(connectionString, 'audit', 'export', '--merchant', merchant)
  expect(code).toBe(0)
  const ids = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).id)
  expect(ids).toHaveLength(2501)
  expect(ids).toEqual(ids.toSorted().reverse())
  const words = ['--merchant', merchant, '--action', 'merchant']
  const filtered = await commerce(connectionString, 'audit', 'export', ...words)
  expect([JSON.parse(filtered.stdout)]).toEqual(await commerceJson(connectionString, 'audit', 'list', ...words))
})
