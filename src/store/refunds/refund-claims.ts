import { sql } from 'kysely'
import type { RefundDestination, RefundStatus } from '../../../registry/refunds/refund-states.ts'
import type { PaymentProviderName } from '../../../registry/values/payment-providers.ts'
import type { Kobo, MerchantId, OrderId, RefundId, Timestamp } from '../../../registry/values/vocabulary.ts'
import type { Database, ReadDb } from '../core/database.ts'
import { reading, writing } from '../core/statement.ts'

/**
 * Claims refunds that are due for a check. A claim moves `next_check_at` to the end of the claim. Until then, no other
 * worker processes the refund; afterwards, another worker continues if the first one crashed. The claim also sets
 * `submitted_at` before the first submission to the provider is sent.
 */

/**
 * Duration of a worker's claim of a refund, in seconds: twice the timeout of a provider request. The request of the
 * worker has therefore certainly ended when the claim expires.
 */
const leaseSeconds = 120

/** Maximum number of refunds per claim, to limit the concurrent requests to the provider. */
const claimMax = 5

export interface ClaimedRefund {
  readonly merchantId: MerchantId
  readonly id: RefundId
  readonly orderId: OrderId
  readonly provider: PaymentProviderName
  readonly status: RefundStatus
  readonly amountKobo: Kobo
  readonly transaction: string
  /** The provider's own id of the refunded payment. Null if it is unknown. */
  readonly transactionId: string | null
  readonly reference: string | null
  readonly createdAt: Timestamp
  /** Whether it is certain that the current database server stored the refund and every later claim of the refund. */
  readonly isSameServer: boolean
  /** When an earlier claim submitted the refund. Null if no submission by an earlier claim is known. */
  readonly submittedBeforeAt: Timestamp | null
  /** When a search at the provider first failed to find the refund after its last submission. Null until then. */
  readonly notFoundSince: Timestamp | null
  readonly claimedAt: Timestamp
  /** When the claim of the refund expires. A change of `next_check_at` ends the claim earlier. */
  readonly claimedUntil: Timestamp
  readonly checks: number
  /** Whether the payment is disputed, so that none of it may be refunded. */
  readonly isDisputed: boolean
  /**
   * Whether lost disputes and submitted refunds left less of the payment than the amount of the refund. False without a
   * lost dispute.
   */
  readonly isLost: boolean
  /**
   * Whether the rest of the payment is less than the amount of the refund. The rest is the payment without lost
   * disputes, submitted refunds and older pending refunds. The shortage may be temporary, because an older refund may
   * still fail.
   */
  readonly isBehind: boolean
  readonly destination: RefundDestination
  readonly accountNumber: string | null
  readonly bankCode: string | null
}

/**
 * The sum of the other refunds of the payment that were submitted to the provider or paid manually. With
 * `isOlderCounted`, the sum includes older pending refunds.
 */
const takenByOthers = (merchantId: MerchantId, isOlderCounted: boolean) => sql<number>`(
  select coalesce(sum(other.amount_kobo), 0)
  from refunds other
  where other.merchant_id = ${merchantId}
    and other.order_id = refund.order_id
    and other.payment_id = refund.payment_id
    and other.id <> refund.id
    and other.status not in ('failed', 'cancelled')
    and (other.status <> 'pending' or other.provider_reference is not null or ${sql.lit(isOlderCounted)} and other.id < refund.id)
)`

const exceedsRest = (merchantId: MerchantId, isOlderCounted: boolean) => sql<boolean>`(
  payment.dispute_lost_kobo > 0
  and payment.amount_kobo - payment.dispute_lost_kobo - refund.amount_kobo < ${takenByOthers(merchantId, isOlderCounted)}
)`

export const refundClaim = writing<{ merchantId: MerchantId; now: Timestamp }>()(
  'claim_refunds',
  (p) => sql<ClaimedRefund>`
    with due as (
      select id, submitted_at, coalesce(created_server = server_identity(), false) as is_same_server
      from refunds
      where merchant_id = ${p.merchantId} and next_check_at <= ${p.now}::timestamptz
      order by next_check_at
      limit ${sql.lit(claimMax)}
      for update skip locked
    )
    update refunds refund
    set
      next_check_at = ${p.now}::timestamptz + make_interval(secs => ${sql.lit(leaseSeconds)}),
      checks = checks + 1,
      submitted_at = coalesce(refund.submitted_at, ${p.now}::timestamptz)
    from due, payments payment
    where refund.merchant_id = ${p.merchantId}
      and refund.id = due.id
      and payment.merchant_id = refund.merchant_id
      and payment.id = refund.payment_id
    returning
      refund.merchant_id, refund.id, refund.order_id, refund.provider, refund.status,
      refund.amount_kobo, payment.reference as transaction,
      payment.provider_payment_id as transaction_id, refund.provider_reference as reference,
      refund.created_at, due.is_same_server,
      due.submitted_at as submitted_before_at, refund.not_found_since,
      ${p.now}::timestamptz as claimed_at, refund.next_check_at as claimed_until, refund.checks,
      payment.disputed_at is not null as is_disputed, ${exceedsRest(p.merchantId, false)} as is_lost,
      ${exceedsRest(p.merchantId, true)} as is_behind, refund.destination,
      refund.account_number, refund.bank_code`,
)

