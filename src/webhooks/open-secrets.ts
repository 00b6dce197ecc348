import { LRUCache } from 'lru-cache'
import { type Vault, VaultError } from '../base/vault.ts'
import type { StoredSecret } from '../store/webhooks/signing-secrets.ts'

/** Decrypts the signing secrets of an endpoint. */

export interface SealedSecrets {
  readonly merchantId: string
  readonly endpointId: string
  /** The signing secrets as stored, the current one first. */
  readonly secrets: readonly StoredSecret[]
}

export type OpenedSecrets =
  | { readonly is: 'opened'; readonly secrets: readonly string[] }
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
 * Caches decrypted secrets, keyed by the ciphertext and everything it is bound to. The valid secrets are always read
 * from the rows, so a rotation or re-encryption never returns a stale secret.
 */
export function openSecretCache(vault: Vault): OpenSecrets {
  const opened = new LRUCache<string, string>({ max: cacheSize })
  const open = ({ merchantId, endpointId }: SealedSecrets, { id, sealed, secret }: StoredSecret): string => {
    if (secret !== null) return secret
    if (sealed === null) throw new VaultError(`Signing secret ${id} has neither ciphertext nor plain text.`)
    const key = `${merchantId} ${endpointId} ${id} ${sealed}`
    const known = opened.get(key)
    if (known !== undefined) return known
    const binding = { merchantId, purpose: 'webhook_signing_secret', endpointId, secretId: id } as const
    const plain = vault.open(Buffer.from(sealed, 'hex'), binding)
    opened.set(key, plain)
    return plain
  }
  return (stored) => {
    try {
      // A delivery must never be sent without a signature, so a missing secret is an error.
      if (stored.secrets.length === 0) throw new VaultError(`Endpoint ${stored.endpointId} has no signing secret.`)
      return { is: 'opened', secrets: stored.secrets.map((secret) => open(stored, secret)) }
    } catch (error) {
      if (!(error instanceof VaultError)) throw error
      return { is: 'unreadable', error }
    }
  }
}
