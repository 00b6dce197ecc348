import { sql } from 'kysely'
import type { EventKind } from '../../../registry/kit/event.ts'
import type { DeliveryId, EndpointId, EventId, MerchantId, Timestamp } from '../../../registry/values/vocabulary.ts'
import { queueing } from '../core/calls.ts'
import type { ReadDb, WriteTrx } from '../core/database.ts'
import { build, reading, writing } from '../core/statement.ts'

/** Creates test deliveries, and deliveries that replay earlier ones. */

export interface TestDelivery {
  readonly merchantId: MerchantId
  readonly endpointId: EndpointId
  readonly deliveryId: DeliveryId
  readonly eventId: EventId
  readonly kind: EventKind
  readonly body: string
  readonly now: Timestamp
}

export interface Replay {
  readonly merchantId: MerchantId
  readonly originalId: DeliveryId
  readonly deliveryId: DeliveryId
  readonly now: Timestamp
}

/**
 * Inserts a replay of a delivery. A replay of a replay refers to the original delivery. Test deliveries cannot be
 * replayed, because a new test delivery can be sent instead. Neither can a replay whose event was deleted with the
 * partition of its month, because a delivery without an event would stay due for ever. The read of the event also
 * prevents that its partition is dropped before this transaction ends.
 */
const insertReplayOf = writing<Replay>()(
  'insert_replay',
  (p) => sql<{ endpointId: EndpointId; eventId: EventId }>`
    insert into webhook_deliveries (
      merchant_id, id, event_id, endpoint_id, status, trigger, replay_of, next_attempt_at, is_paced, created_at
    )
    select
      original.merchant_id, ${p.deliveryId}, original.event_id, original.endpoint_id, 'pending', 'replay',
      coalesce(original.replay_of, original.id), ${p.now}::timestamptz, false, ${p.now}::timestamptz
    from webhook_deliveries original
    join webhook_endpoints endpoint
      on endpoint.merchant_id = original.merchant_id and endpoint.id = original.endpoint_id
    join webhook_events event on event.merchant_id = original.merchant_id and event.id = original.event_id
    where original.merchant_id = ${p.merchantId}
      and original.id = ${p.originalId}
      and original.trigger <> 'test'
      and endpoint.deleted_at is null
    returning endpoint_id, event_id`,
)

/** The reason why a delivery cannot be replayed. A delivery whose event was deleted is unknown, as in all lists. */
export type ReplayObstacle = 'delivery_unknown' | 'is_sample' | 'endpoint_deleted'

const findOriginal = reading<{ merchantId: MerchantId; id: DeliveryId }>()('find_replayed_delivery', (p) =>
  build
    .selectFrom('webhook_deliveries as delivery')
    .innerJoin('webhook_events as event', (join) =>
      join.onRef('event.merchantId', '=', 'delivery.merchantId').onRef('event.id', '=', 'delivery.eventId'),
    )
    .where('delivery.merchantId', '=', p.merchantId)
    .where('delivery.id', '=', p.id)
    .select('delivery.trigger'),
)

export async function findReplayObstacle(
  db: ReadDb,
  delivery: { merchantId: MerchantId; id: DeliveryId },
): Promise<ReplayObstacle> {
  const [original] = await db.read(findOriginal, delivery)
  if (original === undefined) return 'delivery_unknown'
  return original.trigger === 'test' ? 'is_sample' : 'endpoint_deleted'
}

export const insertTestDelivery = queueing<TestDelivery>()(
  'insert_test_delivery',
  (p) => sql`
    with sample as (
      insert into webhook_events (merchant_id, id, kind, resource_id, body, is_test, created_at)
      values (
        ${p.merchantId}, ${p.eventId}, ${p.kind}, ${p.endpointId}, ${p.body}, true, ${p.now}::timestamptz
      )
      returning id
    )
    insert into webhook_deliveries (
      merchant_id, id, event_id, endpoint_id, status, trigger, next_attempt_at, is_paced, created_at
    )
    select
      ${p.merchantId}, ${p.deliveryId}, id, ${p.endpointId}, 'pending', 'test', ${p.now}::timestamptz, false,
      ${p.now}::timestamptz
    from sample`,
)

/** Returns undefined when the merchant has no delivery with this id that can be replayed. */
export async function insertReplay(trx: WriteTrx, replay: Replay) {
  return (await trx.write(insertReplayOf, replay))[0]
}