const findLost = reading<{ merchantId: MerchantId; id: RefundId }>()(
  'is_refund_lost',
  (p) => sql<{ isLost: boolean }>`
    select ${exceedsRest(p.merchantId, false)} as is_lost
    from refunds refund
    join payments payment on payment.merchant_id = refund.merchant_id and payment.id = refund.payment_id
    where refund.merchant_id = ${p.merchantId} and refund.id = ${p.id}`,
)

/** Reports whether lost disputes left too little of the payment to pay a refund. Requires the order's lock. */
export async function isRefundLost(db: ReadDb, merchantId: MerchantId, id: RefundId): Promise<boolean> {
  return (await db.read(findLost, { merchantId, id }))[0]?.isLost ?? false
}

/** Claims the due refunds of a merchant, earliest first, up to a maximum per call. */
export function claimRefunds(
  database: Database,
  merchantId: MerchantId,
  now: Timestamp,
): Promise<readonly ClaimedRefund[]> {
  return database.run(refundClaim, { merchantId, now })
}

interface RefundKey {
  readonly merchantId: MerchantId
  readonly id: RefundId
}

type Claim = Pick<ClaimedRefund, 'merchantId' | 'id' | 'claimedAt' | 'claimedUntil'>

const postpone = writing<RefundKey & { claimedUntil: Timestamp; nextCheckAt: Timestamp | null }>()(
  'postpone_refund',
  (p) => sql`
    update refunds
    set next_check_at = ${p.nextCheckAt}::timestamptz
    where merchant_id = ${p.merchantId} and id = ${p.id} and next_check_at = ${p.claimedUntil}::timestamptz`,
)

/**
 * Ends the claim of a refund and schedules its next check. Does nothing if a check has been scheduled since the claim.
 */
export async function postponeRefund(
  database: Database,
  { merchantId, id, claimedUntil }: Claim,
  nextCheckAt: Timestamp | null,
) {
  await database.run(postpone, { merchantId, id, claimedUntil, nextCheckAt })
}

const clearSubmission = writing<
  RefundKey & { claimedAt: Timestamp; claimedUntil: Timestamp; nextCheckAt: Timestamp }
>()(
  'clear_refund_submission',
  (p) => sql`
    update refunds
    set
      submitted_at = null,
      next_check_at = case
        when next_check_at = ${p.claimedUntil}::timestamptz then ${p.nextCheckAt}::timestamptz else next_check_at
      end
    where merchant_id = ${p.merchantId}
      and id = ${p.id}
      and status = 'pending'
      and provider_reference is null
      and submitted_at = ${p.claimedAt}::timestamptz`,
)

/**
 * Clears the submission that this claim recorded, because the provider has certainly not processed it: the refund is
 * treated as unsubmitted again. A later submission is not cleared.
 */
export async function clearRefundSubmission(database: Database, claim: Claim, nextCheckAt: Timestamp) {
  const { merchantId, id, claimedAt, claimedUntil } = claim
  await database.run(clearSubmission, { merchantId, id, claimedAt, claimedUntil, nextCheckAt })
}

const recordNotFound = writing<RefundKey & { submittedAt: Timestamp; now: Timestamp }>()(
  'record_refund_not_found',
  (p) => sql`
    update refunds
    set not_found_since = coalesce(not_found_since, ${p.now}::timestamptz)
    where merchant_id = ${p.merchantId}
      and id = ${p.id}
      and provider_reference is null
      and submitted_at = ${p.submittedAt}::timestamptz`,
)

/** Records that a search at the provider did not find a refund, unless the refund has been submitted again since. */
export async function recordRefundNotFound(
  database: Database,
  { merchantId, id, submittedBeforeAt, claimedAt }: ClaimedRefund,
  now: Timestamp,
): Promise<void> {
  await database.run(recordNotFound, { merchantId, id, submittedAt: submittedBeforeAt ?? claimedAt, now })
}

const resubmit = writing<RefundKey & { submittedBeforeAt: Timestamp; now: Timestamp }>()(
  'mark_refund_resubmitted',
  (p) => sql<{ id: string }>`
    update refunds
    set submitted_at = ${p.now}::timestamptz, not_found_since = null, created_server = null
    where merchant_id = ${p.merchantId}
      and id = ${p.id}
      and status = 'pending'
      and provider_reference is null
      and submitted_at = ${p.submittedBeforeAt}::timestamptz
      and not exists (
        select
        from payments
        where payments.merchant_id = ${p.merchantId}
          and payments.id = refunds.payment_id
          and payments.disputed_at is not null
      )
    returning id`,
)

/**
 * Records the next submission of a refund before the request is sent. Every later submission requires a search for the
 * refund at the provider. Returns false in three cases: another worker has submitted the refund again, the result of
 * the first submission is known, or a dispute was opened since the claim.
 */
export async function markResubmitted(
  database: Database,
  { merchantId, id }: RefundKey,
  submittedBeforeAt: Timestamp,
  now: Timestamp,
): Promise<boolean> {
  return (await database.run(resubmit, { merchantId, id, submittedBeforeAt, now })).length > 0
}
