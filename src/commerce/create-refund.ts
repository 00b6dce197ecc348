import type { Refund, RefundInput } from '../../registry/refunds.ts'
import type { Kobo } from '../../registry/vocabulary.ts'
import { newRefundId } from '../records.ts'
import type { Work } from '../store/mutation.ts'
import { type LockedOrder, lockOrder } from '../store/order-writes.ts'
import { applyRefund } from '../store/refund-writes.ts'
import { listRefundableItems, type OrderItemMoney } from '../store/refunds.ts'
import { allocate, share, toKobo } from './money.ts'
import { paymentStatusOf } from './payment-status.ts'
import { refundableKobo, refundTaxKobo } from './refund-rules.ts'

export type CreateRefundOutcome =
  | { readonly is: 'refunded'; readonly refund: Refund }
  | { readonly is: 'order_unknown' }
  | { readonly is: 'order_not_paid' }
  | { readonly is: 'order_fully_refunded' }
  | { readonly is: 'too_much'; readonly refundableKobo: Kobo }
  | { readonly is: 'items_unknown'; readonly itemIds: readonly string[] }
  | { readonly is: 'too_many'; readonly items: readonly { itemId: string; refundableQuantity: number }[] }

/**
 * Refunds an order whose payments were recorded by hand: the merchant pays the money back, and this is the record of
 * it. The lock on the order makes refunds of one order come one after another, so that together they never pass what
 * was paid.
 */
export async function createRefund(work: Work<'order.refunded'>, request: RefundInput): Promise<CreateRefundOutcome> {
  const [order, lines] = await Promise.all([
    lockOrder(work.trx, work.merchantId, request.orderId),
    request.items === undefined ? [] : listRefundableItems(work.trx, work.merchantId, request.orderId),
  ])
  if (order === undefined) return { is: 'order_unknown' }
  if (order.paidKobo === 0) return { is: 'order_not_paid' }
  const leftKobo = refundableKobo(order)
  if (leftKobo === 0) return { is: 'order_fully_refunded' }
  const amountKobo = toKobo(request.amountKobo)
  if (amountKobo > leftKobo) return { is: 'too_much', refundableKobo: leftKobo }
  const judged = judgeItems(request, lines, amountKobo)
  if (judged.is !== 'fine') return judged
  const refund = refundOf(work, order, request, judged.items)
  applyRefund(
    work.trx,
    {
      merchantId: work.merchantId,
      id: refund.id,
      orderId: order.id,
      amountKobo,
      taxKobo: toKobo(refund.taxKobo),
      reason: refund.reason,
      note: refund.note,
      refundedKobo: toKobo(refund.order.refundedKobo),
      refundableKobo: toKobo(refund.order.refundableKobo),
      paymentStatus: refund.order.paymentStatus,
      createdByType: work.actor.type,
      createdById: work.actor.id,
      now: work.now,
    },
    refund.items,
  )
  work.note({ refundedKobo: [order.refundedKobo, refund.order.refundedKobo], reason: [null, refund.reason] })
  work.emit('order.refunded', refund.id, { refund, fullyRefunded: refund.order.paymentStatus === 'refunded' })
  return { is: 'refunded', refund }
}

type Judgement =
  | { readonly is: 'fine'; readonly items: Refund['items'] }
  | Extract<CreateRefundOutcome, { is: 'items_unknown' | 'too_many' }>

/** Looks the lines up, and gives each its share of the amount by what its pieces cost. */
function judgeItems(request: RefundInput, lines: readonly OrderItemMoney[], amountKobo: Kobo): Judgement {
  const wanted = request.items ?? []
  const byId = new Map(lines.map((line) => [line.id, line]))
  const unknown = wanted.filter((item) => !byId.has(item.itemId))
  if (unknown.length > 0) return { is: 'items_unknown', itemIds: unknown.map((item) => item.itemId) }
  const found = wanted.flatMap((item) => {
    const line = byId.get(item.itemId)
    return line === undefined ? [] : [{ ...item, line, left: line.quantity - line.refundedQuantity }]
  })
  const tooMany = found.filter((item) => item.quantity > item.left)
  if (tooMany.length > 0) {
    return {
      is: 'too_many',
      items: tooMany.map((item) => ({ itemId: item.itemId, refundableQuantity: item.left })),
    }
  }
  const weights = found.map(({ line, quantity }) => share(line.totalKobo, quantity, line.quantity))
  const shares = allocate(amountKobo, weights)
  const items = found.map(({ itemId, quantity }, index) => {
    return { itemId, quantity, amountKobo: shares[index] ?? toKobo(0) }
  })
  // The order in which the refund is read again.
  return { is: 'fine', items: items.sort((a, b) => (a.itemId < b.itemId ? -1 : 1)) }
}

function refundOf(
  work: Work<'order.refunded'>,
  order: LockedOrder,
  request: RefundInput,
  items: Refund['items'],
): Refund {
  const amountKobo = toKobo(request.amountKobo)
  const refundedKobo = toKobo(order.refundedKobo + amountKobo)
  return {
    id: newRefundId(work.nowMs),
    orderId: order.id,
    orderNumber: order.number,
    amountKobo,
    taxKobo: refundTaxKobo(order, amountKobo),
    currency: 'NGN',
    reason: request.reason,
    note: request.note ?? null,
    status: 'succeeded',
    items,
    provider: 'manual',
    providerReference: null,
    failureCode: null,
    failureMessage: null,
    createdAt: work.now,
    updatedAt: work.now,
    succeededAt: work.now,
    failedAt: null,
    order: {
      refundedKobo,
      refundableKobo: refundableKobo({ ...order, refundedKobo }),
      paymentStatus: paymentStatusOf({ ...order, refundedKobo }),
    },
  }
}
