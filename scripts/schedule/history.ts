import type { Database } from '../../src/store/core/database.ts'

/** A delivered shipment with its order and its delivery prediction, as the service would have stored all three. */
export interface PastShipment {
  readonly merchantId: string
  readonly id: string
  readonly orderId: string
  readonly predictionId: string
  readonly carrier: string
  readonly zoneFrom: string
  readonly zoneTo: string
  readonly distanceMeters: number
  readonly madeAt: string
  readonly dispatchAt: string
  readonly readyP50At: string
  readonly readyP90At: string
  readonly arrivalP50At: string
  readonly arrivalP90At: string
  readonly basis: string
  /** When the rider reached the pickup address. Null if the carrier did not report it. */
  readonly arrivedAt: string | null
  readonly pickedUpAt: string
  readonly deliveredAt: string
}

/**
 * Inserts delivered shipments with one statement per table, because single inserts would take most of the simulation's
 * time.
 */
export async function insertHistory(database: Database, shipments: readonly PastShipment[]): Promise<void> {
  if (shipments.length === 0) return
  const rows = JSON.stringify(shipments)
  for (const statement of statements) await database.pool.query(statement, [rows])
}

const source = `json_to_recordset($1::json) as row (
  "merchantId" text, id text, "orderId" text, "predictionId" text, carrier text, "zoneFrom" text, "zoneTo" text,
  "distanceMeters" integer, "madeAt" timestamptz, "dispatchAt" timestamptz, "readyP50At" timestamptz,
  "readyP90At" timestamptz, "arrivalP50At" timestamptz, "arrivalP90At" timestamptz, basis text,
  "arrivedAt" timestamptz, "pickedUpAt" timestamptz, "deliveredAt" timestamptz
)`

const statements = [
  `insert into orders (
     merchant_id, id, number, status, customer_name, customer_email, payment_method, subtotal_kobo, total_kobo,
     tax_inclusive, tax_rate_bps, item_quantity, confirmed_at, created_at, updated_at
   )
   select
     "merchantId", "orderId", 'ORD-' || right("orderId", 16), 'processing', 'Adaeze Okafor', 'adaeze@example.com', 'card', 0, 0,
     true, 0, 1, "madeAt", "madeAt", "madeAt"
   from ${source}`,
  `insert into shipments (
     merchant_id, id, reference, request_hash, order_id, status, pickup, dropoff, parcels, pickup_zone_id,
     dropoff_zone_id, distance_meters, vehicle, proof, undeliverable_action, failover, plan, price_ceiling_kobo, carrier,
     quoted_price_kobo, dispatch_at, dispatched_at, accepted_at, picked_up_at, delivered_at, ended_at, created_at,
     updated_at
   )
   select
     "merchantId", id, id, repeat('0', 64), "orderId", 'delivered', '{}', '{}', '[]', "zoneFrom",
     "zoneTo", "distanceMeters", 'bike', '{}', 'return', '{}', '[]', 0, carrier, 0, "dispatchAt", "dispatchAt", "dispatchAt",
     "pickedUpAt", "deliveredAt", "deliveredAt", "madeAt", "deliveredAt"
   from ${source}`,
  `insert into shipment_events (
     merchant_id, shipment_id, number, status, source, description, is_applied, occurred_at, received_at
   )
   select "merchantId", id, 1, 'at_pickup', 'callback', 'The rider arrived.', true, "arrivedAt", "arrivedAt"
   from ${source}
   where "arrivedAt" is not null`,
  `insert into schedule_predictions (
     merchant_id, id, shipment_id, basis, made_at, dispatch_at, ready_p50_at, ready_p90_at, arrival_p50_at,
     arrival_p90_at, schedule, request
   )
   select
     "merchantId", "predictionId", id, basis, "madeAt", "dispatchAt", "readyP50At", "readyP90At", "arrivalP50At",
     "arrivalP90At", '{}', '{}'
   from ${source}`,
]
