import type { EndpointId } from '../../registry/vocabulary.ts'
import type { Actor } from '../store/audit.ts'
import { resumeDeliveries } from '../store/delivery-holds.ts'
import { lockEndpointStates, saveEndpointStates } from '../store/endpoint-states.ts'
import { type Context, mutate, type Tenant } from '../store/mutation.ts'
import { endpointRowOf, endpointStateOf } from '../webhooks/endpoint-row.ts'
import { enableEndpoint } from '../webhooks/reduce.ts'
import { EndpointUnchanged } from './endpoint-unchanged.ts'

export type EnableEndpointOutcome =
  | { readonly is: 'enabled'; readonly resumed: number }
  | { readonly is: 'endpoint_unknown' }
  | { readonly is: 'already_so' }

/** Starts sending again, with a clean count. What was held goes on where it stopped. */
export async function enableWebhookEndpoint(
  context: Context,
  actor: Actor,
  tenant: Tenant,
  endpointId: EndpointId,
): Promise<EnableEndpointOutcome> {
  const mutation = {
    tenant,
    actor,
    action: 'webhook_endpoint.enable',
    resourceType: 'webhook_endpoint',
    resourceId: () => endpointId,
  }
  try {
    const outcome = await mutate(context, mutation, async ({ trx, merchantId, now, note }) => {
      const [endpoint] = await lockEndpointStates(trx, [{ merchantId, endpointId }])
      if (endpoint === undefined || endpoint.deletedAt !== null) throw new EndpointUnchanged('endpoint_unknown')
      if (endpoint.status === 'enabled') throw new EndpointUnchanged('already_so')
      const changed = enableEndpoint(endpointStateOf(endpoint))
      saveEndpointStates(trx, [endpointRowOf(endpoint, changed)], now)
      const resumed = await resumeDeliveries(trx, { merchantId, endpointId, now })
      note({
        status: ['disabled', 'enabled'],
        consecutiveFailures: [endpoint.consecutiveFailures, 0],
        heldDeliveries: [resumed, 0],
      })
      return { is: 'enabled' as const, resumed }
    })
    context.nudge(tenant.merchantId, [endpointId])
    return outcome
  } catch (error) {
    if (error instanceof EndpointUnchanged) return { is: error.reason }
    throw error
  }
}
