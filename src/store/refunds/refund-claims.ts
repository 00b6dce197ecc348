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
  readonly askedBeforeAt: Timestamp | null
  /** When a search first found nothing since the last submission; null before that. */
  readonly absentSince: Timestamp | null
  readonly claimedAt: Timestamp
  /** Until when it is this claim's, if nothing new comes meanwhile. */
  readonly claimedUntil: Timestamp
  readonly looks: number
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
      select merchant_id, id, provider_asked_at
      from refunds
      where merchant_id = ${p.merchantId} and next_look_at <= ${p.now}::timestamptz
      order by next_look_at
      limit ${sql.lit(claimMax)}
      for update skip locked
    )
    update refunds refund
    set
      next_look_at = ${p.now}::timestamptz + make_interval(secs => ${sql.lit(leaseSeconds)}),
      looks = looks + 1,
      provider_asked_at = coalesce(refund.provider_asked_at, ${p.now}::timestamptz)
    from due, payments payment
    where refund.merchant_id = due.merchant_id
      and refund.id = due.id
      and payment.merchant_id = refund.merchant_id
      and payment.id = refund.payment_id
    returning
      refund.merchant_id as "merchantId", refund.id, refund.order_id as "orderId", refund.status,
      refund.amount_kobo as "amountKobo", payment.reference as transaction, refund.provider_reference as reference,
      refund.created_at as "createdAt", coalesce(refund.created_server = server_identity(), false) as "isSameServer",
      due.provider_asked_at as "askedBeforeAt", refund.absent_since as "absentSince",
      ${p.now}::timestamptz as "claimedAt", refund.next_look_at as "claimedUntil", refund.looks,
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

const postpone = writing<RefundKey & { claimedUntil: Timestamp; nextLookAt: Timestamp | null }>()(
  'postpone_refund',
  (p) => sql`
    update refunds
    set next_look_at = ${p.nextLookAt}::timestamptz
    where merchant_id = ${p.merchantId} and id = ${p.id} and next_look_at = ${p.claimedUntil}::timestamptz`,
)

/** Nothing is new; it is looked into again later, or sooner when something new came while this claim ran. */
export async function postponeRefund(
  database: Database,
  { merchantId, id, claimedUntil }: Claim,
  nextLookAt: Timestamp | null,
) {
  await database.run(postpone, { merchantId, id, claimedUntil, nextLookAt })
}

const lookAt = writing<RefundKey & { now: Timestamp }>()('look_into_refund', (p) =>
  build
    .updateTable('refunds')
    .set({ next_look_at: p.now, looks: 0, updated_at: p.now })
    .where('merchant_id', '=', p.merchantId)
    .where('id', '=', p.id),
)

/** There is something to do for it now. */
export function lookIntoRefund(trx: WriteTrx, { merchantId, id }: RefundKey, now: Timestamp): void {
  trx.queue(lookAt, { merchantId, id, now })
}

const unask = writing<RefundKey & { claimedAt: Timestamp; claimedUntil: Timestamp; nextLookAt: Timestamp }>()(
  'unask_refund',
  (p) => sql`
    update refunds
    set
      provider_asked_at = null,
      next_look_at = case
        when next_look_at = ${p.claimedUntil}::timestamptz then ${p.nextLookAt}::timestamptz else next_look_at
      end
    where merchant_id = ${p.merchantId}
      and id = ${p.id}
      and status = 'pending'
      and provider_reference is null
      and provider_asked_at = ${p.claimedAt}::timestamptz`,
)

/**
 * The provider has certainly not begun with this claim's asking, so the refund is again one it was not asked for; unless
 * somebody has asked since, whose asking must not be forgotten.
 */
export async function unaskRefund(database: Database, claim: Claim, nextLookAt: Timestamp) {
  const { merchantId, id, claimedAt, claimedUntil } = claim
  await database.run(unask, { merchantId, id, claimedAt, claimedUntil, nextLookAt })
}

const noteAbsent = writing<RefundKey & { askedAt: Timestamp; now: Timestamp }>()(
  'note_absent_refund',
  (p) => sql`
    update refunds
    set absent_since = coalesce(absent_since, ${p.now}::timestamptz)
    where merchant_id = ${p.merchantId}
      and id = ${p.id}
      and provider_reference is null
      and provider_asked_at = ${p.askedAt}::timestamptz`,
)

