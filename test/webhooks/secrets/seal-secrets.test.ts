import { pino } from 'pino'
import { beforeEach, describe, expect, test } from 'vitest'
import { connectCarrier } from '../../../src/access/connect-carrier.ts'
import { connectProvider } from '../../../src/access/connect-provider.ts'
import { sealSecrets } from '../../../src/access/keys/seal-secrets.ts'
import { rotateSigningSecret } from '../../../src/access/rotate-signing-secret.ts'
import { showSigningSecret } from '../../../src/access/show-signing-secret.ts'
import { type Vault, vaultOf } from '../../../src/base/vault.ts'
import { paystack } from '../../../src/partners/payments/paystack.ts'
import { findCarrierAccounts, sealedCredentials } from '../../../src/store/logistics/carriers/carrier-accounts.ts'
import { findUsedKey, sealedKeys } from '../../../src/store/payments/provider-keys.ts'
import type { EndpointKey } from '../../../src/store/webhooks/endpoints.ts'
import { listStaleSecrets, resealSecrets } from '../../../src/store/webhooks/signing-secrets.ts'
import { openSecretCache } from '../../../src/webhooks/open-secrets.ts'
import { useDatabase } from '../../support/database.ts'
import { openReceiver } from '../receiver.ts'
import { only, openShop, operator, vault } from '../shop.ts'
import { acceptedBy, bothVerifiers } from './verifiers.ts'

const opened = useDatabase()
const young = Buffer.alloc(32, 1)
/** The old encryption key, with which the shop's secrets are encrypted. */
const old = Buffer.alloc(32, 9)

beforeEach(async () => {
  // Deletes all stored webhook secrets, because each test reads all of them.
  await opened().database.pool.query(
    `delete from webhook_secrets; delete from payment_provider_keys; delete from carrier_accounts;
     update webhook_endpoints set sealed_headers = null, header_names = null`,
  )
})

async function seal(withVault: Vault) {
  const lines: { level: number; msg: string }[] = []
  const log = pino({ base: null }, { write: (line) => lines.push(JSON.parse(line)) })
  await sealSecrets({ database: opened().database, vault: withVault, log })
  return lines
}

async function kept() {
  const { rows } = await opened().database.pool.query('select id, secret, sealed from webhook_secrets order by id')
  return rows
}

/** Stores a webhook secret as plain text, as an earlier version of the service did. */
async function leaveAsText({ endpointId, secret }: EndpointKey & { secret: string }) {
  await opened().database.pool.query(
    'update webhook_secrets set secret = $1, sealed = null where endpoint_id = $2 and expires_at is null',
    [secret, endpointId],
  )
}

async function endpointAsText() {
  const shop = await openShop(opened().database)
  const receiver = await openReceiver()
  const endpoint = await shop.addEndpoint(receiver.url)
  await leaveAsText(endpoint)
  return { shop, receiver, endpoint }
}

describe('a plain text secret of an earlier version', () => {
  test('a plain text secret of an earlier version signs webhook deliveries before and after the secret is encrypted', async () => {
    const { shop, receiver, endpoint } = await endpointAsText()
    const deliver = async () => {
      receiver.received.length = 0
      await shop.emit()
      await shop.deliver(endpoint)
      return acceptedBy(only(receiver.received), endpoint.secret, shop.clock.nowMs())
    }
    expect(await deliver()).toEqual(bothVerifiers)
    expect(await seal(vault)).toMatchObject([{ level: 30, sealed: 1 }])
    expect(await kept()).toMatchObject([{ secret: null, sealed: expect.any(Buffer) }])
    expect(await showSigningSecret(shop.context, endpoint)).toBe(endpoint.secret)
    expect(await deliver()).toEqual(bothVerifiers)
  })

  test('a plain text secret is encrypted once by several processes that start concurrently, and later starts leave it unchanged', async () => {
    const pairs = await Promise.all([endpointAsText(), endpointAsText(), endpointAsText()])
    const all = await Promise.all([seal(vault), seal(vault), seal(vault), seal(vault)])
    expect(all.flat().every(({ level }) => level === 30)).toBe(true)
    for (const { shop, endpoint } of pairs) {
      expect(await showSigningSecret(shop.context, endpoint)).toBe(endpoint.secret)
    }
    const before = await kept()
    expect(await seal(vault)).toEqual([])
    expect(await kept()).toEqual(before)
  })

  test('all plain text secrets are encrypted, even if they need several batches and some other secrets cannot be decrypted', async () => {
    const { shop, endpoint } = await endpointAsText()
    const { pool } = opened().database
    await pool.query(
      `insert into webhook_secrets (merchant_id, endpoint_id, id, secret, sealed, created_at, expires_at)
       select
         $1, $2, 'whs_' || number,
         case when number % 3 > 0 then 'whsec_' || number end,
         case when number % 3 = 0 then '\\x0102030405'::bytea end,
         now(), now() + interval '1 day'
       from generate_series(1, 1200) as number`,
      [shop.merchantId, endpoint.endpointId],
    )
    expect(await seal(vault)).toMatchObject([
      { level: 30, sealed: 801 },
      { level: 50, unreadable: 400, msg: expect.stringContaining('ENCRYPTION_KEY') },
    ])
    expect((await kept()).filter(({ secret }) => secret !== null)).toEqual([])
  })

  test('without an encryption key, a plain text secret stays unencrypted and still signs deliveries, and the service logs an error', async () => {
    const { shop, receiver, endpoint } = await endpointAsText()
    expect(await seal(vaultOf([]))).toMatchObject([{ level: 50, msg: expect.stringContaining('ENCRYPTION_KEY') }])
    expect(await kept()).toMatchObject([{ secret: endpoint.secret, sealed: null }])
    const keyless = await openShop(opened().database, { openSecrets: openSecretCache(vaultOf([])), clock: shop.clock })
    await shop.emit()
    await keyless.deliver(endpoint)
    expect(acceptedBy(only(receiver.received), endpoint.secret, shop.clock.nowMs())).toEqual(bothVerifiers)
  })

  test('if a plain text secret is rotated while it is being encrypted, the new secret is not lost, and the old secret is not restored', async () => {
    const { shop, endpoint } = await endpointAsText()
    const request = { endpointId: endpoint.endpointId }
    const [outcome] = await Promise.all([
      rotateSigningSecret(shop.context, operator, shop.tenant, request),
      seal(vault),
      seal(vault),
    ])
    await seal(vault)
    const secret = outcome.is === 'rotated' ? outcome.secret : ''
    expect(await showSigningSecret(shop.context, endpoint)).toBe(secret)
    expect(await kept()).toMatchObject([{ secret: null }, { secret: null }])
  })
})

