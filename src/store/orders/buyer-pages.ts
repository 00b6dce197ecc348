import { sql } from 'kysely'
import type { ShipmentItem } from '../../../registry/logistics/shipment-item.ts'
import type { ShipmentStatus } from '../../../registry/logistics/shipment-states.ts'
import type { Kobo, MerchantId, OrderId, Timestamp } from '../../../registry/values/vocabulary.ts'
import { finding, listing } from '../core/calls.ts'
import { build } from '../core/statement.ts'

/**
 * The records that a page for buyers shows in addition to the order, such as the shipments. They contain no personal
 * data.
 */

interface OfOrder {
  readonly merchantId: MerchantId
  readonly orderId: OrderId
}

/** Finds the merchant of an order, and the receipt of the order if it has one. */
export const findShopOfOrder = finding<OfOrder>()('find_shop_of_order', (p) =>
  build
    .selectFrom('merchants')
    .leftJoin('receipts', (join) =>
      join
        .onRef('receipts.merchantId', '=', 'merchants.id')
        .on('receipts.merchantId', '=', p.merchantId)
        .on('receipts.orderId', '=', p.orderId),
    )
    .where('merchants.id', '=', p.merchantId)
    .select(['merchants.name', 'merchants.mode', 'receipts.number', 'receipts.issuedAt']),
)

type Estimate = { readonly p50: Timestamp; readonly p90: Timestamp } | null

export interface ShipmentStep {
  readonly status: ShipmentStatus
  readonly at: Timestamp
}

/**
 * Maximum number of shipments that a tracking page shows, and maximum number of steps that it shows for each shipment.
 * Hardly any order reaches this number.
 */
const shownMax = 100

/**
 * Lists the shipments of an order, oldest first, with their steps. The statement reads neither the rider nor the
 * addresses, so the pages for buyers cannot show them.
 */
export const listTrackedShipments = listing<OfOrder>()('list_tracked_shipments', (p) =>
  build
    .selectFrom('shipments')
    .where('merchantId', '=', p.merchantId)
    .where('orderId', '=', p.orderId)
    .orderBy('id')
    .limit(sql.lit(shownMax))
    .select([
      'id',
      'status',
      'carrier',
      sql<readonly ShipmentItem[]>`items`.as('items'),
      sql<Estimate>`pickup_estimate`.as('pickupEstimate'),
      sql<Estimate>`delivery_estimate`.as('deliveryEstimate'),
      'pickedUpAt',
      sql<Kobo | null>`cod_amount_kobo`.as('codAmountKobo'),
      sql<Kobo | null>`cod_collected_kobo`.as('codCollectedKobo'),
      sql<readonly { readonly type: string; readonly capturedAt: Timestamp }[]>`coalesce((
        select jsonb_agg(jsonb_build_object('type', element ->> 'type', 'capturedAt', element ->> 'capturedAt'))
        from jsonb_array_elements(captured_proof) as captured (element)
      ), '[]')`.as('proofs'),
      sql<readonly ShipmentStep[]>`coalesce((
        select json_agg(step order by step.number)
        from (
          select number, status, to_char(occurred_at, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at
          from shipment_events
          where shipment_events.merchant_id = ${p.merchantId}
            and shipment_events.shipment_id = shipments.id
            and is_applied
            and status is not null
          order by number desc
          limit ${sql.lit(shownMax)}
        ) step
      ), '[]')`.as('steps'),
    ]),
)

export const listLostUnits = listing<OfOrder>()('list_lost_units', (p) =>
  build
    .selectFrom('order_items')
    .where('merchantId', '=', p.merchantId)
    .where('orderId', '=', p.orderId)
    .where('lostQuantity', '>', 0)
    .select(['id as itemId', 'lostQuantity as quantity']),
)

export type TrackedShipment = Awaited<ReturnType<typeof listTrackedShipments>>[number]
