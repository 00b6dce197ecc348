import type { DeliveryId, EndpointId, EventId } from '../../registry/values/vocabulary.ts'
import { newDeliveryId } from '../base/records.ts'
import type { Actor } from '../store/core/audit.ts'
import { type Context, mutate, type Tenant } from '../store/core/mutation.ts'
import { findReplayObstacle, insertReplay, type ReplayObstacle } from '../store/webhooks/deliveries.ts'

export type ReplayOutcome =
  | {
      readonly is: 'queued'
      readonly deliveryId: DeliveryId
      readonly eventId: EventId
      readonly endpointId: EndpointId
    }
  | { readonly is: ReplayObstacle }

/**
 * Replays a delivery: sends the same event id and bytes in one attempt, even to a disabled endpoint. On success the
 * original delivery becomes succeeded; on failure it stays as it is.
 */
export async function replayDelivery(
  context: Context,
  actor: Actor,
  tenant: Tenant,
  originalId: DeliveryId,
): Promise<ReplayOutcome> {
  const mutation = {
    tenant,
    actor,
    action: 'webhook_delivery.replay' as const,
    resourceType: 'webhook_delivery',
    resourceId: () => originalId,
  }
  const outcome = await mutate<ReplayOutcome>(
    context,
    mutation,
    async ({ trx, merchantId, nowMs, now, note, abort }) => {
      const deliveryId = newDeliveryId(nowMs)
      const replay = await insertReplay(trx, { merchantId, originalId, deliveryId, now })
      if (replay === undefined) return abort({ is: await findReplayObstacle(trx, { merchantId, id: originalId }) })
      note({ replay: [null, deliveryId] })
      return { is: 'queued', deliveryId, eventId: replay.eventId, endpointId: replay.endpointId }
    },
  )
  if (outcome.is === 'queued') context.nudge(tenant.merchantId, [outcome.endpointId])
  return outcome
}
