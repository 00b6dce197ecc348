import { sql } from 'kysely'
import { apiRoot } from '../../../registry/kit/endpoint.ts'
import type { OrderStatus } from '../../../registry/orders/order-states.ts'
import type {
  CustomerId,
  EventId,
  Kobo,
  MerchantId,
  OrderId,
  RefundId,
  ReturnId,
  Timestamp,
} from '../../../registry/values/vocabulary.ts'
import { listing, lockingAll } from '../core/calls.ts'
import type { ReadDb, WriteTrx } from '../core/database.ts'
import { build, reading, writing } from '../core/statement.ts'

/**
 * Redacts a customer's personal data in other tables, found by the customer's orders:
 *
 *   customer ─> orders ─┬─> discount_redemptions, order_comments
 *                       ├─> payments ──> provider_callbacks (raw bodies)
 *                       ├─> refunds ──> idempotency_keys (stored responses)
 *                       └─> webhook_events, also of refunds and shipments ──> webhook_attempts (receivers' responses)
 *
 * The audit log, the inventory movements and the status history contain no personal data. A new table with personal
 * data must be added here, or to redact-quotes.ts and redact-shipments.ts, which redact quotes and shipments.
 */
export interface Person {
  readonly merchantId: MerchantId
  readonly customerId: CustomerId
}

export interface CustomerOrder {
  readonly id: OrderId
  readonly status: OrderStatus
  readonly refundPendingKobo: Kobo
}

const ordersOf = (p: Person) =>
  build
    .selectFrom('orders')
    .where('merchantId', '=', p.merchantId)
    .where('customerId', '=', p.customerId)
    .select(['id', 'status', 'refundPendingKobo'])
    .orderBy('id')

export const listOrdersOf = listing<Person>()('list_orders_of_customer', ordersOf)

/**
 * Locks the orders of a customer. Requires the lock of the customer, which prevents new orders. Locks rows in the order
 * of their ids, so that concurrent transactions cannot deadlock.
 */
export const lockOrdersOf = lockingAll<Person>()('lock_orders_of_customer', (p) => ordersOf(p).forNoKeyUpdate())

const resources = (p: Person) => sql<{ id: string }>`(
  select orders.id
  from orders
  where orders.merchant_id = ${p.merchantId} and orders.customer_id = ${p.customerId}
  union all
  select refunds.id
  from orders
  join refunds on refunds.merchant_id = orders.merchant_id and refunds.order_id = orders.id
  where orders.merchant_id = ${p.merchantId} and orders.customer_id = ${p.customerId}
  union all
  select returns.id
  from orders
  join returns on returns.merchant_id = orders.merchant_id and returns.order_id = orders.id
  where orders.merchant_id = ${p.merchantId} and orders.customer_id = ${p.customerId}
  union all
  select shipments.id
  from orders
  join shipments on shipments.merchant_id = orders.merchant_id and shipments.order_id = orders.id
  where orders.merchant_id = ${p.merchantId} and orders.customer_id = ${p.customerId}
  union all
  select shipments.id
  from orders
  join returns on returns.merchant_id = orders.merchant_id and returns.order_id = orders.id
  join shipments on shipments.merchant_id = returns.merchant_id and shipments.return_id = returns.id
  where orders.merchant_id = ${p.merchantId} and orders.customer_id = ${p.customerId}
)`

export interface StoredEvent {
  readonly id: EventId
  readonly body: string
}

/** The stored response of an idempotency key. The response may contain personal data. */
export interface StoredResponse {
  readonly route: string
  readonly key: string
  readonly body: string
}

const findEvents = reading<Person>()('find_events_of_customer', (p) =>
  build
    .selectFrom(resources(p).as<'resource'>(sql`resource (id)`))
    .innerJoin('webhook_events as event', (join) => join.on(sql`event.resource_id`, '=', sql.ref('resource.id')))
    .where('event.merchantId', '=', p.merchantId)
    .select(['event.id', 'event.body']),
)

