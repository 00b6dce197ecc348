import { beforeAll, describe, expect, test } from 'vitest'
import { operator } from '../../src/cli/kit/operator.ts'
import { useDatabase } from '../support/database.ts'
import { commerce, commerceJson, commerceWithInput } from './commerce.ts'

const opened = useDatabase()
const url = 'https://example.com/hook'
let merchant = ''
let endpoint = ''

beforeAll(async () => {
  merchant = idOf(await run('merchant', 'create', '--name', 'Adire Lagos'))
  const words = ['--url', url, '--events', 'order.created', '--description', 'Back office']
  endpoint = idOf(await run('webhook', 'create', '--merchant', merchant, ...words))
})

function run(...words: string[]): Promise<unknown> {
  return commerceJson(opened().connectionString, ...words)
}

function idOf(value: unknown): string {
  return String(Reflect.get(Object(value), 'id'))
}

const named = () => ['--merchant', merchant, '--endpoint', endpoint]
const list = () => run('webhook', 'list', '--merchant', merchant)

describe('webhook rotate', () => {
  test('the command `webhook rotate` prints the new secret, and `webhook list` shows the expiry of the old secret', async () => {
    const before = await run('webhook', 'secret', ...named())
    expect(await list()).toMatchObject([{ liveSecrets: 1, previousSecretExpiresAt: null }])
    const rotated = await run('webhook', 'rotate', ...named(), '--grace-hours', '2')
    expect(rotated).toEqual({
      id: endpoint,
      secret: expect.stringMatching(/^whsec_/),
      previousSecretExpiresAt: expect.stringMatching(/^20.*Z$/),
    })
    const shown = await run('webhook', 'secret', ...named())
    expect(shown).toMatchObject({ secret: Reflect.get(Object(rotated), 'secret') })
    expect(shown).not.toEqual(before)
    const { previousSecretExpiresAt } = Object(rotated)
    expect(await list()).toMatchObject([{ liveSecrets: 2, previousSecretExpiresAt }])
    const audited = await run('audit', 'list', '--merchant', merchant, '--action', 'webhook_endpoint.show_secret')
    expect(audited).toMatchObject([
      { actor: { type: 'operator' }, resource: { id: endpoint } },
      { actor: { type: 'operator' } },
    ])
  })

  test('the command `webhook rotate` fails while the previous secret is valid, unless --end-previous or --grace-hours 0 is given', async () => {
    const refused = await commerce(opened().connectionString, 'webhook', 'rotate', ...named())
    expect(refused).toMatchObject({ code: 1, stdout: '' })
    expect(refused.stderr).toMatch(/is valid until 20\S+Z, .*--end-previous.*--grace-hours 0,/)
    expect(refused.stderr.split('\n')).toHaveLength(2)
    expect(await run('webhook', 'rotate', ...named(), '--end-previous')).toMatchObject({ id: endpoint })
    const atOnce = await run('webhook', 'rotate', ...named(), '--grace-hours', '0')
    expect(atOnce).toMatchObject({ previousSecretExpiresAt: null })
    expect(await list()).toMatchObject([{ liveSecrets: 1, previousSecretExpiresAt: null }])
  })
})

test('the command `webhook set` changes only the named fields of an endpoint, and reports whether anything changed', async () => {
  const changed = await run(
    'webhook',
    'set',
    ...named(),
    '--url',
    'https://example.org/hook',
    '--events',
    'order.refunded',
  )
  const now = { id: endpoint, url: 'https://example.org/hook', events: ['order.refunded'], description: 'Back office' }
  expect(changed).toEqual({ ...now, headers: [], changed: true })
  const same = await run('webhook', 'set', ...named(), '--description', 'Back office')
  expect(same).toEqual({ ...now, headers: [], changed: false })
  expect(await list()).toMatchObject([now])
  expect(await run('webhook', 'set', ...named(), '--description', '')).toMatchObject({ description: '', changed: true })
})