describe('a secret encrypted with an older key of ENCRYPTION_KEY', () => {
  test('a secret encrypted with an older key is encrypted again with the current key, and the older key is then no longer needed', async () => {
    const shop = await openShop(opened().database)
    const endpoint = await shop.addEndpoint('http://127.0.0.1:1/')
    expect(await seal(vaultOf([young, old]))).toMatchObject([{ level: 30, sealed: 1 }])
    const context = { database: opened().database, vault: vaultOf([young]) }
    expect(await showSigningSecret(context, endpoint)).toBe(endpoint.secret)
    expect(await seal(vaultOf([young, old]))).toEqual([])
  })

  test('custom headers encrypted with an older key are encrypted again with the current key, and deliveries then need only this key', async () => {
    const shop = await openShop(opened().database)
    const receiver = await openReceiver()
    const headers = [{ name: 'X-Api-Key', value: 'gateway-key-1' }]
    const endpoint = await shop.addEndpoint(receiver.url, undefined, headers)
    expect(await seal(vaultOf([young, old]))).toMatchObject([
      { level: 30, sealed: 1 },
      { level: 30, sealed: 1, msg: expect.stringContaining('custom headers') },
    ])
    expect(await seal(vaultOf([young, old]))).toEqual([])
    await shop.emit()
    await shop.deliver(endpoint, { openSecrets: openSecretCache(vaultOf([young])) })
    expect(only(receiver.received).headers).toMatchObject({ 'x-api-key': 'gateway-key-1' })
  })

  test('a payment provider’s secret encrypted with an older key is encrypted again with the current key', async () => {
    const shop = await openShop(opened().database)
    const { merchantId } = shop
    await connectProvider({ ...shop.context, isProduction: true }, operator, shop.tenant, {
      ...{ provider: paystack, secretKey: 'sk_live_4f1c2b7a9d' },
    })
    expect(await seal(vaultOf([young, old]))).toMatchObject([{ level: 30, sealed: 1 }])
    const key = await findUsedKey(opened().database, { merchantId, provider: 'paystack' })
    const binding = { merchantId, purpose: 'payment_provider_key', provider: 'paystack' } as const
    expect(vaultOf([young]).open(key?.sealedSecret ?? Buffer.of(), binding)).toBe('sk_live_4f1c2b7a9d')
  })

  test('carrier credentials encrypted with an older key are encrypted again with the current key, each bound to its own carrier', async () => {
    const shop = await openShop(opened().database)
    await connectBoth(shop)
    expect(await seal(vaultOf([young, old]))).toMatchObject([{ level: 30, sealed: 2 }])
    expect(await openedWith(vaultOf([young]), shop)).toEqual([
      { carrier: 'chowdeck', apiKey: 'chowdeck-key-0001' },
      { carrier: 'fez', userId: 'G-4568-3493', password: 'a password' },
    ])
    expect(await seal(vaultOf([young, old]))).toEqual([])
  })

  test('a secret whose encryption key is not configured stays unchanged, and an error is logged', async () => {
    const shop = await openShop(opened().database)
    await shop.addEndpoint('http://127.0.0.1:1/')
    const before = await kept()
    expect(await seal(vaultOf([young]))).toMatchObject([
      { level: 50, unreadable: 1, msg: expect.stringContaining('ENCRYPTION_KEY') },
    ])
    expect(await seal(vaultOf([]))).toMatchObject([{ level: 50, msg: expect.stringContaining('ENCRYPTION_KEY') }])
    expect(await kept()).toEqual(before)
  })
})

