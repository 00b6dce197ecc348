import { sql } from 'kysely'
import { paymentLinkStateOf } from '../../../registry/orders/payment-link-states.ts'
import type { PaymentLink } from '../../../registry/orders/payment-links.ts'
import type { MerchantId, OrderId, PaymentLinkId, Timestamp } from '../../../registry/values/vocabulary.ts'
import { toMs } from '../../base/clock.ts'
import { finding, queueing } from '../core/calls.ts'
import { inserting } from '../core/rows.ts'
import { build } from '../core/statement.ts'

/** The payment links of orders. An order has at most one link that is not withdrawn. */

/**
 * Returns the payment link of an order, with the facts that determine the status of the link. Ignores withdrawn links.
 */
export const findPaymentLink = finding<{ merchantId: MerchantId; orderId: OrderId }>()('find_payment_link', (p) =>
  build
    .selectFrom('payment_links')
    .innerJoin('orders', (join) =>
      join.onRef('orders.merchantId', '=', 'payment_links.merchantId').onRef('orders.id', '=', 'payment_links.orderId'),
    )
    .where('payment_links.merchantId', '=', p.merchantId)
    .where('payment_links.orderId', '=', p.orderId)
    .where('payment_links.withdrawnAt', 'is', null)
    .select([
      'payment_links.id',
      'payment_links.orderId',
      'payment_links.provider',
      'payment_links.reference',
      'payment_links.amountKobo',
      'payment_links.url',
      'payment_links.expiresAt',
      'payment_links.createdAt',
      'orders.status as orderStatus',
      sql<number>`orders.total_kobo - orders.paid_kobo`.as('orderBalanceKobo'),
      // A manual payment can be voided, and its reference can then be recorded again. A payment from a provider is
      // never voided.
      sql<boolean>`exists (
        select from payments
        where payments.merchant_id = ${p.merchantId}
          and payments.reference = payment_links.reference
          and payments.provider = payment_links.provider
      )`.as('isPaid'),
      // `key_updated_at` is null for a link that the previous release created, or that is older than the column.
      sql<boolean>`exists (
        select from payment_provider_keys key
        where key.merchant_id = ${p.merchantId}
          and key.provider = payment_links.provider
          and case
            when payment_links.key_updated_at is null then key.updated_at > payment_links.created_at
            else key.updated_at <> payment_links.key_updated_at
          end
      )`.as('isKeyReplaced'),
    ]),
)

export type StoredPaymentLink = NonNullable<Awaited<ReturnType<typeof findPaymentLink>>>

export function showPaymentLink(
  { orderStatus, orderBalanceKobo, isPaid, isKeyReplaced, ...stored }: StoredPaymentLink,
  now: Timestamp,
): PaymentLink {
  const { url, amountKobo, expiresAt } = stored
  const isExpired = toMs(expiresAt) <= toMs(now)
  const ofOrder = { orderStatus, orderBalanceKobo, amountKobo }
  const facts = { hasPage: url !== null, isPaid, isExpired, isKeyReplaced, ...ofOrder }
  return { ...stored, currency: 'NGN', ...paymentLinkStateOf(facts) }
}

export const insertPaymentLink = inserting('payment_links')

interface LinkKey {
  readonly merchantId: MerchantId
  readonly id: PaymentLinkId
}

export const setPaymentLinkUrl = queueing<LinkKey & { url: string }>()('set_payment_link_url', (p) =>
  build.updateTable('payment_links').set({ url: p.url }).where('merchantId', '=', p.merchantId).where('id', '=', p.id),
)

/** Withdraws a link, so that its order can get another one. */
export const withdrawPaymentLink = queueing<LinkKey & { now: Timestamp }>()('withdraw_payment_link', (p) =>
  build
    .updateTable('payment_links')
    .set({ withdrawnAt: p.now })
    .where('merchantId', '=', p.merchantId)
    .where('id', '=', p.id)
    .where('withdrawnAt', 'is', null),
)
