import { LRUCache } from 'lru-cache'
import { type Vault, VaultError } from '../base/vault.ts'
import type { StoredSecret } from '../store/webhooks/signing-secrets.ts'
import { type HeaderReceiver, openHeaderText, parseHeaders } from './custom-headers.ts'
import type { CustomHeader } from './delivery-headers.ts'

/** Decrypts the signing secrets and the custom headers of an endpoint. */

export interface SealedSecrets extends HeaderReceiver {
  /** The signing secrets as stored, the current one first. */
  readonly secrets: readonly StoredSecret[]
  /** The custom headers as stored. Null without custom headers. */
  readonly sealedHeaders: Uint8Array | null
}

export type OpenedSecrets =
  | { readonly is: 'opened'; readonly secrets: readonly string[]; readonly headers: readonly CustomHeader[] }
  /**
   * The secrets cannot be decrypted. This is not the receiver's fault, so nothing is sent and no failure is counted.
   */
  | { readonly is: 'unreadable'; readonly error: VaultError }

export type OpenSecrets = (stored: SealedSecrets) => OpenedSecrets

/**
 * Maximum number of cached secrets: two for each of a few thousand busy endpoints, a few megabytes. Evicted secrets are
 * decrypted again.
 */
const cacheSize = 10_000

/**
 * Maximum number of characters of all cached secrets together, because custom headers can be several kilobytes long.
 */
const cacheMaxLength = 16 * 1024 * 1024

/**
 * Caches decrypted secrets. The cache key consists of the ciphertext and of the ids to which the encryption binds the
 * secret. The valid secrets are always read from the rows, so a rotation or re-encryption never returns a stale secret.
 */
export function openSecretCache(vault: Vault): OpenSecrets {
  const opened = new LRUCache<string, string>({
    max: cacheSize,
    maxSize: cacheMaxLength,
    sizeCalculation: (plain, key) => plain.length + key.length,
  })
  const cached = (key: string, decrypt: () => string): string => {
    const known = opened.get(key)
    if (known !== undefined) return known
    const plain = decrypt()
    opened.set(key, plain)
    return plain
  }
  const open = ({ merchantId, endpointId }: SealedSecrets, { id, sealed, secret }: StoredSecret): string => {
    if (secret !== null) return secret
    if (sealed === null) throw new VaultError(`Signing secret ${id} has neither ciphertext nor plain text.`)
    const binding = { merchantId, purpose: 'webhook_signing_secret', endpointId, secretId: id } as const
    return cached(`${merchantId} ${endpointId} ${id} ${sealed}`, () => vault.open(Buffer.from(sealed, 'hex'), binding))
  }
  const headersOf = (receiver: SealedSecrets): readonly CustomHeader[] => {
    const { merchantId, endpointId, sealedHeaders } = receiver
    if (sealedHeaders === null) return []
    const key = `${merchantId} ${endpointId} headers ${Buffer.from(sealedHeaders).toString('base64')}`
    return parseHeaders(
      cached(key, () => openHeaderText(vault, receiver, sealedHeaders)),
      receiver,
    )
  }
  return (stored) => {
    try {
      // A delivery must never be sent without a signature, so a missing secret is an error.
      if (stored.secrets.length === 0) throw new VaultError(`Endpoint ${stored.endpointId} has no signing secret.`)
      const secrets = stored.secrets.map((secret) => open(stored, secret))
      return { is: 'opened', secrets, headers: headersOf(stored) }
    } catch (error) {
      if (!(error instanceof VaultError)) throw error
      return { is: 'unreadable', error }
    }
  }
}
