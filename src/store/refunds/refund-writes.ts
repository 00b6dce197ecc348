import { sql } from 'kysely'
import type { RefundDestination, RefundStatus } from '../../../registry/refunds/refund-states.ts'
import type {
  Kobo,
  MerchantId,
  OrderId,
  OrderItemId,
  PaymentId,
  RefundId,
  ReturnId,
  Timestamp,
} from '../../../registry/values/vocabulary.ts'
import { queueing } from '../core/calls.ts'
import type { LockTrx, WriteTrx } from '../core/database.ts'
import { build, locking, writing } from '../core/statement.ts'
import type { ProviderOrManual } from '../tables/values.ts'

export interface LockedRefund {
  readonly id: RefundId
  readonly status: RefundStatus
  readonly paymentId: PaymentId | null
  readonly returnId: ReturnId | null
  readonly amountKobo: Kobo
  readonly taxKobo: Kobo
  readonly destination: RefundDestination
  readonly provider: ProviderOrManual
  readonly reference: string | null
  readonly submittedAt: Timestamp | null
  readonly expectedAt: Timestamp | null
  readonly nextCheckAt: Timestamp | null
  readonly failure: { readonly code: string; readonly message: string } | null
}

const lock = locking<{ merchantId: MerchantId; id: RefundId }>()('lock_refund', (p) =>
  build
    .selectFrom('refunds')
    .where('merchantId', '=', p.merchantId)
    .where('id', '=', p.id)
    .select([
      'id',
      'status',
      'paymentId',
      'returnId',
      'amountKobo',
      'taxKobo',
      'destination',
      'provider',
      'providerReference as reference',
      'submittedAt',
      'expectedAt',
      'nextCheckAt',
      'failureCode',
      'failureMessage',
    ])
    .forNoKeyUpdate(),
)

/** Locks a refund. Requires the order's lock: all transactions lock the order first, which prevents deadlocks. */
export async function lockRefund(
  trx: LockTrx,
  merchantId: MerchantId,
  id: RefundId,
): Promise<LockedRefund | undefined> {
  const [row] = await trx.lock(lock, { merchantId, id })
  if (row === undefined) return undefined
  const { failureCode, failureMessage, ...refund } = row
  return { ...refund, failure: failureCode === null ? null : { code: failureCode, message: failureMessage ?? '' } }
}

interface ChangedRefund {
  readonly merchantId: MerchantId
  readonly id: RefundId
  readonly status: RefundStatus
  readonly reference: string | null
  readonly expectedAt: Timestamp | null
  readonly failureCode: string | null
  readonly failureMessage: string | null
  readonly nextCheckAt: Timestamp | null
  readonly refundedKobo: Kobo
  readonly refundableKobo: Kobo
  readonly paymentStatus: string
  readonly now: Timestamp
}

const change = writing<ChangedRefund>()(
  'change_refund',
  (p) => sql`
    update refunds
    set
      status = ${p.status},
      provider_reference = ${p.reference},
      expected_at = ${p.expectedAt}::timestamptz,
      failure_code = ${p.failureCode},
      failure_message = ${p.failureMessage},
      succeeded_at = case when ${p.status} = 'succeeded' then ${p.now}::timestamptz else succeeded_at end,
      failed_at = case when ${p.status} = 'failed' then ${p.now}::timestamptz end,
      next_check_at = ${p.nextCheckAt}::timestamptz,
      checks = 0,
      order_refunded_kobo = ${p.refundedKobo},
      order_refundable_kobo = ${p.refundableKobo},
      order_payment_status = ${p.paymentStatus},
      updated_at = ${p.now}::timestamptz
    where merchant_id = ${p.merchantId} and id = ${p.id}`,
)

export function changeRefund(trx: WriteTrx, changed: ChangedRefund): void {
  trx.queue(change, changed)
}

interface NamedRefund {
  readonly merchantId: MerchantId
  readonly id: RefundId
  readonly reference: string
  readonly now: Timestamp
}

/** Stores the provider's id of a refund that was recorded without it. Requires the order's lock. */
export const setRefundReference = queueing<NamedRefund>()('set_refund_reference', (p) =>
  build
    .updateTable('refunds')
    .set({ providerReference: p.reference, updatedAt: p.now })
    .where('merchantId', '=', p.merchantId)
    .where('id', '=', p.id),
)

