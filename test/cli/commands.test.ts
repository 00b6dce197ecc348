import { beforeAll, expect, test } from 'vitest'
import { operator } from '../../src/cli/kit/operator.ts'
import { listenForDueEndpoints } from '../../src/store/webhooks/due-endpoints.ts'
import { useDatabase } from '../support/database.ts'
import { commerce, commerceJson } from './commerce.ts'

const opened = useDatabase()
const anyId = (prefix: string) => expect.stringMatching(new RegExp(`^${prefix}_[0-7][0-9a-hjkmnp-tv-z]{25}$`))
let merchant = ''

beforeAll(async () => {
  const made = await run('merchant', 'create', '--name', 'Adire Lagos')
  expect(made).toEqual({ id: anyId('mer'), testId: anyId('mer'), name: 'Adire Lagos' })
  merchant = idOf(made)
})

test('the command `merchant list` includes the test-mode merchants', async () => {
  const listed = await run('merchant', 'list')
  expect(listed).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ id: merchant, mode: 'live', liveMerchantId: null }),
      expect.objectContaining({ mode: 'test', liveMerchantId: merchant }),
    ]),
  )
})

test('the command `merchant set` changes only the settings and the mode that the command names, and records the changes in the audit log', async () => {
  const shop = idOf(await run('merchant', 'create', '--name', 'Asoebi Kano'))
  const words = [
    '--tax-registered',
    'true',
    '--tax-inclusive',
    'false',
    '--tax-rate-bps',
    '500',
    '--default-state',
    'Kano',
  ]
  const more = ['--low-stock-threshold', 'none', '--pending-order-ttl-minutes', '60']
  const defaults = {
    defaultState: 'Lagos',
    isTaxRegistered: false,
    taxRateBps: 750,
    isTaxInclusive: true,
    lowStockThreshold: 5,
    pendingOrderTtlMinutes: 1440,
    autoConfirmsPayOnDelivery: false,
    defaultPickup: null,
  }
  const changed = {
    defaultState: 'Kano',
    isTaxRegistered: true,
    taxRateBps: 500,
    isTaxInclusive: false,
    lowStockThreshold: null,
    pendingOrderTtlMinutes: 60,
    autoConfirmsPayOnDelivery: false,
    defaultPickup: null,
  }
  const set = await run('merchant', 'set', '--merchant', shop, ...words, ...more)
  expect(set).toEqual({ id: shop, mode: 'live', ...changed })
  const again = await run('merchant', 'set', '--merchant', shop, '--auto-confirm-pay-on-delivery', 'true')
  expect(again).toEqual({ id: shop, mode: 'live', ...changed, autoConfirmsPayOnDelivery: true })
  const inTestMode = await run('merchant', 'set', '--merchant', shop, '--mode', 'test', '--low-stock-threshold', '0')
  expect(inTestMode).toMatchObject({ mode: 'test', ...defaults, lowStockThreshold: 0 })
  expect(await run('audit', 'list', '--merchant', shop, '--limit', '2')).toMatchObject([
    {
      action: 'merchant.update',
      resource: { type: 'merchant', id: shop },
      actor: { type: 'operator' },
      changes: { autoConfirmsPayOnDelivery: [false, true] },
    },
    {
      action: 'merchant.update',
      changes: { isTaxRegistered: [false, true], taxRateBps: [750, 500], lowStockThreshold: [5, null] },
    },
  ])
})

test('the command `merchant set` stores and clears the default pickup address, and records the change in the audit log without the address', async () => {
  const shop = idOf(await run('merchant', 'create', '--name', 'Aso Oke Ibadan'))
  const place = {
    name: 'The back door',
    phone: '+2348031234567',
    line1: '7 Adeola Odeku Street',
    area: 'Victoria Island',
  }
  const set = (value: string) => run('merchant', 'set', '--merchant', shop, '--default-pickup', value)
  expect(await set(JSON.stringify(place))).toMatchObject({ defaultPickup: place })
  await set(JSON.stringify(place))
  expect(await set('none')).toMatchObject({ defaultPickup: null })
  const changes = await run('audit', 'list', '--merchant', shop, '--limit', '3')
  expect(changes).toMatchObject([
    { changes: { defaultPickup: ['set', null] } },
    { changes: {} },
    { changes: { defaultPickup: [null, 'set'] } },
  ])
  expect(JSON.stringify(changes)).not.toContain('Adeola')
})

test('token commands create a token, list it without its value, and revoke it', async () => {
  const made = await run('token', 'create', '--merchant', merchant, '--name', 'Shop', '--scopes', 'orders:read')
  expect(made).toMatchObject({
    id: anyId('tok'),
    token: expect.stringMatching(/^svc_live_[0-9A-Za-z]{38}$/),
    scopes: ['orders:read'],
    expiresAt: null,
  })
  const listed = JSON.stringify(await run('token', 'list', '--merchant', merchant))
  expect(listed).toContain(idOf(made))
  expect(listed).not.toContain(JSON.stringify(made).match(/svc_live_\w+/)?.[0])
  const revoked = await run('token', 'revoke', '--merchant', merchant, '--token', idOf(made))
  expect(revoked).toEqual({ id: idOf(made), revoked: true })
})

test('the command `token create` creates a test-mode token with an expiry and an IP allowlist', async () => {
  const words = ['--name', 'Trial', '--scopes', 'orders:read, refunds:write', '--mode', 'test']
  const made = await run('token', 'create', '--merchant', merchant, ...words, '--expires', '30d', '--ip', '203.0.113.7')
  expect(made).toMatchObject({ token: expect.stringMatching(/^svc_test_/), mode: 'test' })
  const listed = await run('token', 'list', '--merchant', merchant, '--mode', 'test')
  expect(listed).toMatchObject([{ id: idOf(made), ipAllowlist: ['203.0.113.7/32'] }])
})

