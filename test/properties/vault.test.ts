import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import { ConfigError, readConfig } from '../../src/base/config.ts'
import { type Binding, openVault, VaultError, vaultOf } from '../../src/base/vault.ts'

const key = fc.uint8Array({ minLength: 32, maxLength: 32 })
const text = fc.string({ unit: 'binary', maxLength: 200 })
const merchant = fc.stringMatching(/^mer_[0-9a-z]{26}$/)
const bindingOf = (merchantId: string): Binding => ({
  merchantId,
  purpose: 'payment_provider_key',
  provider: 'paystack',
})

describe('an encrypted secret', () => {
  test('an encrypted secret decrypts to the original', () => {
    fc.assert(
      fc.property(key, text, merchant, (bytes, secret, merchantId) => {
        const vault = vaultOf([bytes])
        // A lone surrogate cannot be encoded in UTF-8, so the vault replaces it. No stored secret contains one.
        expect(vault.open(vault.seal(secret, bindingOf(merchantId)), bindingOf(merchantId))).toBe(secret.toWellFormed())
      }),
    )
  })

  test('an encrypted secret does not contain the plain text, and each encryption of a secret gives a different result', () => {
    fc.assert(
      fc.property(key, fc.string({ minLength: 8 }), merchant, (bytes, secret, merchantId) => {
        const vault = vaultOf([bytes])
        const sealed = vault.seal(secret, bindingOf(merchantId))
        expect(sealed.includes(secret)).toBe(false)
        expect(sealed.equals(vault.seal(secret, bindingOf(merchantId)))).toBe(false)
      }),
    )
  })

  test('an encrypted secret does not decrypt after any bit of it was changed', () => {
    fc.assert(
      fc.property(key, text, merchant, fc.nat(), (bytes, secret, merchantId, chosen) => {
        const vault = vaultOf([bytes])
        const sealed = vault.seal(secret, bindingOf(merchantId))
        const bit = chosen % (sealed.length * 8)
        sealed[bit >> 3] = (sealed[bit >> 3] ?? 0) ^ (1 << (bit & 7))
        expect(() => vault.open(sealed, bindingOf(merchantId))).toThrow(VaultError)
      }),
    )
  })

  test('an encrypted secret does not decrypt after truncation', () => {
    fc.assert(
      fc.property(key, text, merchant, fc.nat(), (bytes, secret, merchantId, chosen) => {
        const vault = vaultOf([bytes])
        const sealed = vault.seal(secret, bindingOf(merchantId))
        expect(() => vault.open(sealed.subarray(0, chosen % sealed.length), bindingOf(merchantId))).toThrow(VaultError)
      }),
    )
  })

  test('an encrypted secret does not decrypt for another merchant or with another key', () => {
    fc.assert(
      fc.property(key, key, text, merchant, merchant, (bytes, others, secret, merchantId, elsewhere) => {
        fc.pre(merchantId !== elsewhere && Buffer.compare(bytes, others) !== 0)
        const sealed = vaultOf([bytes]).seal(secret, bindingOf(merchantId))
        expect(() => vaultOf([bytes]).open(sealed, bindingOf(elsewhere))).toThrow(VaultError)
        expect(() => vaultOf([others]).open(sealed, bindingOf(merchantId))).toThrow(VaultError)
      }),
    )
  })

  test('an encrypted secret of a webhook endpoint does not decrypt for another endpoint, another secret or another purpose', () => {
    const record = fc.stringMatching(/^(whe|whs)_[0-9a-z]{26}$/)
    fc.assert(
      fc.property(key, text, merchant, record, record, (bytes, secret, merchantId, endpointId, secretId) => {
        fc.pre(endpointId !== secretId)
        const vault = vaultOf([bytes])
        const binding: Binding = { merchantId, purpose: 'webhook_signing_secret', endpointId, secretId }
        const sealed = vault.seal(secret, binding)
        expect(vault.open(sealed, binding)).toBe(secret.toWellFormed())
        const others: readonly Binding[] = [
          { ...binding, endpointId: secretId },
          { ...binding, secretId: endpointId },
          { ...binding, endpointId: secretId, secretId: endpointId },
          bindingOf(merchantId),
        ]
        for (const other of others) expect(() => vault.open(sealed, other)).toThrow(VaultError)
        expect(() => vault.open(vault.seal(secret, bindingOf(merchantId)), binding)).toThrow(VaultError)
      }),
    )
  })

  test('an encrypted secret begins with the id of the current key', () => {
    fc.assert(
      fc.property(key, key, merchant, (old, young, merchantId) => {
        fc.pre(Buffer.compare(old, young) !== 0)
        const [before, after] = [vaultOf([old]), vaultOf([young, old])]
        const begins = (sealed: Buffer, mark: Buffer) => sealed.subarray(0, mark.length).equals(mark)
        expect(begins(after.seal('a', bindingOf(merchantId)), after.mark())).toBe(true)
        expect(begins(before.seal('a', bindingOf(merchantId)), after.mark())).toBe(false)
      }),
    )
  })

  test('an encrypted secret decrypts with an old key listed after the new key, and new secrets are encrypted with the new key', () => {
    fc.assert(
      fc.property(key, key, text, merchant, (old, young, secret, merchantId) => {
        fc.pre(Buffer.compare(old, young) !== 0)
        const both = vaultOf([young, old])
        expect(both.open(vaultOf([old]).seal(secret, bindingOf(merchantId)), bindingOf(merchantId))).toBe(
          secret.toWellFormed(),
        )
        const sealed = both.seal(secret, bindingOf(merchantId))
        expect(vaultOf([young]).open(sealed, bindingOf(merchantId))).toBe(secret.toWellFormed())
      }),
    )
  })
})

