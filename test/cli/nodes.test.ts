import { beforeAll, expect, test, vi } from 'vitest'
import { useDatabase } from '../support/database.ts'
import { select } from '../support/database-contents.ts'
import { whileLocked } from '../support/database-locks.ts'
import { distributeToOneNode, lostNode } from '../support/distribution.ts'
import { openShop } from '../webhooks/shop.ts'
import { commerceJson, commerceWithInput } from './commerce.ts'

// A long timeout: the commands wait for a node that does not respond, while other tests run.
vi.setConfig({ testTimeout: 240_000 })

const opened = useDatabase()

beforeAll(async () => {
  await distributeToOneNode(opened())
})

/** Runs a command with the key that encrypts the secrets of the test’s endpoints. */
const run = (...words: string[]) =>
  commerceWithInput(
    opened().connectionString,
    { input: '', settings: { ENCRYPTION_KEY: Buffer.alloc(32, 9).toString('base64') } },
    ...words,
  )

test('the command `node list` shows for how long the oldest due delivery of each node has waited, and null for a node that does not respond', async () => {
  const { database, connectionString } = opened()
  const shop = await openShop(database)
  await shop.addEndpoint('http://127.0.0.1:1/')
  await shop.emit()
  await database.pool.query("update webhook_deliveries set next_attempt_at = now() - interval '10 minutes'")
  const list = () => commerceJson(connectionString, 'node', 'list')
  const ids = (await select(opened(), 'select id from merchants order by id')).map(({ id }) => id)
  const node = { name: 'one:5432', merchants: ids, isResponding: true }
  expect(await list()).toEqual([{ ...node, oldestDueSeconds: expect.closeTo(600, -2) }])
  const lost = { ...node, isResponding: false, oldestDueSeconds: null }
  expect(await whileLocked(opened(), lostNode, list)).toEqual([lost])
})

test('if a database node does not respond, the command `restored` names the node and changes nothing', async () => {
  await openShop(opened().database)
  const now = new Date().toISOString()
  expect(await whileLocked(opened(), lostNode, () => run('restored', '--to', now))).toEqual({
    code: 1,
    stdout: '',
    stderr:
      'The command changed nothing, because these database nodes do not respond: one:5432. Start them, and run the command again.\n',
  })
  expect(await select(opened(), "select from audit_log where action = 'database.restore'")).toEqual([])
  expect((await run('restored', '--to', now)).code).toBe(0)
})
