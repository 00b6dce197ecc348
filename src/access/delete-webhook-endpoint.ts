import type { EndpointId } from '../../registry/values/vocabulary.ts'
import type { Actor } from '../store/core/audit.ts'
import { type Context, mutate, type Tenant } from '../store/core/mutation.ts'
import { endDeliveries } from '../store/webhooks/delivery-endings.ts'
import { markEndpointDeleted } from '../store/webhooks/endpoint-writes.ts'
import { lockEndpoint } from '../store/webhooks/endpoints.ts'
import { withoutQuery } from './create-webhook-endpoint.ts'

export type DeleteEndpointOutcome =
  | { readonly is: 'deleted'; readonly ended: number }
  | { readonly is: 'endpoint_unknown' }

/**
 * Deletes a webhook endpoint with its secrets and subscriptions, and ends its pending deliveries. Deliveries and
 * delivery attempts stay stored as history. A delivery attempt in progress finishes and is not retried.
 */
export async function deleteWebhookEndpoint(
  context: Context,
  actor: Actor,
  tenant: Tenant,
  endpointId: EndpointId,
): Promise<DeleteEndpointOutcome> {
  const mutation = {
    tenant,
    actor,
    action: 'webhook_endpoint.delete' as const,
    resourceType: 'webhook_endpoint',
    resourceId: () => endpointId,
  }
  return mutate<DeleteEndpointOutcome>(context, mutation, async ({ trx, merchantId, now, note, abort }) => {
    const endpoint = await lockEndpoint(trx, { merchantId, endpointId })
    if (endpoint === undefined || endpoint.deletedAt !== null) return abort({ is: 'endpoint_unknown' })
    markEndpointDeleted(trx, { merchantId, endpointId, now })
    const ended = await endDeliveries(trx, { merchantId, endpointId, now })
    note({ url: [withoutQuery(endpoint.url), null], endedDeliveries: [0, ended] })
    return { is: 'deleted', ended }
  })
}
