import { sql } from 'kysely'
import type { RefundDestination, RefundStatus } from '../../../registry/refunds/refund-states.ts'
import type { Kobo, MerchantId, OrderId, PaymentId, RefundId, Timestamp } from '../../../registry/values/vocabulary.ts'
import type { Database, ReadDb, WriteTrx } from '../core/database.ts'
import { build, reading, writing } from '../core/statement.ts'

/**
 * Refunds a worker takes up. A claim moves the refund's next look a lease ahead, so that one worker has it at a time and
 * a crash only costs time; for a refund not yet asked for, it notes the asking before anything is sent.
 */

/** Twice what one call of a provider may take: after it, the worker that had the refund is gone. */
const leaseSeconds = 120

/** So many at once keep the provider busy without a flood. */
const claimMax = 5

export interface ClaimedRefund {
  readonly merchantId: MerchantId
  readonly id: RefundId
  readonly orderId: OrderId
  readonly status: RefundStatus
  readonly amountKobo: Kobo
  readonly transaction: string
  readonly reference: string | null
  readonly createdAt: Timestamp
  /** Whether the server is certainly the one that it was created on, with every claim since. */
  readonly isSameServer: boolean
  /** Null when no earlier submission is known. */
  readonly submittedBeforeAt: Timestamp | null
  /** When a search first found nothing since the last submission; null before that. */
  readonly notFoundSince: Timestamp | null
  readonly claimedAt: Timestamp
  /** Until when it is this claim's, if nothing new comes meanwhile. */
  readonly claimedUntil: Timestamp
  readonly checks: number
  /** Whether its payment is disputed, so that nothing of it may go. */
  readonly isDisputed: boolean
  /** Whether lost disputes left too little of its payment for it, beside the refunds that the provider has. */
  readonly isLost: boolean
  /** Whether they left too little if every older refund that waits is submitted: an older one may still fail. */
  readonly isBehind: boolean
  readonly destination: RefundDestination
  readonly accountNumber: string | null
  readonly bankCode: string | null
}

/** What the other refunds of its payment take that the provider has or that were paid by hand, and older ones that wait. */
const takenByOthers = (isOlderCounted: boolean) => sql<number>`(
  select coalesce(sum(other.amount_kobo), 0)
  from refunds other
  where other.merchant_id = refund.merchant_id
    and other.order_id = refund.order_id
    and other.payment_id = refund.payment_id
    and other.id <> refund.id
    and other.status not in ('failed', 'cancelled')
    and (other.status <> 'pending' or other.provider_reference is not null or ${sql.lit(isOlderCounted)} and other.id < refund.id)
)`

const exceedsRest = (isOlderCounted: boolean) => sql<boolean>`(
  payment.dispute_lost_kobo > 0
  and payment.amount_kobo - payment.dispute_lost_kobo - refund.amount_kobo < ${takenByOthers(isOlderCounted)}
)`

export const refundClaim = writing<{ merchantId: MerchantId; now: Timestamp }>()(
  'claim_refunds',
  (p) => sql<ClaimedRefund>`
    with due as (
      select merchant_id, id, submitted_at
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
    where refund.merchant_id = due.merchant_id
      and refund.id = due.id
      and payment.merchant_id = refund.merchant_id
      and payment.id = refund.payment_id
    returning
      refund.merchant_id as "merchantId", refund.id, refund.order_id as "orderId", refund.status,
      refund.amount_kobo as "amountKobo", payment.reference as transaction, refund.provider_reference as reference,
      refund.created_at as "createdAt", coalesce(refund.created_server = server_identity(), false) as "isSameServer",
      due.submitted_at as "submittedBeforeAt", refund.not_found_since as "notFoundSince",
      ${p.now}::timestamptz as "claimedAt", refund.next_check_at as "claimedUntil", refund.checks,
      payment.disputed_at is not null as "isDisputed", ${exceedsRest(false)} as "isLost",
      ${exceedsRest(true)} as "isBehind", refund.destination,
      refund.account_number as "accountNumber", refund.bank_code as "bankCode"`,
)

const findLost = reading<{ merchantId: MerchantId; id: RefundId }>()(
  'is_refund_lost',
  (p) => sql<{ isLost: boolean }>`
    select ${exceedsRest(false)} as "isLost"
    from refunds refund
    join payments payment on payment.merchant_id = refund.merchant_id and payment.id = refund.payment_id
    where refund.merchant_id = ${p.merchantId} and refund.id = ${p.id}`,
)

/** Whether lost disputes left too little of its payment for a refund. Call it behind the lock on the order. */
export async function isRefundLost(db: ReadDb, merchantId: MerchantId, id: RefundId): Promise<boolean> {
  return (await db.read(findLost, { merchantId, id }))[0]?.isLost ?? false
}

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

/** Nothing is new; it is looked into again later, or sooner when something new came while this claim ran. */
export async function postponeRefund(
  database: Database,
  { merchantId, id, claimedUntil }: Claim,
  nextCheckAt: Timestamp | null,
) {
  await database.run(postpone, { merchantId, id, claimedUntil, nextCheckAt })
}

const scheduleCheck = writing<RefundKey & { now: Timestamp }>()('schedule_refund_check', (p) =>
  build
    .updateTable('refunds')
    .set({ next_check_at: p.now, checks: 0, updated_at: p.now })
    .where('merchant_id', '=', p.merchantId)
    .where('id', '=', p.id),
)

