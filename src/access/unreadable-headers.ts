import type { Vault, VaultError } from '../base/vault.ts'
import type { ReadDb } from '../store/core/database.ts'
import { findReceiver } from '../store/webhooks/endpoint-headers.ts'
import type { EndpointKey } from '../store/webhooks/endpoints.ts'
import { HeadersError, openHeaders } from '../webhooks/custom-headers.ts'

/**
 * Reports whether the stored custom headers of an endpoint cannot be sent. No delivery of the endpoint is then sent
 * until their values are given again, even after a rotation of its signing secret.
 */
export async function hasUnreadableHeaders(
  { database, vault }: { readonly database: ReadDb; readonly vault: Vault },
  key: EndpointKey,
): Promise<boolean> {
  const receiver = await findReceiver(database, key)
  if (receiver === undefined) return false
  try {
    openHeaders(vault, { ...key, url: receiver.url }, receiver.sealedHeaders)
    return false
  } catch (error) {
    if (isHeadersError(error)) return true
    throw error
  }
}

/** Reports whether an error means that the stored custom headers of an endpoint cannot be sent. */
export function isHeadersError(error: unknown): error is VaultError {
  return error instanceof HeadersError
}