describe('the encryption key', () => {
  const merchantId = 'mer_01jd3f8q6hf5n8v1zr4c7e2m9k'

  function folder(): string {
    const path = mkdtempSync(join(tmpdir(), 'commerce-vault-'))
    onTestFinished(() => rmSync(path, { recursive: true, force: true }))
    return join(path, 'data')
  }

  test('the encryption key is created next to the embedded database on first use, is readable only by its owner, and is used again later', () => {
    const dataDirectory = folder()
    const config = { encryptionKeys: [], databaseUrl: undefined, dataDirectory }
    const vault = openVault(config)
    const sealed = vault.seal('sk_test_1', bindingOf(merchantId))
    expect(readdirSync(dataDirectory)).toEqual(['encryption.key'])
    expect(statSync(join(dataDirectory, 'encryption.key')).mode & 0o777).toBe(0o600)
    expect(openVault(config).open(sealed, bindingOf(merchantId))).toBe('sk_test_1')
  })

  test('with an external database, storing or reading a secret fails if no encryption key is configured', () => {
    const vault = openVault({
      encryptionKeys: [],
      databaseUrl: 'postgres://db.example/commerce',
      dataDirectory: folder(),
    })
    expect(() => vault.seal('sk_test_1', bindingOf(merchantId))).toThrow(
      /ENCRYPTION_KEY is required to store secrets: 32 random bytes/,
    )
    expect(() => vault.open(Buffer.alloc(64, 1), bindingOf(merchantId))).toThrow(/ENCRYPTION_KEY/)
  })

  test('encryption keys are read from the configuration, newest first', () => {
    const [young, old] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)]
    const { encryptionKeys } = readConfig({ ENCRYPTION_KEY: `${young.toString('base64')}, ${old.toString('base64')}` })
    expect(encryptionKeys).toEqual([young, old])
  })

  test.for([
    'short',
    Buffer.alloc(31).toString('base64'),
    Buffer.alloc(33).toString('base64'),
  ])('an encryption key of the wrong length is rejected: %s', (ENCRYPTION_KEY) => {
    expect(() => readConfig({ ENCRYPTION_KEY })).toThrow(
      new ConfigError('Configuration: ENCRYPTION_KEY must be 32 bytes in base64.'),
    )
  })
})
