import { isHeadersError } from '../../access/unreadable-headers.ts'
import { VaultError } from '../../base/vault.ts'
import { PageError } from '../kit/page-error.ts'
import type { Visit } from '../kit/visit.ts'

/**
 * Secrets of an endpoint that the service cannot decrypt, for example because their encryption key is lost. The member
 * can replace these secrets, so the page says how.
 */

export const headersAdvice =
  'The service cannot use the stored custom headers of the endpoint. Edit the endpoint, and give the values of the custom headers again or remove the headers.'

const secretAdvice =
  'The service does not have the encryption key of the signing secret. Rotate the signing secret, or ask the operator of the service to add the key.'

/** Converts an error of an action that opens the signing secrets of an endpoint, and maybe its custom headers. */
export function refuseUnreadable(visit: Visit, error: unknown): never {
  if (!(error instanceof VaultError) || isHeadersError(error)) return refuseHeaders(visit, error)
  logError(visit, error)
  throw new PageError(409, secretAdvice)
}

/** Converts an error of an action that opens the custom headers of an endpoint, but no signing secret. */
export function refuseHeaders(visit: Visit, error: unknown): never {
  if (!isHeadersError(error)) throw error
  logError(visit, error)
  throw new PageError(409, headersAdvice)
}

function logError({ service, requestId }: Visit, error: VaultError): void {
  service.log.error({ err: error, requestId }, 'A secret of a webhook endpoint cannot be decrypted.')
}
