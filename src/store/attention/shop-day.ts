import { sql } from 'kysely'
import { beforePickupStatuses, type ShipmentStatus } from '../../../registry/logistics/shipment-states.ts'
import type { ReturnStatus } from '../../../registry/returns/return-states.ts'
import type { Kobo, MerchantId, OrderId, ReturnId, ShipmentId, Timestamp } from '../../../registry/values/vocabulary.ts'
import type { ReadDb } from '../core/database.ts'
import { asRecord } from '../core/json.ts'
import { reading } from '../core/statement.ts'
import { customerContact, hasCancelledOrder } from '../logistics/shipments/listed-shipments.ts'
import { type Concern, concernOf, counted, countedMax } from './concern.ts'
import { countUnitsToPack, selectOrdersToPack } from './orders-to-pack.ts'
import { selectUnpaidOrders } from './unpaid-orders.ts'

/**
 * The tasks of a shop's day, as the start page of the dashboard lists them: orders to send, orders to pack, unpaid
 * orders, and returns.
 */

interface WaitingOrder {
  readonly id: OrderId
  readonly number: string
  readonly customerName: string
}

interface WaitingReturn {
  readonly id: ReturnId
  readonly orderNumber: string
  readonly customerName: string
  readonly status: ReturnStatus
  readonly version: number
  readonly createdAt: Timestamp
}

export interface ShopDay {
  /**
   * Orders to pack: they have units that are in no active shipment, and are paid or payable on delivery. The order that
   * has waited longest comes first.
   */
  readonly toPack: Concern<
    WaitingOrder & {
      readonly units: number
      readonly area: string | null
      readonly createdAt: Timestamp
      readonly since: Timestamp
    }
  >
  /**
   * Shipments whose rider has not picked up the parcel, each with its order. A shipment without an order has the name
   * of the contact at its delivery address. Shipments of returns are excluded, because a rider collects their parcels
   * from the customer. Shipments of cancelled orders are excluded, because their parcels must not leave the shop.
   */
  readonly toHandOver: Concern<
    { readonly [Name in keyof WaitingOrder]: WaitingOrder[Name] | null } & {
      readonly shipmentId: ShipmentId
      readonly reference: string
      readonly status: ShipmentStatus
      readonly carrier: string | null
      readonly createdAt: Timestamp
    }
  >
  /** Unpaid orders that must be paid before the delivery, the oldest first, because the oldest order expires first. */
  readonly unpaid: Concern<
    WaitingOrder & { readonly dueKobo: Kobo; readonly expiresAt: Timestamp | null; readonly createdAt: Timestamp }
  >
  /** Returns that wait for an approval, the oldest first. */
  readonly toApprove: Concern<WaitingReturn>
  /** Open returns whose units have not been received, the oldest return first. */
  readonly toReceive: Concern<WaitingReturn>
}

const literals = (values: readonly string[]) => sql`array[${sql.join(values.map((value) => sql.lit(value)))}]::text[]`

/** Selects the oldest returns with the given status. Each status has a partial index. */
const returnsWith = (merchantId: unknown, status: ReturnType<typeof sql>) =>
  concernOf(
    sql`
      select
        returns.id, orders.number as "orderNumber", orders.customer_name as "customerName", returns.status,
        returns.version, returns.created_at as "createdAt"
      from (
        select id, order_id, status, version, created_at
        from returns
        where merchant_id = ${merchantId} and ${status}
        order by id
        limit ${counted}
      ) returns
      join orders on orders.merchant_id = ${merchantId} and orders.id = returns.order_id`,
    '"createdAt", id',
    ['createdAt'],
  )

export const shopDay = reading<{ merchantId: MerchantId }>()(
  'read_shop_day',
  (p) => sql<{ [Kind in keyof ShopDay]: object }>`
    select
      ${concernOf(
        selectOrdersToPack({
          merchantId: p.merchantId,
          columns: sql`
            number, customer_name as "customerName", ${countUnitsToPack(p.merchantId)} as units,
            coalesce(shipping_address ->> 'area', shipping_address ->> 'city') as area,
            coalesce(paid_at, created_at) as since`,
          limit: countedMax,
        }),
        'since, id',
        ['createdAt', 'since'],
      )} as to_pack,
      ${concernOf(
        sql`
          select
            orders.id, orders.number, coalesce(orders.customer_name, shipment.contact) as "customerName",
            shipment.id as "shipmentId", shipment.reference, shipment.status, shipment.carrier, shipment.created_at as "createdAt"
          from (
            select found.*
            from unnest(${literals(beforePickupStatuses)}) wanted (status)
            cross join lateral (
              select
                id, order_id, reference, status, carrier, created_at, ${customerContact} ->> 'name' as contact
              from shipments
              where merchant_id = ${p.merchantId}
                and shipments.status = wanted.status
                and return_id is null
                and not ${hasCancelledOrder(p.merchantId)}
              order by created_at, id
              limit ${counted}
            ) found
            order by created_at, id
            limit ${counted}
          ) shipment
          left join orders on orders.merchant_id = ${p.merchantId} and orders.id = shipment.order_id`,
        '"createdAt", "shipmentId"',
        ['createdAt'],
      )} as to_hand_over,
      ${concernOf(
        selectUnpaidOrders({
          merchantId: p.merchantId,
          columns: sql`
            number, customer_name as "customerName", total_kobo - paid_kobo as "dueKobo", expires_at as "expiresAt"`,
          limit: countedMax,
        }),
        '"createdAt", id',
        ['createdAt', 'expiresAt'],
      )} as unpaid,
      ${returnsWith(p.merchantId, sql`status = 'requested'`)} as to_approve,
      ${returnsWith(p.merchantId, sql`status in ('approved', 'in_transit')`)} as to_receive`,
)

/**
 * Returns the lists of work for the start page of the dashboard. Each list contains its first five rows, and the number
 * of all its rows up to a limit.
 */
export async function readShopDay(db: ReadDb, merchantId: MerchantId): Promise<ShopDay> {
  const [row] = await db.read(shopDay, { merchantId })
  if (row === undefined) throw new Error('A select without a table must return a row.')
  return asRecord<ShopDay>(row)
}
