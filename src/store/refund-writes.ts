import { sql } from 'kysely'
import type { Refund } from '../../registry/refunds.ts'
import type { Kobo, MerchantId, OrderId, RefundId, Timestamp } from '../../registry/vocabulary.ts'
import type { Actor } from './audit.ts'
import type { WriteTrx } from './database.ts'
import { insertingRows } from './rows.ts'
import { writing } from './statement.ts'

interface AppliedRefund {
  readonly merchantId: MerchantId
  readonly id: RefundId
  readonly orderId: OrderId
  readonly amountKobo: Kobo
  readonly taxKobo: Kobo
  readonly reason: string
  readonly note: string | null
  readonly refundedKobo: Kobo
  readonly refundableKobo: Kobo
  readonly paymentStatus: string
  readonly createdByType: Actor['type']
  readonly createdById: string | null
  readonly now: Timestamp
}

/**
 * A refund the merchant pays back by hand: it has succeeded with its record. The refund and the order's money change in
 * one statement; should the rule above it ever be wrong, order_refunds_no_more_than_was_paid refuses the whole.
 */
const apply = writing<AppliedRefund>()(
  'apply_manual_refund',
  (p) => sql`
    with refunded as (
      update orders
      set
        refunded_kobo = refunded_kobo + ${p.amountKobo}::bigint,
        refunded_tax_kobo = refunded_tax_kobo + ${p.taxKobo}::bigint,
        version = version + 1,
        updated_at = ${p.now}::timestamptz
      where merchant_id = ${p.merchantId} and id = ${p.orderId}
    )
    insert into refunds (
      merchant_id, id, order_id, amount_kobo, tax_kobo, reason, note, status, destination, provider,
      order_refunded_kobo, order_refundable_kobo, order_payment_status, created_by_type, created_by_id,
      succeeded_at, created_at, updated_at
    )
    values (
      ${p.merchantId}, ${p.id}, ${p.orderId}, ${p.amountKobo}, ${p.taxKobo}, ${p.reason}, ${p.note}, 'succeeded',
      'manual', 'manual', ${p.refundedKobo}, ${p.refundableKobo}, ${p.paymentStatus}, ${p.createdByType},
      ${p.createdById}, ${p.now}::timestamptz, ${p.now}::timestamptz, ${p.now}::timestamptz
    )`,
)

const insertItems = insertingRows('refund_items', [
  'merchant_id',
  'refund_id',
  'order_id',
  'item_id',
  'quantity',
  'restock',
  'amount_kobo',
])

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
    merchant_id: merchantId,
    refund_id: refund.id,
    order_id: orderId,
    item_id: item.itemId,
    quantity: item.quantity,
    restock: false,
    amount_kobo: item.amountKobo,
  }))
  insertItems.insert(trx, rows)
  trx.queue(countItems, { merchantId, orderId, items: JSON.stringify(items) })
}
