import { sql } from 'kysely'
import type { Refund } from '../../../registry/refunds/refund.ts'
import type { RefundStatus } from '../../../registry/refunds/refund-states.ts'
import type { PaymentProviderName } from '../../../registry/values/payment-providers.ts'
import type { Kobo, MerchantId, OrderId, PaymentId, RefundId, ReturnId } from '../../../registry/values/vocabulary.ts'
import type { ReadDb } from '../core/database.ts'
import { asRecord, jsonArrayFrom } from '../core/json.ts'
import {
  type CreatedRange,
  createdWithin,
  ifGiven,
  isAfter,
  type PageArgs,
  type PageRequest,
  pageArgs,
} from '../core/page.ts'
import { build, reading, shortReading } from '../core/statement.ts'

export interface RefundFilters extends CreatedRange {
  readonly orderId?: OrderId | undefined
  readonly returnId?: ReturnId | undefined
  readonly status?: readonly RefundStatus[] | undefined
  readonly reason?: string | undefined
}

const fieldsOf = (merchantId: MerchantId) =>
  build
    .selectFrom('refunds')
    .innerJoin('orders', (join) =>
      join.onRef('orders.merchantId', '=', 'refunds.merchantId').onRef('orders.id', '=', 'refunds.orderId'),
    )
    .select([
      'refunds.id',
      'refunds.orderId',
      'orders.number as orderNumber',
      'refunds.returnId',
      'refunds.amountKobo',
      'refunds.taxKobo',
      'refunds.reason',
      'refunds.note',
      'refunds.status',
      'refunds.destination',
      'refunds.accountNumber',
      'refunds.bankCode',
      'refunds.accountName',
      'refunds.provider',
      'refunds.providerReference',
      'refunds.failureCode',
      'refunds.failureMessage',
      'refunds.metadata',
      'refunds.createdByType as creatorType',
      'refunds.createdById as creatorId',
      'refunds.expectedAt',
      'refunds.createdAt',
      'refunds.updatedAt',
      'refunds.succeededAt',
      'refunds.failedAt',
      'refunds.orderRefundedKobo as refundedKobo',
      'refunds.orderRefundableKobo as refundableKobo',
      'refunds.orderPaymentStatus as paymentStatus',
    ])
    .select((refund) =>
      jsonArrayFrom(
        refund
          .selectFrom('refund_items')
          .where('refund_items.merchantId', '=', merchantId)
          .whereRef('refund_items.refundId', '=', 'refunds.id')
          .orderBy('itemId')
          .select(['itemId', 'quantity', 'restock', 'amountKobo']),
      ).as('items'),
    )
    .select((refund) =>
      refund
        .selectFrom('payments as credit')
        .where('credit.merchantId', '=', merchantId)
        .whereRef('credit.refundId', '=', 'refunds.id')
        .select('credit.orderId')
        .as('creditedOrderId'),
    )

const find = shortReading<{ merchantId: MerchantId; id: RefundId }>()('find_refund', (p) =>
  fieldsOf(p.merchantId).where('refunds.merchantId', '=', p.merchantId).where('refunds.id', '=', p.id),
)

/** Lists refunds. All filters use the same statement, because a merchant has few refunds. */
const listOf = (isFirst: boolean) =>
  reading<RefundFilters & PageArgs & { merchantId: MerchantId }>()('list_refunds', (p) => {
    const rows = fieldsOf(p.merchantId)
      .where('refunds.merchantId', '=', p.merchantId)
      .where(ifGiven(p.orderId, sql`refunds.order_id = ${p.orderId}`))
      .where(ifGiven(p.returnId, sql`refunds.return_id = ${p.returnId}`))
      .where(ifGiven(p.status, sql`refunds.status = any(${p.status}::text[])`))
      .where(ifGiven(p.reason, sql`refunds.reason = ${p.reason}`))
      .where(createdWithin('refunds', p))
    const page = isFirst ? rows : rows.where(isAfter('refunds', p))
    return page.orderBy('refunds.createdAt', 'desc').orderBy('refunds.id', 'desc').limit(p.limit)
  })

