import { sql } from 'kysely'
import type { ShipmentExceptionCode } from '../../../registry/logistics/shipment-states.ts'
import type { RefundStatus } from '../../../registry/refunds/refund-states.ts'
import type { ReturnStatus } from '../../../registry/returns/return-states.ts'
import { exchangeWaitDays } from '../../../registry/values/limits.ts'
import type { NotificationKind } from '../../../registry/values/notifications.ts'
import type {
  EndpointId,
  Kobo,
  MerchantId,
  OrderId,
  RefundId,
  ReturnId,
  ShipmentId,
  Timestamp,
  TokenId,
  VariantId,
} from '../../../registry/values/vocabulary.ts'
import type { ReadDb } from '../core/database.ts'
import { asRecord } from '../core/json.ts'
import { reading } from '../core/statement.ts'
import { customerContact } from '../logistics/shipments/listed-shipments.ts'
import { hasOpenException, openExceptionCodes } from '../logistics/shipments/shipment-list.ts'
import { hasOpenProblem } from '../notifications/resolution.ts'
import { type Concern, concernOf, counted, failedSince } from './concern.ts'

/** The conditions that need manual action, which the start page of the dashboard shows. */

export interface Attention {
  readonly shipments: Concern<{
    readonly id: ShipmentId
    readonly reference: string
    readonly status: string
    readonly codes: readonly ShipmentExceptionCode[]
    /** Null for parcels without an order. */
    readonly orderNumber: string | null
    readonly customerName: string | null
    readonly createdAt: Timestamp
  }>
  readonly refunds: Concern<{
    readonly id: RefundId
    readonly orderId: OrderId
    readonly orderNumber: string
    readonly customerName: string
    readonly status: RefundStatus
    readonly amountKobo: Kobo
    readonly failureMessage: string | null
    readonly createdAt: Timestamp
  }>
  /**
   * Product returns whose units were replaced by an exchange order, but have not been received from the customer in
   * time.
   */
  readonly returns: Concern<{
    readonly id: ReturnId
    readonly orderNumber: string
    readonly customerName: string
    readonly status: ReturnStatus
    readonly exchangeOrderId: OrderId
    readonly exchangeNumber: string
    readonly exchangedAt: Timestamp
  }>
  readonly endpoints: Concern<{
    readonly id: EndpointId
    readonly url: string
    readonly status: 'enabled' | 'disabled'
    readonly consecutiveFailures: number
    readonly disabledAt: Timestamp | null
  }>
  readonly payments: Concern<{
    readonly id: string
    readonly kind: NotificationKind
    /** Parameters of the message about a condition that needs manual action. */
    readonly data: unknown
    readonly createdAt: Timestamp
  }>
  readonly tokens: Concern<{ readonly id: TokenId; readonly name: string; readonly expiresAt: Timestamp }>
  readonly stock: Concern<{
    readonly variantId: VariantId
    readonly sku: string
    readonly title: string
    readonly variantTitle: string
    readonly available: number
  }>
}

interface AttentionArgs {
  readonly merchantId: MerchantId
  readonly now: Timestamp
  /** Tokens that expire before this time are reported as expiring. */
  readonly expiringUntil: Timestamp
}

