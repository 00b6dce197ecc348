import type { Database } from '../store/database.ts'
import type { EndpointKey } from '../store/endpoints.ts'
import { listSecrets } from '../store/signing-secrets.ts'
import type { Vault } from '../vault.ts'

/** Spec 5.5: the current secret, shown to whoever manages the endpoint. Undefined when there is no such endpoint. */
export async function showSigningSecret(
  { database, vault }: { readonly database: Database; readonly vault: Vault },
  { merchantId, endpointId }: EndpointKey,
): Promise<string | undefined> {
  const secrets = await listSecrets(database, { merchantId, endpointId })
  const current = secrets.find(({ expiresAt }) => expiresAt === null)
  if (current === undefined) return undefined
  const { id: secretId, sealed, secret } = current
  if (sealed === null) return secret ?? undefined
  const binding = { merchantId, purpose: 'webhook_signing_secret', endpointId, secretId } as const
  return vault.open(Buffer.from(sealed, 'hex'), binding)
}
