import { beforeAll, expect, test } from 'vitest'
import { useDatabase } from '../support/database.ts'
import { commerce, commerceJson } from './commerce.ts'

const opened = useDatabase()
const hourMs = 60 * 60 * 1000
const agoOf = (ms: number) => new Date(Date.now() - ms).toISOString()
let merchant = ''
let endpoint = ''

beforeAll(async () => {
  merchant = idOf(await run('merchant', 'create', '--name', 'Adire Lagos'))
  const words = ['--url', 'https://example.com/hook', '--events', 'order.created']
  endpoint = idOf(await run('webhook', 'create', '--merchant', merchant, ...words))
})

function run(...words: string[]): Promise<unknown> {
  return commerceJson(opened().connectionString, ...words)
}

function idOf(value: unknown): string {
  return String(Reflect.get(Object(value), 'id'))
}

const named = () => ['--merchant', merchant, '--endpoint', endpoint]
const list = (...words: string[]) => run('webhook', 'replay-list', '--merchant', merchant, ...words)

test('a bulk replay that the command `webhook replay` starts is listed, can be cancelled, and prevents a second bulk replay while it runs', async () => {
  const since = agoOf(2 * hourMs)
  const until = agoOf(hourMs)
  const begun = await run('webhook', 'replay', ...named(), '--since', since, '--until', until, '--status', 'skipped')
  const id = idOf(begun)
  const shown = { id, endpointId: endpoint, status: 'running', since, until, statuses: ['skipped'] }
  expect(begun).toEqual({ ...shown, id: expect.stringMatching(/^rpl_/) })
  const progress = { queued: 0, succeeded: 0, failed: 0, waiting: 0, completedAt: null }
  expect(await list()).toMatchObject([{ ...shown, ...progress }])
  const refused = await commerce(opened().connectionString, 'webhook', 'replay', ...named(), '--since', since)
  expect(refused).toMatchObject({ code: 1, stdout: '' })
  expect(refused.stderr).toBe(
    `Replay ${id} of this endpoint is still running. Wait until it completes, or cancel it with webhook replay-cancel.\n`,
  )
  const cancelled = await run('webhook', 'replay-cancel', '--merchant', merchant, '--replay', id)
  expect(cancelled).toEqual({ id, status: 'cancelled', queued: 0, skipped: 0 })
  expect(await list('--endpoint', endpoint)).toMatchObject([{ id, status: 'cancelled' }])
  const again = await commerce(
    ...[opened().connectionString, 'webhook', 'replay-cancel', '--merchant', merchant, '--replay', id],
  )
  expect(again).toEqual({ code: 1, stdout: '', stderr: `Replay ${id} has already ended.\n` })
})

test('the command `webhook replay` replays the failed and skipped deliveries up to the current time by default', async () => {
  const before = Date.now()
  const begun = await run('webhook', 'replay', ...named(), '--since', agoOf(hourMs))
  expect(begun).toMatchObject({ statuses: ['failed', 'skipped'] })
  expect(Date.parse(Reflect.get(Object(begun), 'until'))).toBeGreaterThanOrEqual(before)
  await run('webhook', 'replay-cancel', '--merchant', merchant, '--replay', idOf(begun))
})

test('the command `webhook enable` reports the skipped deliveries, and replays them with --replay-skipped', async () => {
  const { pool } = opened().database
  await run('webhook', 'disable', ...named())
  await run('seed', '--merchant', merchant, '--orders', '3', '--emit-events')
  // Webhook deliveries that the service skipped while the endpoint was disabled.
  await pool.query(
    `update webhook_deliveries
     set status = 'skipped', next_attempt_at = null, completed_at = created_at
     where merchant_id = $1 and trigger = 'automatic'`,
    [merchant],
  )
  const { rows } = await pool.query(
    `update webhook_endpoints
     set disabled_at = (
       select min(created_at) from webhook_deliveries delivery where delivery.merchant_id = webhook_endpoints.merchant_id
     )
     where merchant_id = $1 and id = $2
     returning disabled_at`,
    [merchant, endpoint],
  )
  expect(rows).toHaveLength(1)
  const asText = await commerce(opened().connectionString, 'webhook', 'enable', ...named())
  expect(asText).toMatchObject({ code: 0, stderr: '' })
  expect(asText.stdout).toBe(
    `Endpoint ${endpoint} is enabled; 0 queued deliveries resume. 3 deliveries were skipped while the endpoint was disabled. Send the skipped deliveries with commerce webhook replay.\n`,
  )
  await pool.query(
    `update webhook_endpoints set status = 'disabled', disabled_reason = 'manual', disabled_at = $2 where id = $1`,
    [endpoint, rows[0]?.disabled_at],
  )
  const enabled = await run('webhook', 'enable', ...named(), '--replay-skipped')
  expect(enabled).toMatchObject({ resumed: 0, skipped: 3, replayId: expect.stringMatching(/^rpl_/) })
  expect(await list('--limit', '1')).toMatchObject([
    { id: Reflect.get(Object(enabled), 'replayId'), statuses: ['skipped'] },
  ])
})

/** Timestamps with names, so that the test titles are the same in each run. */
const timestamps: Readonly<Record<string, string>> = {
  'long-ago': agoOf(15 * 24 * hourMs),
  lately: agoOf(hourMs),
  soon: agoOf(-hourMs),
}

const failures = [
  ['webhook replay --merchant @ --endpoint whe_none --since yesterday', 2, '--since must be a timestamp such as '],
  ['webhook replay --merchant @ --endpoint whe_none', 2, '--since'],
  ['webhook replay --merchant @ --endpoint # --since long-ago', 2, 'within the last 14 days: 20'],
  ['webhook replay --merchant @ --endpoint # --since soon', 2, '--since must be in the past'],
  ['webhook replay --merchant @ --endpoint # --since lately --status held', 2, '--status must be one or more'],
  ['webhook replay --merchant @ --endpoint # --since lately --status ,', 2, '--status must be one or more'],
  ['webhook replay --merchant @ --endpoint whe_none --since lately', 1, 'no webhook endpoint whe_none.'],
  ['webhook replay-list --merchant @ --endpoint whe_none', 1, 'no webhook endpoint whe_none.'],
  ['webhook replay-cancel --merchant @ --replay rpl_none', 1, 'The merchant has no bulk replay rpl_none.'],
] as const

test.each(failures)('the command `%s` exits with %i and one line on standard error', async (words, code, line) => {
  const template = words.replace('@', merchant).replace('#', endpoint).split(' ')
  const given = template.map((word) => timestamps[word] ?? word)
  const ended = await commerce(opened().connectionString, ...given)
  expect(ended).toMatchObject({ code, stdout: '' })
  expect(ended.stderr).toContain(line)
  expect(ended.stderr.split('\n')).toHaveLength(2)
})