/** There is something to do for it now. */
export function scheduleRefundCheck(trx: WriteTrx, { merchantId, id }: RefundKey, now: Timestamp): void {
  trx.queue(scheduleCheck, { merchantId, id, now })
}

const withdraw = writing<RefundKey & { claimedAt: Timestamp; claimedUntil: Timestamp; nextCheckAt: Timestamp }>()(
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
 * The provider has certainly not begun with this claim's asking, so the refund is again one it was not asked for; unless
 * somebody has asked since, whose asking must not be forgotten.
 */
export async function clearRefundSubmission(database: Database, claim: Claim, nextCheckAt: Timestamp) {
  const { merchantId, id, claimedAt, claimedUntil } = claim
  await database.run(withdraw, { merchantId, id, claimedAt, claimedUntil, nextCheckAt })
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

/** A search did not find it. Unless somebody has submitted it since, which begins anew. */
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
        where payments.merchant_id = refunds.merchant_id
          and payments.id = refunds.payment_id
          and payments.disputed_at is not null
      )
    returning id`,
)

/**
 * Notes the next submission before it is sent, and that every later one needs a search. False when somebody else did, or
 * has learned what became of the first, or when a dispute has opened since the claim.
 */
export async function markResubmitted(
  database: Database,
  { merchantId, id }: RefundKey,
  submittedBeforeAt: Timestamp,
  now: Timestamp,
): Promise<boolean> {
  return (await database.run(resubmit, { merchantId, id, submittedBeforeAt, now })).length > 0
}

const countOpen = reading<{ merchantId: MerchantId }>()('count_open_provider_refunds', (p) =>
  build
    .selectFrom('refunds')
    .where('merchant_id', '=', p.merchantId)
    .where('provider', '<>', 'manual')
    .where('next_check_at', 'is not', null)
    .select(sql<number>`count(*)::int`.as('count')),
)

/** How many refunds of a merchant wait for a payment provider. */
export async function countOpenProviderRefunds(db: ReadDb, merchantId: MerchantId): Promise<number> {
  return (await db.read(countOpen, { merchantId }))[0]?.count ?? 0
}

const recheck = writing<{ merchantId: MerchantId; now: Timestamp }>()(
  'recheck_refunds',
  (p) => sql<{ id: string }>`
    update refunds
    set
      submitted_at = coalesce(submitted_at, ${p.now}::timestamptz),
      created_server = null,
      not_found_since = null,
      next_check_at = ${p.now}::timestamptz,
      checks = 0
    where merchant_id = ${p.merchantId} and provider <> 'manual' and next_check_at is not null
    returning id`,
)

/** Makes every open refund count as submitted now, and due for a search. Returns how many there are. */
export async function recheckRefunds(
  trx: WriteTrx,
  request: { merchantId: MerchantId; now: Timestamp },
): Promise<number> {
  return (await trx.write(recheck, request)).length
}

const scheduleChecks = writing<{ merchantId: MerchantId; orderId: OrderId; id: PaymentId; now: Timestamp }>()(
  'schedule_refund_checks',
  (p) =>
    build
      .updateTable('refunds')
      .set({ next_check_at: p.now, checks: 0 })
      .where('merchant_id', '=', p.merchantId)
      .where('order_id', '=', p.orderId)
      .where('payment_id', '=', p.id)
      .where('next_check_at', 'is not', null),
)

/** There is something to do now for every open refund of a payment. */
export function scheduleRefundChecks(
  trx: WriteTrx,
  payment: { merchantId: MerchantId; orderId: OrderId; id: PaymentId; now: Timestamp },
): void {
  trx.queue(scheduleChecks, payment)
}

interface PaymentRefunds {
  readonly merchantId: MerchantId
  readonly transaction: string
  readonly isReversal: boolean
  readonly now: Timestamp
}

const advance = writing<PaymentRefunds>()(
  'advance_refund_checks',
  (p) => sql<{ id: RefundId }>`
    update refunds refund
    set next_check_at = least(refund.next_check_at, ${p.now}::timestamptz)
    from payments payment
    where payment.merchant_id = ${p.merchantId}
      and payment.reference = ${p.transaction}
      and refund.merchant_id = payment.merchant_id
      and refund.order_id = payment.order_id
      and refund.payment_id = payment.id
      and (
        refund.next_check_at is not null
        or ${p.isReversal}::boolean
        and refund.provider = 'paystack'
        and refund.status = 'succeeded'
        and refund.provider_reference is not null
      )
    returning refund.id`,
)

/**
 * The provider has said something of this payment's refunds, but not of which: each is looked into now, and those that
 * succeeded too when it is that money came back. They are found by their order, which has an index.
 */
export async function advanceRefundChecks(database: Database, hastened: PaymentRefunds): Promise<number> {
  return (await database.run(advance, hastened)).length
}

export const merchantsWithRefundsDue = reading<{ now: Timestamp }>()('merchants_with_refunds_due', (p) =>
  build.selectFrom('refunds').where('next_check_at', '<=', p.now).select('merchant_id as merchantId').distinct(),
)

/** The merchants with a refund to look into. */
export async function listMerchantsWithRefundsDue(db: ReadDb, now: Timestamp): Promise<MerchantId[]> {
  return (await db.read(merchantsWithRefundsDue, { now })).map(({ merchantId }) => merchantId)
}
