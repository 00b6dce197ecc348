import { sql } from 'kysely'
import type { NotificationKind } from '../../../registry/values/notifications.ts'
import type { Kobo, MerchantId, OrderId, Timestamp } from '../../../registry/values/vocabulary.ts'
import type { ReadDb, WriteTrx } from '../core/database.ts'
import { reading, writing } from '../core/statement.ts'
import { hasOpenProblem } from '../notifications/resolution.ts'
import { takenFromOrder } from './payments.ts'

/**
 * The payments of an order that the merchant keeps: the received payments, minus the paid refunds, minus the amounts
 * that lost disputes returned. A refund in progress is not subtracted, because it may fail. The amounts decide which
 * payment problems of the order are open.
 */

/**
 * SQL expression for a query of orders: the amount of the order's payments that the merchant keeps. The loss of a lost
 * dispute is subtracted, but at most the part of the payment that was not refunded.
 */
const keptOfOrder = (merchantId: unknown) =>
  sql<Kobo>`(orders.paid_kobo - orders.refunded_kobo - ${takenFromOrder(merchantId, {
    isTaken: sql`payments.dispute_lost_kobo > 0`,
    takenKobo: sql`least(payments.dispute_lost_kobo, payments.amount_kobo - (
      select coalesce(sum(refund.amount_kobo), 0)
      from refunds refund
      where refund.merchant_id = ${merchantId}
        and refund.order_id = payments.order_id
        and refund.payment_id = payments.id
        and refund.status = 'succeeded'
    ))`,
  })})::bigint`

interface OrderKey {
  readonly merchantId: MerchantId
  readonly orderId: OrderId
}

const find = reading<OrderKey>()(
  'find_kept_payments',
  (p) => sql<{ keptKobo: Kobo }>`
    select ${keptOfOrder(p.merchantId)} as kept_kobo from orders where merchant_id = ${p.merchantId} and id = ${p.orderId}`,
)

/**
 * Returns the amount of an order's payments that was neither refunded nor lost in disputes. Requires the lock of the
 * order.
 */
export async function findKeptKobo(db: ReadDb, order: OrderKey): Promise<Kobo> {
  const [row] = await db.read(find, order)
  if (row === undefined) throw new Error(`Order ${order.orderId} is locked but was not found.`)
  return row.keptKobo
}

const cancelledKinds: readonly NotificationKind[] = ['payment.of_cancelled_order', 'order.cancelled_unrefunded']

const keptKinds: readonly NotificationKind[] = [
  ...cancelledKinds,
  'payment.overpaid',
  'order.paid_above_price',
  'order.partly_paid',
]

/**
 * Whether the problem of a notification still exists. For `payment.overpaid`, the merchant may keep the amount
 * `allowedKobo`, or the order's total if an earlier release created the notification without `allowedKobo`. The problem
 * `order.partly_paid` remains even if the payments are returned: a partly paid order does not expire, and its units
 * stay reserved until it is paid or cancelled.
 */
const lastsWith = sql<boolean>`
  case notifications.kind
    when 'payment.overpaid' then
      money.kept_kobo > coalesce((notifications.data ->> 'allowedKobo')::bigint, money.total_kobo)
    when 'order.paid_above_price' then money.kept_kobo > money.total_kobo and money.status <> 'cancelled'
    when 'order.partly_paid' then money.paid_kobo < money.total_kobo and money.status in ('pending', 'on_hold')
    else money.status = 'cancelled' and money.kept_kobo > 0
  end`

const moneyOf = (p: { readonly merchantId: unknown; readonly orderId: unknown }) => sql`(
  select status, total_kobo, paid_kobo, ${keptOfOrder(p.merchantId)} as kept_kobo
  from orders
  where merchant_id = ${p.merchantId} and id = ${p.orderId}
) money`

interface ChangedOrder extends OrderKey {
  readonly now: Timestamp
}

const resolve = writing<ChangedOrder & { kinds: readonly NotificationKind[] }>()(
  'resolve_payment_problems',
  (p) => sql`
    update notifications
    set resolved_at = ${p.now}::timestamptz
    from ${moneyOf(p)}
    where merchant_id = ${p.merchantId}
      and ${hasOpenProblem}
      and kind = any(${p.kinds}::text[])
      and data ->> 'orderId' = ${p.orderId}
      and not ${lastsWith}`,
)

/**
 * Resolves the payment problems that an order no longer has with its new amounts or its new status. Requires the
 * order's lock.
 */
export function resolveEndedProblems(trx: WriteTrx, order: ChangedOrder): void {
  trx.queue(resolve, { ...order, kinds: keptKinds })
}