/**
 * The first page has no start position. On later pages, the condition on the position limits the index scan even under
 * a generic plan.
 */
const lists = { first: listOf(true), later: listOf(false) }

/**
 * Returns the SQL statement that lists refunds, with the arguments of the statement. Exposed so that tests can check
 * the query plan.
 */
export function refundQuery(merchantId: MerchantId, filters: RefundFilters, page: PageRequest) {
  const statement = page.after === undefined ? lists.first : lists.later
  return { statement, args: { merchantId, ...filters, ...pageArgs(page) } }
}

interface RefundRow {
  readonly refundedKobo: Kobo
  readonly refundableKobo: Kobo
  readonly paymentStatus: Refund['order']['paymentStatus']
  readonly accountNumber: string | null
  readonly bankCode: string | null
  readonly accountName: string | null
  readonly creatorType: string
  readonly creatorId: string | null
}

type OtherFields = Omit<{ [Field in keyof Refund]: unknown }, 'order' | 'currency' | 'account' | 'createdBy' | 'source'>

function toRefund(row: RefundRow & OtherFields): Refund {
  const { refundedKobo, refundableKobo, paymentStatus, ...more } = row
  const { accountNumber, bankCode, accountName, creatorType, creatorId, ...refund } = more
  return asRecord<Refund>({
    ...refund,
    account:
      accountNumber === null ? null : { accountNumber: maskedAccountNumber(accountNumber), bankCode, accountName },
    currency: 'NGN',
    // The source of a refund is `provider` only if a provider reported the refund.
    source: creatorType === 'provider' ? 'provider' : 'service',
    createdBy: { type: creatorType, id: creatorId },
    order: { refundedKobo, refundableKobo, paymentStatus },
  })
}

/** Masks all but the last four digits of an account number: enough to recognise the account, too little to use it. */
export function maskedAccountNumber(accountNumber: string): string {
  return accountNumber.slice(-4).padStart(accountNumber.length, '*')
}

export async function findRefund(db: ReadDb, merchantId: MerchantId, id: RefundId): Promise<Refund | undefined> {
  const [row] = await db.read(find, { merchantId, id })
  return row === undefined ? undefined : toRefund(row)
}

export async function listRefunds(
  db: ReadDb,
  merchantId: MerchantId,
  filters: RefundFilters,
  page: PageRequest,
): Promise<Refund[]> {
  const { statement, args } = refundQuery(merchantId, filters, page)
  const rows = await db.read(statement, args)
  return rows.map(toRefund)
}

export interface RefundReference {
  readonly id: RefundId
  readonly orderId: OrderId
  readonly amountKobo: Kobo
}

const byReference = reading<{ merchantId: MerchantId; provider: PaymentProviderName; reference: string }>()(
  'find_refund_by_reference',
  (p) =>
    build
      .selectFrom('refunds')
      .where('merchantId', '=', p.merchantId)
      .where('provider', '=', p.provider)
      .where('providerReference', '=', p.reference)
      .select(['id', 'orderId', 'amountKobo']),
)

const byId = reading<{ merchantId: MerchantId; provider: PaymentProviderName; id: RefundId }>()(
  'find_provider_refund',
  (p) =>
    build
      .selectFrom('refunds')
      .where('merchantId', '=', p.merchantId)
      .where('id', '=', p.id)
      .where('provider', '=', p.provider)
      .select(['id', 'orderId', 'amountKobo']),
)

/**
 * Returns the refund with the given reference of the provider. If no refund has this reference, the provider's response
 * to its submission may have been lost. The refund is then found by its id in this service, which was sent to the
 * provider as a note.
 */
export async function findProviderRefund(
  db: ReadDb,
  { id, reference, ...of }: ProviderRefundNames,
): Promise<RefundReference | undefined> {
  const [known] = reference === undefined ? [] : await db.read(byReference, { ...of, reference })
  if (known !== undefined || id === undefined) return known
  return (await db.read(byId, { ...of, id }))[0]
}

