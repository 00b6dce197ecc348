import { sql } from 'kysely'
import type { EventKind } from '../../../registry/kit/event.ts'
import type { ShipmentStatus } from '../../../registry/logistics/shipment-states.ts'
import type { CommentAuthorType } from '../../../registry/orders/comments.ts'
import type { OrderStatus } from '../../../registry/orders/order-states.ts'
import type {
  DeliveryId,
  EndpointId,
  EventId,
  MerchantId,
  OrderId,
  Timestamp,
} from '../../../registry/values/vocabulary.ts'
import type { ReadDb } from '../core/database.ts'
import { reading } from '../core/statement.ts'
import type { deliveryStatuses } from '../webhooks/delivery-list.ts'

/** An entry of an order's history. Payments, refunds and shipments of the order have their own records. */
export type HistoryEntry =
  | {
      readonly is: 'status_change'
      readonly at: Timestamp
      readonly from: OrderStatus
      readonly to: OrderStatus
      readonly reason: string | null
      readonly actorType: string
    }
  | {
      readonly is: 'comment'
      readonly at: Timestamp
      readonly text: string
      readonly authorType: CommentAuthorType
      readonly authorName: string
    }
  | {
      readonly is: 'shipment_event'
      readonly at: Timestamp
      readonly shipmentId: string
      readonly status: ShipmentStatus | null
      readonly description: string
      readonly isApplied: boolean
    }
  | { readonly is: 'event'; readonly at: Timestamp; readonly id: EventId; readonly kind: EventKind }
  | {
      readonly is: 'delivery'
      readonly at: Timestamp
      readonly id: DeliveryId
      readonly kind: EventKind
      readonly endpointId: EndpointId
      readonly status: (typeof deliveryStatuses)[number]
      readonly attemptCount: number
      /** Time of the delivery's next attempt, in PostgreSQL's JSON format. Null if no attempt is due. */
      readonly nextAttemptAt: string | null
    }
  | {
      readonly is: 'audit'
      readonly at: Timestamp
      readonly id: string
      readonly action: string
      readonly resourceId: string
      readonly actorType: string
      readonly actorLabel: string
      readonly sourceIp: string | null
      readonly fields: readonly string[]
    }

/** Maximum number of entries of each kind in an order's history. Hardly any order has more entries. */
const entriesMax = 100

/** Maximum number of events searched per record. Reading them takes milliseconds; the event feed has all of them. */
const searchedMax = 1_000

const limit = sql.lit(entriesMax)
const searched = sql.lit(searchedMax)

/** A row of the order history as the statement returns it. `entry` has the fields of the entry's kind. */
interface HistoryRow extends Pick<HistoryEntry, 'is' | 'at'> {
  readonly entry: object
}

/**
 * Reads the history of an order by the indexes of the order, its payments, refunds and shipments, and of their events.
 * Each lateral subquery has a limit, so that the planner cannot turn it into a join that reads the whole table. The id
 * of an automatic delivery starts with 18 characters of its event's id, so the deliveries of an event are a range of
 * the primary key; replays have an index of their own.
 */
