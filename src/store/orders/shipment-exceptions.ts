import { type RawBuilder, sql } from 'kysely'
import type { ShipmentExceptionCode } from '../../../registry/logistics/shipment-states.ts'
import type { OrderStatus } from '../../../registry/orders/order-states.ts'
import type { RefundId, ReturnId, ShipmentId } from '../../../registry/values/vocabulary.ts'
import { queueing, writingAll } from '../core/calls.ts'
import type { WriteTrx } from '../core/database.ts'
import { writing } from '../core/statement.ts'
import type { StoredException } from '../tables/shipment-exception.ts'
import { type ChangedShipment, lockShipmentsOf, type MovedOrder, type WarnedShipment } from './order-shipments.ts'

/** Adds and resolves exceptions of the shipments of an order, in the order's transaction. */

function resolving(p: MovedOrder, condition: RawBuilder<unknown>): RawBuilder<ChangedShipment> {
  return resolvingWhere(p, sql`order_id = ${p.orderId}`, condition)
}

function resolvingWhere(
  p: Pick<MovedOrder, 'merchantId' | 'now'>,
  isSelected: RawBuilder<unknown>,
  condition: RawBuilder<unknown>,
): RawBuilder<ChangedShipment> {
  const isResolved = sql`not exception ? 'resolvedAt' and ${condition}`
  return sql<ChangedShipment>`
    update shipments
    set
      exceptions = (
        select jsonb_agg(
          case when ${isResolved} then exception || jsonb_build_object('resolvedAt', ${p.now}::text) else exception end
          order by position
        )
        from jsonb_array_elements(exceptions) with ordinality as listed (exception, position)
      ),
      version = version + 1,
      updated_at = ${p.now}::timestamptz
    where merchant_id = ${p.merchantId}
      and ${isSelected}
      and exists (select from jsonb_array_elements(exceptions) as listed (exception) where ${isResolved})
    returning id`
}

interface RefundedParcels extends MovedOrder {
  /** The shipments that were requested from a carrier and contain refunded units. */
  readonly ids: readonly ShipmentId[]
}

export const unitsRefundedException = { code: 'units_refunded' } as const satisfies Pick<StoredException, 'code'>

/**
 * Adds the exception `units_refunded` to shipments that were already requested from a carrier. Requires the order's
 * lock, which prevents new requests to carriers. Returns the shipments whose new exception the caller must report.
 */
export const raiseUnitsRefunded = writingAll<RefundedParcels>()(
  'raise_units_refunded',
  (p) => sql<WarnedShipment>`
    update shipments
    set
      exceptions = (
        select coalesce(jsonb_agg(exception order by position), '[]')
        from jsonb_array_elements(exceptions) with ordinality as listed (exception, position)
        where exception ->> 'code' <> ${sql.lit(unitsRefundedException.code)}
      ) || jsonb_build_array(jsonb_build_object(
        'code', ${sql.lit(unitsRefundedException.code)},
        'at', ${p.now}::text,
        -- The caller reports it.
        'isReported', true
      )),
      version = version + 1,
      updated_at = ${p.now}::timestamptz
    where merchant_id = ${p.merchantId}
      and id = any(${p.ids}::text[])
      and ended_at is null
      and not jsonb_path_exists(exceptions, '$[*] ? (@.code == "units_refunded" && !exists(@.resolvedAt))')
    returning id, reference, order_id, return_id`,
)

const resolveRefunded = writing<RefundedParcels>()('resolve_units_refunded', (p) =>
  resolving(
    p,
    // A delivered parcel cannot be stopped: its exception stays open until a member handles the refunded units.
    sql`exception ->> 'code' = ${sql.lit(unitsRefundedException.code)}
      and ended_at is null
      and shipments.id <> all(${p.ids}::text[])`,
  ),
)

/** Resolves the exception `units_refunded` of those shipments of the order that no longer contain refunded units. */
export function resolveUnitsRefunded(trx: WriteTrx, parcels: RefundedParcels): void {
  lockShipmentsOf(trx, parcels)
  trx.queue(resolveRefunded, parcels)
}

interface UnpaidRefund extends MovedOrder {
  readonly refundId: RefundId
}

export const unitsNotShippedException = { code: 'units_not_shipped' } as const satisfies Pick<StoredException, 'code'>

const isNotShipped = sql`exception ->> 'code' = ${sql.lit(unitsNotShippedException.code)}`

/**
 * Adds the exception `units_not_shipped` to shipments after a refund was not paid: to shipments from which the refund
 * had removed units, and to ended shipments that contain units of the refund. If an item concerns several of these
 * shipments, only the exception of the newest one names the item. Requires the order's lock. Returns the shipments with
 * a new exception, which the caller must report.
 */