describe('a record changed since it was read', () => {
  test('re-encryption with the current key does not overwrite a signing secret that changed since it was read', async () => {
    const shop = await openShop(opened().database)
    const endpoint = await shop.addEndpoint('http://127.0.0.1:1/')
    const { database } = opened()
    const request = { mark: vaultOf([young]).mark(), after: undefined, limit: 10 }
    const before = only(await listStaleSecrets(database, request))
    await seal(vaultOf([young, old]))
    expect(await resealSecrets(database, [{ before, sealed: Buffer.from('nonsense') }])).toBe(0)
    const context = { database, vault: vaultOf([young]) }
    expect(await showSigningSecret(context, endpoint)).toBe(endpoint.secret)
  })

  test('re-encryption with the current key does not overwrite a payment provider’s key that changed since it was read', async () => {
    const shop = await openShop(opened().database)
    const { database } = opened()
    const connect = (secretKey: string) =>
      connectProvider({ ...shop.context, isProduction: true }, operator, shop.tenant, { provider: paystack, secretKey })
    await connect('sk_live_4f1c2b7a9d')
    const request = { mark: vaultOf([young]).mark(), after: undefined, limit: 10 }
    const before = only(await sealedKeys.list(database, request))
    await connect('sk_live_0000zzzz')
    expect(await sealedKeys.replace(database, [{ before, sealed: Buffer.from('nonsense') }])).toBe(0)
    const key = await findUsedKey(database, { merchantId: shop.merchantId, provider: 'paystack' })
    const binding = { merchantId: shop.merchantId, purpose: 'payment_provider_key', provider: 'paystack' } as const
    expect(vault.open(key?.sealedSecret ?? Buffer.of(), binding)).toBe('sk_live_0000zzzz')
  })
})

async function connectBoth(shop: Awaited<ReturnType<typeof openShop>>) {
  const context = { ...shop.context, isProduction: true }
  const chowdeck = { carrier: 'chowdeck', credentials: { apiKey: 'chowdeck-key-0001' } } as const
  const fez = { carrier: 'fez', credentials: { userId: 'G-4568-3493', password: 'a password' } } as const
  expect(await connectCarrier(context, operator, shop.tenant, chowdeck)).toMatchObject({ is: 'connected' })
  expect(await connectCarrier(context, operator, shop.tenant, fez)).toMatchObject({ is: 'connected' })
}

async function openedWith(withVault: Vault, { merchantId }: Awaited<ReturnType<typeof openShop>>) {
  return (await findCarrierAccounts(opened().database, merchantId)).map(({ carrier, sealedCredentials }) => {
    const binding = { merchantId, purpose: 'carrier_credentials', carrier } as const
    return { carrier, ...JSON.parse(withVault.open(sealedCredentials, binding)) }
  })
}

test('re-encryption with the current key does not overwrite a carrier’s credentials that changed since they were read', async () => {
  const shop = await openShop(opened().database)
  await connectBoth(shop)
  const { database } = opened()
  const stale = await sealedCredentials.list(database, { mark: vaultOf([young]).mark(), after: undefined, limit: 10 })
  expect(stale.map(({ carrier }) => carrier)).toEqual(['chowdeck', 'fez'])
  const [first] = stale
  const rest = await sealedCredentials.list(database, { mark: vaultOf([young]).mark(), after: first, limit: 10 })
  expect(rest.map(({ carrier }) => carrier)).toEqual(['fez'])
  await connectBoth(shop)
  const anew = stale.map((before) => ({ before, sealed: Buffer.from('nonsense') }))
  expect(await sealedCredentials.replace(database, anew)).toBe(0)
  expect(await openedWith(vault, shop)).toMatchObject([{ apiKey: 'chowdeck-key-0001' }, { userId: 'G-4568-3493' }])
})

test('a carrier’s credentials cannot be decrypted for another carrier or merchant', async () => {
  const shop = await openShop(opened().database)
  await connectBoth(shop)
  const [kept] = await findCarrierAccounts(opened().database, shop.merchantId)
  if (kept === undefined) throw new Error('The merchant is connected.')
  const purpose = 'carrier_credentials'
  const open = (merchantId: string, carrier: string) =>
    vault.open(kept.sealedCredentials, { merchantId, purpose, carrier })
  expect(() => open(shop.merchantId, 'fez')).toThrow('belongs to another merchant, record or purpose')
  expect(() => open('mer_other', 'chowdeck')).toThrow('belongs to another merchant, record or purpose')
})

test('the service needs no encryption key while it has no stored secrets', async () => {
  expect(await seal(vaultOf([]))).toEqual([])
})
