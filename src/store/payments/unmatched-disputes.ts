import { sql } from 'kysely'
import type { PaymentProviderName } from '../../../registry/values/payment-providers.ts'
import type { Kobo, MerchantId, Timestamp } from '../../../registry/values/vocabulary.ts'
import { listing, queueing } from '../core/calls.ts'
import type { LockTrx } from '../core/database.ts'
import { build, locking } from '../core/statement.ts'
import type { DisputeStatus } from '../tables/values.ts'

/** Disputes whose payment is not recorded yet, in the state last reported by the provider. */

export interface UnmatchedDispute {
  readonly disputeId: string
  readonly status: DisputeStatus
  readonly resolution: string | null
  /** The amount that the dispute returned to the payer. Null means the whole payment. */
  readonly lostKobo: Kobo | null
}

interface PaymentReference {
  readonly merchantId: MerchantId
  readonly reference: string
}

interface ProviderReference extends PaymentReference {
  readonly provider: PaymentProviderName
}

const lock = locking<PaymentReference>()(
  'lock_payment_reference',
  (p) => sql`
    select pg_advisory_xact_lock(hashtextextended('payment:' || ${p.merchantId}::text || ' ' || ${p.reference}::text, 0))`,
)

/**
 * Locks the reference of a payment. Without this lock, one transaction could record the payment while another stores a
 * dispute of the payment as unmatched. The reference must be locked before the order.
 */
export async function lockPaymentReference(trx: LockTrx, reference: PaymentReference): Promise<void> {
  await trx.lock(lock, reference)
}

/** The caller must have locked the reference of the payment. */
export const listUnmatchedDisputes = listing<ProviderReference>()('list_unmatched_disputes', (p) =>
  build
    .selectFrom('unmatched_disputes')
    .where('merchantId', '=', p.merchantId)
    .where('paymentReference', '=', p.reference)
    .where('provider', '=', p.provider)
    .select(['disputeId', 'status', 'resolution', 'lostKobo'])
    .orderBy('reportedAt')
    .orderBy('disputeId'),
)

interface PutDispute extends ProviderReference, UnmatchedDispute {
  readonly now: Timestamp
}

/**
 * Stores the state of a dispute, or replaces the earlier stored state. Requires the lock of the reference of the
 * disputed payment.
 */
export const putUnmatchedDispute = queueing<PutDispute>()(
  'put_unmatched_dispute',
  (p) => sql`
    insert into unmatched_disputes (
      merchant_id, dispute_id, provider, payment_reference, status, resolution, lost_kobo, reported_at
    )
    values (
      ${p.merchantId}, ${p.disputeId}, ${p.provider}, ${p.reference}, ${p.status}, ${p.resolution},
      ${p.lostKobo}, ${p.now}::timestamptz
    )
    on conflict (merchant_id, dispute_id) do update
    set
      payment_reference = excluded.payment_reference, status = excluded.status, resolution = excluded.resolution,
      lost_kobo = excluded.lost_kobo, reported_at = excluded.reported_at`,
)

/** Deletes the stored disputes once they are recorded with their payment. */
export const deleteUnmatchedDisputes = queueing<ProviderReference>()('delete_unmatched_disputes', (p) =>
  build
    .deleteFrom('unmatched_disputes')
    .where('merchantId', '=', p.merchantId)
    .where('paymentReference', '=', p.reference)
    .where('provider', '=', p.provider),
)
