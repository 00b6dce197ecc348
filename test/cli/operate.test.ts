import { beforeAll, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { scopes } from '../../registry/values/scopes.ts'
import { operator } from '../../src/cli/kit/operator.ts'
import { useApi } from '../support/api.ts'
import { select } from '../support/database-contents.ts'
import { openShop, type Shop } from '../support/shop.ts'
import { commerce, commerceJson, commerceWithInput } from './commerce.ts'

// A long timeout: each test starts several processes one after the other, while other tests run.
vi.setConfig({ testTimeout: 240_000 })

const started = useApi()
let shop: Shop

beforeAll(async () => {
  shop = await openShop(started().context)
})

const run = (...words: string[]) => commerceJson(started().connectionString, ...words)
const ofShop = () => ['--merchant', shop.merchantId]

function fieldOf(value: unknown, name: string): string {
  const field: unknown = Reflect.get(Object(value), name)
  if (typeof field !== 'string') throw new Error(`There is no text ${name} in ${JSON.stringify(value)}.`)
  return field
}

/**
 * Sends a request with the token. Returns 200 or the error code. First advances the service's clock to the real time,
 * which the commands use. Then advances it until the service's cached tokens have expired.
 */
async function statusOf(token: string) {
  const { clock } = started()
  clock.advance(Math.max(0, Date.now() - clock.nowMs()) + 6_000)
  const { status, body } = await started().send('GET', '/api/v1/orders', { token })
  return status === 200 ? 200 : body.error.code
}

test('the command `restored` rejects a time in the future or before the last change in the database, and records no restore in the audit log', async () => {
  await run('merchant', 'create', '--name', 'Recent')
  const restored = (to: string) => commerce(started().connectionString, 'restored', '--to', to)
  const early = await restored('2020-01-31T09:15:00Z')
  expect(early).toMatchObject({ code: 1, stderr: expect.stringContaining('Restore the database first') })
  const [{ latest } = {}] = await select(
    started(),
    `select to_char(max(recorded_at) at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as latest from audit_log`,
  )
  expect(early.stderr).toContain(`contains changes of ${latest}`)
  const late = await restored(new Date(Date.now() + 3_600_000).toISOString())
  expect(late).toMatchObject({ code: 1, stderr: expect.stringContaining('is in the future') })
  const recorded = await select(started(), "select from audit_log where action = 'database.restore'")
  expect(recorded).toEqual([])
})

test('after the command `merchant suspend`, the merchant’s live and test tokens are rejected until `merchant resume`; the audit log records both commands', async () => {
  const made = await run('merchant', 'create', '--name', 'Suspended')
  const ids = { live: fieldOf(made, 'id'), test: fieldOf(made, 'testId') }
  const named = ['--merchant', ids.live]
  const minted = await run('token', 'create', ...named, '--name', 'a', '--scopes', 'orders:read')
  const sandbox = await run('token', 'create', ...named, '--mode', 'test', '--name', 'a', '--scopes', 'orders:read')
  const tokens = [fieldOf(minted, 'token'), fieldOf(sandbox, 'token')]
  const statuses = () => Promise.all(tokens.map(statusOf))
  expect(await statuses()).toEqual([200, 200])

  const reason = ['--reason', 'Fraud is suspected.']
  expect(await run('merchant', 'suspend', ...named, ...reason)).toMatchObject({ suspended: true, changed: true })
  expect(await statuses()).toEqual(['merchant_suspended', 'merchant_suspended'])
  expect(await run('merchant', 'list')).toContainEqual(
    expect.objectContaining({ id: ids.live, suspendedAt: expect.any(String) }),
  )
  // The id of the test-mode merchant selects the same shop, which is already suspended.
  const again = await run('merchant', 'suspend', '--merchant', ids.test, ...reason)
  expect(again).toEqual({ id: ids.live, suspended: true, changed: false })

  expect(await run('merchant', 'resume', ...named, ...reason)).toMatchObject({ suspended: false, changed: true })
  expect(await statuses()).toEqual([200, 200])
  expect(await run('audit', 'list', ...named, '--action', 'merchant')).toMatchObject([
    { action: 'merchant.resume', changes: { reason: [null, 'Fraud is suspected.'] } },
    { action: 'merchant.suspend', changes: { suspendedAt: [null, expect.any(String)] } },
    { action: 'merchant.create' },
  ])
})

test('the command `token create --scopes all` grants every scope', async () => {
  const made = await run('token', 'create', ...ofShop(), '--mode', 'test', '--name', 'all', '--scopes', 'all')
  expect(made).toMatchObject({ scopes: Object.keys(scopes) })
})

test('the command `token rotate` keeps the old token valid beside the new one until the overlap ends', async () => {
  const network = ['--ip', '127.0.0.0/8']
  const old = await run('token', 'create', ...ofShop(), '--name', 'web', '--scopes', 'orders:read', ...network)
  const rotate = ['token', 'rotate', ...ofShop(), '--token', fieldOf(old, 'id')]
  const rotated = await run(...rotate, '--overlap-hours', '1')
  const next = fieldOf(rotated, 'token')
  expect([await statusOf(fieldOf(old, 'token')), await statusOf(next)]).toEqual([200, 200])
  const listed = await run('token', 'list', ...ofShop())
  expect(listed).toContainEqual(
    expect.objectContaining({
      ...{ id: fieldOf(rotated, 'id'), name: 'web', scopes: ['orders:read'], ipAllowlist: ['127.0.0.0/8'] },
      expiresAt: null,
    }),
  )
  expect(await run('audit', 'list', ...ofShop(), '--resource', fieldOf(old, 'id'))).toMatchObject([
    { action: 'token.rotate', changes: { replacedBy: [null, fieldOf(rotated, 'id')] } },
    { action: 'token.create' },
  ])
  started().clock.advance(2 * 3_600_000)
  expect([await statusOf(fieldOf(old, 'token')), await statusOf(next)]).toEqual(['token_expired', 200])
})

test('the command `token rotate --overlap-hours 0` expires the old token at once, and an expired token cannot be rotated', async () => {
  const old = await run('token', 'create', ...ofShop(), '--name', 'leaked', '--scopes', 'orders:read')
  const rotate = ['token', 'rotate', ...ofShop(), '--token', fieldOf(old, 'id'), '--overlap-hours', '0']
  await run(...rotate)
  expect(await statusOf(fieldOf(old, 'token'))).toBe('token_expired')
  const ended = await commerce(started().connectionString, ...rotate)
  expect(ended).toMatchObject({ code: 1, stderr: expect.stringContaining('is revoked or expired') })
})

test('the command `audit list` filters by actor, action, record and time, and shows the name of the token that acted', async () => {
  const made = await run('token', 'create', ...ofShop(), '--name', 'shop floor', '--scopes', 'customers:write')
  const customer = { name: 'Adaeze Okafor', email: 'adaeze.okafor@example.com' }
  const created = await started().send('POST', '/api/v1/customers', { token: fieldOf(made, 'token'), body: customer })
  expect(created.status).toBe(201)
  const tokenId = fieldOf(made, 'id')
  const expected = [{ action: 'customer.create', actor: { type: 'token', id: tokenId, label: 'shop floor' } }]
  for (const filter of [
    ['--actor', 'shop floor'],
    ['--actor', tokenId],
    ['--action', 'customer'],
    ['--action', 'customer.create'],
    ['--resource', String(created.body.id)],
  ]) {
    expect(await run('audit', 'list', ...ofShop(), ...filter), filter.join(' ')).toMatchObject(expected)
  }
  expect(await run('audit', 'list', ...ofShop(), '--action', 'custom')).toEqual([])
  expect(await run('audit', 'list', ...ofShop(), '--since', '2200-01-01T00:00:00Z')).toEqual([])
  expect(await run('audit', 'list', ...ofShop(), '--until', '2000-01-01T00:00:00Z')).toEqual([])
  const { stdout } = await commerce(started().connectionString, 'audit', 'list', ...ofShop(), '--actor', 'shop floor')
  expect(stdout).toContain(`shop floor (${tokenId})`)
})

test('the command `delivery list` filters by status and time, and the command `delivery replay` rejects the delivery of a test event', async () => {
  const url = ['--url', 'https://example.com/hooks', '--events', 'order.created']
  const endpoint = await run('webhook', 'create', ...ofShop(), ...url)
  const sample = ['--endpoint', fieldOf(endpoint, 'id'), '--kind', 'order.created']
  const sent = await run('event', 'test', ...ofShop(), ...sample)
  const list = (...filter: string[]) => run('delivery', 'list', ...ofShop(), ...filter)
  expect(await list('--status', 'pending', '--since', '2000-01-01T00:00:00Z')).toMatchObject([
    { id: fieldOf(sent, 'id') },
  ])
  const [row] = z.array(z.object({ eventId: z.string() })).parse(await list())
  for (const filter of [
    ['--event', String(row?.eventId)],
    ['--kind', 'order.created'],
    ['--endpoint', fieldOf(endpoint, 'id'), '--until', '2200-01-01T00:00:00Z'],
  ]) {
    expect(await list(...filter), filter.join(' ')).toMatchObject([{ id: fieldOf(sent, 'id') }])
  }
  for (const filter of [
    ['--event', 'evt_01jd3f8q6hf5n8v1zr4c7e2m9k'],
    ['--kind', 'order.refunded'],
    ['--until', '2000-01-01T00:00:00Z'],
    ['--before', fieldOf(sent, 'id')],
  ]) {
    expect(await list(...filter), filter.join(' ')).toEqual([])
  }
  expect(await list('--status', 'failed')).toEqual([])
  expect(await list('--since', '2200-01-01T00:00:00Z')).toEqual([])
  const wrong = await commerce(started().connectionString, 'delivery', 'list', ...ofShop(), '--since', 'yesterday')
  expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('such as 30m, 12h or 7d') })

  const replayed = await commerce(
    started().connectionString,
    ...['delivery', 'replay', ...ofShop(), '--delivery', fieldOf(sent, 'id')],
  )
  expect(replayed).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('is of a test event, which cannot be replayed'),
  })
})

