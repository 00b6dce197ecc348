import type { EventKind } from '../../registry/event.ts'
import type { DeliveryId, EndpointId, EventId } from '../../registry/vocabulary.ts'
import { examplePayload } from '../../registry/webhooks.ts'
import { newDeliveryId } from '../records.ts'
import type { Actor } from '../store/audit.ts'
import { insertTestDelivery } from '../store/deliveries.ts'
import { lockEndpoint } from '../store/endpoints.ts'
import { type Context, mutate, type Tenant } from '../store/mutation.ts'
import { pendingEvent } from '../store/outbox.ts'
import { EndpointUnchanged } from './endpoint-unchanged.ts'

export interface TestEventRequest {
  readonly endpointId: EndpointId
  readonly kind: EventKind
}

export type TestEventOutcome =
  | { readonly is: 'queued'; readonly eventId: EventId; readonly deliveryId: DeliveryId }
  | { readonly is: 'endpoint_unknown' }

/**
 * Sends the documented example of a kind, signed like any delivery. It says `"test": true`, is tried once, works on a
 * disabled endpoint and counts for nothing.
 */
export async function sendTestEvent(
  context: Context,
  actor: Actor,
  tenant: Tenant,
  { endpointId, kind }: TestEventRequest,
): Promise<TestEventOutcome> {
  const mutation = {
    tenant,
    actor,
    action: 'webhook_endpoint.test',
    resourceType: 'webhook_endpoint',
    resourceId: () => endpointId,
  }
  try {
    const outcome = await mutate(context, mutation, async ({ trx, merchantId, nowMs, now, note }) => {
      const endpoint = await lockEndpoint(trx, { merchantId, endpointId })
      if (endpoint === undefined || endpoint.deletedAt !== null) throw new EndpointUnchanged('endpoint_unknown')
      const sample = pendingEvent(kind, endpointId, examplePayload(kind), { nowMs, now, mode: tenant.mode }, true)
      const deliveryId = newDeliveryId(nowMs)
      insertTestDelivery(trx, { merchantId, endpointId, deliveryId, eventId: sample.id, kind, body: sample.body, now })
      note({ kind: [null, kind], deliveryId: [null, deliveryId] })
      return { is: 'queued' as const, eventId: sample.id, deliveryId }
    })
    context.nudge(tenant.merchantId, [endpointId])
    return outcome
  } catch (error) {
    if (error instanceof EndpointUnchanged) return { is: 'endpoint_unknown' }
    throw error
  }
}
