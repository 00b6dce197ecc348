import { LRUCache } from 'lru-cache'
import { type Vault, VaultError } from '../base/vault.ts'
import type { StoredSecret } from '../store/webhooks/signing-secrets.ts'

/** Opens the sealed secrets an endpoint's deliveries are signed with. */

export interface SealedSecrets {
  readonly merchantId: string
  readonly endpointId: string
  /** The current one first. */
  readonly secrets: readonly StoredSecret[]
}

export type OpenedSecrets =
  | { readonly is: 'opened'; readonly secrets: readonly string[] }
  /** Our own fault and no receiver's: nothing may be sent, and no failure counted. */
  | { readonly is: 'unreadable'; readonly error: VaultError }

export type OpenSecrets = (kept: SealedSecrets) => OpenedSecrets

/** Two secrets each of a few thousand busy endpoints, in some megabytes. What does not fit is opened anew, as at first. */
const cacheSize = 10_000

/**
 * Remembers what was opened, by the sealed bytes and everything they are bound to. Which secrets are live is told by the
 * rows alone, so a rotation or a new seal cannot be answered from memory with what was before.
 */
export function openSecretCache(vault: Vault): OpenSecrets {
  const opened = new LRUCache<string, string>({ max: cacheSize })
  const open = ({ merchantId, endpointId }: SealedSecrets, { id, sealed, secret }: StoredSecret): string => {
    if (secret !== null) return secret
    if (sealed === null) throw new VaultError(`Signing secret ${id} is kept in no form.`)
    const key = `${merchantId} ${endpointId} ${id} ${sealed}`
    const known = opened.get(key)
    if (known !== undefined) return known
    const binding = { merchantId, purpose: 'webhook_signing_secret', endpointId, secretId: id } as const
    const plain = vault.open(Buffer.from(sealed, 'hex'), binding)
    opened.set(key, plain)
    return plain
  }
  return (kept) => {
    try {
      // A delivery without a signature must never leave.
      if (kept.secrets.length === 0) throw new VaultError(`Endpoint ${kept.endpointId} has no signing secret.`)
      return { is: 'opened', secrets: kept.secrets.map((secret) => open(kept, secret)) }
    } catch (error) {
      if (!(error instanceof VaultError)) throw error
      return { is: 'unreadable', error }
    }
  }
}