export const attention = reading<AttentionArgs>()(
  'read_attention',
  (p) => sql<{ [Kind in keyof Attention]: object }>`
    select
      ${concernOf(
        sql`
          select
            shipment.id, shipment.reference, shipment.status, shipment.created_at as "createdAt", shipment.codes,
            orders.number as "orderNumber", coalesce(orders.customer_name, shipment.contact) as "customerName"
          from (
            select
              id, order_id, reference, status, created_at, ${openExceptionCodes} as codes,
              ${customerContact} ->> 'name' as contact
            from shipments
            where merchant_id = ${p.merchantId} and ${hasOpenException}
            order by created_at desc, id desc
            limit ${counted}
          ) shipment
          left join orders on orders.merchant_id = ${p.merchantId} and orders.id = shipment.order_id`,
        '"createdAt" desc, id desc',
        ['createdAt'],
      )} as shipments,
      ${concernOf(
        sql`
          select
            refund.id, refund.order_id as "orderId", orders.number as "orderNumber",
            orders.customer_name as "customerName", refund.status, refund.amount_kobo as "amountKobo",
            refund.failure_message as "failureMessage", refund.created_at as "createdAt"
          from (
            (
              select * from refunds
              where merchant_id = ${p.merchantId} and status = 'needs_attention'
              order by created_at desc, id desc
              limit ${counted}
            )
            union all
            (
              select * from refunds
              where merchant_id = ${p.merchantId} and status = 'failed' and failed_at > ${failedSince(p.now)}
              order by failed_at desc, id desc
              limit ${counted}
            )
          ) refund
          join orders on orders.merchant_id = ${p.merchantId} and orders.id = refund.order_id
          order by refund.created_at desc, refund.id desc
          limit ${counted}`,
        '"createdAt" desc, id desc',
        ['createdAt'],
      )} as refunds,
      ${concernOf(
        sql`
          select
            returns.id, orders.number as "orderNumber", orders.customer_name as "customerName", returns.status,
            exchange.id as "exchangeOrderId", exchange.number as "exchangeNumber", exchange.created_at as "exchangedAt"
          from returns
          join orders on orders.merchant_id = ${p.merchantId} and orders.id = returns.order_id
          join orders exchange
            on exchange.merchant_id = ${p.merchantId} and exchange.exchange_of_return_id = returns.id
          where returns.merchant_id = ${p.merchantId}
            and returns.status in ('approved', 'in_transit')
            and exchange.created_at <= ${p.now}::timestamptz - make_interval(days => ${sql.lit(exchangeWaitDays)})
          limit ${counted}`,
        '"exchangedAt", id',
        ['exchangedAt'],
      )} as returns,
      ${concernOf(
        sql`
          select
            id, url, status, consecutive_failures as "consecutiveFailures", disabled_at as "disabledAt"
          from webhook_endpoints
          where merchant_id = ${p.merchantId}
            and deleted_at is null
            and ((status = 'enabled' and consecutive_failures > 0) or disabled_reason = 'consecutive_failures')
          limit ${counted}`,
        'status, id desc',
        ['disabledAt'],
      )} as endpoints,
      ${concernOf(
        sql`
          select id, kind, data, created_at as "createdAt"
          from notifications
          where merchant_id = ${p.merchantId} and ${hasOpenProblem}
          order by created_at desc, id desc
          limit ${counted}`,
        '"createdAt" desc, id desc',
        ['createdAt'],
      )} as payments,
      ${concernOf(
        sql`
          select id, name, expires_at as "expiresAt"
          from api_tokens
          where merchant_id = ${p.merchantId}
            and revoked_at is null
            and expires_at > ${p.now}::timestamptz
            and expires_at <= ${p.expiringUntil}::timestamptz
          limit ${counted}`,
        '"expiresAt", id',
        ['expiresAt'],
      )} as tokens,
      ${concernOf(
        sql`
          select
            stock.variant_id as "variantId", variant.sku, product.title, variant.title as "variantTitle",
            stock.available
          from inventory stock
          join product_variants variant on variant.merchant_id = stock.merchant_id and variant.id = stock.variant_id
          join products product on product.merchant_id = variant.merchant_id and product.id = variant.product_id
          where stock.merchant_id = ${p.merchantId}
            and stock.is_low
            and variant.archived_at is null
            and product.archived_at is null
          limit ${counted}`,
        'available, sku',
        [],
      )} as stock`,
)

/** One statement searches for all kinds of conditions, and each search reads a limited number of rows. */
export async function readAttention(db: ReadDb, of: AttentionArgs): Promise<Attention> {
  const [row] = await db.read(attention, of)
  if (row === undefined) throw new Error('A select without a table must return a row.')
  return asRecord<Attention>(row)
}
