import { type Clock, toMs } from '../base/clock.ts'
import type { Vault } from '../base/vault.ts'
import type { Database } from '../store/core/database.ts'
import type { EndpointKey } from '../store/webhooks/endpoints.ts'
import { listSecrets, type StoredSecret } from '../store/webhooks/signing-secrets.ts'

interface SecretContext {
  readonly database: Database
  readonly vault: Vault
}

/** Spec 5.5: the current secret, shown to whoever manages the endpoint. Undefined when there is no such endpoint. */
export async function showSigningSecret(context: SecretContext, key: EndpointKey): Promise<string | undefined> {
  const current = (await listSecrets(context.database, key)).find(({ expiresAt }) => expiresAt === null)
  return current && open(context, key, current)
}

/** Those that deliveries are signed with now, the current one first. None when there is no such endpoint. */
export async function liveSigningSecrets(
  context: SecretContext & { readonly clock: Clock },
  key: EndpointKey,
): Promise<readonly string[]> {
  const nowMs = context.clock.nowMs()
  const secrets = await listSecrets(context.database, key)
  return secrets
    .filter(({ expiresAt }) => expiresAt === null || toMs(expiresAt) > nowMs)
    .map((secret) => open(context, key, secret))
}

function open({ vault }: SecretContext, { merchantId, endpointId }: EndpointKey, kept: StoredSecret): string {
  // Left by an earlier version, until it is sealed.
  if (kept.secret !== null) return kept.secret
  if (kept.sealed === null) throw new Error(`Signing secret ${kept.id} is kept in no form.`)
  const binding = { merchantId, purpose: 'webhook_signing_secret', endpointId, secretId: kept.id } as const
  return vault.open(Buffer.from(kept.sealed, 'hex'), binding)
}
