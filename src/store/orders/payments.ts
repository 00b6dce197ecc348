import { type RawBuilder, sql } from 'kysely'
import type { VoidReason } from '../../../registry/orders/order-states.ts'
import type { PaymentSummary } from '../../../registry/orders/payments.ts'
import type { PaymentProviderName } from '../../../registry/values/payment-providers.ts'
import type { Kobo, MerchantId, OrderId, PaymentId, Timestamp } from '../../../registry/values/vocabulary.ts'
import { finding, lockingFirst, queueing } from '../core/calls.ts'
import type { ReadDb } from '../core/database.ts'
import {
  type CreatedRange,
  createdWithin,
  ifGiven,
  isAfter,
  type PageArgs,
  type PageRequest,
  pageArgs,
} from '../core/page.ts'
import { inserting } from '../core/rows.ts'
import { build, reading } from '../core/statement.ts'
import type { ProviderOrManual } from '../tables/values.ts'

const findByReference = reading<{ merchantId: MerchantId; reference: string }>()('find_payment_by_reference', (p) =>
  build
    .selectFrom('payments')
    .where('merchantId', '=', p.merchantId)
    .where('reference', '=', p.reference)
    // A reference can be recorded again if the payment with this reference was voided.
    .where('voidedAt', 'is', null)
    .select(['id', 'provider', 'providerPaymentId']),
)

export const insertPayment = inserting('payments')

/** The payment with a given reference. No two payments of a merchant have the same reference. */
export interface ReferencedPayment {
  readonly id: PaymentId
  readonly provider: ProviderOrManual
  /** The provider's own id of the payment. Null if it is unknown. */
  readonly providerPaymentId: string | null
}

export async function findPaymentByReference(
  db: ReadDb,
  merchantId: MerchantId,
  reference: string,
): Promise<ReferencedPayment | undefined> {
  return (await db.read(findByReference, { merchantId, reference }))[0]
}

export interface PaymentFilters extends CreatedRange {
  readonly orderId?: OrderId | undefined
  readonly reference?: string | undefined
}

const summaries = build
  .selectFrom('payments')
  .select([
    'id',
    'orderId',
    'amountKobo',
    sql<'NGN'>`'NGN'`.as('currency'),
    'method',
    'reference',
    'provider',
    'refundId',
    'paidAt',
    'disputedAt',
    'disputeLostKobo',
    'voidedAt',
    'voidReason',
    'createdAt',
  ])

const find = reading<{ merchantId: MerchantId; id: PaymentId }>()('find_payment', (p) =>
  summaries.where('merchantId', '=', p.merchantId).where('id', '=', p.id),
)

export async function findPayment(
  db: ReadDb,
  merchantId: MerchantId,
  id: PaymentId,
): Promise<PaymentSummary | undefined> {
  return (await db.read(find, { merchantId, id }))[0]
}

interface VoidedPayment {
  readonly merchantId: MerchantId
  readonly id: PaymentId
  readonly reason: VoidReason
  readonly now: Timestamp
}

/** Requires the order's lock, which also protects its payments. */
export const markVoided = queueing<VoidedPayment>()('mark_payment_voided', (p) =>
  build
    .updateTable('payments')
    .set({ voidedAt: p.now, voidReason: p.reason })
    .where('merchantId', '=', p.merchantId)
    .where('id', '=', p.id),
)

const listOf = (isFirst: boolean) =>
  reading<PaymentFilters & PageArgs & { merchantId: MerchantId }>()('list_payments', (p) => {
    const rows = summaries
      .where('merchantId', '=', p.merchantId)
      .where(ifGiven(p.orderId, sql`order_id = ${p.orderId}`))
      .where(ifGiven(p.reference, sql`reference = ${p.reference}`))
      .where(createdWithin('payments', p))
    const page = isFirst ? rows : rows.where(isAfter('payments', p))
    return page.orderBy('createdAt', 'desc').orderBy('id', 'desc').limit(p.limit)
  })

/**
 * Later pages have a separate statement, in which the start position of the page bounds the index scan even under a
 * generic plan.
 */
const lists = { first: listOf(true), later: listOf(false) }

/** Returns the statement of a list of payments and its arguments, exposed so that tests can check the query plan. */
export function paymentQuery(merchantId: MerchantId, filters: PaymentFilters, page: PageRequest) {
  const statement = page.after === undefined ? lists.first : lists.later
  return { statement, args: { merchantId, ...filters, ...pageArgs(page) } }
}

export function listPayments(
  db: ReadDb,
  merchantId: MerchantId,
  filters: PaymentFilters,
  page: PageRequest,
): Promise<readonly PaymentSummary[]> {
  const { statement, args } = paymentQuery(merchantId, filters, page)
  return db.read(statement, args)
}

export interface RefundablePayment {
  readonly id: PaymentId
  readonly provider: ProviderOrManual
  readonly isDisputed: boolean
  /**
   * The amount of the payment minus its refunds. Failed refunds, cancelled refunds and lost disputes are not
   * subtracted. The refunds of manual payments are not assigned to single payments, so for a manual payment this is the
   * whole amount.
   */
  readonly unrefundedKobo: Kobo
  /** The part of a payment that lost disputes returned to the payer. */
  readonly lostKobo: Kobo
}

/**
 * SQL column for a select from payments: the amount of the payment minus its refunds. Failed and cancelled refunds are
 * not subtracted.
 */
export const unrefundedOfPayment = (merchantId: MerchantId) => sql<Kobo>`(payments.amount_kobo - (
  select coalesce(sum(refund.amount_kobo), 0)::bigint
  from refunds refund
  where refund.merchant_id = ${merchantId}
    and refund.order_id = payments.order_id
    and refund.payment_id = payments.id
    and refund.status not in ('failed', 'cancelled')
))`

