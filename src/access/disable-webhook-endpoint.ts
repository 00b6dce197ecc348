import type { EndpointId } from '../../registry/values/vocabulary.ts'
import type { Actor } from '../store/core/audit.ts'
import { type Context, mutate, type Tenant } from '../store/core/mutation.ts'
import { holdDeliveries } from '../store/webhooks/delivery-holds.ts'
import { lockEndpointStates, saveEndpointStates } from '../store/webhooks/endpoint-states.ts'
import { endpointRowOf, endpointStateOf } from '../webhooks/endpoint-row.ts'
import { disableEndpoint } from '../webhooks/reduce.ts'

export type DisableEndpointOutcome =
  | { readonly is: 'disabled'; readonly held: number }
  | { readonly is: 'endpoint_unknown' }
  | { readonly is: 'unchanged' }

/** The queued deliveries of the endpoint wait until it is enabled again. */
export async function disableWebhookEndpoint(
  context: Context,
  actor: Actor,
  tenant: Tenant,
  endpointId: EndpointId,
): Promise<DisableEndpointOutcome> {
  const mutation = {
    tenant,
    actor,
    action: 'webhook_endpoint.disable' as const,
    resourceType: 'webhook_endpoint',
    resourceId: () => endpointId,
  }
  return mutate<DisableEndpointOutcome>(context, mutation, async ({ trx, merchantId, nowMs, now, note, abort }) => {
    const [endpoint] = await lockEndpointStates(trx, [{ merchantId, endpointId }])
    if (endpoint === undefined || endpoint.deletedAt !== null) return abort({ is: 'endpoint_unknown' })
    if (endpoint.status === 'disabled') return abort({ is: 'unchanged' })
    const changed = disableEndpoint(endpointStateOf(endpoint), nowMs)
    saveEndpointStates(trx, [endpointRowOf(endpoint, changed)], now)
    const held = await holdDeliveries(trx, { merchantId, endpointId })
    note({ status: ['enabled', 'disabled'], disabledReason: [null, 'manual'], heldDeliveries: [0, held] })
    return { is: 'disabled', held }
  })
}
