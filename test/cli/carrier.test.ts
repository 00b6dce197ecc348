import { beforeAll, describe, expect, test } from 'vitest'
import { createMerchant } from '../../src/access/create-merchant.ts'
import { systemClock, toTimestamp } from '../../src/base/clock.ts'
import { vaultOf } from '../../src/base/vault.ts'
import { countUnknownStatus } from '../../src/store/logistics/carriers/unknown-statuses.ts'
import { useDatabase } from '../support/database.ts'
import { operator } from '../support/shop.ts'
import { commerce, commerceJson, commerceWithInput } from './commerce.ts'

const opened = useDatabase()
const key = Buffer.alloc(32, 5)
const settings = { ENCRYPTION_KEY: key.toString('base64') }

let merchant = { id: '', testId: '' }
beforeAll(async () => {
  const { database } = opened()
  merchant = await createMerchant({ database, clock: systemClock, nudge: () => undefined }, operator, 'Adire Lagos')
})

function connect(carrier: string, input: string, words: readonly string[] = [], more = {}) {
  const request = { input, settings: { ...settings, ...more } }
  const all = ['carrier', 'connect', '--merchant', merchant.id, '--carrier', carrier, ...words]
  return commerceWithInput(opened().connectionString, request, ...all)
}

async function rows() {
  return (await opened().database.pool.query('select * from carrier_accounts order by carrier')).rows
}

const callbackPath = (carrier: string) =>
  expect.stringMatching(new RegExp(`^/callbacks/carriers/${carrier}/${merchant.id}\\.[0-9A-Za-z]{32}$`))

describe('carrier connect', () => {
  test('the command `carrier connect` encrypts and stores the credentials from standard input, and prints only their last four characters', async () => {
    const input = 'apiKey = cd_live_4f1c2b7a9d==\r\nwebhookSecret=whs=secret\n'
    const { code, stdout, stderr } = await connect('chowdeck', input, ['--json'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(JSON.parse(stdout)).toEqual({
      carrier: 'chowdeck',
      hint: '9d==',
      callbackPath: callbackPath('chowdeck'),
      merchantId: merchant.id,
      mode: 'live',
    })
    const [row] = await rows()
    expect(row).toMatchObject({ merchant_id: merchant.id, carrier: 'chowdeck', hint: '9d==' })
    expect(row.sealed_credentials.includes('4f1c2b7a9d')).toBe(false)
    const binding = { merchantId: merchant.id, purpose: 'carrier_credentials', carrier: 'chowdeck' } as const
    expect(JSON.parse(vaultOf([key]).open(row.sealed_credentials, binding))).toEqual({
      apiKey: 'cd_live_4f1c2b7a9d==',
      webhookSecret: 'whs=secret',
    })
  })

  test('the command `carrier connect` replaces a carrier account, keeps its callback URL, and records the last characters of both credentials in the audit log', async () => {
    const [before] = await rows()
    const { stdout, code } = await connect('chowdeck', 'apiKey=cd_live_0000zzzz\n')
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: `Connected the chowdeck account that ends in zzzz. Set its callback URL to this service’s origin followed by /callbacks/carriers/chowdeck/${merchant.id}.${before.callback_key}\n`,
    })
    expect((await rows()).map(({ callback_key }) => callback_key)).toEqual([before.callback_key])
    const log = await opened().database.pool.query(
      "select changes, resource_id from audit_log where action = 'carrier.connect' order by occurred_at, id",
    )
    expect(log.rows).toEqual([
      { resource_id: 'chowdeck', changes: { accountHint: [null, '9d=='] } },
      { resource_id: 'chowdeck', changes: { accountHint: ['9d==', 'zzzz'] } },
    ])
  })

  test('the command `carrier connect` shows the last characters of a Fez user id, never of the password', async () => {
    const { code, stdout } = await connect('fez', 'userId=G-4568-3493\npassword=a pass=word\n', ['--json'])
    expect(code).toBe(0)
    expect(JSON.parse(stdout).hint).toBe('3493')
    expect(stdout).not.toContain('word')
  })

  test.for([
    ['chowdeck', 'cd_live_4f1c2b7a9d', 'apiKey, an unknown name'],
    ['fez', 'userId=G-4568-3493\nsecret_of_fez==', 'password, an unknown name'],
  ] as const)('the command `carrier connect` rejects %s credentials %j, names the invalid fields and prints no value', async ([
    carrier,
    input,
    wrong,
  ]) => {
    const before = await rows()
    const { code, stdout, stderr } = await connect(carrier, input)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(/^Standard input must have one line for each of /)
    expect(stderr.endsWith(` Invalid or missing: ${wrong}.\n`)).toBe(true)
    expect(stderr).not.toMatch(/cd_live|secret_of_fez/)
    expect(await rows()).toEqual(before)
  })

  test.for([
    ['production', 1],
    ['development', 0],
  ] as const)('the command `carrier connect` with a sandbox account and NODE_ENV=%s exits with %i', async ([
    environment,
    expected,
  ]) => {
    const input = 'apiKey=sb_sandbox_0123456789\nemail=shop@example.com'
    const { code, stderr } = await connect('shipbubble', input, [], { NODE_ENV: environment })
    expect(code).toBe(expected)
    expect(stderr).toMatch(expected === 0 ? /^$/ : /only live accounts are accepted/)
  })

  test('the command `carrier connect` fails for test mode, for an unknown carrier and for a simulated carrier', async () => {
    const test = await connect('chowdeck', 'apiKey=cd_live_4f1c2b7a9d', ['--mode', 'test'])
    expect(test).toMatchObject({ code: 1, stderr: expect.stringContaining('needs no carrier') })
    for (const carrier of ['gokada', 'simulator-swift']) {
      const { code, stderr } = await connect(carrier, 'apiKey=cd_live_4f1c2b7a9d')
      expect({ code, stderr }).toEqual({ code: 2, stderr: '--carrier must be one of chowdeck, fez, shipbubble.\n' })
    }
  })

  test('the command `carrier connect` fails with the name of the variable when ENCRYPTION_KEY is missing', async () => {
    const { code, stderr } = await connect('chowdeck', 'apiKey=cd_live_4f1c2b7a9d', [], { ENCRYPTION_KEY: '' })
    expect(code).toBe(1)
    expect(stderr).toMatch(/^ENCRYPTION_KEY is required to store secrets: 32 random bytes in base64/)
  })
})