/**
 * SQL expression for a query of orders: the amount of all manual payments of the order together, minus their refunds.
 */
const manualUnrefundedOfOrder = (
  merchantId: unknown,
) => sql<Kobo>`greatest(0, orders.paid_kobo - orders.provider_paid_kobo - (
  select coalesce(sum(refund.amount_kobo), 0)
  from refunds refund
  where refund.merchant_id = ${merchantId}
    and refund.order_id = orders.id
    and refund.payment_id is null
    and refund.status not in ('failed', 'cancelled')
))`

interface TakenAmount {
  /** SQL condition that is true for a payment from which disputes take an amount. */
  readonly isTaken: RawBuilder<boolean>
  /** SQL of the amount that disputes take from a payment. Used only for payments that fulfil `isTaken`. */
  readonly takenKobo: RawBuilder<Kobo>
}

/**
 * SQL expression for a query of orders: the amount that disputes take from the payments of an order. Refunds of manual
 * payments are not assigned to single payments. Disputes therefore take at most the unrefunded amount of all manual
 * payments of the order together. withheldKobo() applies the same rule.
 */
export const takenFromOrder = (merchantId: unknown, { isTaken, takenKobo }: TakenAmount) => sql<Kobo>`(
  select (coalesce(sum(${takenKobo}) filter (where payments.provider <> 'manual'), 0) + case
    -- Most orders have no disputed credit, and their manual refunds are not read.
    when count(*) filter (where payments.provider = 'manual') = 0 then 0
    else least(sum(${takenKobo}) filter (where payments.provider = 'manual'), ${manualUnrefundedOfOrder(merchantId)})
  end)::bigint
  from payments
  where payments.merchant_id = ${merchantId} and payments.order_id = orders.id and ${isTaken}
)`

const isLost = sql<boolean>`payments.dispute_lost_kobo > 0`

/**
 * Column for a select from orders: the part of the order's payments that was not refunded and cannot be refunded. This
 * part is disputed, or a lost dispute returned it to the payer.
 */
export const withheldOfOrder = (merchantId: MerchantId) =>
  takenFromOrder(merchantId, {
    isTaken: sql`(payments.disputed_at is not null or ${isLost})`,
    takenKobo: sql`case
      when payments.disputed_at is null then least(${unrefundedOfPayment(merchantId)}, payments.dispute_lost_kobo)
      else ${unrefundedOfPayment(merchantId)}
    end`,
  })

/**
 * Column for a select from orders: the amount that payers got back through lost disputes of the order's payments. For
 * each payment, this is at most the unrefunded amount.
 */
export const lostOfOrder = (merchantId: MerchantId) =>
  takenFromOrder(merchantId, {
    isTaken: isLost,
    takenKobo: sql`least(${unrefundedOfPayment(merchantId)}, payments.dispute_lost_kobo)`,
  })

const refundable = reading<{ merchantId: MerchantId; orderId: OrderId }>()('list_refundable_payments', (p) =>
  build
    .selectFrom('payments')
    .where('merchantId', '=', p.merchantId)
    .where('orderId', '=', p.orderId)
    .where(sql<boolean>`(provider <> 'manual' or disputed_at is not null or dispute_lost_kobo > 0)`)
    .select([
      'id',
      'provider',
      sql<boolean>`disputed_at is not null`.as('isDisputed'),
      unrefundedOfPayment(p.merchantId).as('unrefundedKobo'),
      'disputeLostKobo as lostKobo',
    ])
    .orderBy('paidAt', 'desc')
    .orderBy('id', 'desc'),
)

/**
 * Returns the payments of an order, newest first: the payments that a payment provider received, and the exchange
 * credits to which a dispute applies. Requires the order's lock, which also protects its payments.
 */
export function listRefundablePayments(
  db: ReadDb,
  merchantId: MerchantId,
  orderId: OrderId,
): Promise<readonly RefundablePayment[]> {
  return db.read(refundable, { merchantId, orderId })
}

interface ProviderReference {
  readonly merchantId: MerchantId
  readonly provider: PaymentProviderName
  readonly reference: string
}

export const findProviderPayment = finding<ProviderReference>()('find_provider_payment', (p) =>
  build
    .selectFrom('payments')
    .where('merchantId', '=', p.merchantId)
    .where('reference', '=', p.reference)
    .where('provider', '=', p.provider)
    .select(['id', 'orderId']),
)

export interface LockedPayment {
  readonly id: PaymentId
  readonly amountKobo: Kobo
  readonly disputedAt: Timestamp | null
  readonly disputeLostKobo: Kobo
}

export const lockProviderPayment = lockingFirst<ProviderReference>()('lock_payment_by_reference', (p) =>
  build
    .selectFrom('payments')
    .where('merchantId', '=', p.merchantId)
    .where('reference', '=', p.reference)
    .where('provider', '=', p.provider)
    .select(['id', 'amountKobo', 'disputedAt', 'disputeLostKobo'])
    .forNoKeyUpdate(),
)

interface DisputedPayment {
  readonly merchantId: MerchantId
  readonly id: PaymentId
  readonly disputedAt: Timestamp | null
  readonly lostKobo: Kobo
}

/**
 * Stores the time since which a payment has been disputed, and the amount that lost disputes returned to the payer.
 * Requires the payment's lock.
 */
export const setPaymentDisputed = queueing<DisputedPayment>()('set_payment_disputed', (p) =>
  build
    .updateTable('payments')
    .set({ disputedAt: p.disputedAt, disputeLostKobo: p.lostKobo })
    .where('merchantId', '=', p.merchantId)
    .where('id', '=', p.id),
)