test('a command on a record of the other mode (live or test) fails and suggests --mode', async () => {
  const url = ['--url', 'https://example.com/hooks', '--events', 'order.created']
  const endpoint = fieldOf(await run('webhook', 'create', ...ofShop(), '--mode', 'test', ...url), 'id')
  const shown = await commerce(started().connectionString, 'webhook', 'secret', ...ofShop(), '--endpoint', endpoint)
  expect(shown).toMatchObject({ code: 1, stderr: expect.stringContaining('try --mode test') })
})

test('in production, the command `seed` creates data in live mode only with the option --yes-live', async () => {
  const { id } = { id: fieldOf(await run('merchant', 'create', '--name', 'Real'), 'id') }
  const settings = { NODE_ENV: 'production' }
  const seed = (...more: string[]) =>
    commerceWithInput(
      started().connectionString,
      { input: '', settings },
      ...['seed', '--merchant', id, '--orders', '1', ...more],
    )
  expect(await seed()).toMatchObject({ code: 2, stderr: expect.stringContaining('--yes-live') })
  const orders = async () =>
    (await started().context.database.pool.query('select from orders where merchant_id = $1', [id])).rowCount
  expect(await orders()).toBe(0)
  expect(await seed('--mode', 'test')).toMatchObject({ code: 0 })
  expect(await seed('--yes-live')).toMatchObject({ code: 0 })
  expect(await orders()).toBe(1)
})

test('the command `surge override` writes to the append-only audit log of shared data', async () => {
  const place = ['--zone', 'lag-lekki-1', '--multiplier', '1.35', '--minutes', '60', '--reason', 'Concert']
  await run('surge', 'override', ...place)
  expect(await run('audit', 'shared')).toMatchObject([
    {
      ...{ action: 'surge.override', resourceType: 'delivery_zone', resourceId: 'lag-lekki-1' },
      ...{ actorType: 'operator', actorLabel: operator.label, sourceIp: operator.sourceIp },
      changes: { multiplier: [null, 1.35], reason: [null, 'Concert'], expiresAt: [null, expect.any(String)] },
    },
  ])
  const { pool } = started().context.database
  for (const change of ["update shared_audit_log set action = 'x'", 'delete from shared_audit_log']) {
    await expect(pool.query(change)).rejects.toThrow(/permission denied|append-only/)
  }
})
