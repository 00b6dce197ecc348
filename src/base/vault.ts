import { createCipheriv, createDecipheriv, createHash } from 'node:crypto'
import { chmodSync, existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Config } from './config.ts'
import { randomKey, randomSecret } from './ids.ts'
import { type Signer, signerOf } from './signer.ts'

/**
 * Encrypts small secrets, such as the key of a payment provider, so that a copy of the database reveals none. An
 * encrypted secret can be decrypted only for the merchant or user, the purpose and the record for which it was
 * encrypted.
 *
 * Format of an encrypted secret (AES-256-GCM), with lengths in bytes:
 * | version (1) | key id (4) | nonce (12) | ciphertext | tag (16) |
 */

/** The record to which an encrypted secret is bound. A copy of the secret in another record cannot be decrypted. */
export type Binding =
  | { readonly merchantId: string; readonly purpose: 'payment_provider_key'; readonly provider: string }
  | { readonly merchantId: string; readonly purpose: 'carrier_credentials'; readonly carrier: string }
  | {
      readonly merchantId: string
      readonly purpose: 'webhook_signing_secret'
      readonly endpointId: string
      readonly secretId: string
    }
  | { readonly merchantId: string; readonly purpose: 'webhook_headers'; readonly endpointId: string }
  | { readonly userId: string; readonly purpose: 'totp_secret' }

export interface Vault {
  seal(secret: string, binding: Binding): Buffer
  open(sealed: Uint8Array, binding: Binding): string
  /**
   * Returns the first bytes of every secret that is encrypted with the current key: the format version and the key id.
   */
  mark(): Buffer
  /**
   * Returns the fingerprint of the key that encrypted a secret, or the beginning of the key's id if the key is not
   * configured.
   */
  keyOf(sealed: Uint8Array): string
  /** Signs messages with keys that are derived from the encryption keys. */
  readonly signer: Signer
}

/** The encryption key is missing, or another key encrypted the secret. The message is written for the operator. */
export class VaultError extends Error {}

const version = 1
const keyBytes = 32 // AES-256
const keyIdBytes = 4 // Length of a key id in bytes, enough for the few keys of one service.
const nonceBytes = 12 // Recommended length of a GCM nonce, in bytes.
const tagBytes = 16 // Full length of a GCM authentication tag, in bytes.
const headBytes = 1 + keyIdBytes + nonceBytes

/**
 * Returns a vault that encrypts with the first key and decrypts with any key. Old keys stay configured until all
 * secrets are encrypted again.
 */
export function vaultOf(keys: readonly Uint8Array[]): Vault {
  const signer = signerOf(keys)
  const known = keys.map((key, index) => ({ id: keyIdOf(key), key, fingerprint: signer.keyIds[index] ?? '' }))
  const sealerOf = (sealed: Uint8Array) => known.find(({ id }) => id.equals(sealed.subarray(1, 1 + keyIdBytes)))
  const currentKey = () => {
    const [current] = known
    if (current === undefined) throw missingKey()
    return current
  }
  const markOf = (id: Buffer) => Buffer.concat([Buffer.of(version), id])
  return {
    seal: (secret, binding) => {
      const current = currentKey()
      const head = Buffer.concat([markOf(current.id), randomKey(nonceBytes)])
      const cipher = createCipheriv('aes-256-gcm', current.key, nonceOf(head), { authTagLength: tagBytes })
      cipher.setAAD(boundTo(head, binding))
      return Buffer.concat([head, cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()])
    },
    open: (sealed, binding) => {
      if (known.length === 0) throw missingKey()
      const bytes = Buffer.from(sealed)
      if (bytes.length < headBytes + tagBytes || bytes[0] !== version)
        throw new VaultError('The value is not an encrypted secret.')
      const found = sealerOf(bytes)
      if (found === undefined) throw new VaultError('ENCRYPTION_KEY lacks the key that encrypted this secret.')
      const decipher = createDecipheriv('aes-256-gcm', found.key, nonceOf(bytes), { authTagLength: tagBytes })
      decipher.setAAD(boundTo(bytes, binding))
      decipher.setAuthTag(bytes.subarray(-tagBytes))
      try {
        return Buffer.concat([decipher.update(bytes.subarray(headBytes, -tagBytes)), decipher.final()]).toString('utf8')
      } catch {
        throw new VaultError('The encrypted secret was altered, or belongs to another merchant, record or purpose.')
      }
    },
    mark: () => markOf(currentKey().id),
    keyOf: (sealed) =>
      sealerOf(sealed)?.fingerprint ??
      Buffer.from(sealed)
        .subarray(1, 1 + keyIdBytes)
        .toString('hex'),
    signer,
  }
}

