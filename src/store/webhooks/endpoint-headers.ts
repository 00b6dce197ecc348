import { sql } from 'kysely'
import type { EndpointId, MerchantId, Timestamp } from '../../../registry/values/vocabulary.ts'
import { finding, queueing } from '../core/calls.ts'
import { sealedSecrets } from '../core/sealed-secrets.ts'
import { build } from '../core/statement.ts'
import type { EndpointKey } from './endpoints.ts'

/** The custom headers of endpoints. Only encrypted values reach this module. */

interface StoredHeaders extends EndpointKey {
  readonly sealedHeaders: Buffer | null
  readonly headerNames: readonly string[] | null
  readonly now: Timestamp
}

/** Requires the endpoint's lock. */
export const setEndpointHeaders = queueing<StoredHeaders>()(
  'set_endpoint_headers',
  (p) => sql`
    update webhook_endpoints
    set
      sealed_headers = ${p.sealedHeaders}, header_names = ${p.headerNames}::text[],
      headers_changed_at = ${p.now}::timestamptz, updated_at = ${p.now}::timestamptz
    where merchant_id = ${p.merchantId} and id = ${p.endpointId}`,
)

/**
 * Returns the URL and the encrypted custom headers of an endpoint. Both are read from one snapshot, because the headers
 * must only be sent to the URL to which they belong.
 */
export const findReceiver = finding<EndpointKey>()('find_receiver', (p) =>
  build
    .selectFrom('webhook_endpoints')
    .where('merchantId', '=', p.merchantId)
    .where('id', '=', p.endpointId)
    .where('deletedAt', 'is', null)
    .select(['url', 'sealedHeaders']),
)

export const sealedHeaders = sealedSecrets<{ readonly merchantId: MerchantId; readonly id: EndpointId }>(
  'webhook_endpoints',
  'sealed_headers',
  ['merchantId', 'id'],
)
