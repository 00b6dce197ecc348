import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import { signerOf } from '../../../src/base/signer.ts'
import { useDatabase } from '../../support/database.ts'
import { openShop } from '../../webhooks/shop.ts'

const opened = useDatabase()
const key = Buffer.alloc(32, 3).toString('base64')
const other = Buffer.alloc(32, 4).toString('base64')
/**
 * Creates a webhook endpoint whose secret is stored as plain text, as an earlier version of the service stored it.
 * Returns the secret.
 */
async function secretAsText(): Promise<string> {
  const shop = await openShop(opened().database)
  const { secret } = await shop.addEndpoint('http://127.0.0.1:1/')
  await opened().database.pool.query('update webhook_secrets set secret = $1, sealed = null', [secret])
  return secret
}

async function startAndStop(settings: Readonly<Record<string, string>>): Promise<string> {
  const env = { ...process.env, DATABASE_URL: opened().connectionString, PORT: '0', LOG_LEVEL: 'info', ...settings }
  const child = spawn(process.execPath, ['src/main.ts'], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  child.stdout.on('data', (chunk) => (output += chunk))
  child.stderr.on('data', (chunk) => (output += chunk))
  const closed = once(child, 'close')
  await expect.poll(() => output, { timeout: 120_000 }).toContain('is listening')
  child.kill('SIGTERM')
  const [code] = await closed
  expect(code).toBe(0)
  return output
}

async function storedSecrets() {
  const { rows } = await opened().database.pool.query('select secret, sealed from webhook_secrets')
  return rows
}

/** Starts a service that ends by itself because of an error, and returns its output. */
async function failedStart(settings: Readonly<Record<string, string>>): Promise<string> {
  const env = { ...process.env, DATABASE_URL: opened().connectionString, PORT: '0', LOG_LEVEL: 'info', ...settings }
  const child = spawn(process.execPath, ['src/main.ts'], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  let output = ''
  child.stdout.on('data', (chunk) => (output += chunk))
  child.stderr.on('data', (chunk) => (output += chunk))
  const [code] = await once(child, 'close')
  expect(code).toBe(1)
  expect(output).not.toContain('is listening')
  return output
}

test('starting the service with ENCRYPTION_KEY encrypts stored plain-text secrets; starting it without the key logs an error', async () => {
  const secret = await secretAsText()
  const without = await startAndStop({ ENCRYPTION_KEY: '' })
  expect(without).toContain('Without ENCRYPTION_KEY the webhook signing secrets cannot be decrypted or encrypted.')
  expect(await storedSecrets()).toEqual([{ secret, sealed: null }])
  const together = await Promise.all([startAndStop({ ENCRYPTION_KEY: key }), startAndStop({ ENCRYPTION_KEY: key })])
  expect(together.join('')).toContain('The webhook signing secrets were encrypted with the current key.')
  const sealed = await storedSecrets()
  expect(sealed).toMatchObject([{ secret: null, sealed: expect.any(Buffer) }])
  for (const output of [without, ...together]) expect(output).not.toContain(secret)
})

test('a process does not start without the encryption key of the stored secrets, and it changes nothing', async () => {
  await secretAsText()
  await startAndStop({ ENCRYPTION_KEY: key })
  const sealed = await storedSecrets()
  const fingerprint = signerOf([Buffer.from(key, 'base64')]).keyIds[0]
  for (const wrong of ['', other]) {
    expect(await failedStart({ ENCRYPTION_KEY: wrong })).toContain(
      `ENCRYPTION_KEY lacks the key with the fingerprint ${fingerprint}, which encrypted stored secrets.`,
    )
  }
  // The database contains no fingerprint of an encryption key, as after the restore of an old backup.
  await opened().database.pool.query('delete from encryption_keys')
  for (const wrong of ['', other])
    expect(await failedStart({ ENCRYPTION_KEY: wrong })).toContain(
      'ENCRYPTION_KEY decrypts none of the stored secrets.',
    )
  expect(await storedSecrets()).toEqual(sealed)
})
