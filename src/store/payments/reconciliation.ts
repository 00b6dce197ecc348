import { sql } from 'kysely'
import type { PaymentProviderName } from '../../../registry/values/payment-providers.ts'
import type { Kobo, MerchantId, PaymentId, RefundId, Timestamp } from '../../../registry/values/vocabulary.ts'
import { listing } from '../core/calls.ts'
import { build } from '../core/statement.ts'

/** The recorded payments and refunds of a provider, for the comparison with the provider's own records. */

export interface StoredPayment {
  readonly id: PaymentId
  readonly reference: string
  readonly providerPaymentId: string | null
  readonly amountKobo: Kobo
  /**
   * The amount that the provider returned to the payer, according to the records of this service: the payment's refunds
   * that did not fail, and its lost disputes.
   */
  readonly returnedKobo: Kobo
  readonly paidAt: Timestamp
}

interface PaymentsFilter {
  readonly merchantId: MerchantId
  readonly provider: PaymentProviderName
  readonly since: Timestamp
  readonly until: Timestamp
  readonly references: readonly string[]
}

/**
 * Returns two groups of payments of a provider: those with one of the given references, and all that were recorded in
 * the given period.
 */
export const listProviderPayments = listing<PaymentsFilter>()('list_provider_payments', (p) =>
  build
    .selectFrom('payments')
    .where('merchantId', '=', p.merchantId)
    .where('provider', '=', p.provider)
    .where(
      sql<boolean>`(reference = any(${p.references}::text[])
        or created_at >= ${p.since}::timestamptz and created_at < ${p.until}::timestamptz)`,
    )
    .select(['id', 'reference', 'providerPaymentId', 'amountKobo', 'paidAt'])
    .select(
      sql<Kobo>`dispute_lost_kobo + (
        select coalesce(sum(refund.amount_kobo), 0)::bigint
        from refunds refund
        where refund.merchant_id = ${p.merchantId}
          and refund.order_id = payments.order_id
          and refund.payment_id = payments.id
          -- A refund by hand or a credit of an exchange leaves the payment at the provider.
          and refund.provider = payments.provider
          and refund.status not in ('failed', 'cancelled')
      )`.as('returnedKobo'),
    ),
)

export interface StoredRefund {
  readonly id: RefundId
  /** The provider's id of the refund. Null until the provider has reported it. */
  readonly reference: string | null
  readonly amountKobo: Kobo
}

interface RefundsFilter {
  readonly merchantId: MerchantId
  readonly provider: PaymentProviderName
  readonly ids: readonly string[]
  readonly references: readonly string[]
}

/** Returns the refunds that have one of the given ids, or one of the given references of the provider. */
export const listProviderRefunds = listing<RefundsFilter>()('list_provider_refunds', (p) =>
  build
    .selectFrom('refunds')
    .where('merchantId', '=', p.merchantId)
    .where(
      sql<boolean>`(id = any(${p.ids}::text[]) or provider = ${p.provider} and provider_reference = any(${p.references}::text[]))`,
    )
    .select(['id', 'providerReference as reference', 'amountKobo']),
)