const findResponses = reading<Person>()('find_responses_of_customer', (p) =>
  build
    .selectFrom(resources(p).as<'resource'>(sql`resource (id)`))
    .innerJoin('idempotency_keys as stored', (join) =>
      join.on('stored.responseLocation', '=', sql<string>`${sql.lit(`${apiRoot}/refunds/`)} || resource.id`),
    )
    .where('stored.merchantId', '=', p.merchantId)
    .select(['stored.route', 'stored.key', sql<string>`stored.response_body`.as('body')]),
)

export async function findStoredRecords(
  db: ReadDb,
  person: Person,
): Promise<{ readonly events: readonly StoredEvent[]; readonly responses: readonly StoredResponse[] }> {
  const [events, responses] = await Promise.all([db.read(findEvents, person), db.read(findResponses, person)])
  return { events, responses }
}

interface Placeholders {
  readonly name: string
  readonly email: string
  /** The fields with which the redaction of a customer overwrites an address, as JSON text. */
  readonly addressPatch: string
  readonly accountNumber: string
  /** Placeholder that replaces a personal text in a column that must not be null. */
  readonly text: string
  readonly now: Timestamp
}

export type RedactedPerson = Person & Placeholders

const redactOrders = writing<RedactedPerson>()(
  'redact_orders',
  (p) => sql`
    update orders
    set
      customer_name = ${p.name},
      customer_email = ${p.email},
      customer_phone = null,
      shipping_address = shipping_address || ${p.addressPatch}::jsonb,
      billing_address = billing_address || ${p.addressPatch}::jsonb,
      note = null,
      customer_note = null,
      cancel_note = null,
      tags = '{}',
      metadata = '{}',
      version = version + 1,
      updated_at = ${p.now}::timestamptz
    where merchant_id = ${p.merchantId} and customer_id = ${p.customerId}`,
)

const redactRefunds = writing<RedactedPerson>()(
  'redact_refunds',
  (p) => sql<{ id: RefundId }>`
    update refunds
    set
      account_number = case when account_number is not null then ${p.accountNumber} end,
      account_name = case when account_name is not null then ${p.name} end,
      note = null,
      failure_message = null,
      metadata = '{}',
      updated_at = ${p.now}::timestamptz
    from orders
    where orders.merchant_id = ${p.merchantId}
      and orders.customer_id = ${p.customerId}
      and refunds.merchant_id = orders.merchant_id
      and refunds.order_id = orders.id
    returning refunds.id`,
)

const redactReturns = writing<RedactedPerson>()(
  'redact_returns',
  (p) => sql<{ id: ReturnId }>`
    update returns
    set note = null, version = returns.version + 1, updated_at = ${p.now}::timestamptz
    from orders
    where orders.merchant_id = ${p.merchantId}
      and orders.customer_id = ${p.customerId}
      and returns.merchant_id = orders.merchant_id
      and returns.order_id = orders.id
    returning returns.id`,
)

const redactComments = writing<RedactedPerson>()(
  'redact_order_comments',
  (p) => sql`
    update order_comments
    set text = ${p.text}
    from orders
    where orders.merchant_id = ${p.merchantId}
      and orders.customer_id = ${p.customerId}
      and order_comments.merchant_id = orders.merchant_id
      and order_comments.order_id = orders.id`,
)

const redactRedemptions = writing<RedactedPerson>()(
  'redact_redemptions',
  (p) => sql`
    update discount_redemptions
    set customer_email = ${p.email}, customer_phone = null
    from orders
    where orders.merchant_id = ${p.merchantId}
      and orders.customer_id = ${p.customerId}
      and discount_redemptions.merchant_id = orders.merchant_id
      and discount_redemptions.order_id = orders.id`,
)

const redactCallbacks = writing<RedactedPerson>()(
  'redact_callbacks_of_customer',
  (p) => sql`
    update provider_callbacks
    set body = ''
    from orders
    join payments on payments.merchant_id = orders.merchant_id and payments.order_id = orders.id
    where orders.merchant_id = ${p.merchantId}
      and orders.customer_id = ${p.customerId}
      and provider_callbacks.merchant_id = orders.merchant_id
      and provider_callbacks.payment_reference = payments.reference
      and provider_callbacks.processed_at is not null`,
)

