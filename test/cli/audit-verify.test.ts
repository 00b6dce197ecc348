import pg from 'pg'
import { expect, test } from 'vitest'
import { useDatabase } from '../support/database.ts'
import { commerce, commerceJson } from './commerce.ts'

const opened = useDatabase()
const run = (...words: string[]) => commerceJson(opened().connectionString, ...words)
const verify = (...words: string[]) => commerce(opened().connectionString, 'audit', 'verify', ...words)

async function openMerchant(): Promise<string> {
  const created = await run('merchant', 'create', '--name', 'Adire Lagos')
  return String(Reflect.get(Object(created), 'id'))
}

test('audit verify prints the head, which a later verification finds in the longer chain', async () => {
  const merchant = await openMerchant()
  const first = await run('audit', 'verify', '--merchant', merchant)
  expect(first).toMatchObject({
    chain: merchant,
    rows: 1,
    isIntact: true,
    faults: [],
    unverifiedHeads: 0,
    head: { number: 1 },
  })
  await run('merchant', 'set', '--merchant', merchant, '--tax-registered', 'true')
  const { number, hash } = Reflect.get(Object(first), 'head')
  const { code, stdout } = await verify('--merchant', merchant, '--head', `${number}:${hash}`)
  expect(code).toBe(0)
  expect(stdout).toMatch(
    /^The audit log is intact: 2 rows, each in its place in the hash chain\.\nHead: 2:[0-9a-f]{64}/,
  )
})

test('audit verify fails and names the row that a superuser changed', async () => {
  const merchant = await openMerchant()
  await run('audit', 'verify', '--merchant', merchant)
  const client = new pg.Client({ connectionString: opened().superuserConnectionString })
  await client.connect()
  await client.query('alter table audit_log disable trigger audit_log_rows_never_change')
  const { rows } = await client.query(
    "update audit_log set actor_label = 'no one' where merchant_id = $1 returning id",
    [merchant],
  )
  await client.query('alter table audit_log enable always trigger audit_log_rows_never_change')
  await client.end()
  const { code, stderr } = await verify('--merchant', merchant)
  expect(code).toBe(1)
  const message = `The audit log was altered: row ${rows[0].id} at position 1 was changed after it was linked.`
  expect(stderr).toBe(`${message}\n`)
  const asJson = await verify('--merchant', merchant, '--json')
  expect(asJson).toMatchObject({ code: 1, stderr })
  expect(JSON.parse(asJson.stdout)).toMatchObject({
    chain: merchant,
    isIntact: false,
    faults: [{ is: 'changed', number: 1, auditId: rows[0].id, message }],
  })
})

test('audit verify --shared verifies the log of surge overrides', async () => {
  await run(
    'surge',
    'override',
    '--zone',
    'lag-lekki-1',
    '--multiplier',
    '1.35',
    '--minutes',
    '60',
    '--reason',
    'Flood',
  )
  expect(await run('audit', 'verify', '--shared')).toMatchObject({ chain: 'shared', rows: 1, head: { number: 1 } })
})

test.for([
  [[], 'Set either --merchant or --shared.'],
  [['--merchant', 'mer_1', '--shared'], 'Set either --merchant or --shared.'],
  [['--shared', '--head', '7'], '--head must be a number, a colon and 64 hexadecimal digits.'],
  [['--merchant', 'mer_1'], 'No merchant mer_1.'],
] as const)('audit verify %j fails', async ([words, message]) => {
  const { code, stderr } = await verify(...words)
  expect(code).not.toBe(0)
  expect(stderr).toContain(message)
})