interface RefundAccount {
  readonly merchantId: MerchantId
  readonly id: RefundId
  readonly destination: RefundDestination
  readonly accountNumber: string | null
  readonly bankCode: string | null
  readonly accountName: string | null
}

const setAccount = writing<RefundAccount>()('set_refund_account', (p) =>
  build
    .updateTable('refunds')
    .set({
      destination: p.destination,
      accountNumber: p.accountNumber,
      bankCode: p.bankCode,
      accountName: p.accountName,
    })
    .where('merchantId', '=', p.merchantId)
    .where('id', '=', p.id),
)

export function setRefundAccount(
  trx: WriteTrx,
  refund: { merchantId: MerchantId; id: RefundId },
  account: { accountNumber: string; bankCode: string; accountName: string },
): void {
  trx.queue(setAccount, { ...refund, destination: 'bank_account', ...account })
}

/**
 * Sets the destination of a refund back to the original payment, because the provider rejected the bank account. The
 * destination changes again when another bank account is set.
 */
export function clearRefundAccount(trx: WriteTrx, refund: { merchantId: MerchantId; id: RefundId }): void {
  const none = { accountNumber: null, bankCode: null, accountName: null }
  trx.queue(setAccount, { ...refund, destination: 'original_payment', ...none })
}

interface RefundAmounts {
  readonly merchantId: MerchantId
  readonly orderId: OrderId
  readonly refundedKobo: Kobo
  readonly pendingKobo: Kobo
  readonly refundedTaxKobo: Kobo
  readonly now: Timestamp
}

const setAmounts = writing<RefundAmounts>()('set_refund_amounts', (p) =>
  build
    .updateTable('orders')
    .set({
      refundedKobo: p.refundedKobo,
      refundPendingKobo: p.pendingKobo,
      refundedTaxKobo: p.refundedTaxKobo,
      version: sql<number>`version + 1`,
      updatedAt: p.now,
    })
    .where('merchantId', '=', p.merchantId)
    .where('id', '=', p.orderId),
)

/** Requires the order's lock. */
export function setRefundAmounts(trx: WriteTrx, amounts: RefundAmounts): void {
  trx.queue(setAmounts, amounts)
}

const uncountItems = writing<{ merchantId: MerchantId; id: RefundId }>()(
  'uncount_refunded_items',
  (p) => sql`
    update order_items
    set refunded_quantity = order_items.refunded_quantity - refunded.quantity
    from refund_items refunded
    where refunded.merchant_id = ${p.merchantId}
      and refunded.refund_id = ${p.id}
      and order_items.merchant_id = refunded.merchant_id
      and order_items.order_id = refunded.order_id
      and order_items.id = refunded.item_id`,
)

/** Subtracts the units of a failed or cancelled refund from the refunded quantities of the order items. */
export function uncountRefundedItems(trx: WriteTrx, refund: { merchantId: MerchantId; id: RefundId }): void {
  trx.queue(uncountItems, refund)
}

interface ReturnedItem {
  readonly itemId: OrderItemId
  /** Number of refunded units that were never fulfilled. */
  readonly unsent: number
  /** Number of refunded units that were fulfilled. */
  readonly sent: number
}

const recordReturned = writing<{ merchantId: MerchantId; orderId: OrderId; items: string }>()(
  'record_returned_items',
  (p) => sql`
    with returned as (
      select "itemId", unsent, sent
      from jsonb_to_recordset(${p.items}::jsonb) as returned ("itemId" text, unsent integer, sent integer)
    ), counted as (
      update orders
      set
        item_quantity = item_quantity - (select sum(unsent) from returned),
        returned_quantity = returned_quantity + (select sum(sent) from returned)
      where merchant_id = ${p.merchantId} and id = ${p.orderId}
    )
    update order_items
    set
      cancelled_quantity = order_items.cancelled_quantity + returned.unsent,
      returned_quantity = order_items.returned_quantity + returned.sent
    from returned
    where order_items.merchant_id = ${p.merchantId}
      and order_items.order_id = ${p.orderId}
      and order_items.id = returned."itemId"`,
)

/**
 * Counts the unfulfilled units of a refund as cancelled and the fulfilled units as returned. This function does not
 * increment the order's version, because applyRefund() does.
 */
export function recordReturnedItems(
  trx: WriteTrx,
  order: { merchantId: MerchantId; orderId: OrderId },
  items: readonly ReturnedItem[],
): void {
  trx.queue(recordReturned, { ...order, items: JSON.stringify(items) })
}
