import { beforeEach, expect, test } from 'vitest'
import { claimKeys } from '../../src/access/keys/claim-keys.ts'
import { signerOf } from '../../src/base/signer.ts'
import { vaultOf } from '../../src/base/vault.ts'
import { listUsedKeys } from '../../src/store/access/encryption-keys.ts'
import { useDatabase } from '../support/database.ts'
import { openShop } from '../webhooks/shop.ts'
import { commerce, commerceWithInput } from './commerce.ts'

const opened = useDatabase()
/** The old encryption key, with which the shop's secrets are encrypted. */
const old = Buffer.alloc(32, 9)
const young = Buffer.alloc(32, 1)
const [oldId = '', youngId = ''] = signerOf([old, young]).keyIds

beforeEach(async () => {
  await opened().database.pool.query(
    'delete from encryption_keys; delete from encryption_key_holders; delete from webhook_secrets',
  )
})

const run = (keys: readonly Buffer[], ...words: string[]) =>
  commerceWithInput(
    opened().connectionString,
    { input: '', settings: { ENCRYPTION_KEY: keys.map((key) => key.toString('base64')).join(',') } },
    ...words,
  )

/** Records in the database that a service process runs with the given encryption keys. */
const startProcess = (name: string, keys: readonly Buffer[]) =>
  claimKeys(opened().database, {
    keyIds: signerOf(keys).keyIds,
    holder: { processId: name, label: `api ${name}` },
    usedAtFirst: async () => [],
    place: 'ENCRYPTION_KEY',
  })

const stopAll = () => opened().database.pool.query('delete from encryption_key_holders')

async function addSecret() {
  const shop = await openShop(opened().database)
  await shop.addEndpoint('http://127.0.0.1:1/')
  return shop
}

async function usedKeys() {
  return (await listUsedKeys(opened().database, {})).map(({ id }) => id)
}

test('the command `secrets reseal` fails while any process encrypts with an older key, and retires that key once no process uses it', async () => {
  const { merchantId } = await addSecret()
  await startProcess('one', [old])
  await stopAll()
  await startProcess('one', [old, young])
  const early = await run([young, old], 'secrets', 'reseal')
  expect(early).toMatchObject({ code: 1, stderr: expect.stringContaining('encrypt with another key: api one.') })
  expect((await usedKeys()).toSorted()).toEqual([oldId, youngId].toSorted())
  await stopAll()
  await startProcess('one', [young, old])
  const { code, stdout } = await run([young, old], 'secrets', 'reseal')
  expect(code).toBe(0)
  expect(stdout).toContain(`The service no longer needs ${oldId}.`)
  expect(await usedKeys()).toEqual([youngId])
  const { rows } = await opened().database.pool.query('select sealed from webhook_secrets')
  expect(rows.map(({ sealed }) => vaultOf([young]).keyOf(sealed))).toEqual([youngId])
  expect((await run([young], 'audit', 'verify', '--merchant', merchantId)).code).toBe(0)
  expect((await run([young], 'audit', 'verify', '--shared')).code).toBe(0)
})

test('the command `secrets reseal` retires no key while a stored secret cannot be decrypted', async () => {
  await addSecret()
  await startProcess('one', [young])
  const { code, stderr } = await run([young], 'secrets', 'reseal')
  expect(code).toBe(1)
  expect(stderr).toContain('1 secrets cannot be decrypted with any key of ENCRYPTION_KEY; commerce secrets list')
})

test('the command `secrets list` counts the secrets of each key, and names the secrets that cannot be decrypted', async () => {
  const { merchantId } = await addSecret()
  await startProcess('one', [old])
  const right = await run([old], 'secrets', 'list', '--json')
  expect(JSON.parse(right.stdout)).toMatchObject({
    keys: [{ key: oldId, configured: 1, processes: 1 }],
    processes: [{ label: 'api one', keyIds: [oldId] }],
    secrets: [{ kind: 'webhook signing secrets', key: oldId, secrets: 1, opened: 1 }],
    unopened: [],
  })
  const wrong = await run([young], 'secrets', 'list')
  expect(wrong.code).toBe(0)
  expect(wrong.stdout).toContain(`These secrets cannot be decrypted:\n${merchantId} webhook_signing_secret`)
  expect(wrong.stdout).toContain(`ENCRYPTION_KEY lacks the key with the fingerprint ${oldId}`)
})

test('a command with a wrong encryption key encrypts nothing; commands that need no key still run', async () => {
  const { merchantId } = await addSecret()
  await startProcess('one', [old])
  const create = [
    'webhook',
    'create',
    '--merchant',
    merchantId,
    '--url',
    'http://127.0.0.1:1/x',
    '--events',
    'order.created',
  ]
  const { code, stderr } = await run([young], ...create)
  expect(code).toBe(1)
  expect(stderr).toContain(`ENCRYPTION_KEY lacks the key with the fingerprint ${oldId}`)
  expect((await run([young], 'merchant', 'list')).code).toBe(0)
})

test('the command `restored` refuses an encryption key that decrypts no stored secret, even if the restored database lists no key in use', async () => {
  await addSecret()
  await startProcess('one', [old])
  await stopAll()
  const restored = () => run([young], 'restored', '--to', new Date().toISOString())
  expect(await restored()).toMatchObject({ code: 1, stderr: expect.stringContaining(`fingerprint ${oldId}`) })
  await opened().database.pool.query('delete from encryption_keys')
  expect(await restored()).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('decrypts none of the stored secrets'),
  })
  const { rows } = await opened().database.pool.query("select from audit_log where action = 'database.restore'")
  expect(rows).toEqual([])
})

test('the command `secrets retire` declares an encryption key lost, and then the service starts without that key', async () => {
  await addSecret()
  await startProcess('one', [old])
  await stopAll()
  await expect(startProcess('one', [young])).rejects.toThrow(`secrets retire --key ${oldId}`)
  expect((await run([old], 'secrets', 'retire', '--key', oldId)).code).toBe(1)
  expect((await run([young], 'secrets', 'retire', '--key', oldId)).code).toBe(0)
  await startProcess('one', [young])
  expect((await commerce(opened().connectionString, 'secrets', 'retire', '--key', 'x')).code).toBe(2)
})