interface ProviderRefundNames {
  readonly merchantId: MerchantId
  readonly provider: PaymentProviderName
  readonly reference: string | undefined
  readonly id?: RefundId | undefined
}

interface RefundResponse {
  readonly merchantId: MerchantId
  readonly transaction: string
  readonly amountKobo: Kobo
}

const endedOfPayment = reading<RefundResponse>()('list_ended_refunds_of_payment', (p) =>
  build
    .selectFrom('payments')
    .innerJoin('refunds', (on) =>
      on
        .onRef('refunds.merchantId', '=', 'payments.merchantId')
        .onRef('refunds.orderId', '=', 'payments.orderId')
        .onRef('refunds.paymentId', '=', 'payments.id'),
    )
    .where('payments.merchantId', '=', p.merchantId)
    .where('payments.reference', '=', p.transaction)
    .where('refunds.amountKobo', '=', p.amountKobo)
    .where('refunds.status', 'in', ['succeeded', 'failed'])
    // Manual refunds are made outside of the payment provider, so the provider does not have them.
    .where('refunds.provider', '<>', 'manual')
    .select(['refunds.id', 'refunds.status'])
    .orderBy('refunds.id', 'desc'),
)

/**
 * Returns the newest failed refund that has the payment and the amount of the provider's report. Returns undefined if
 * another refund of this payment with this amount has succeeded, because the report may be about that refund.
 */
export async function findContradictedRefund(db: ReadDb, reported: RefundResponse): Promise<RefundId | undefined> {
  const ended = await db.read(endedOfPayment, reported)
  return ended.some(({ status }) => status === 'succeeded') ? undefined : ended[0]?.id
}

interface RefundsOfAmount {
  readonly merchantId: MerchantId
  readonly orderId: OrderId
  readonly paymentId: PaymentId
  readonly amountKobo: Kobo
}

const ofAmount = reading<RefundsOfAmount>()('list_refunds_of_amount', (p) =>
  build
    .selectFrom('refunds')
    .where('merchantId', '=', p.merchantId)
    .where('orderId', '=', p.orderId)
    .where('paymentId', '=', p.paymentId)
    .where('amountKobo', '=', p.amountKobo)
    .where('provider', '<>', 'manual')
    // A cancelled refund was never submitted, so the provider cannot report it.
    .where('status', '<>', 'cancelled')
    .select(['id', 'providerReference as reference', 'createdByType as source'])
    .orderBy('id'),
)

/**
 * Returns the refunds of a payment that have the given amount and were made by the payment provider, not manually,
 * oldest first. Cancelled refunds are left out. Must be called while the order is locked.
 */
export function listRefundsOfAmount(db: ReadDb, refunds: RefundsOfAmount) {
  return db.read(ofAmount, refunds)
}

const withoutItems = reading<{ merchantId: MerchantId; orderId: OrderId }>()('sum_refunds_without_items', (p) =>
  build
    .selectFrom('refunds')
    .where('merchantId', '=', p.merchantId)
    .where('orderId', '=', p.orderId)
    .where('status', 'not in', ['failed', 'cancelled'])
    .where(
      sql<boolean>`not exists (
        select from refund_items
        where refund_items.merchant_id = ${p.merchantId} and refund_items.refund_id = refunds.id
      )`,
    )
    .select(sql<Kobo>`coalesce(sum(amount_kobo), 0)::bigint`.as('amountKobo')),
)

/**
 * Returns the amount of an order's refunds that name no items. Failed and cancelled refunds are left out. Must be
 * called while the order is locked.
 */
export async function sumRefundsWithoutItems(db: ReadDb, merchantId: MerchantId, orderId: OrderId): Promise<Kobo> {
  const [row] = await db.read(withoutItems, { merchantId, orderId })
  if (row === undefined) throw new Error('A sum without groups must have one row.')
  return row.amountKobo
}
