import { sql } from 'kysely'
import type { Kobo, MerchantId, OrderId, PaymentId, Timestamp } from '../../../registry/values/vocabulary.ts'
import { finding, listing } from '../core/calls.ts'
import { build } from '../core/statement.ts'

/** Credits of exchanges: refunds of one order that are payments of another order. */

/**
 * The money of an order from which a refund is taken: a payment that a provider received, or all manual payments of the
 * order together.
 */
export interface RefundSource {
  readonly merchantId: MerchantId
  readonly orderId: OrderId
  /** The payment that a provider received. Null for the manual payments. */
  readonly paymentId: PaymentId | null
}

/**
 * The amounts of a source of credits: one payment, or all manual payments of an order. These amounts determine how much
 * of a dispute's loss the source bears, and how much its credits bear.
 */
export interface SourceMoney {
  /** The paid amount minus all its refunds, except for failed and cancelled refunds. */
  readonly unrefundedKobo: Kobo
  /** The amount that lost disputes returned to the payer. */
  readonly lostKobo: Kobo
  /** The amount that lost disputes returned to the payer, or that open disputes may still return to the payer. */
  readonly atRiskKobo: Kobo
  /** The amount of the refunds that were paid to the customer. */
  readonly paidOutKobo: Kobo
}

/**
 * Returns the amounts of one source of refunds: a provider payment, or the manual payments of an order. Requires the
 * lock of the order, which also protects the payments and refunds of the order.
 */
export const findSourceMoney = finding<RefundSource>()(
  'find_source_money',
  (p) => sql<SourceMoney>`
    select
      (amount_kobo - refunded_kobo)::bigint as unrefunded_kobo, lost_kobo, at_risk_kobo, paid_out_kobo
    from (
      select
        coalesce(sum(amount_kobo), 0)::bigint as amount_kobo,
        coalesce(sum(dispute_lost_kobo), 0)::bigint as lost_kobo,
        coalesce(sum(case when disputed_at is null then dispute_lost_kobo else amount_kobo end), 0)::bigint as at_risk_kobo
      from payments
      where merchant_id = ${p.merchantId}
        and order_id = ${p.orderId}
        and voided_at is null
        and (id = ${p.paymentId} or ${p.paymentId}::text is null and provider = 'manual')
    ) received, (
      select
        coalesce(sum(amount_kobo), 0)::bigint as refunded_kobo,
        coalesce(sum(amount_kobo) filter (where status = 'succeeded' and not exists (
          select from payments where merchant_id = ${p.merchantId} and refund_id = refunds.id
        )), 0)::bigint as paid_out_kobo
      from refunds
      where merchant_id = ${p.merchantId}
        and order_id = ${p.orderId}
        and payment_id is not distinct from ${p.paymentId}
        and status not in ('failed', 'cancelled')
    ) returned`,
)

/** A credit: a payment of an exchange order that comes from a refund of another order. */
export interface Credit {
  readonly id: PaymentId
  readonly orderId: OrderId
  readonly amountKobo: Kobo
  readonly disputedAt: Timestamp | null
  readonly disputeLostKobo: Kobo
}

/**
 * Returns the credits that refunds from a source have created, newest first. A source is a payment, or all manual
 * payments of an order. Requires the lock of the order to which the source belongs.
 */
export const listCredits = listing<RefundSource>()('list_credits', (p) =>
  build
    .selectFrom('refunds')
    .innerJoin('payments as credit', (join) =>
      join.on('credit.merchantId', '=', p.merchantId).onRef('credit.refundId', '=', 'refunds.id'),
    )
    .where('refunds.merchantId', '=', p.merchantId)
    .where('refunds.orderId', '=', p.orderId)
    .where('refunds.paymentId', 'is not distinct from', p.paymentId)
    .select(['credit.id', 'credit.orderId', 'credit.amountKobo', 'credit.disputedAt', 'credit.disputeLostKobo'])
    .orderBy('credit.createdAt', 'desc')
    .orderBy('credit.id', 'desc'),
)