/** A search did not find it. Unless somebody has submitted it since, which begins anew. */
export async function noteAbsentRefund(
  database: Database,
  { merchantId, id, askedBeforeAt, claimedAt }: ClaimedRefund,
  now: Timestamp,
): Promise<void> {
  await database.run(noteAbsent, { merchantId, id, askedAt: askedBeforeAt ?? claimedAt, now })
}

const askAgain = writing<RefundKey & { askedBeforeAt: Timestamp; now: Timestamp }>()(
  'ask_refund_again',
  (p) => sql<{ id: string }>`
    update refunds
    set provider_asked_at = ${p.now}::timestamptz, absent_since = null, created_server = null
    where merchant_id = ${p.merchantId}
      and id = ${p.id}
      and status = 'pending'
      and provider_reference is null
      and provider_asked_at = ${p.askedBeforeAt}::timestamptz
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
export async function markAskedAgain(
  database: Database,
  { merchantId, id }: RefundKey,
  askedBeforeAt: Timestamp,
  now: Timestamp,
): Promise<boolean> {
  return (await database.run(askAgain, { merchantId, id, askedBeforeAt, now })).length > 0
}

const countOpen = reading<{ merchantId: MerchantId }>()('count_open_provider_refunds', (p) =>
  build
    .selectFrom('refunds')
    .where('merchant_id', '=', p.merchantId)
    .where('provider', '<>', 'manual')
    .where('next_look_at', 'is not', null)
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
      provider_asked_at = coalesce(provider_asked_at, ${p.now}::timestamptz),
      created_server = null,
      absent_since = null,
      next_look_at = ${p.now}::timestamptz,
      looks = 0
    where merchant_id = ${p.merchantId} and provider <> 'manual' and next_look_at is not null
    returning id`,
)

/** Makes every open refund count as submitted now, and due for a search. Returns how many there are. */
export async function recheckRefunds(
  trx: WriteTrx,
  request: { merchantId: MerchantId; now: Timestamp },
): Promise<number> {
  return (await trx.write(recheck, request)).length
}

const takeUp = writing<{ merchantId: MerchantId; orderId: OrderId; id: PaymentId; now: Timestamp }>()(
  'take_up_refunds',
  (p) =>
    build
      .updateTable('refunds')
      .set({ next_look_at: p.now, looks: 0 })
      .where('merchant_id', '=', p.merchantId)
      .where('order_id', '=', p.orderId)
      .where('payment_id', '=', p.id)
      .where('next_look_at', 'is not', null),
)

/** There is something to do now for every open refund of a payment. */
export function takeUpRefunds(
  trx: WriteTrx,
  payment: { merchantId: MerchantId; orderId: OrderId; id: PaymentId; now: Timestamp },
): void {
  trx.queue(takeUp, payment)
}

interface Hastened {
  readonly merchantId: MerchantId
  readonly transaction: string
  readonly isReversal: boolean
  readonly now: Timestamp
}

const hasten = writing<Hastened>()(
  'hasten_refunds',
  (p) => sql<{ id: RefundId }>`
    update refunds refund
    set next_look_at = least(refund.next_look_at, ${p.now}::timestamptz)
    from payments payment
    where payment.merchant_id = ${p.merchantId}
      and payment.reference = ${p.transaction}
      and refund.merchant_id = payment.merchant_id
      and refund.order_id = payment.order_id
      and refund.payment_id = payment.id
      and (
        refund.next_look_at is not null
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
export async function hastenRefunds(database: Database, hastened: Hastened): Promise<number> {
  return (await database.run(hasten, hastened)).length
}

export const merchantsWithRefundsDue = reading<{ now: Timestamp }>()('merchants_with_refunds_due', (p) =>
  build.selectFrom('refunds').where('next_look_at', '<=', p.now).select('merchant_id as merchantId').distinct(),
)

/** The merchants with a refund to look into. */
export async function listMerchantsWithRefundsDue(db: ReadDb, now: Timestamp): Promise<MerchantId[]> {
  return (await db.read(merchantsWithRefundsDue, { now })).map(({ merchantId }) => merchantId)
}
