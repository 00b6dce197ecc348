import { sql } from 'kysely'
import type { MerchantId, OrderId, PaymentId, RefundId, Timestamp } from '../../../registry/values/vocabulary.ts'
import type { Database, ReadDb, SearchDb, WriteTrx } from '../core/database.ts'
import { build, reading, searching, writing } from '../core/statement.ts'

/**
 * Schedules the checks of refunds at their payment provider. The column `next_check_at` contains the time at which a
 * check is due. A worker claims the due refunds.
 */

const scheduleCheck = writing<{ merchantId: MerchantId; id: RefundId; now: Timestamp }>()(
  'schedule_refund_check',
  (p) =>
    build
      .updateTable('refunds')
      .set({ nextCheckAt: p.now, checks: 0, updatedAt: p.now })
      .where('merchantId', '=', p.merchantId)
      .where('id', '=', p.id),
)

export function scheduleRefundCheck(
  trx: WriteTrx,
  { merchantId, id }: { readonly merchantId: MerchantId; readonly id: RefundId },
  now: Timestamp,
): void {
  trx.queue(scheduleCheck, { merchantId, id, now })
}

const countOpen = reading<{ merchantId: MerchantId }>()('count_open_provider_refunds', (p) =>
  build
    .selectFrom('refunds')
    .where('merchantId', '=', p.merchantId)
    .where('provider', '<>', 'manual')
    .where('nextCheckAt', 'is not', null)
    .select(sql<number>`count(*)::int`.as('count')),
)

/** Returns the number of a merchant's refunds that wait for a payment provider. */
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

/**
 * Marks every open refund as submitted, and makes it due for a search at its provider. Returns the number of marked
 * refunds.
 */
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
      .set({ nextCheckAt: p.now, checks: 0 })
      .where('merchantId', '=', p.merchantId)
      .where('orderId', '=', p.orderId)
      .where('paymentId', '=', p.id)
      .where('nextCheckAt', 'is not', null)
      .returning('id'),
)

/** Makes all open refunds of a payment due for a check at their provider now. */
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
        and refund.provider <> 'manual'
        and refund.status = 'succeeded'
        and refund.provider_reference is not null
      )
    returning refund.id`,
)

/**
 * Makes refunds of a payment due for a check now, after a provider callback that does not identify the refund. If the
 * callback reports a reversal, this includes succeeded refunds. Refunds are found by their order, which has an index.
 */
export async function advanceRefundChecks(database: Database, refunds: PaymentRefunds): Promise<number> {
  return (await database.run(advance, refunds)).length
}

export const merchantsWithRefundsDue = searching<{ now: Timestamp }>()('merchants_with_refunds_due', (p, isReachable) =>
  build
    .selectFrom('refunds')
    .where(isReachable('merchantId'))
    .where('nextCheckAt', '<=', p.now)
    .select('merchantId')
    .distinct(),
)

export async function listMerchantsWithRefundsDue(db: SearchDb, now: Timestamp): Promise<MerchantId[]> {
  return (await db.search(merchantsWithRefundsDue, { now })).map(({ merchantId }) => merchantId)
}
