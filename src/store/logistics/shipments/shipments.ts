import { sql } from 'kysely'
import type { MerchantId, ShipmentId, Timestamp } from '../../../../registry/values/vocabulary.ts'
import { finding } from '../../core/calls.ts'
import type { LockTrx, ReadDb, WriteTrx } from '../../core/database.ts'
import { recordStatements } from '../../core/record-columns.ts'
import { insertingRows } from '../../core/rows.ts'
import { build, locking, reading } from '../../core/statement.ts'
import { attemptColumns, type StoredAttempt, type StoredShipment, shipmentColumns } from '../../tables/shipment.ts'
import { requestedWindows, type ShipmentWindows } from './shipment-windows.ts'

const shipments = recordStatements<StoredShipment>()('shipments', shipmentColumns)
const attempts = recordStatements<StoredAttempt>()('dispatch_attempts', attemptColumns)

export interface ShipmentKey {
  readonly merchantId: MerchantId
  readonly id: ShipmentId
}

export interface StoredShipmentEvent {
  readonly number: number
  readonly attemptNumber: number | null
  readonly status: StoredShipment['status'] | null
  readonly carrierStatus: string | null
  readonly source: 'request' | 'callback' | 'poll' | 'service'
  readonly description: string
  readonly isApplied: boolean
  readonly occurredAt: Timestamp
  readonly receivedAt: Timestamp
}

/** A shipment with its attempts, oldest first, and its latest events, newest first. */
export interface ShipmentWithAttempts {
  readonly shipment: StoredShipment
  readonly attempts: readonly StoredAttempt[]
  readonly events: readonly StoredShipmentEvent[]
  /** The time windows of the shipment's quote. Null without a quote, undefined when the windows were not read. */
  readonly windows?: ShipmentWindows | null
}

/** Maximum number of events in the public record of a shipment. */
const eventsShown = 100

const ofShipment = (merchantId: MerchantId, table: string) => sql`
  ${sql.ref(`${table}.merchant_id`)} = ${merchantId} and ${sql.ref(`${table}.shipment_id`)} = shipments.id`

const time = (column: string) => sql`to_char(${sql.ref(column)}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

const allAttempts = (merchantId: MerchantId) => sql<readonly StoredAttempt[]>`coalesce((
  select json_agg(attempt order by attempt.number)
  from (select ${attempts.selectedForJson} from dispatch_attempts where ${ofShipment(merchantId, 'dispatch_attempts')}) attempt
), '[]')`

const lastEvents = (merchantId: MerchantId) => sql<readonly StoredShipmentEvent[]>`coalesce((
  select json_agg(event order by event.number desc)
  from (
    select
      number, attempt_number as "attemptNumber", status, carrier_status as "carrierStatus", source, description,
      is_applied as "isApplied", ${time('occurredAt')} as "occurredAt", ${time('receivedAt')} as "receivedAt"
    from shipment_events
    where ${ofShipment(merchantId, 'shipment_events')}
    order by number desc
    limit ${sql.lit(eventsShown)}
  ) event
), '[]')`

const lock = locking<ShipmentKey>()(
  'lock_shipment',
  (p) => sql<StoredShipment>`
    select ${shipments.selected}
    from shipments
    where merchant_id = ${p.merchantId} and id = ${p.id}
    for no key update`,
)

const listAttempts = reading<ShipmentKey>()(
  'list_attempts',
  (p) => sql<StoredAttempt>`
    select ${attempts.selected}
    from dispatch_attempts
    where merchant_id = ${p.merchantId} and shipment_id = ${p.id}
    order by number`,
)

/** Undefined when the merchant has no shipment with this id. */
export const findShipment = finding<ShipmentKey>()('find_shipment', (p) =>
  build
    .selectFrom('shipments')
    .where('merchantId', '=', p.merchantId)
    .where('id', '=', p.id)
    .select([
      sql<StoredShipment>`(select row_to_json(shipment) from (select ${shipments.selectedForJson}) shipment)`.as(
        'shipment',
      ),
      allAttempts(p.merchantId).as('attempts'),
      lastEvents(p.merchantId).as('events'),
      requestedWindows(p.merchantId).as('windows'),
    ]),
)

/** Locks a shipment and returns it with its attempts, which change only under this lock. */
export async function lockShipment(
  trx: LockTrx,
  key: ShipmentKey,
): Promise<{ readonly shipment: StoredShipment; readonly attempts: readonly StoredAttempt[] } | undefined> {
  const [[shipment], all] = await Promise.all([
    trx.lock(lock, key),
    // The query of the attempts is sent after the statement that locks the shipment. The query therefore also reads the
    // changes of transactions that held this lock earlier.
    trx.read(listAttempts, key),
  ])
  return shipment && { shipment, attempts: all }
}

const eventRows = insertingRows('shipment_events')

const findByReference = reading<{ merchantId: MerchantId; reference: string }>()('find_shipment_by_reference', (p) =>
  build
    .selectFrom('shipments')
    .where('merchantId', '=', p.merchantId)
    .where('reference', '=', p.reference)
    .select(['id', 'requestHash']),
)

/** Returns the shipment that has the reference assigned by the merchant. */
export async function findShipmentByReference(
  db: ReadDb,
  merchantId: MerchantId,
  reference: string,
): Promise<{ readonly id: ShipmentId; readonly requestHash: string } | undefined> {
  return (await db.read(findByReference, { merchantId, reference }))[0]
}

const findOwner = reading<{ merchantId: MerchantId; carrier: string; carrierReference: string; reference: string }>()(
  'find_order_owner',
  (p) =>
    build
      .selectFrom('dispatch_attempts')
      .where('merchantId', '=', p.merchantId)
      .where('carrier', '=', p.carrier)
      .where('carrierReference', '=', p.carrierReference)
      .where('reference', '<>', p.reference)
      .select('reference'),
)

/** Whether the carrier's order already belongs to another dispatch attempt. */
export async function isCarrierOrderTaken(
  db: ReadDb,
  { merchantId, carrier, reference }: StoredAttempt,
  carrierReference: string,
): Promise<boolean> {
  return (await db.read(findOwner, { merchantId, carrier, carrierReference, reference })).length > 0
}

/** Inserts a shipment. */
export function insertShipment(trx: WriteTrx, shipment: StoredShipment): void {
  shipments.insert(trx, [shipment], [shipment.id])
}

/** The shipment must be locked. */
export function writeShipment(trx: WriteTrx, shipment: StoredShipment): void {
  shipments.update(trx, [shipment], [shipment.id])
}

/** A unique index rejects a second active attempt of the shipment. */
export function insertAttempt(trx: WriteTrx, attempt: StoredAttempt): void {
  attempts.insert(trx, [attempt])
}

/** The shipment must be locked. */
export function writeAttempt(trx: WriteTrx, attempt: StoredAttempt): void {
  attempts.update(trx, [attempt])
}

/** The shipment must be locked. */
export function insertShipmentEvent(trx: WriteTrx, { merchantId, id }: ShipmentKey, event: StoredShipmentEvent): void {
  eventRows.insert(trx, [{ ...event, merchantId, shipmentId: id }])
}
