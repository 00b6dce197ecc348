import { type RawBuilder, sql } from 'kysely'
import type { Refund } from '../../../registry/refunds/refund.ts'
import type { RefundDestination, RefundStatus } from '../../../registry/refunds/refund-states.ts'
import type {
  Kobo,
  MerchantId,
  OrderId,
  PaymentId,
  RefundId,
  ReturnId,
  Timestamp,
} from '../../../registry/values/vocabulary.ts'
import type { Actor } from '../core/audit.ts'
import type { WriteTrx } from '../core/database.ts'
import { insertingRows } from '../core/rows.ts'
import { writing } from '../core/statement.ts'
import type { ProviderOrManual } from '../tables/values.ts'

export interface AppliedRefund {
  readonly merchantId: MerchantId
  readonly id: RefundId
  readonly orderId: OrderId
  /** The version of the order from which the amounts were computed. */
  readonly orderVersion: number
  readonly paymentId: PaymentId | null
  readonly returnId: ReturnId | null
  readonly amountKobo: Kobo
  readonly taxKobo: Kobo
  /**
   * The settled amount of the refund in kobo. Either the settled or the pending amount is set; the other amount is 0.
   */
  readonly settledKobo: Kobo
  readonly pendingKobo: Kobo
  readonly reason: string
  readonly note: string | null
  readonly status: RefundStatus
  readonly destination: RefundDestination
  readonly accountNumber: string | null
  readonly bankCode: string | null
  readonly accountName: string | null
  readonly provider: ProviderOrManual
  readonly providerReference: string | null
  readonly metadata: string
  readonly refundedKobo: Kobo
  readonly refundableKobo: Kobo
  readonly paymentStatus: string
  readonly createdByType: Actor['type']
  readonly createdById: string | null
  readonly succeededAt: Timestamp | null
  readonly nextCheckAt: Timestamp | null
  readonly now: Timestamp
}

/**
 * Inserts the refund and updates the order's amounts in one statement. If the order has another version, the statement
 * fails with a serialization failure, after which the mutation runs again. If the caller's checks are wrong, the check
 * constraint order_refunds_no_more_than_was_paid rejects the whole statement.
 */
const apply = writing<AppliedRefund>()(
  'apply_refund',
  (p) => sql`
    with refunded as (${orderUpdate(p)}), inserted as (${refundInsert(p)})
    select require_unchanged(count(*)) from refunded`,
)

function orderUpdate(p: AppliedRefund): RawBuilder<unknown> {
  return sql`
    update orders
    set
      refunded_kobo = refunded_kobo + ${p.settledKobo}::bigint,
      refund_pending_kobo = refund_pending_kobo + ${p.pendingKobo}::bigint,
      refunded_tax_kobo = refunded_tax_kobo + ${p.taxKobo}::bigint,
      version = version + 1,
      updated_at = ${p.now}::timestamptz
    where merchant_id = ${p.merchantId} and id = ${p.orderId} and version = ${p.orderVersion}
    returning id`
}

function refundInsert(p: AppliedRefund): RawBuilder<never> {
  return sql`
    insert into refunds (
      merchant_id, id, order_id, payment_id, return_id, amount_kobo, tax_kobo, reason, note, status, destination, account_number,
      bank_code, account_name, provider, provider_reference, metadata, order_refunded_kobo, order_refundable_kobo, order_payment_status,
      created_by_type, created_by_id, succeeded_at, next_check_at, created_at, updated_at
    )
    values (
      ${p.merchantId}, ${p.id}, ${p.orderId}, ${p.paymentId}, ${p.returnId}, ${p.amountKobo}, ${p.taxKobo}, ${p.reason}, ${p.note},
      ${p.status}, ${p.destination}, ${p.accountNumber}, ${p.bankCode}, ${p.accountName}, ${p.provider},
      ${p.providerReference},
      ${p.metadata}::jsonb, ${p.refundedKobo}, ${p.refundableKobo}, ${p.paymentStatus}, ${p.createdByType},
      ${p.createdById}, ${p.succeededAt}::timestamptz, ${p.nextCheckAt}::timestamptz, ${p.now}::timestamptz, ${p.now}::timestamptz
    )`
}

const insertItems = insertingRows('refund_items')

const countItems = writing<{ merchantId: MerchantId; orderId: OrderId; items: string }>()(
  'count_refunded_items',
  (p) => sql`
    update order_items
    set refunded_quantity = order_items.refunded_quantity + refunded.quantity
    from jsonb_to_recordset(${p.items}::jsonb) as refunded ("itemId" text, quantity integer)
    where order_items.merchant_id = ${p.merchantId}
      and order_items.order_id = ${p.orderId}
      and order_items.id = refunded."itemId"`,
)

export function applyRefund(trx: WriteTrx, refund: AppliedRefund, items: Refund['items']): void {
  trx.queue(apply, refund)
  if (items.length === 0) return
  const { merchantId, orderId } = refund
  const rows = items.map((item) => ({
    merchantId,
    refundId: refund.id,
    orderId,
    itemId: item.itemId,
    quantity: item.quantity,
    restock: item.restock,
    amountKobo: item.amountKobo,
  }))
  insertItems.insert(trx, rows)
  trx.queue(countItems, { merchantId, orderId, items: JSON.stringify(items) })
}
