import { sql } from 'kysely'
import type { PaymentProviderName } from '../../../registry/values/payment-providers.ts'
import type { MerchantId, Timestamp } from '../../../registry/values/vocabulary.ts'
import { checking, queueing } from '../core/calls.ts'
import type { ReadDb } from '../core/database.ts'
import { reading } from '../core/statement.ts'
import { hasOpenProblem } from '../notifications/resolution.ts'

/** The payments that were reported to their merchant because they match no order. */

interface ReportedReference {
  readonly reference: string
  readonly providerId: string | null
}

interface References {
  readonly merchantId: MerchantId
  readonly provider: PaymentProviderName
  readonly references: readonly string[]
}

const reported = reading<References>()(
  'list_reported_payment_references',
  (p) => sql<ReportedReference>`
    select data ->> 'reference' as reference, data ->> 'providerId' as provider_id
    from notifications
    where merchant_id = ${p.merchantId}
      and kind = 'payment.not_recorded'
      and data ->> 'reference' = any(${p.references}::text[])
      and coalesce(data ->> 'provider', ${p.provider}) = ${p.provider}`,
)

/** Returns a function that tells whether a payment was reported as unmatched, even if that problem was resolved. */
export async function findReportedPayments(
  db: ReadDb,
  of: References,
): Promise<(payment: { reference: string; providerId: string | null }) => boolean> {
  const ids = new Map<string, Set<string | null>>()
  for (const { reference, providerId } of await db.read(reported, of)) {
    ids.set(reference, (ids.get(reference) ?? new Set()).add(providerId))
  }
  return ({ reference, providerId }) => {
    const known = ids.get(reference)
    return known !== undefined && (providerId === null || known.has(null) || known.has(providerId))
  }
}

interface ReportedPayment {
  readonly merchantId: MerchantId
  readonly provider: PaymentProviderName
  /** The provider's own id of the payment. Null if the provider sent none. */
  readonly providerId: string | null
  /** JSON text of the fields that distinguish the payment from others, such as its reference. */
  readonly identity: string
}

/**
 * Whether the provider and the payment id in a notification agree with those of a payment. A missing value agrees with
 * every value, because notifications of earlier releases do not name the provider.
 */
function isOf({ provider, providerId }: Pick<ReportedPayment, 'provider' | 'providerId'>) {
  return sql<boolean>`
    coalesce(data ->> 'provider', ${provider}::text) = ${provider}::text
    and coalesce(data ->> 'providerId', ${providerId}::text, '') = coalesce(${providerId}::text, data ->> 'providerId', '')`
}

/** Whether a payment was reported as unmatched, even if that problem was resolved. */
export const isPaymentReported = checking<ReportedPayment>()(
  'find_reported_payment',
  (p) => sql<{ id: string }>`
    select id
    from notifications
    where merchant_id = ${p.merchantId} and kind = 'payment.not_recorded' and data @> ${p.identity}::jsonb and ${isOf(p)}
    limit 1`,
)

interface RecordedPayment extends Omit<ReportedPayment, 'identity'> {
  readonly reference: string
  readonly now: Timestamp
}

/** Resolves the notification that reported a payment as not recorded, because the payment is recorded now. */
export const resolveUnmatchedPayment = queueing<RecordedPayment>()(
  'resolve_unmatched_payment',
  (p) => sql`
    update notifications set resolved_at = ${p.now}::timestamptz
    where merchant_id = ${p.merchantId}
      and kind = 'payment.not_recorded'
      and ${hasOpenProblem}
      and data @> jsonb_build_object('reference', ${p.reference}::text)
      and ${isOf(p)}`,
)
