import { sql } from 'kysely'
import { shipmentStatuses, shipmentTransitions } from '../../../../registry/logistics/shipment-states.ts'
import type { MerchantId, OrderId, ShipmentId, Timestamp } from '../../../../registry/values/vocabulary.ts'
import { checking } from '../../core/calls.ts'
import type { LockTrx, ReadDb, WriteTrx } from '../../core/database.ts'
import { build, locking, reading, writing } from '../../core/statement.ts'
import type { Person } from '../../customers/redact-customer.ts'

/**
 * Redaction of the logistics rows with personal data of a customer, found by the customer’s orders and their returns:
 *
 *    orders ─┬─> quotes, also those of their shipments ──> quote_offers, whose tokens may contain a digest of personal data
 *            └─> shipments ─┬─> dispatch_attempts, with responses of carriers
 *                           ├─> shipment_events, with texts of carriers
 *                           ├─> shipment_positions, which end at the customer’s door
 *                           └─> carrier_callbacks, with texts of carriers
 *
 * A quote or shipment without an order or a return cannot be linked to a customer; such a quote is redacted by age.
 */

const overStatuses = shipmentStatuses.filter((status) => shipmentTransitions[status].length === 0)

/**
 * Selects the quotes or shipments of a customer's orders, and of the returns of these orders, each with the id of the
 * order.
 */
const rowsOf = (table: 'quotes' | 'shipments', p: Person) => sql`
  select linked.id, orders.id as order_id
  from orders
  join ${sql.table(table)} linked on linked.merchant_id = orders.merchant_id and linked.order_id = orders.id
  where orders.merchant_id = ${p.merchantId} and orders.customer_id = ${p.customerId}
  union all
  select linked.id, orders.id as order_id
  from orders
  join returns on returns.merchant_id = orders.merchant_id and returns.order_id = orders.id
  join ${sql.table(table)} linked on linked.merchant_id = returns.merchant_id and linked.return_id = returns.id
  where orders.merchant_id = ${p.merchantId} and orders.customer_id = ${p.customerId}`

const lockQuotes = locking<Person>()(
  'lock_quotes_of_customer',
  (p) => sql<{ id: string }>`
    select id
    from quotes
    where merchant_id = ${p.merchantId} and id in (select id from (${rowsOf('quotes', p)}) of_customer)
    order by id
    for no key update`,
)

/**
 * Locks the quotes of a customer. To avoid a deadlock, a transaction must lock the quotes before the orders. A dispatch
 * of a quote takes these locks in the same order.
 */
export async function lockQuotesOf(trx: LockTrx, person: Person): Promise<void> {
  await trx.lock(lockQuotes, person)
}

const listWithActiveShipments = reading<Person>()(
  'list_orders_with_active_shipments',
  (p) => sql<{ id: OrderId }>`
    select distinct of_customer.order_id as id
    from (${rowsOf('shipments', p)}) of_customer
    join shipments on shipments.merchant_id = ${p.merchantId} and shipments.id = of_customer.id
    where shipments.status not in (${sql.join(overStatuses.map((status) => sql.lit(status)))})
      -- A shipment with an abandoned attempt is not redacted yet: the attempt's order may still be found, by the data that
      -- was sent to the carrier.
      or exists (
        select
        from dispatch_attempts attempt
        where attempt.merchant_id = ${p.merchantId}
          and attempt.shipment_id = shipments.id
          and attempt.next_check_at is not null
      )`,
)

/**
 * Returns the orders of a customer that have an active shipment. An anonymisation reads them under the lock of the orders, which
 * prevents new shipments.
 */
export async function listOrdersWithActiveShipments(db: ReadDb, person: Person): Promise<readonly OrderId[]> {
  return (await db.read(listWithActiveShipments, person)).map(({ id }) => id)
}

export interface RedactedShipments extends Person {
  /** JSON text of the fields of a place with their redacted values. */
  readonly placePatch: string
  readonly now: Timestamp
}

const shipmentsOf = (p: Person) => sql`(${rowsOf('shipments', p)}) as of_customer (id, order_id)`

/**
 * Redacts a place. The coordinates are required, so they are reduced to the precision of about a town. The zone stays,
 * because the statistics use it. The functions that are not immutable are in a subquery: outside a subquery, a
 * distributed database rejects them in an assignment.
 */
export const coarsePlace = (place: ReturnType<typeof sql.ref>, patch: string) => sql`(
  select ${place} || ${patch}::jsonb || jsonb_build_object('location', jsonb_build_object(
    'lat', round((${place} -> 'location' -> 'lat')::numeric, 1),
    'lng', round((${place} -> 'location' -> 'lng')::numeric, 1)
  ))
)`

export const withoutRawText = (parcels: ReturnType<typeof sql.ref>) => sql`(
  select jsonb_agg(parcel || '{"description": "Removed"}' order by position)
  from jsonb_array_elements(${parcels}) with ordinality as listed (parcel, position)
)`

/** Removes the messages of carriers that made no offer, because the messages may contain personal data. */
export const withoutMessages = (answers: ReturnType<typeof sql.ref>) => sql`(
  select coalesce(jsonb_agg(answer || '{"message": null}' order by position), '[]')
  from jsonb_array_elements(${answers}) with ordinality as listed (answer, position)
)`

