import type { EventKind } from '../../registry/kit/event.ts'
import type { DeliveryId, EndpointId, EventId } from '../../registry/values/vocabulary.ts'
import { examplePayload } from '../../registry/webhooks/webhooks.ts'
import { newDeliveryId } from '../base/records.ts'
import type { Actor } from '../store/core/audit.ts'
import { type Context, mutate, type Tenant } from '../store/core/mutation.ts'
import { pendingEvent } from '../store/core/outbox.ts'
import { insertTestDelivery } from '../store/webhooks/deliveries.ts'
import { lockEndpoint } from '../store/webhooks/endpoints.ts'

export interface TestEventRequest {
  readonly endpointId: EndpointId
  readonly kind: EventKind
}

export type TestEventOutcome =
  | { readonly is: 'queued'; readonly eventId: EventId; readonly deliveryId: DeliveryId }
  | { readonly is: 'endpoint_unknown' }

/**
 * Sends the documented example of an event type to an endpoint, signed like any delivery. The event has `"test": true`
 * and only one delivery attempt. It is also sent to a disabled endpoint, and does not change the endpoint's failure
 * count.
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
    action: 'webhook_endpoint.test' as const,
    resourceType: 'webhook_endpoint',
    resourceId: () => endpointId,
  }
  const outcome = await mutate<TestEventOutcome>(
    context,
    mutation,
    async ({ trx, merchantId, nowMs, now, note, abort }) => {
      const endpoint = await lockEndpoint(trx, { merchantId, endpointId })
      if (endpoint === undefined || endpoint.deletedAt !== null) return abort({ is: 'endpoint_unknown' })
      const sample = pendingEvent(kind, endpointId, examplePayload(kind), { nowMs, now, mode: tenant.mode }, true)
      const deliveryId = newDeliveryId(nowMs)
      insertTestDelivery(trx, { merchantId, endpointId, deliveryId, eventId: sample.id, kind, body: sample.body, now })
      note({ kind: [null, kind], deliveryId: [null, deliveryId] })
      return { is: 'queued', eventId: sample.id, deliveryId }
    },
  )
  if (outcome.is === 'queued') context.nudge(tenant.merchantId, [endpointId])
  return outcome
}