export const orderHistory = reading<{ merchantId: MerchantId; orderId: OrderId }>()(
  'list_order_history',
  (p) => sql<HistoryRow>`
    with record as materialized (
      select ${p.orderId}::record_id as id
      union all
      (select id from payments where merchant_id = ${p.merchantId} and order_id = ${p.orderId} limit ${limit})
      union all
      (select id from refunds where merchant_id = ${p.merchantId} and order_id = ${p.orderId} limit ${limit})
      union all
      (select id from shipments where merchant_id = ${p.merchantId} and order_id = ${p.orderId} limit ${limit})
    ),
    event as materialized (
      select found.*
      from record
      cross join lateral (
        select id, kind, created_at
        from webhook_events
        where merchant_id = ${p.merchantId} and resource_id = record.id collate "default" and not is_test
        limit ${searched}
      ) found
      order by found.id desc
      limit ${limit}
    ),
    automatic as materialized (
      select event.kind, found.*
      from event
      cross join lateral (
        select id, endpoint_id, status, attempt_count, next_attempt_at, created_at
        from webhook_deliveries
        where merchant_id = ${p.merchantId}
          and id >= 'dlv_' || substr(event.id, 5, 18)
          -- Ids end with letters up to z, which are before the tilde.
          and id < 'dlv_' || substr(event.id, 5, 18) || '~'
          and event_id = event.id
        limit ${limit}
      ) found
    ),
    delivery as (
      select * from automatic
      union all
      select automatic.kind, found.*
      from automatic
      cross join lateral (
        select id, endpoint_id, status, attempt_count, next_attempt_at, created_at
        from webhook_deliveries
        where merchant_id = ${p.merchantId} and replay_of = automatic.id
        limit ${limit}
      ) found
    )
    (
      select
        'status_change' as is, occurred_at as at,
        jsonb_build_object('from', from_status, 'to', to_status, 'reason', reason, 'actorType', actor_type) as entry
      from order_status_changes
      where merchant_id = ${p.merchantId} and order_id = ${p.orderId}
      order by version desc
      limit ${limit}
    )
    union all
    (
      select
        'comment', created_at,
        jsonb_build_object('text', text, 'authorType', author_type, 'authorName', author_name)
      from order_comments
      where merchant_id = ${p.merchantId} and order_id = ${p.orderId}
      order by created_at desc, id desc
      limit ${limit}
    )
    union all
    (
      select
        'shipment_event', occurred_at,
        jsonb_build_object(
          'shipmentId', shipment_id, 'status', status, 'description', description, 'isApplied', is_applied
        )
      from record
      cross join lateral (
        select shipment_id, status, description, is_applied, occurred_at
        from shipment_events
        where merchant_id = ${p.merchantId} and shipment_id = record.id
        order by number desc
        limit ${limit}
      ) found
      order by occurred_at desc
      limit ${limit}
    )
    union all
    (select 'event', created_at, jsonb_build_object('id', id, 'kind', kind) from event)
    union all
    (
      select
        'delivery', created_at,
        jsonb_build_object(
          'id', id, 'kind', kind, 'endpointId', endpoint_id, 'status', status, 'attemptCount', attempt_count,
          'nextAttemptAt', next_attempt_at
        )
      from delivery
      order by id desc
      limit ${limit}
    )
    union all
    (
      select
        'audit', found.occurred_at,
        jsonb_build_object(
          'id', found.id, 'action', action, 'resourceId', record.id, 'actorType', actor_type,
          'actorLabel', coalesce(token.name, actor_label), 'sourceIp', host(source_ip),
          'fields', (select coalesce(jsonb_agg(field order by field), '[]') from jsonb_object_keys(found.changes) field)
        )
      from record
      cross join lateral (
        select id, occurred_at, action, actor_type, actor_id, actor_label, source_ip, changes
        from audit_log
        where merchant_id = ${p.merchantId} and resource_id = record.id collate "default"
        order by id desc
        limit ${limit}
      ) found
      left join api_tokens token on token.merchant_id = ${p.merchantId} and token.id = found.actor_id
      order by found.id desc
      limit ${limit}
    )`,
)

/** In no particular order. */
export async function listOrderHistory(
  db: ReadDb,
  of: { readonly merchantId: MerchantId; readonly orderId: OrderId },
): Promise<readonly HistoryEntry[]> {
  const rows = await db.read(orderHistory, of)
  return rows.map(({ is, at, entry }) => toEntry({ ...entry, is, at }))
}

/**
 * Casts a history entry to the type of its kind. The statement that reads the history selects the fields of that type.
 */
function toEntry(row: Pick<HistoryEntry, 'is' | 'at'>): HistoryEntry {
  return row as HistoryEntry
}