/** The encryption key is loaded at first use, because a service without secrets needs none. */
export function openVault(config: Pick<Config, 'encryptionKeys' | 'databaseUrl' | 'dataDirectory'>): Vault {
  let opened: Vault | undefined
  const vault = () => {
    opened ??= vaultOf(keysOf(config))
    return opened
  }
  return {
    seal: (secret, binding) => vault().seal(secret, binding),
    open: (sealed, binding) => vault().open(sealed, binding),
    mark: () => vault().mark(),
    keyOf: (sealed) => vault().keyOf(sealed),
    get signer() {
      return vault().signer
    },
  }
}

type KeyConfig = Parameters<typeof openVault>[0]

/** Creates no key file, because a new file would hide that the old key file is lost. */
export function findVault({ encryptionKeys, databaseUrl, dataDirectory }: KeyConfig): Vault {
  if (encryptionKeys.length > 0 || databaseUrl !== undefined) return vaultOf(encryptionKeys)
  const path = keyFileIn(dataDirectory)
  return vaultOf(existsSync(path) ? [keyFrom(path)] : [])
}

/** Returns the place where the encryption keys are configured, such as a file, for messages to the operator. */
export function keyPlaceOf({ encryptionKeys, databaseUrl, dataDirectory }: KeyConfig): string {
  const isVariable = encryptionKeys.length > 0 || databaseUrl !== undefined
  return isVariable ? 'ENCRYPTION_KEY' : resolve(keyFileIn(dataDirectory))
}

function keyFileIn(dataDirectory: string): string {
  return join(dataDirectory, 'encryption.key')
}

function keysOf({ encryptionKeys, databaseUrl, dataDirectory }: KeyConfig): readonly Buffer[] {
  if (encryptionKeys.length > 0) return encryptionKeys
  // The embedded database belongs to one machine, so its encryption key can be in a file on that machine. Processes
  // that share a database server need the same key, so their key must be configured.
  return databaseUrl === undefined ? [keyInFile(dataDirectory)] : []
}

/**
 * Reads the key file, or creates it when it is first needed. linkSync() fails if the file exists, so concurrent
 * processes all use the key of the process that created it.
 */
function keyInFile(folder: string): Buffer {
  mkdirSync(folder, { recursive: true })
  const path = keyFileIn(folder)
  const draft = join(folder, `.encryption-${randomSecret(9)}.key`)
  writeFileSync(draft, `${randomKey(keyBytes).toString('base64')}\n`, { mode: 0o600 })
  // Some file systems ignore the file mode that is given when a file is created, so the mode is set again afterwards.
  chmodSync(draft, 0o600)
  try {
    linkSync(draft, path)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  } finally {
    rmSync(draft, { force: true })
  }
  return keyFrom(path)
}

function keyFrom(path: string): Buffer {
  const key = Buffer.from(readFileSync(path, 'utf8'), 'base64')
  if (key.length !== keyBytes) throw new VaultError(`${path} does not contain a key of ${keyBytes} bytes in base64.`)
  return key
}

function missingKey(): VaultError {
  return new VaultError(
    `ENCRYPTION_KEY is required to store secrets: ${keyBytes} random bytes in base64. Generate it with \`openssl rand -base64 ${keyBytes}\`.`,
  )
}

function keyIdOf(key: Uint8Array): Buffer {
  return createHash('sha256').update('key id').update(key).digest().subarray(0, keyIdBytes)
}

function nonceOf(sealed: Buffer): Buffer {
  return sealed.subarray(1 + keyIdBytes, headBytes)
}

/**
 * Returns the associated data of an encrypted secret: its first bytes, and the owner, purpose and record for which it
 * was encrypted. Ids and purposes contain no space, so the data of two records always differ.
 */
function boundTo(sealed: Buffer, binding: Binding): Buffer {
  return Buffer.concat([sealed.subarray(0, 1 + keyIdBytes), Buffer.from(namesOf(binding).join(' '))])
}

function namesOf(binding: Binding): readonly string[] {
  switch (binding.purpose) {
    case 'payment_provider_key':
      return [binding.merchantId, `${binding.provider}_secret_key`]
    case 'carrier_credentials':
      return [binding.merchantId, binding.purpose, binding.carrier]
    case 'webhook_signing_secret':
      return [binding.merchantId, binding.purpose, binding.endpointId, binding.secretId]
    case 'webhook_headers':
      return [binding.merchantId, binding.purpose, binding.endpointId]
    case 'totp_secret':
      return [binding.userId, binding.purpose]
  }
}
