import type { DeliveryId, EndpointId, EventId } from '../../registry/vocabulary.ts'
import { newDeliveryId } from '../records.ts'
import type { Actor } from '../store/audit.ts'
import { findReplayObstacle, insertReplay, type ReplayObstacle } from '../store/deliveries.ts'
import { type Context, mutate, type Tenant } from '../store/mutation.ts'

export type ReplayOutcome =
  | {
      readonly is: 'queued'
      readonly deliveryId: DeliveryId
      readonly eventId: EventId
      readonly endpointId: EndpointId
    }
  | { readonly is: ReplayObstacle }

/** Thrown inside the mutation so that nothing of it, not even an audit row, is kept. */
class DeliveryUnknown extends Error {}

/**
 * Sends the same event once more: the same id and bytes, one attempt, also to a disabled endpoint. If it succeeds, the
 * original counts as succeeded; if not, nothing changes.
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
    action: 'webhook_delivery.replay',
    resourceType: 'webhook_delivery',
    resourceId: () => originalId,
  }
  try {
    const outcome = await mutate(context, mutation, async ({ trx, merchantId, nowMs, now, note }) => {
      const deliveryId = newDeliveryId(nowMs)
      const replay = await insertReplay(trx, { merchantId, originalId, deliveryId, now })
      if (replay === undefined) throw new DeliveryUnknown()
      note({ replay: [null, deliveryId] })
      return { is: 'queued' as const, deliveryId, eventId: replay.eventId, endpointId: replay.endpointId }
    })
    context.nudge(tenant.merchantId, [outcome.endpointId])
    return outcome
  } catch (error) {
    if (error instanceof DeliveryUnknown) {
      return { is: await findReplayObstacle(context.database, { merchantId: tenant.merchantId, id: originalId }) }
    }
    throw error
  }
}
