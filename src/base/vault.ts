import { createCipheriv, createDecipheriv, createHash } from 'node:crypto'
import { chmodSync, existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Config } from './config.ts'
import { randomKey, randomSecret } from './ids.ts'
import { type Signer, signerOf } from './signer.ts'

/**
 * Encrypts small secrets, such as the key of a payment provider, so that a copy of the database reveals none. A sealed
 * secret opens only for the merchant or user, the purpose and the record it was sealed for.
 *
 *   version (1) | key id (4) | nonce (12) | ciphertext | tag (16)        AES-256-GCM
 */

/** The record a sealed secret is bound to as associated data; moved to another row, it does not open. */
export type Binding =
  | { readonly merchantId: string; readonly purpose: 'paystack_secret_key' }
  | { readonly merchantId: string; readonly purpose: 'carrier_credentials'; readonly carrier: string }
  | {
      readonly merchantId: string
      readonly purpose: 'webhook_signing_secret'
      readonly endpointId: string
      readonly secretId: string
    }
  | { readonly userId: string; readonly purpose: 'totp_secret' }

export interface Vault {
  seal(secret: string, binding: Binding): Buffer
  open(sealed: Uint8Array, binding: Binding): string
  /** Returns the first bytes of every secret sealed with the current key: the version and the key id. */
  mark(): Buffer
  /** Returns the fingerprint of the key that sealed a secret. For a key that is not configured, the beginning of its id. */
  keyOf(sealed: Uint8Array): string
  /** Signs with keys derived from the encryption keys. */
  readonly signer: Signer
}

/** The encryption key is missing, or is not the one that sealed the secret. The message is for the operator. */
export class VaultError extends Error {}

const version = 1
const keyBytes = 32 // AES-256
const keyIdBytes = 4 // distinguishes the few keys one service ever has
const nonceBytes = 12 // the recommended length for GCM
const tagBytes = 16 // the full length of GCM's tag
const headBytes = 1 + keyIdBytes + nonceBytes

/** Returns a vault that seals with the first key and opens with any. Old keys stay configured until all secrets are resealed. */
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
        throw new VaultError('The value is not a sealed secret.')
      const found = sealerOf(bytes)
      if (found === undefined) throw new VaultError('ENCRYPTION_KEY lacks the key that this secret was sealed with.')
      const decipher = createDecipheriv('aes-256-gcm', found.key, nonceOf(bytes), { authTagLength: tagBytes })
      decipher.setAAD(boundTo(bytes, binding))
      decipher.setAuthTag(bytes.subarray(-tagBytes))
      try {
        return Buffer.concat([decipher.update(bytes.subarray(headBytes, -tagBytes)), decipher.final()]).toString('utf8')
      } catch {
        throw new VaultError('The sealed secret was altered, or belongs to another merchant, record or purpose.')
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

/** Opens the vault of this process. The key is loaded at first use: a service without secrets needs none. */
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

/** Returns a vault with the keys that exist. Creates no key file, which would hide that a key is lost. */
export function findVault({ encryptionKeys, databaseUrl, dataDirectory }: KeyConfig): Vault {
  if (encryptionKeys.length > 0 || databaseUrl !== undefined) return vaultOf(encryptionKeys)
  const path = keyFileIn(dataDirectory)
  return vaultOf(existsSync(path) ? [keyFrom(path)] : [])
}

/** Returns where the keys are, for messages to the operator. */
export function keyPlaceOf({ encryptionKeys, databaseUrl, dataDirectory }: KeyConfig): string {
  const isVariable = encryptionKeys.length > 0 || databaseUrl !== undefined
  return isVariable ? 'ENCRYPTION_KEY' : resolve(keyFileIn(dataDirectory))
}

function keyFileIn(dataDirectory: string): string {
  return join(dataDirectory, 'encryption.key')
}

function keysOf({ encryptionKeys, databaseUrl, dataDirectory }: KeyConfig): readonly Buffer[] {
  if (encryptionKeys.length > 0) return encryptionKeys
  // The embedded database belongs to one machine, so a key file suffices. Processes on a shared one need the same key.
  return databaseUrl === undefined ? [keyInFile(dataDirectory)] : []
}

/**
 * Reads the key file, or creates it at first use. linkSync() fails if the file exists, so concurrent processes all use the
 * key of the first one.
 */
function keyInFile(folder: string): Buffer {
  mkdirSync(folder, { recursive: true })
  const path = keyFileIn(folder)
  const draft = join(folder, `.encryption-${randomSecret(9)}.key`)
  writeFileSync(draft, `${randomKey(keyBytes).toString('base64')}\n`, { mode: 0o600 })
  // Some file systems ignore the mode given at creation.
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

/** Returns the associated data: the mark and the binding. Ids and purposes contain no space, so bindings stay distinct. */
function boundTo(sealed: Buffer, binding: Binding): Buffer {
  return Buffer.concat([sealed.subarray(0, 1 + keyIdBytes), Buffer.from(namesOf(binding).join(' '))])
}

function namesOf(binding: Binding): readonly string[] {
  switch (binding.purpose) {
    case 'paystack_secret_key':
      return [binding.merchantId, binding.purpose]
    case 'carrier_credentials':
      return [binding.merchantId, binding.purpose, binding.carrier]
    case 'webhook_signing_secret':
      return [binding.merchantId, binding.purpose, binding.endpointId, binding.secretId]
    case 'totp_secret':
      return [binding.userId, binding.purpose]
  }
}
