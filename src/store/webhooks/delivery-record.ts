import { sql } from 'kysely'
import type { EventKind } from '../../../registry/kit/event.ts'
import type {
  BulkReplayId,
  DeliveryId,
  EndpointId,
  EventId,
  MerchantId,
  Timestamp,
} from '../../../registry/values/vocabulary.ts'
import type { ReadDb } from '../core/database.ts'
import { reading } from '../core/statement.ts'
import type { DeliveryStatus } from '../tables/values.ts'
import { leasedIdsOf } from './lease-fragments.ts'

export interface DeliveryRecord {
  readonly id: DeliveryId
  readonly eventId: EventId
  readonly endpointId: EndpointId
  readonly url: string
  readonly isEndpointDeleted: boolean
  readonly status: DeliveryStatus
  readonly trigger: 'automatic' | 'replay' | 'test'
  readonly attemptCount: number
  readonly nextAttemptAt: Timestamp | null
  readonly createdAt: Timestamp
  readonly completedAt: Timestamp | null
  readonly replayOf: DeliveryId | null
  readonly bulkReplayId: BulkReplayId | null
  /** Whether a worker is sending the delivery now. */
  readonly isLeased: boolean
  readonly endpointStatus: 'enabled' | 'disabled'
  readonly endpointCreatedAt: Timestamp
  /** The names of the custom headers that the endpoint has now. */
  readonly headerNames: readonly string[] | null
  readonly headersChangedAt: Timestamp | null
  readonly kind: EventKind
  /** The bytes that each attempt of the delivery sends. */
  readonly body: string
}

const find = reading<{ merchantId: MerchantId; id: DeliveryId }>()(
  'find_delivery',
  (p) => sql<DeliveryRecord>`
    select
      delivery.id, delivery.event_id, delivery.endpoint_id, endpoint.url,
      endpoint.deleted_at is not null as is_endpoint_deleted, delivery.status, delivery.trigger,
      delivery.attempt_count,
      case when lease.is_leased then null else delivery.next_attempt_at end as next_attempt_at,
      delivery.created_at, delivery.completed_at,
      delivery.replay_of, delivery.bulk_replay_id,
      lease.is_leased, endpoint.status as endpoint_status,
      endpoint.created_at as endpoint_created_at, endpoint.header_names, endpoint.headers_changed_at, event.kind, event.body
    from webhook_deliveries delivery
    join webhook_endpoints endpoint
      on endpoint.merchant_id = delivery.merchant_id and endpoint.id = delivery.endpoint_id
    cross join lateral (
      select delivery.id = any(${leasedIdsOf(p.merchantId, sql.ref('delivery.endpointId'))}) or delivery.lease_until is not null as is_leased
    ) as lease
    join webhook_events event on event.merchant_id = delivery.merchant_id and event.id = delivery.event_id
    where delivery.merchant_id = ${p.merchantId} and delivery.id = ${p.id}`,
)

/** Undefined when the merchant has no delivery with this id. */
export async function findDelivery(
  db: ReadDb,
  { merchantId, id }: { readonly merchantId: MerchantId; readonly id: DeliveryId },
): Promise<DeliveryRecord | undefined> {
  return (await db.read(find, { merchantId, id }))[0]
}