/** Redacts both the pickup and the dropoff of a shipment, because a return is picked up at the customer's address. */
const redactShipmentRows = writing<RedactedShipments>()(
  'redact_shipments',
  (p) => sql<{ id: ShipmentId }>`
    update shipments
    set
      pickup = ${coarsePlace(sql.ref('shipments.pickup'), p.placePatch)},
      dropoff = ${coarsePlace(sql.ref('shipments.dropoff'), p.placePatch)},
      parcels = ${withoutRawText(sql.ref('shipments.parcels'))},
      plan = '[]',
      -- The carrier’s tracking page shows the address and the recipient.
      tracking_url = null,
      label_url = null,
      proof = shipments.proof || '{"pin": null}',
      courier = null,
      captured_proof = (
        select coalesce(jsonb_agg(proof || '{"url": null}'), '[]')
        from jsonb_array_elements(shipments.captured_proof) as captured (proof)
      ),
      exceptions = (
        select coalesce(jsonb_agg((exception - 'facts') || jsonb_build_object('message', exception -> 'code')), '[]')
        from jsonb_array_elements(shipments.exceptions) as listed (exception)
      ),
      status_message = null,
      cancel_note = null,
      metadata = '{}',
      version = shipments.version + 1,
      updated_at = ${p.now}::timestamptz
    from ${shipmentsOf(p)}
    where shipments.merchant_id = ${p.merchantId} and shipments.id = of_customer.id
    returning shipments.id`,
)

const quotesOf = (p: Person) => sql`
  select id from (${rowsOf('quotes', p)}) of_customer
  union
  select shipments.quote_id
  from ${shipmentsOf(p)}
  join shipments on shipments.merchant_id = ${p.merchantId} and shipments.id = of_customer.id
  where shipments.quote_id is not null`

const redactQuotes = writing<RedactedShipments>()(
  'redact_quotes_of_customer',
  (p) => sql`
    update quotes
    set
      pickup = ${coarsePlace(sql.ref('quotes.pickup'), p.placePatch)},
      dropoff = ${coarsePlace(sql.ref('quotes.dropoff'), p.placePatch)},
      parcels = ${withoutRawText(sql.ref('quotes.parcels'))},
      carriers = ${withoutMessages(sql.ref('quotes.carriers'))}
    from (${quotesOf(p)}) as of_customer (id)
    where quotes.merchant_id = ${p.merchantId} and quotes.id = of_customer.id`,
)

const redactOffers = writing<Person>()(
  'redact_quote_offers',
  (p) => sql`
    update quote_offers
    set token = ''
    from (${quotesOf(p)}) as of_customer (id)
    where quote_offers.merchant_id = ${p.merchantId} and quote_offers.quote_id = of_customer.id`,
)

const redactAttempts = writing<Person>()(
  'redact_dispatch_attempts',
  (p) => sql`
    update dispatch_attempts
    set offer = offer || '{"token": ""}', outcome_message = null
    from ${shipmentsOf(p)}
    where dispatch_attempts.merchant_id = ${p.merchantId} and dispatch_attempts.shipment_id = of_customer.id`,
)

/**
 * Removes the carrier’s text from event descriptions, where it follows the colon. The text before the colon is this
 * service’s own.
 */
const redactEvents = writing<Person>()(
  'redact_shipment_events',
  (p) => sql`
    update shipment_events
    set description = split_part(description, ': ', 1)
    from ${shipmentsOf(p)}
    where shipment_events.merchant_id = ${p.merchantId}
      and shipment_events.shipment_id = of_customer.id
      and description like '_%: %'`,
)

const deletePositions = writing<Person>()(
  'delete_shipment_positions',
  (p) => sql`
    delete from shipment_positions
    using ${shipmentsOf(p)}
    where shipment_positions.merchant_id = ${p.merchantId} and shipment_positions.shipment_id = of_customer.id`,
)

/**
 * Redacts carrier callbacks. The condition uses the expression of the index carrier_callbacks_by_order. Unprocessed
 * callbacks are redacted by age.
 */
export const carrierCallbackRedaction = writing<Person>()(
  'redact_carrier_callbacks_of_customer',
  (p) => sql`
    update carrier_callbacks callback
    set body = '', parsed_body = null
    from ${shipmentsOf(p)}
    join dispatch_attempts attempt on attempt.merchant_id = ${p.merchantId} and attempt.shipment_id = of_customer.id
    where callback.merchant_id = ${p.merchantId}
      and callback.carrier = attempt.carrier
      and callback.processed_at is not null
      and octet_length(callback.body) > 0
      and jsonb_path_query_array(callback.parsed_body, '$[*].**{1 to 2} ? (@.type() == "string")')
        ?| array[attempt.reference, attempt.carrier_reference]`,
)

/** Redacts the places and the personal data of a customer’s shipments. Carriers, times and prices stay. */
export function redactShipmentsOf(trx: WriteTrx, redacted: RedactedShipments): void {
  trx.queue(carrierCallbackRedaction, redacted)
  trx.queue(deletePositions, redacted)
  trx.queue(redactEvents, redacted)
  trx.queue(redactAttempts, redacted)
  trx.queue(redactOffers, redacted)
  trx.queue(redactQuotes, redacted)
  trx.queue(redactShipmentRows, redacted)
}

/** Whether the customer of an order was anonymised. The result does not change while the order is locked. */
export const isCustomerAnonymised = checking<{ merchantId: MerchantId; orderId: OrderId }>()('is_order_redacted', (p) =>
  build
    .selectFrom('orders')
    .innerJoin('customers', (join) =>
      join.onRef('customers.merchantId', '=', 'orders.merchantId').onRef('customers.id', '=', 'orders.customerId'),
    )
    .where('orders.merchantId', '=', p.merchantId)
    .where('orders.id', '=', p.orderId)
    .where('customers.status', '=', 'anonymised')
    .select('orders.id'),
)
