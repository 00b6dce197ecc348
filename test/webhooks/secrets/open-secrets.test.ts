import { expect, test } from 'vitest'
import { trustSecret } from '../../../scripts/faults/outside-verifiers.ts'
import { rotateSigningSecret } from '../../../src/access/rotate-signing-secret.ts'
import { type Vault, VaultError, vaultOf } from '../../../src/base/vault.ts'
import { listSecrets } from '../../../src/store/webhooks/signing-secrets.ts'
import { openSecretCache, type SealedSecrets } from '../../../src/webhooks/open-secrets.ts'
import { useDatabase } from '../../support/database.ts'
import { openReceiver } from '../receiver.ts'
import { only, openShop, operator } from '../shop.ts'

const opened = useDatabase()
const [young, old] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)]
const endpoint = { merchantId: 'mer_1', endpointId: 'whe_1', url: 'https://shop.example.com/hook', sealedHeaders: null }

function keptBy(vault: Vault, secret: string, secretId = 'whs_1', at = endpoint): SealedSecrets {
  const sealed = vault.seal(secret, { ...at, purpose: 'webhook_signing_secret', secretId })
  return { ...at, secrets: [{ id: secretId, sealed: sealed.toString('hex'), secret: null }] }
}

/** Wraps a real secret vault and counts how often it decrypts. */
function counting(vault: Vault) {
  let opens = 0
  const open: Vault['open'] = (...words) => {
    opens += 1
    return vault.open(...words)
  }
  return { vault: { ...vault, open }, opens: () => opens }
}

test('the secret cache decrypts a signing secret once for many webhook deliveries', () => {
  const { vault, opens } = counting(vaultOf([young]))
  const open = openSecretCache(vault)
  const kept = keptBy(vault, 'whsec_a')
  for (let count = 0; count < 100; count++) expect(open(kept)).toMatchObject({ is: 'opened', secrets: ['whsec_a'] })
  expect(opens()).toBe(1)
})

test('the secret cache returns the valid secrets in the order of their database rows, regardless of which secrets are cached', () => {
  const vault = vaultOf([young])
  const open = openSecretCache(vault)
  const [a, b] = [keptBy(vault, 'whsec_a', 'whs_a'), keptBy(vault, 'whsec_b', 'whs_b')]
  expect(open({ ...endpoint, secrets: [...b.secrets, ...a.secrets] })).toMatchObject({
    secrets: ['whsec_b', 'whsec_a'],
  })
  expect(open({ ...endpoint, secrets: [...a.secrets, ...b.secrets] })).toMatchObject({
    secrets: ['whsec_a', 'whsec_b'],
  })
  expect(open(b)).toMatchObject({ secrets: ['whsec_b'] })
})

test('the secret cache does not return the old value of a secret that was encrypted again under the same id', () => {
  const vault = vaultOf([young])
  const open = openSecretCache(vault)
  expect(open(keptBy(vault, 'whsec_a'))).toMatchObject({ secrets: ['whsec_a'] })
  expect(open(keptBy(vault, 'whsec_b'))).toMatchObject({ secrets: ['whsec_b'] })
})

test('an encrypted signing secret that was copied to another row cannot be decrypted there, even if it is cached for its own row', () => {
  const vault = vaultOf([young])
  const open = openSecretCache(vault)
  const kept = keptBy(vault, 'whsec_a')
  open(kept)
  const [secret] = kept.secrets
  if (secret === undefined) throw new Error('One secret was stored.')
  for (const moved of [
    { ...kept, endpointId: 'whe_2' },
    { ...kept, merchantId: 'mer_2' },
    { ...kept, secrets: [{ ...secret, id: 'whs_2' }] },
  ]) {
    expect(open(moved)).toMatchObject({ is: 'unreadable', error: expect.any(VaultError) })
  }
})

test('the secret cache decrypts secrets with any configured key, and reports secrets of unknown keys as unreadable', () => {
  const kept = keptBy(vaultOf([old]), 'whsec_a')
  expect(openSecretCache(vaultOf([young, old]))(kept)).toMatchObject({ secrets: ['whsec_a'] })
  for (const keys of [[young], []]) {
    const outcome = openSecretCache(vaultOf(keys))(kept)
    expect(outcome).toMatchObject({ is: 'unreadable', error: { message: expect.stringContaining('ENCRYPTION_KEY') } })
  }
})

test('a plain text signing secret of an earlier version is used even without an encryption key', () => {
  const open = openSecretCache(vaultOf([]))
  expect(open({ ...endpoint, secrets: [{ id: 'whs_1', sealed: null, secret: 'whsec_a' }] })).toEqual({
    is: 'opened',
    secrets: ['whsec_a'],
    headers: [],
  })
})

test('a webhook endpoint without a signing secret gets no deliveries', () => {
  expect(openSecretCache(vaultOf([young]))({ ...endpoint, secrets: [] })).toMatchObject({ is: 'unreadable' })
})

test('while the encryption key is missing, webhook deliveries wait without being counted as failed, and are sent once the key is back', async () => {
  const { database } = opened()
  const shop = await openShop(database)
  const receiver = await openReceiver()
  const target = await shop.addEndpoint(receiver.url)
  for (let count = 0; count < 3; count++) await shop.emit()
  const keyless = await openShop(database, { openSecrets: openSecretCache(vaultOf([young])), clock: shop.clock })
  for (let round = 0; round < 7; round++) {
    // While the encryption key is missing, the endpoint gets one delivery attempt a minute. More attempts would not
    // help, because restoring the key takes longer than a minute.
    expect(await keyless.deliver(target)).toMatchObject({ attempts: round === 0 ? 3 : 1 })
    shop.clock.advance(60_000)
  }
  expect(receiver.received).toHaveLength(0)
  expect(await shop.endpoint(target)).toMatchObject({ status: 'enabled', consecutiveFailures: 0 })
  const waiting = await shop.deliveries()
  expect(waiting.map(({ status, attemptCount }) => `${status} ${attemptCount}`)).toEqual(Array(3).fill('pending 0'))
  const [first] = waiting
  if (first === undefined) throw new Error('Three deliveries wait.')
  expect((await shop.attempts(first.id)).every(({ errorCode }) => errorCode === 'secret_unreadable')).toBe(true)
  expect(await shop.deliver(target)).toMatchObject({ attempts: 3 })
  expect(receiver.received).toHaveLength(3)
})

test('a secret rotation without a grace period makes webhook deliveries possible again after the encryption key was lost', async () => {
  const { database } = opened()
  const shop = await openShop(database)
  const receiver = await openReceiver()
  const target = await shop.addEndpoint(receiver.url)
  await shop.emit()
  const vault = vaultOf([young])
  const context = { ...shop.context, vault }
  const request = { endpointId: target.endpointId, graceHours: 0 }
  const outcome = await rotateSigningSecret(context, operator, shop.tenant, request)
  if (outcome.is !== 'rotated') throw new Error(`Not rotated: ${outcome.is}.`)
  trustSecret(receiver.url, outcome.secret)
  expect(await listSecrets(database, target)).toHaveLength(1)
  const recovered = await openShop(database, { openSecrets: openSecretCache(vault), clock: shop.clock })
  await recovered.deliver(target)
  expect(only(receiver.received).headers['service-signature']).toMatch(/^t=\d+,v1=[0-9a-f]{64}$/)
})