const reopen = writing<OrderKey & { kinds: readonly NotificationKind[] }>()(
  'reopen_payment_problems',
  (p) => sql`
    update notifications
    set resolved_at = null
    from ${moneyOf(p)}
    where merchant_id = ${p.merchantId}
      and resolved_at is not null
      and kind = any(${p.kinds}::text[])
      and data ->> 'orderId' = ${p.orderId}
      and ${lastsWith}`,
)

/**
 * Reopens resolved payment problems that an order has again because of new amounts. This includes problems that a
 * member resolved, because the member accepted the earlier amounts. Requires the order's lock.
 */
export function reopenProblems(trx: WriteTrx, { merchantId, orderId }: OrderKey): void {
  trx.queue(reopen, { merchantId, orderId, kinds: keptKinds })
}

interface UnrefundedOrder extends ChangedOrder {
  /** The id of the notification about the payment. */
  readonly id: string
}

const insertUnrefunded = writing<UnrefundedOrder & { kinds: readonly NotificationKind[] }>()(
  'insert_cancelled_unrefunded',
  (p) => sql`
    insert into notifications (merchant_id, id, kind, data, created_at)
    select
      ${p.merchantId}, ${p.id}, 'order.cancelled_unrefunded',
      jsonb_build_object('orderId', ${p.orderId}::text, 'amountKobo', money.kept_kobo), ${p.now}::timestamptz
    from ${moneyOf(p)}
    where money.kept_kobo > 0
      and not exists (
        select
        from notifications
        where merchant_id = ${p.merchantId}
          and ${hasOpenProblem}
          and kind = any(${p.kinds}::text[])
          and data ->> 'orderId' = ${p.orderId}
      )`,
)

/**
 * Notifies the merchant that payments of a cancelled order were not returned to the customer. Does nothing if all
 * payments were returned, or if an open problem already reports them. Requires the order's lock.
 */
export function insertCancelledUnrefunded(trx: WriteTrx, order: UnrefundedOrder): void {
  trx.queue(insertUnrefunded, { ...order, kinds: cancelledKinds })
}

const overpaid = writing<ChangedOrder & { allowedKobo: Kobo }>()(
  'resolve_overpaid',
  (p) => sql`
    update notifications
    set
      data = data || jsonb_build_object('allowedKobo', ${p.allowedKobo}::bigint),
      resolved_at = coalesce(resolved_at, ${p.now}::timestamptz)
    where merchant_id = ${p.merchantId} and kind = 'payment.overpaid' and data ->> 'orderId' = ${p.orderId}`,
)

/**
 * Resolves the overpayment notifications of an order whose total was edited, because these notifications compare the
 * payments with the earlier total. A notification reopens only if the payments exceed the amount that the merchant may
 * keep after the edit. Requires the order's lock.
 */
export function resolveOverpaid(trx: WriteTrx, order: ChangedOrder & { readonly allowedKobo: Kobo }): void {
  trx.queue(overpaid, order)
}

interface PaidAbovePrice extends UnrefundedOrder {
  readonly excessKobo: number
}

const writeAbovePrice = writing<PaidAbovePrice>()(
  'write_paid_above_price',
  (p) => sql`
    with earlier as (
      update notifications
      set data = data || jsonb_build_object('excessKobo', ${p.excessKobo}::bigint), resolved_at = null
      where merchant_id = ${p.merchantId} and kind = 'order.paid_above_price' and data ->> 'orderId' = ${p.orderId}
      returning id
    )
    insert into notifications (merchant_id, id, kind, data, created_at)
    select
      ${p.merchantId}, ${p.id}, 'order.paid_above_price',
      jsonb_build_object('orderId', ${p.orderId}::text, 'excessKobo', ${p.excessKobo}::bigint), ${p.now}::timestamptz
    where not exists (select from earlier)`,
)

/**
 * Notifies the merchant that the payments of an edited order, minus the amounts already returned, exceed its total. A
 * notification of an earlier edit gets the new amount, so that an order has at most one such notification. Requires the
 * order's lock.
 */
export function writePaidAbovePrice(trx: WriteTrx, order: PaidAbovePrice): void {
  trx.queue(writeAbovePrice, order)
}

const updatePartly = writing<OrderKey & { dueKobo: number }>()(
  'update_partly_paid',
  (p) => sql`
    update notifications
    set data = data || jsonb_build_object('dueKobo', ${p.dueKobo}::bigint)
    where merchant_id = ${p.merchantId}
      and ${hasOpenProblem}
      and kind = 'order.partly_paid'
      and data ->> 'orderId' = ${p.orderId}`,
)

/** Updates the amount due in the open notification of an order that is only partly paid. Requires the order's lock. */
export function updatePartlyPaid(trx: WriteTrx, order: OrderKey & { readonly dueKobo: number }): void {
  trx.queue(updatePartly, order)
}
