import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { afterEach, expect, test } from 'vitest'
import type { MerchantId } from '../../registry/values/vocabulary.ts'
import { createMerchant } from '../../src/access/create-merchant.ts'
import { systemClock, toMs, toTimestamp } from '../../src/base/clock.ts'
import { newId } from '../../src/base/ids.ts'
import { insertRequests } from '../../src/store/requests/request-log.ts'
import { useDatabase } from '../support/database.ts'
import { operator } from '../support/shop.ts'
import { commerce, commerceJson, start } from './commerce.ts'

const opened = useDatabase()
const children: ChildProcess[] = []

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
})

async function newMerchant(): Promise<MerchantId> {
  const { database } = opened()
  return (await createMerchant({ database, clock: systemClock, nudge: () => undefined }, operator, 'Adire Lagos')).id
}

/** Adds to the request log a request that started the given number of seconds ago. Returns its id. */
async function add(merchantId: MerchantId, secondsAgo: number, status = 200): Promise<string> {
  const { database } = opened()
  const nowMs = toMs((await database.pool.query('select clock_timestamp() as now')).rows[0].now)
  const id = newId('req', nowMs - secondsAgo * 1_000)
  const result = { status, errorCode: status === 404 ? 'order_not_found' : null, durationMs: 12, problems: null }
  const source = { tokenId: 'tok_1', sourceIp: '203.0.113.7' }
  await insertRequests(database, [{ merchantId, id, operation: 'getOrder', ...result, ...source }])
  return id
}

test('the command `request list` prints the API requests of a merchant, newest first, and applies its filters', async () => {
  const { connectionString } = opened()
  const merchantId = await newMerchant()
  const old = await add(merchantId, 7_200)
  const missing = await add(merchantId, 60, 404)
  await add(await newMerchant(), 60)
  const ids = async (...words: string[]) => {
    const rows = await commerceJson(connectionString, 'request', 'list', '--merchant', merchantId, ...words)
    return Array.isArray(rows) ? rows.map(({ id }) => id) : rows
  }
  expect(await ids()).toEqual([missing, old])
  expect(await ids('--limit', '1')).toEqual([missing])
  expect(await ids('--id', old)).toEqual([old])
  expect(await ids('--status', '4xx', '--operation', 'getOrder', '--token', 'tok_1')).toEqual([missing])
  expect(await ids('--since', '1h')).toEqual([missing])
  expect(await ids('--until', toTimestamp(systemClock.nowMs() - 3_600_000))).toEqual([old])
  const { stdout } = await commerce(connectionString, 'request', 'list', '--merchant', merchantId, '--status', '404')
  expect(stdout.split('\n')[0]).toMatch(/^occurredAt +id +operation +status +errorCode +durationMs +tokenId +sourceIp$/)
  expect(stdout.split('\n')[1]).toMatch(
    new RegExp(`^\\S+Z +${missing} +getOrder +404 +order_not_found +12 +tok_1 +203\\.0\\.113\\.7$`),
  )
})

test('the command `request list --id` finds an API request without a merchant argument, and prints the merchant of the request', async () => {
  const { connectionString } = opened()
  const merchantId = await newMerchant()
  const id = await add(merchantId, 60, 404)
  await add(await newMerchant(), 60)
  const { stdout, stderr } = await commerce(connectionString, 'request', 'list', '--id', id)
  expect(stderr).toBe('')
  const lines = stdout.trimEnd().split('\n')
  expect(lines).toHaveLength(2)
  expect(lines[1]).toMatch(new RegExp(`^${merchantId} +\\S+Z +${id} +getOrder +404 +order_not_found `))
  expect(await commerceJson(connectionString, 'request', 'list', '--id', newId('req', systemClock.nowMs()))).toEqual([])
})

test('the command `request list` without a merchant requires --id and accepts no other filter', async () => {
  const { code, stderr } = await commerce(
    'postgres://127.0.0.1:1/none',
    'request',
    'list',
    '--id',
    'req_1',
    '--limit',
    '1',
  )
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('Only --id alone finds a request') })
})

test.for([
  [['--status', '600'], '--status must be a status such as 404, or 2xx, 3xx, 4xx or 5xx.'],
  [['--follow', '--since', '1h'], '--follow prints new requests only, so it cannot be combined with --since.'],
] as const)('the command `request list` with the options %s exits with 2 and names the reason', async ([
  words,
  line,
]) => {
  const { code, stderr } = await commerce('postgres://127.0.0.1:1/none', 'request', 'list', '--merchant', 'x', ...words)
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(line) })
})

test.for([
  'SIGINT',
  'SIGTERM',
] as const)('the command `request list --follow` prints each new API request once until %s, and then exits with 0', async (signal) => {
  const merchantId = await newMerchant()
  await add(merchantId, 1)
  const child = start(opened().connectionString, ['request', 'list', '--merchant', merchantId, '--follow', '--json'])
  children.push(child)
  const ended = once(child, 'exit')
  const { stdout, stderr } = child
  if (stdout === null || stderr === null) throw new Error('The child has no output.')
  const printed: string[] = []
  createInterface({ input: stdout }).on('line', (line) => printed.push(JSON.parse(line).id))
  await once(createInterface({ input: stderr }), 'line')
  // A slow request is stored after requests that started later than it.
  const ids = [await add(merchantId, 0), await add(merchantId, 30), await add(merchantId, 10)]
  await add(await newMerchant(), 0)
  await expect.poll(() => printed.toSorted(), { timeout: 60_000 }).toEqual(ids.toSorted())
  const last = await add(merchantId, 20)
  await expect.poll(() => printed.slice(ids.length), { timeout: 60_000 }).toEqual([last])
  child.kill(signal)
  expect((await ended)[0]).toBe(0)
})