test('the commands `webhook create` and `webhook set` read the values of custom headers from standard input, and show only their names', async () => {
  const withInput = (input: string, ...words: string[]) =>
    commerceWithInput(opened().connectionString, { input }, 'webhook', ...words, '--json')
  const target = ['--url', url, '--events', 'order.created']
  const input = 'Authorization=Bearer zq-value==\nX-Client=shop\n'
  const names = ['--headers', 'X-Client,Authorization']
  const created = await withInput(input, 'create', '--merchant', merchant, ...target, ...names)
  const of = ['--merchant', merchant, '--endpoint', idOf(JSON.parse(created.stdout))]
  const set = await withInput('X-Key=zq-value-2', 'set', ...of, '--headers', 'X-Key', '--remove-headers', 'x-client')
  expect(JSON.parse(set.stdout)).toMatchObject({ headers: ['Authorization', 'X-Key'], changed: true })
  const { stdout } = await commerce(opened().connectionString, 'webhook', 'list', '--merchant', merchant)
  expect(stdout).toContain('Authorization,X-Key')
  const audited = await run('audit', 'list', '--merchant', merchant, '--resource', of[3] ?? '')
  expect(audited).toMatchObject([
    {
      changes: {
        headers: [
          ['X-Client', 'Authorization'],
          ['Authorization', 'X-Key'],
        ],
      },
    },
    { changes: { headers: [null, ['X-Client', 'Authorization']] } },
  ])
  expect([created.stdout, set.stdout, stdout, JSON.stringify(audited)].join()).not.toContain('zq-')
  expect(await run('webhook', 'delete', ...of)).toMatchObject({ deleted: true })
})

test.each([
  [
    'a name that standard input does not contain',
    'X-Key=zq-value\n',
    ['X-Key,X-Other'],
    'one line for each of X-Key=…, X-Other=…',
  ],
  [
    'a line that the command line does not name',
    'X-Key=zq-value\nX-Other=zq-value',
    ['X-Key'],
    'one line for each of X-Key=…',
  ],
  ['a line without a name', 'zq-value', ['X-Key'], 'one line for each of X-Key=…'],
  ['a reserved name', 'Host=zq-value', ['Host'], 'The custom header Host is refused: The service itself'],
  [
    'a value with a control character',
    'X-Key=zq-value\tzq',
    ['X-Key'],
    'The custom header X-Key is refused: The value',
  ],
  [
    'six headers',
    [...'ABCDEF'].map((name) => `${name}=zq-value`).join('\n'),
    ['A,B,C,D,E,F'],
    'at most 5 custom headers',
  ],
  ['an unknown header to remove', '', ['X-Key', '--remove-headers', 'X-Old'], 'one line for each of'],
])('the command `webhook set` refuses custom headers with %s, and prints no value', async (_, input, words, message) => {
  const given = { input }
  const { code, stdout, stderr } = await commerceWithInput(
    ...[opened().connectionString, given, 'webhook', 'set', ...named(), '--headers', ...words],
  )
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toContain(message)
  expect(stderr).not.toContain('zq-')
})

test('the command `webhook list` shows consecutive failures and why an endpoint was disabled', async () => {
  const { pool } = opened().database
  const stateAfter = async (assignments: string) => {
    await pool.query(`update webhook_endpoints set ${assignments} where id = $1`, [endpoint])
    const { stdout } = await commerce(opened().connectionString, 'webhook', 'list', '--merchant', merchant)
    return stdout
  }
  expect(await stateAfter('consecutive_failures = 0')).toMatch(/whe_\w+ +enabled +https/)
  expect(await stateAfter('consecutive_failures = 3')).toMatch(/whe_\w+ +failing 3 of 6 +https/)
  const six =
    "consecutive_failures = 6, status = 'disabled', disabled_reason = 'consecutive_failures', disabled_at = now()"
  expect(await stateAfter(six)).toMatch(/whe_\w+ +disabled after 6 failures +https/)
  expect(await stateAfter("disabled_reason = 'manual'")).toMatch(/whe_\w+ +disabled manually +https/)
})

test('the command `webhook delete` deletes an endpoint, and other commands then do not find that endpoint', async () => {
  expect(await run('webhook', 'delete', ...named())).toEqual({ id: endpoint, deleted: true, ended: 0 })
  expect(await list()).toEqual([])
  for (const verb of ['delete', 'rotate', 'secret', 'enable']) {
    const { code, stderr } = await commerce(opened().connectionString, 'webhook', verb, ...named())
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringContaining(`The merchant has no webhook endpoint ${endpoint}.`),
    })
  }
})