test('webhook commands create an endpoint, show its secret, and disable and enable the endpoint', async () => {
  const words = ['--url', 'https://example.com/hook', '--events', 'order.created,order.refunded']
  const made = await run('webhook', 'create', '--merchant', merchant, ...words)
  const secret = expect.stringMatching(/^whsec_/)
  expect(made).toMatchObject({ id: anyId('whe'), secret, events: ['order.created', 'order.refunded'], mode: 'live' })
  const named = ['--merchant', merchant, '--endpoint', idOf(made)]
  expect(await run('webhook', 'secret', ...named)).toEqual({ id: idOf(made), secret })
  expect(await run('webhook', 'disable', ...named)).toEqual({ id: idOf(made), status: 'disabled', held: 0 })
  expect(await run('webhook', 'list', '--merchant', merchant)).toMatchObject([{ id: idOf(made), status: 'disabled' }])
  const enabled = { id: idOf(made), status: 'enabled', resumed: 0, skipped: 0, replayId: null }
  expect(await run('webhook', 'enable', ...named)).toEqual(enabled)
  expect(await run('webhook', 'enable', ...named)).toEqual(enabled)
})

test('the command `event test` queues a delivery and notifies the workers; `delivery replay` queues the delivery of a seeded event again', async () => {
  const shop = idOf(await run('merchant', 'create', '--name', 'Gele Abuja'))
  const words = ['--url', 'https://example.com/hook', '--events', 'order.created']
  const endpoint = idOf(await run('webhook', 'create', '--merchant', shop, ...words))
  const notified: string[] = []
  const listening = await listenForDueEndpoints(opened().database, {
    due: (endpoints) => notified.push(...endpoints.map(({ endpointId }) => endpointId)),
    broken: () => undefined,
  })
  const sample = await run(...['event', 'test', '--merchant', shop, '--endpoint', endpoint, '--kind', 'order.refunded'])
  expect(sample).toMatchObject({ id: anyId('dlv'), eventId: anyId('evt'), kind: 'order.refunded' })
  await expect.poll(() => notified).toEqual([endpoint])
  await listening.close()
  const seeded = await run('seed', '--merchant', shop, '--orders', '3', '--emit-events')
  expect(seeded).toMatchObject({ orders: 3, products: 24, events: 3 })
  const listed = await run('delivery', 'list', '--merchant', shop, '--endpoint', endpoint)
  expect(listed).toHaveLength(4)
  const [latest] = Array.isArray(listed) ? listed.filter((each) => each.trigger === 'automatic') : []
  const replayed = await run('delivery', 'replay', '--merchant', shop, '--delivery', idOf(latest))
  expect(replayed).toMatchObject({ id: anyId('dlv'), replayOf: idOf(latest) })
})

test('the command `seed` emits no events by default, and the audit log names the operator', async () => {
  const shop = idOf(await run('merchant', 'create', '--name', 'Aso Oke Ibadan'))
  expect(await run('seed', '--merchant', shop, '--orders', '5', '--seed', 'a', '--mode', 'test')).toMatchObject({
    mode: 'test',
    orders: 5,
    events: 0,
  })
  expect(await run('audit', 'list', '--merchant', shop, '--mode', 'test', '--limit', '1')).toMatchObject([
    { action: 'seed.orders', actor: { type: 'operator', label: operator.label }, sourceIp: operator.sourceIp },
  ])
})

test('a command without --json prints a table', async () => {
  const { code, stdout, stderr } = await commerce(opened().connectionString, 'audit', 'list', '--merchant', merchant)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toMatch(/^occurredAt +actor +action +resource +sourceIp\n/)
  expect(stdout).toContain('merchant.create')
})

const unknown = 'mer_01jd3f8q6hf5n8v1zr4c7e2m9k'
const failures = [
  ['token list --merchant mer_nonsense', 1, 'No merchant mer_nonsense.'],
  [`token list --merchant ${unknown}`, 1, `No merchant ${unknown}.`],
  ['token revoke --merchant @ --token tok_none', 1, 'has no token tok_none.'],
  ['token revoke --merchant @ --token svc_live_abc', 1, 'takes the id (tok_…), not the token itself.'],
  ['webhook enable --merchant @ --endpoint whe_none', 1, 'The merchant has no webhook endpoint whe_none.'],
  ['delivery replay --merchant @ --delivery dlv_none', 1, 'The merchant has no delivery dlv_none'],
  [
    'token create --merchant @ --name a --scopes orders:read --expires 2020-01-01T00:00:00Z',
    2,
    'must be in the future',
  ],
  ['token create --merchant @ --name a --scopes orders:read --ip 1.2.3', 2, '1.2.3 is not a network.'],
  ['webhook create --merchant @ --url http://example.com --events order.created', 2, 'is refused'],
] as const

test.each(failures)('the command `%s` exits with %i and one line on standard error', async (words, code, line) => {
  const ended = await commerce(opened().connectionString, ...words.replace('@', merchant).split(' '))
  expect(ended).toMatchObject({ code, stdout: '' })
  expect(ended.stderr).toContain(line)
  expect(ended.stderr.split('\n')).toHaveLength(2)
})

function run(...words: string[]): Promise<unknown> {
  return commerceJson(opened().connectionString, ...words)
}

function idOf(value: unknown): string {
  if (typeof value === 'object' && value !== null && 'id' in value && typeof value.id === 'string') return value.id
  throw new Error(`No id in ${JSON.stringify(value)}.`)
}
