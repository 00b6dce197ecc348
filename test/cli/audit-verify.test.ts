import { expect, test } from 'vitest'
import { MerchantId } from '../../registry/values/vocabulary.ts'
import { forgedSignatures, rewriteChain, tamperWith } from '../audit/rewritten-chain.ts'
import { useDatabase } from '../support/database.ts'
import { commerce, commerceJson } from './commerce.ts'

const opened = useDatabase()
const run = (...words: string[]) => commerceJson(opened().connectionString, ...words)
const verify = (...words: string[]) => commerce(opened().connectionString, 'audit', 'verify', ...words)

async function openMerchant(): Promise<string> {
  const created = await run('merchant', 'create', '--name', 'Adire Lagos')
  return String(Reflect.get(Object(created), 'id'))
}

test('the command `audit verify` prints the head of the hash chain, and a later verification finds that head in the longer chain', async () => {
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
    /^The audit log is intact: 2 rows, each in its place in the hash chain\.\nHead of the chain: 2:[0-9a-f]{64}/,
  )
})

test.for([
  ['removed its signatures', 'none', 'has no signature'],
  ['named an unknown key', 'unknownKey', 'is signed with the key 00000000deadbeef, which the service does not have'],
] as const)('after a superuser rewrote the log and %s, the command `audit verify` exits with 1 and names the first row that fails verification', async ([
  ,
  forged,
  reason,
]) => {
  const merchant = MerchantId.parse(await openMerchant())
  await run('audit', 'verify', '--merchant', merchant)
  const { rows } = await opened().database.pool.query('select id from audit_log where merchant_id = $1', [merchant])
  await rewriteChain(opened(), { chain: merchant, auditId: rows[0].id, sign: forgedSignatures[forged] })
  const { code, stderr } = await verify('--merchant', merchant)
  expect(code).toBe(1)
  expect(stderr).toContain(
    `The audit log is not verified: the chain head at position 1, row ${rows[0].id}, ${reason}. Rows after position 0 are not verified.`,
  )
})

test('the command `audit verify` exits with 1 and names the first forged row after a superuser rewrote the hash chain with signatures of another merchant', async () => {
  const [merchant, other] = [MerchantId.parse(await openMerchant()), await openMerchant()]
  for (const each of [merchant, other]) await run('audit', 'verify', '--merchant', each)
  const { rows } = await opened().database.pool.query('select id from audit_log where merchant_id = $1', [merchant])
  const sign = forgedSignatures.ofMerchant(other)
  await rewriteChain(opened(), { chain: merchant, auditId: rows[0].id, sign })
  const { code, stderr } = await verify('--merchant', merchant)
  expect(code).toBe(1)
  expect(stderr).toBe(
    `The audit log was altered: the chain head at position 1, row ${rows[0].id}, does not match the chain, or its signature is invalid.\n`,
  )
})

test('after `audit resign` has signed an unsigned audit log, `audit verify` prints the number of chain heads that could not be verified at the time of the signature', async () => {
  const merchant = await openMerchant()
  await run('audit', 'verify', '--merchant', merchant)
  await tamperWith(opened().superuserConnectionString, [
    `update audit_heads set key_id = null, signature = null where merchant_id = '${merchant}'`,
  ])
  expect((await verify('--merchant', merchant)).code).toBe(1)
  expect(await run('audit', 'resign', '--merchant', merchant)).toEqual({ is: 'resigned', rows: 1, unverifiedHeads: 1 })
  const { code, stdout } = await verify('--merchant', merchant)
  expect(code).toBe(0)
  expect(stdout).toMatch(
    /signed the rows up to position 1 anew at .*\. 1 chain heads could not be verified at that time/,
  )
})

test('the command `audit verify` fails and names the row that a superuser changed', async () => {
  const merchant = await openMerchant()
  await run('audit', 'verify', '--merchant', merchant)
  const { rows } = await opened().database.pool.query('select id from audit_log where merchant_id = $1', [merchant])
  await tamperWith(opened().superuserConnectionString, [
    `update audit_log set actor_label = 'no one' where merchant_id = '${merchant}'`,
  ])
  const { code, stderr } = await verify('--merchant', merchant)
  expect(code).toBe(1)
  const message = `The audit log was altered: row ${rows[0].id} at position 1 was changed after it was linked to the hash chain.`
  expect(stderr).toBe(`${message}\n`)
  const asJson = await verify('--merchant', merchant, '--json')
  expect(asJson).toMatchObject({ code: 1, stderr })
  expect(JSON.parse(asJson.stdout)).toMatchObject({
    chain: merchant,
    isIntact: false,
    faults: [{ is: 'changed', number: 1, auditId: rows[0].id, message }],
  })
})

test('the command `audit verify --shared` verifies the log of surge overrides', async () => {
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
] as const)('the command `audit verify` with the arguments %j fails', async ([words, message]) => {
  const { code, stderr } = await verify(...words)
  expect(code).not.toBe(0)
  expect(stderr).toContain(message)
})
