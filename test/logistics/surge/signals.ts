import type { MerchantId } from '../../../registry/values/vocabulary.ts'
import { toTimestamp } from '../../../src/base/clock.ts'
import { newId } from '../../../src/base/ids.ts'
import type { Database } from '../../../src/store/core/database.ts'

/** Inserts the rows of quotes and dispatches from which the surge multiplier of delivery prices is computed. */

export interface Sent {
  readonly merchantId: MerchantId
  readonly zoneId: string
  readonly dispatchedMs: number
  /** When a rider was assigned to the shipment. Null while no rider is assigned. */
  readonly assignedMs: number | null
  /** Number of dispatch attempts that carriers rejected before one carrier accepted. */
  readonly refusals?: number
  readonly serviceLevel?: 'on_demand' | 'next_day'
  readonly status?: string
}

export async function insertSent(database: Database, sent: readonly Sent[]): Promise<string[]> {
  const ids = sent.map(({ dispatchedMs }) => newId('shp', dispatchedMs))
  const shipments = sent.map((shipment, index) => ({
    merchant_id: shipment.merchantId,
    id: ids[index],
    reference: ids[index],
    request_hash: '0'.repeat(64),
    status: shipment.status ?? (shipment.assignedMs === null ? 'awaiting_courier' : 'courier_assigned'),
    pickup: {},
    dropoff: {},
    parcels: [],
    pickup_zone_id: shipment.zoneId,
    distance_meters: 5000,
    vehicle: 'bike',
    // A shipment without an accepted attempt stores no service level. Only the plan of its dispatch contains one.
    service_level: shipment.assignedMs === null ? null : (shipment.serviceLevel ?? 'on_demand'),
    proof: {},
    undeliverable_action: 'return',
    failover: {},
    plan: [{ serviceLevel: shipment.serviceLevel ?? 'on_demand' }],
    price_ceiling_kobo: 500_000,
    quoted_price_kobo: 250_000,
    dispatched_at: toTimestamp(shipment.dispatchedMs),
    assigned_at: shipment.assignedMs === null ? null : toTimestamp(shipment.assignedMs),
    ended_at: shipment.status === 'failed' ? toTimestamp(shipment.dispatchedMs) : null,
    created_at: toTimestamp(shipment.dispatchedMs),
    updated_at: toTimestamp(shipment.dispatchedMs),
  }))
  const asked = sent.flatMap(({ merchantId, dispatchedMs, assignedMs, refusals = 0 }, index) =>
    Array.from({ length: refusals + (assignedMs === null ? 0 : 1) }, (_, place) => ({
      merchantId,
      shipmentId: ids[index] ?? '',
      number: place + 1,
      atMs: dispatchedMs,
      isAccepted: place === refusals,
    })),
  )
  await insertRows(database, 'shipments', shipments)
  await insertAsked(database, asked)
  return ids
}

interface Asked {
  readonly merchantId: MerchantId
  readonly shipmentId: string
  readonly number: number
  readonly atMs: number
  readonly isAccepted: boolean
}

export async function insertAsked(database: Database, asked: readonly Asked[]): Promise<void> {
  const attempts = asked.map(({ merchantId, shipmentId, number, atMs, isAccepted }) => ({
    merchant_id: merchantId,
    shipment_id: shipmentId,
    number,
    carrier: 'simulator-steady',
    reference: `${shipmentId}-${number}`,
    state: isAccepted ? 'accepted' : 'refused',
    offer: {},
    price_kobo: 250_000,
    carrier_reference: isAccepted ? shipmentId : null,
    outcome_code: isAccepted ? null : 'couriers_busy',
    started_at: toTimestamp(atMs),
    answered_at: toTimestamp(atMs),
  }))
  await insertRows(database, 'dispatch_attempts', attempts)
}

export interface Quoted {
  readonly merchantId: MerchantId
  readonly zoneId: string
  readonly createdMs: number
  readonly isUsed: boolean
  /** The price of a carrier’s offer. Without a price, no offer is inserted. */
  readonly price?: { readonly carrier: string; readonly kobo: number }
}

export async function insertQuoted(database: Database, quoted: readonly Quoted[]): Promise<void> {
  const ids = quoted.map(({ createdMs }) => newId('qte', createdMs))
  const quotes = quoted.map((quote, index) => ({
    merchant_id: quote.merchantId,
    id: ids[index],
    status: 'complete',
    pickup: {},
    dropoff: {},
    parcels: [],
    vehicle: 'bike',
    service_levels: ['on_demand'],
    pickup_zone_id: quote.zoneId,
    distance_meters: 5000,
    carriers: [],
    created_at: toTimestamp(quote.createdMs),
    expires_at: toTimestamp(quote.createdMs + 600_000),
    used_at: quote.isUsed ? toTimestamp(quote.createdMs) : null,
  }))
  const offers = quoted.flatMap(({ merchantId, createdMs, price }, index) =>
    price === undefined
      ? []
      : [
          {
            merchant_id: merchantId,
            quote_id: ids[index],
            id: newId('off', createdMs),
            rank: 1,
            carrier: price.carrier,
            service: 'bike',
            service_level: 'on_demand',
            vehicle: 'bike',
            price_kobo: price.kobo,
            carrier_price_kobo: price.kobo,
            breakdown: [],
            reliability: 1,
            price_lock: 'none',
            token: '',
            expires_at: toTimestamp(createdMs + 600_000),
          },
        ],
  )
  await insertRows(database, 'quotes', quotes)
  await insertRows(database, 'quote_offers', offers)
}

/** Inserts rows into a table. A column that a row lacks gets its default value. */
async function insertRows(database: Database, table: string, rows: readonly object[]): Promise<void> {
  const [first] = rows
  if (first === undefined) return
  const columns = Object.keys(first).join(', ')
  await database.pool.query(
    `insert into ${table} (${columns}) select ${columns} from json_populate_recordset(null::${table}, $1)`,
    [JSON.stringify(rows)],
  )
}
