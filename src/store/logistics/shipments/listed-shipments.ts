import { sql } from 'kysely'
import type { ShipmentStatus } from '../../../../registry/logistics/shipment-states.ts'
import type { Kobo, MerchantId, OrderId, ShipmentId } from '../../../../registry/values/vocabulary.ts'
import type { ReadDb } from '../../core/database.ts'
import { build, reading } from '../../core/statement.ts'

/** The customer and the order of a shipment, which a list of the dashboard shows in addition to the shipment's record. */
export interface ListedCustomer {
  readonly name: string | null
  readonly phone: string | null
  /** The area of the customer's address, or its local government area or state. */
  readonly area: string | null
  /**
   * The number of the order that is shipped, or of the order to which the return belongs. Null for parcels without an
   * order.
   */
  readonly orderNumber: string | null
  /** Whether the order that is shipped was cancelled, so that its parcel must not leave the shop. */
  readonly isOrderCancelled: boolean
}

/** The customer of a shipment: the contact at the dropoff, or at the pickup for a return shipment. */
export const customerContact = sql`(case when return_id is null then dropoff else pickup end)`

export const hasCancelledOrder = (merchantId: unknown) => sql<boolean>`exists (
  select from orders
  where orders.merchant_id = ${merchantId} and orders.id = shipments.order_id and orders.status = 'cancelled'
)`

export const shipmentCustomers = reading<{ merchantId: MerchantId; ids: readonly ShipmentId[] }>()(
  'list_shipment_customers',
  (p) =>
    build
      .selectFrom('shipments')
      .where('merchantId', '=', p.merchantId)
      .where(sql<boolean>`id = any(${p.ids}::text[])`)
      .select([
        'id',
        sql<string | null>`${customerContact} ->> 'name'`.as('name'),
        sql<string | null>`${customerContact} ->> 'phone'`.as('phone'),
        sql<string | null>`coalesce(
        ${customerContact} ->> 'area', ${customerContact} ->> 'lga', ${customerContact} ->> 'state'
      )`.as('area'),
        sql<string | null>`(
        select number from orders
        where orders.merchant_id = ${p.merchantId} and orders.id = coalesce(shipments.order_id, (
          select returns.order_id from returns
          where returns.merchant_id = ${p.merchantId} and returns.id = shipments.return_id
        ))
      )`.as('orderNumber'),
        hasCancelledOrder(p.merchantId).as('isOrderCancelled'),
      ]),
)

export async function listShipmentCustomers(
  db: ReadDb,
  merchantId: MerchantId,
  ids: readonly ShipmentId[],
): Promise<ReadonlyMap<ShipmentId, ListedCustomer>> {
  if (ids.length === 0) return new Map()
  const rows = await db.read(shipmentCustomers, { merchantId, ids })
  return new Map(rows.map(({ id, ...shown }) => [id, shown]))
}

/** A shipment as the page with the outcomes of a dispatch shows it. */
export interface DispatchedShipment {
  readonly id: ShipmentId
  readonly orderId: OrderId | null
  readonly status: ShipmentStatus
  readonly carrier: string | null
  readonly priceKobo: Kobo | null
}

export const dispatchedShipments = reading<{ merchantId: MerchantId; ids: readonly ShipmentId[] }>()(
  'list_dispatched_shipments',
  (p) =>
    build
      .selectFrom('shipments')
      .where('merchantId', '=', p.merchantId)
      .where(sql<boolean>`id = any(${p.ids}::text[])`)
      .select(['id', 'orderId', 'status', 'carrier', 'priceKobo']),
)

/** Leaves out ids that belong to no shipment of the merchant. */
export async function listDispatchedShipments(
  db: ReadDb,
  merchantId: MerchantId,
  ids: readonly ShipmentId[],
): Promise<ReadonlyMap<string, DispatchedShipment>> {
  if (ids.length === 0) return new Map()
  const rows = await db.read(dispatchedShipments, { merchantId, ids })
  return new Map(rows.map((row) => [row.id, row]))
}
