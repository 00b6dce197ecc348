import type { EndpointId } from '../../registry/values/vocabulary.ts'
import { type Clock, toMs } from '../base/clock.ts'
import { type Vault, VaultError } from '../base/vault.ts'
import type { Actor } from '../store/core/audit.ts'
import type { Database } from '../store/core/database.ts'
import { type Context, mutate, type Tenant } from '../store/core/mutation.ts'
import type { EndpointKey } from '../store/webhooks/endpoints.ts'
import { listSecrets, type StoredSecret } from '../store/webhooks/signing-secrets.ts'

interface SecretContext {
  readonly database: Database
  readonly vault: Vault
}

/** Returns the current signing secret of an endpoint (spec 5.5); undefined when the endpoint does not exist. */
export async function showSigningSecret(context: SecretContext, key: EndpointKey): Promise<string | undefined> {
  const current = (await listSecrets(context.database, key)).find(({ expiresAt }) => expiresAt === null)
  return current && openSigningSecret(context.vault, key, current)
}

export type RevealOutcome = { readonly is: 'revealed'; readonly secret: string } | { readonly is: 'endpoint_unknown' }

/** The audit log records who has seen the secret. */
export async function revealSigningSecret(
  context: Context & { readonly vault: Vault },
  actor: Actor,
  tenant: Tenant,
  endpointId: EndpointId,
): Promise<RevealOutcome> {
  const secret = await showSigningSecret(context, { merchantId: tenant.merchantId, endpointId })
  if (secret === undefined) return { is: 'endpoint_unknown' }
  const mutation = {
    tenant,
    actor,
    action: 'webhook_endpoint.show_secret' as const,
    resourceType: 'webhook_endpoint',
    resourceId: () => endpointId,
  }
  return mutate(context, mutation, async () => ({ is: 'revealed' as const, secret }))
}

/**
 * Returns the secrets that sign the deliveries of an endpoint now, the current one first. The list is empty when the
 * endpoint does not exist.
 */
export async function liveSigningSecrets(
  context: SecretContext & { readonly clock: Clock },
  key: EndpointKey,
): Promise<readonly string[]> {
  const nowMs = context.clock.nowMs()
  const secrets = await listSecrets(context.database, key)
  return secrets
    .filter(({ expiresAt }) => expiresAt === null || toMs(expiresAt) > nowMs)
    .map((secret) => openSigningSecret(context.vault, key, secret))
}

/** Throws a VaultError if no key of this process decrypts the stored signing secret. */
export function openSigningSecret(vault: Vault, { merchantId, endpointId }: EndpointKey, stored: StoredSecret): string {
  // An earlier version stored the signing secret in plain text. The next start of the service encrypts it.
  if (stored.secret !== null) return stored.secret
  if (stored.sealed === null) throw new Error(`Signing secret ${stored.id} has no stored value.`)
  const binding = { merchantId, purpose: 'webhook_signing_secret', endpointId, secretId: stored.id } as const
  return vault.open(Buffer.from(stored.sealed, 'hex'), binding)
}

/** Decrypts a stored signing secret. Returns undefined if no key of this process decrypts it. */
export function tryOpenSigningSecret(vault: Vault, endpoint: EndpointKey, stored: StoredSecret): string | undefined {
  try {
    return openSigningSecret(vault, endpoint, stored)
  } catch (error) {
    if (error instanceof VaultError) return undefined
    throw error
  }
}