test('the command `webhook create` rejects the seventeenth endpoint and suggests `webhook delete`', async () => {
  const shop = idOf(await run('merchant', 'create', '--name', 'Gele Abuja'))
  const words = ['webhook', 'create', '--merchant', shop, '--url', url, '--events', 'order.created']
  await opened().database.pool.query(
    `insert into webhook_endpoints (merchant_id, id, url, created_at, updated_at)
     select $1, 'whe_' || number, $2, now(), now() from generate_series(1, 16) as number`,
    [shop, url],
  )
  const { code, stdout, stderr } = await commerce(opened().connectionString, ...words)
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toMatch(/^The merchant has the maximum of 16 webhook endpoints\. .*webhook delete/)
})

test('the command `webhook create` prints one error line and creates nothing when ENCRYPTION_KEY is missing', async () => {
  const shop = idOf(await run('merchant', 'create', '--name', 'Aso Oke Ibadan'))
  const words = ['webhook', 'create', '--merchant', shop, '--url', url, '--events', 'order.created']
  const request = { input: '', settings: { ENCRYPTION_KEY: '' } }
  const { code, stdout, stderr } = await commerceWithInput(opened().connectionString, request, ...words)
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toMatch(/^ENCRYPTION_KEY is required to store secrets: 32 random bytes in base64.*\n$/)
  expect(await run('webhook', 'list', '--merchant', shop)).toEqual([])
})

const failures = [
  ['webhook rotate --merchant @ --endpoint whe_none', 1, 'The merchant has no webhook endpoint whe_none.'],
  ['webhook rotate --merchant @ --endpoint whe_none --grace-hours 169', 2, 'from 0 to 168'],
  [
    'webhook set --merchant @ --endpoint whe_none',
    2,
    'one of --url, --events, --description, --headers, --remove-headers.',
  ],
  ['webhook set --merchant @ --endpoint whe_none --url https://example.com', 1, 'no webhook endpoint whe_none.'],
  ['webhook set --merchant @ --endpoint whe_01jd3f8q6hf5n8v1zr4c7e2m9k --url http://10.0.0.1', 2, 'is refused: '],
  [`webhook set --merchant @ --endpoint whe_none --description ${'a'.repeat(121)}`, 2, 'at most 120 characters'],
  ['webhook delete --merchant @ --endpoint whe_none', 1, 'The merchant has no webhook endpoint whe_none.'],
] as const

test.each(failures)('the command `%s` exits with %i and one line on standard error', async (words, code, line) => {
  const ended = await commerce(opened().connectionString, ...words.replace('@', merchant).split(' '))
  expect(ended).toMatchObject({ code, stdout: '' })
  expect(ended.stderr).toContain(line)
  expect(ended.stderr.split('\n')).toHaveLength(2)
})

describe('diagnostic commands', () => {
  test('the command `webhook explain` shows the changes made to an endpoint and who made them', async () => {
    const id = idOf(
      await run('webhook', 'create', '--merchant', merchant, '--url', `${url}/explained`, '--events', 'order.created'),
    )
    expect(await run('webhook', 'explain', '--merchant', merchant, '--endpoint', id)).toMatchObject({
      id,
      status: 'enabled',
      consecutiveFailures: 0,
      explains: true,
      steps: expect.arrayContaining([
        expect.objectContaining({ what: 'webhook_endpoint.create', result: operator.label, counted: false }),
      ]),
    })
    const unknown = await commerce(
      opened().connectionString,
      'webhook',
      'explain',
      '--merchant',
      merchant,
      '--endpoint',
      'whe_1',
    )
    expect(unknown).toMatchObject({ code: 1, stderr: expect.stringContaining('no webhook endpoint whe_1') })
  })

  test('the command `delivery show` fails for an unknown delivery, and `notification list` prints an empty list if there is no notification', async () => {
    const unknown = await commerce(
      opened().connectionString,
      'delivery',
      'show',
      '--merchant',
      merchant,
      '--delivery',
      'dlv_1',
    )
    expect(unknown).toMatchObject({ code: 1, stderr: expect.stringContaining('no attempts of a delivery dlv_1') })
    expect(await run('notification', 'list', '--merchant', merchant)).toEqual([])
  })
})