/** Does not redact amounts. */
export function redactOrdersOf(trx: WriteTrx, person: RedactedPerson): void {
  trx.queue(redactOrders, person)
  trx.queue(redactRefunds, person)
  trx.queue(redactReturns, person)
  trx.queue(redactComments, person)
  trx.queue(redactRedemptions, person)
  trx.queue(redactCallbacks, person)
}

interface Rewriting {
  readonly merchantId: MerchantId
  readonly rows: string
}

const rewriteEvents = writing<Rewriting>()(
  'rewrite_events',
  (p) => sql`
    update webhook_events
    set body = rewritten.body
    from jsonb_to_recordset(${p.rows}::jsonb) as rewritten (id text, body text)
    where webhook_events.merchant_id = ${p.merchantId} and webhook_events.id = rewritten.id`,
)

interface OfEvents {
  readonly merchantId: MerchantId
  readonly eventIds: readonly EventId[]
}

/**
 * Returns two common table expressions. The second one, `sent`, has the ids of the deliveries of events. The replays of a
 * delivery are found by the id of the original delivery.
 */
const sentDeliveries = (p: OfEvents) => sql`
    original as (
      select id
      from webhook_deliveries
      where merchant_id = ${p.merchantId} and event_id = any(${p.eventIds}::text[]) and trigger = 'automatic'
    ), sent as (
      select id
      from original
      union all
      select replay.id
      from original
      join webhook_deliveries replay on replay.merchant_id = ${p.merchantId} and replay.replay_of = original.id
    )`

/**
 * Ends the leases of deliveries that a worker is sending now, with the event as it was before the anonymisation. The
 * result of such an attempt is then not recorded, because the response of the receiver may repeat personal data. The
 * delivery stays due, so the redacted event is sent again.
 */
const endLeases = writing<OfEvents>()(
  'end_leases_of_redacted_events',
  (p) => sql`
    with ${sentDeliveries(p)}, redacted as materialized (
      select array_agg(id::text) as ids from sent
    ), emptied as (
      delete from webhook_leases
      where merchant_id = ${p.merchantId} and delivery_ids <@ (select ids from redacted)
    )
    update webhook_leases
    set delivery_ids = array(select id from unnest(delivery_ids) as id where id <> all((select ids from redacted)::text[]))
    where merchant_id = ${p.merchantId}
      and delivery_ids && (select ids from redacted)
      and not delivery_ids <@ (select ids from redacted)`,
)

/** Deletes the responses of webhook receivers, because a response may repeat personal data of the event. */
const redactReceiverResponses = writing<OfEvents>()(
  'redact_receiver_responses',
  (p) => sql`
    with ${sentDeliveries(p)}
    update webhook_attempts
    set response_body = null
    from sent
    where webhook_attempts.merchant_id = ${p.merchantId}
      and webhook_attempts.delivery_id = sent.id
      and webhook_attempts.response_body is not null`,
)

const rewriteResponses = writing<Rewriting>()(
  'rewrite_stored_responses',
  (p) => sql`
    update idempotency_keys
    set response_body = rewritten.body
    from jsonb_to_recordset(${p.rows}::jsonb) as rewritten (route text, key text, body text)
    where idempotency_keys.merchant_id = ${p.merchantId}
      and idempotency_keys.route = rewritten.route
      and idempotency_keys.key = rewritten.key`,
)

export function rewriteStoredRecords(
  trx: WriteTrx,
  merchantId: MerchantId,
  records: { readonly events: readonly StoredEvent[]; readonly responses: readonly StoredResponse[] },
): void {
  trx.queue(rewriteEvents, { merchantId, rows: JSON.stringify(records.events) })
  const eventIds = records.events.map((event) => event.id)
  // The leases are ended before the responses are deleted. A result that is recorded in between therefore has a response
  // that the later statement finds.
  trx.queue(endLeases, { merchantId, eventIds })
  trx.queue(redactReceiverResponses, { merchantId, eventIds })
  trx.queue(rewriteResponses, { merchantId, rows: JSON.stringify(records.responses) })
}