describe('carrier list and disconnect', () => {
  test('the command `carrier list` shows carrier accounts without their secrets, and `carrier disconnect` deletes an account', async () => {
    await connect('chowdeck', 'apiKey=cd_live_0000zzzz')
    await connect('fez', 'userId=G-4568-3493\npassword=a pass=word')
    const listed = await commerceJson(opened().connectionString, 'carrier', 'list', '--merchant', merchant.id)
    const at = expect.stringMatching(/Z$/)
    expect(listed).toEqual(
      expect.arrayContaining([
        { carrier: 'chowdeck', hint: 'zzzz', callbackPath: callbackPath('chowdeck'), createdAt: at, updatedAt: at },
        { carrier: 'fez', hint: '3493', callbackPath: callbackPath('fez'), createdAt: at, updatedAt: at },
      ]),
    )
    const words = ['carrier', 'disconnect', '--merchant', merchant.id, '--carrier', 'fez']
    expect(await commerceJson(opened().connectionString, ...words)).toEqual({
      carrier: 'fez',
      disconnected: true,
      merchantId: merchant.id,
      mode: 'live',
    })
    expect((await rows()).map(({ carrier }) => carrier)).not.toContain('fez')
    const log = await opened().database.pool.query("select changes from audit_log where action = 'carrier.disconnect'")
    expect(log.rows).toEqual([{ changes: { accountHint: ['3493', null] } }])
    const again = await commerce(opened().connectionString, ...words)
    expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('The merchant has no account with fez.') })
    const ofTest = await commerce(opened().connectionString, ...words, '--mode', 'test')
    expect(ofTest).toMatchObject({ code: 1, stderr: expect.stringContaining('needs no carrier') })
    const audited = await opened().database.pool.query("select 1 from audit_log where action = 'carrier.disconnect'")
    expect(audited.rows).toHaveLength(1)
  })
})

test('the command `carrier unknown` lists each unrecognised carrier status with its count and its first and last time', async () => {
  const { database, connectionString } = opened()
  const at = (hour: number) => toTimestamp(Date.UTC(2026, 10, 21, hour))
  const [first, second, third] = [at(8), at(9), at(10)]
  for (const now of [first, second]) await countUnknownStatus(database, { carrier: 'fez', status: 'At Customs', now })
  await countUnknownStatus(database, { carrier: 'chowdeck', status: 'lost', now: third })
  expect(await commerceJson(connectionString, 'carrier', 'unknown')).toEqual([
    { carrier: 'chowdeck', status: 'lost', times: 1, firstAt: third, lastAt: third },
    { carrier: 'fez', status: 'At Customs', times: 2, firstAt: first, lastAt: second },
  ])
})