export const raiseUnitsNotShipped = writingAll<UnpaidRefund>()(
  'raise_units_not_shipped',
  (p) => sql<WarnedShipment>`
    with unsent as (
      select distinct on (item.id) shipment.id as shipment_id, item.id
      from shipments shipment
      join refunds refund on refund.merchant_id = shipment.merchant_id and refund.id = ${p.refundId}
      cross join lateral (
        -- Refunded units leave a shipment before a request to a carrier.
        select removed ->> 'itemId' as id
        from jsonb_array_elements(shipment.removed_items) as listed (removed)
        where exists (
          select
          from dispatch_attempts attempt
          where attempt.merchant_id = ${p.merchantId}
            and attempt.shipment_id = shipment.id
            and attempt.started_at >= refund.created_at
        )
        union
        -- While the refund was under way, no exception reported the units of the ended shipment.
        select item ->> 'itemId'
        from jsonb_array_elements(shipment.items) as listed (item)
        where shipment.status in ('cancelled', 'failed') and shipment.ended_at >= refund.created_at
      ) item
      where shipment.merchant_id = ${p.merchantId}
        and shipment.order_id = ${p.orderId}
        and shipment.created_at <= refund.created_at
        -- A refund without items concerns every unit.
        and (
          not exists (
            select from refund_items refunded
            where refunded.merchant_id = ${p.merchantId} and refunded.refund_id = refund.id
          )
          or exists (
            select from refund_items refunded
            where refunded.merchant_id = ${p.merchantId}
              and refunded.refund_id = refund.id
              and refunded.item_id = item.id
          )
        )
      order by item.id, shipment.id desc
    ),
    reported as (
      select shipment_id as id, jsonb_agg(id order by id) as item_ids
      from unsent
      group by shipment_id
    )
    update shipments
    set
      exceptions = (
        select
          coalesce(jsonb_agg(exception order by position), '[]') || jsonb_build_array(jsonb_build_object(
            'code', ${sql.lit(unitsNotShippedException.code)},
            'itemIds', reported.item_ids,
            'at', ${p.now}::text,
            -- The caller reports it.
            'isReported', true
          ))
        from jsonb_array_elements(exceptions) with ordinality as listed (exception, position)
        where not (${isNotShipped} and exception -> 'itemIds' = reported.item_ids)
      ),
      version = version + 1,
      updated_at = ${p.now}::timestamptz
    from reported
    where shipments.merchant_id = ${p.merchantId}
      and shipments.id = reported.id
      -- An open exception of an earlier release, without items, concerns every unit of the order.
      and not exists (
        select
        from jsonb_array_elements(exceptions) as listed (exception)
        where ${isNotShipped}
          and not exception ? 'resolvedAt'
          and coalesce(exception -> 'itemIds' = reported.item_ids, true)
      )
    returning shipments.id, reference, order_id, return_id`,
)

const resolveNotMoved = writing<MovedOrder & { reached: readonly string[] }>()('resolve_order_not_moved', (p) =>
  resolving(
    p,
    sql`exception ->> 'code' = 'order_not_moved'
      and coalesce(exception #>> '{facts,wanted}' = any(${p.reached}::text[]), true)`,
  ),
)

/**
 * Resolves the `order_not_moved` exceptions about statuses that the order has now reached. The caller must hold the
 * order's lock.
 */
export function resolveOrderNotMoved(trx: WriteTrx, order: MovedOrder, reached: readonly OrderStatus[]): void {
  trx.queue(resolveNotMoved, { ...order, reached })
}

/** Resolves the exceptions about unsent units and failed deliveries of an order that is being cancelled. */
export const resolveUnsentUnits = queueing<MovedOrder>()('resolve_exceptions_of_unsent_units', (p) =>
  resolving(p, sql`exception ->> 'code' in ('dispatch_failed', 'units_not_shipped', 'delivery_failed')`),
)

interface ReturnExceptions extends Pick<MovedOrder, 'merchantId' | 'now'> {
  readonly returnId: ReturnId
  /** The id of the shipment whose exceptions must stay open. Null to resolve the exceptions of all shipments. */
  readonly exceptId: ShipmentId | null
  readonly codes: readonly ShipmentExceptionCode[]
}

/**
 * Resolves the exceptions with the given codes of all shipments of a return, except the shipment `exceptId`. Requires
 * the lock of the return's order.
 */
export const resolveReturnExceptions = queueing<ReturnExceptions>()('resolve_exceptions_of_return', (p) =>
  resolvingWhere(
    p,
    sql`return_id = ${p.returnId} and shipments.id is distinct from ${p.exceptId}`,
    // Only a member can tell which of two reported ends of a parcel is right.
    sql`exception ->> 'code' = any(${p.codes}::text[]) and exception ->> 'cause' is distinct from 'other_end'`,
  ),
)

interface ReportedShipment extends MovedOrder {
  readonly id: ShipmentId
  readonly exception: Pick<StoredException, 'code' | 'itemIds'>
}

interface ResolvedException extends MovedOrder {
  readonly id: ShipmentId
  readonly code: StoredException['code']
  readonly itemIds: readonly string[] | null
}

const resolveOf = writing<ResolvedException>()('resolve_exception_of_shipment', (p) =>
  resolving(
    p,
    sql`exception ->> 'code' = ${p.code}
      and exception -> 'itemIds' is not distinct from to_jsonb(${p.itemIds}::text[])
      and shipments.id = ${p.id}`,
  ),
)

/** Requires the lock of the shipment's order. */
export function resolveExceptionOf(trx: WriteTrx, { id, exception, ...order }: ReportedShipment): void {
  const { merchantId, orderId, now } = order
  const { code, itemIds = null } = exception
  trx.queue(resolveOf, { merchantId, orderId, now, id, code, itemIds })
}
