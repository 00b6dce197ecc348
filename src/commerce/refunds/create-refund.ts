import { orderMoveEvents } from '../../../registry/kit/event.ts'
import type { Refund } from '../../../registry/refunds/refund.ts'
import type { RefundInput } from '../../../registry/refunds/refunds.ts'
import type { Kobo, OrderId, PaymentId } from '../../../registry/values/vocabulary.ts'
import { newRefundId } from '../../base/records.ts'
import type { Work } from '../../store/core/mutation.ts'
import { listShipmentsOfOrder } from '../../store/logistics/shipments/tracking.ts'
import { findOrderBalances, type LockedOrder, lockOrder } from '../../store/orders/order-writes.ts'
import { listRefundablePayments } from '../../store/orders/payments.ts'
import { type AppliedRefund, applyRefund } from '../../store/refunds/apply-refund.ts'
import { listRefundableItems } from '../../store/refunds/refundable-items.ts'
import { maskedAccountNumber } from '../../store/refunds/refunds.ts'
import { touchReturn } from '../../store/returns/return-writes.ts'
import type { ProviderOrManual } from '../../store/tables/values.ts'
import { noKobo, toKobo } from '../money.ts'
import type { UnavailableUnits } from '../orders/carried-units.ts'
import { resolvePaymentProblems } from '../orders/payment-problems.ts'
import { paymentStatusOf } from '../orders/payment-status.ts'
import { reportRefundedGoods } from '../orders/refunded-goods.ts'
import { settleOrder } from '../orders/settle-order.ts'
import { carriedItems, checkItems, type ItemsOutcome } from './refund-items.ts'
import { choosePayment, type PaymentChoice } from './refund-payment.ts'
import { dependsOnPayments, isPaidInExcess, refundableKobo, withheldKobo } from './refund-rules.ts'
import { taxOfRefund } from './refund-tax.ts'
import { type RefundedOrder, restock } from './restock.ts'
import { findRefundedReturn, type RefundedReturnOutcome, returnedUnitsOf } from './returned-units.ts'
import { resolveUnsettled } from './unsettled-return.ts'

export type CreateRefundOutcome =
  | { readonly is: 'refunded'; readonly refund: Refund }
  | { readonly is: 'order_unknown' }
  | Exclude<RefundedReturnOutcome, { is: 'found' }>
  | { readonly is: 'order_not_paid' }
  | { readonly is: 'order_fully_refunded' }
  /** The refundable amount of the order differs from `expectedRefundableKobo` of the request. */
  | { readonly is: 'changed'; readonly refundableKobo: Kobo }
  | { readonly is: 'too_much'; readonly refundableKobo: Kobo }
  | Exclude<PaymentChoice, { is: 'chosen' }>
  | Exclude<ItemsOutcome, { is: 'fine' }>
  /** Units to restock are in an active shipment, or a carrier lost them. */
  | { readonly is: 'items_carried'; readonly items: readonly UnavailableUnits[] }

/**
 * The webhook events that creating a refund can emit. A refund of units can also change the status of the order, and
 * raise an exception of a shipment that was already requested from a carrier.
 */
export const newRefundEvents = ['order.refunded', ...orderMoveEvents, 'shipment.exception_raised'] as const

type RefundEvents = (typeof newRefundEvents)[number]

/**
 * Refunds an order. The merchant pays the refund of a manual payment itself, and this function only records it. A job
 * submits the refund of a provider payment to the payment provider. A refund is stored only if the order still has the
 * version from which the refund was computed. The sum of all refunds therefore never exceeds the amount paid. A refund
 * of a manual payment that names neither items nor a return depends only on the order's row, so its first attempt takes
 * no lock. All other refunds also depend on the rows of items, returns or payments, so they lock the order. So does a
 * refund of an order that was paid in excess, because its VAT depends on the earlier refunds.
 */
export async function createRefund(work: Work<RefundEvents>, request: RefundInput): Promise<CreateRefundOutcome> {
  const { trx, unlocked, merchantId } = work
  if (unlocked !== undefined && request.items === undefined && request.returnId === undefined) {
    const order = await findOrderBalances(unlocked, merchantId, request.orderId)
    const isIndependent = order !== undefined && !dependsOnPayments(order) && !isPaidInExcess(order)
    const outcome = isIndependent ? await refundOrder(work, request, { found: order }) : undefined
    // If the refund was rejected while the order was not locked, the order is locked and the refund is checked again.
    // The row that was read without the lock may be outdated, because it may come from a former primary server.
    if (outcome?.is === 'refunded') return outcome
  }
  return refundOrder(work, request, { found: lockOrder(trx, merchantId, request.orderId) })
}

/**
 * Refunds units of a return without paying the customer. The caller records the refund as a payment of the order
 * `creditedOrderId`.
 */
export function creditRefund(
  work: Work<RefundEvents>,
  request: RefundInput,
  creditedOrderId: OrderId,
): Promise<CreateRefundOutcome> {
  return refundOrder(work, request, { found: lockOrder(work.trx, work.merchantId, request.orderId), creditedOrderId })
}

interface RefundOptions {
  readonly found: LockedOrder | Promise<LockedOrder | undefined>
  readonly creditedOrderId?: OrderId | null
}

async function refundOrder(
  work: Work<RefundEvents>,
  request: RefundInput,
  { found, creditedOrderId = null }: RefundOptions,
): Promise<CreateRefundOutcome> {
  const { trx, merchantId } = work
  const { orderId, returnId } = request
  const isRestocking = request.items?.some(({ restock }) => restock === true) === true
  const [order, lines, shipments, returned] = await Promise.all([
    found,
    request.items === undefined && returnId === undefined ? [] : listRefundableItems(trx, merchantId, orderId),
    isRestocking ? listShipmentsOfOrder(trx, merchantId, orderId) : [],
    returnId === undefined ? undefined : findRefundedReturn(work, { orderId, returnId }),
  ])
  if (order === undefined) return { is: 'order_unknown' }
  if (returned !== undefined && returned.is !== 'found') return returned
  if (order.paidKobo === 0) return { is: 'order_not_paid' }
  const leftKobo = refundableKobo(order)
  if (leftKobo === 0) return { is: 'order_fully_refunded' }
  const payments = dependsOnPayments(order) ? await listRefundablePayments(trx, merchantId, order.id) : []
  const withheld = withheldKobo(payments, leftKobo)
  const nowKobo = refundableKobo(order, withheld)
  if ((request.expectedRefundableKobo ?? nowKobo) !== nowKobo) return { is: 'changed', refundableKobo: nowKobo }
  const checked = checkItems(request, lines, returned && returnedUnitsOf(returned.return, lines))
  if (checked.is === 'above_price') return { ...checked, mostKobo: toKobo(Math.min(checked.mostKobo, leftKobo)) }
  if (checked.is !== 'fine') return checked
  const { amountKobo } = checked
  if (amountKobo > leftKobo) return tooMuch(nowKobo)
  const inShipment = carriedItems(checked.items, lines, shipments)
  if (inShipment.length > 0) return { is: 'items_carried', items: inShipment }
  const choice = choosePayment(payments, leftKobo, amountKobo)
  if (choice.is !== 'chosen') return choice
  const { items } = checked
  const { payment } = choice
  // If the request contains a bank account, the merchant pays the refund manually, even if a provider received the
  // payment.
  const isByHand = payment === null || request.destination !== undefined || creditedOrderId !== null
  const provider = isByHand ? 'manual' : payment.provider
  const taxKobo = await taxOfRefund(work, order, { amountKobo, hasItems: items.length > 0 })
  const refund = refundOf(work, order, request, { amountKobo, taxKobo, items, provider, withheld, creditedOrderId })
  await record(work, order, request, { refund, provider, paymentId: payment?.id ?? null, lines, shipments })
  return { is: 'refunded', refund }
}

/**
 * Returns the rejection of a refund that is too high. If money remains but none of it is refundable now, the rejection
 * says that a dispute withholds it.
 */
function tooMuch(mostKobo: Kobo): CreateRefundOutcome {
  return mostKobo === 0 ? { is: 'disputed' } : { is: 'too_much', refundableKobo: mostKobo }
}

interface Recorded extends RefundedOrder {
  readonly refund: Refund
  readonly provider: ProviderOrManual
  readonly paymentId: PaymentId | null
}

async function record(
  work: Work<RefundEvents>,
  order: LockedOrder,
  request: RefundInput,
  { refund, provider, paymentId, ...refunded }: Recorded,
): Promise<void> {
  await restock(work, order, refund, refunded)
  applyRefund(work.trx, rowOf(work, order, { refund, provider, paymentId, account: request.destination }), refund.items)
  if (refund.returnId !== null) {
    touchReturn(work.trx, { merchantId: work.merchantId, id: refund.returnId, now: work.now })
    resolveUnsettled(work, refund.returnId)
  }
  noteRefund(work, order, refund)
  // The refund may cancel the last units that were not sent, which can change the status of the order.
  if (refund.items.length > 0) await settleOrder(work, order.id, 'refunded')
  if (refund.items.length > 0 || refund.order.refundableKobo === 0) await reportRefundedGoods(work, order.id)
}

interface RefundRow extends Pick<Recorded, 'refund' | 'provider' | 'paymentId'> {
  /**
   * The full bank account to which the merchant pays the refund. The record of the refund contains only a part of the
   * account number.
   */
  readonly account: RefundInput['destination']
}

/** Returns the row of a refund to store, and the amounts that the order has after the refund. */
function rowOf(
  work: Work<RefundEvents>,
  order: LockedOrder,
  { refund, provider, paymentId, account }: RefundRow,
): AppliedRefund {
  const isSettled = refund.status === 'succeeded'
  return {
    merchantId: work.merchantId,
    id: refund.id,
    orderId: order.id,
    orderVersion: order.version,
    paymentId,
    returnId: refund.returnId,
    amountKobo: toKobo(refund.amountKobo),
    taxKobo: toKobo(refund.taxKobo),
    settledKobo: isSettled ? toKobo(refund.amountKobo) : noKobo,
    pendingKobo: isSettled ? noKobo : toKobo(refund.amountKobo),
    reason: refund.reason,
    note: refund.note,
    status: refund.status,
    destination: refund.destination,
    accountNumber: account?.accountNumber ?? null,
    bankCode: account?.bankCode ?? null,
    accountName: account?.accountName ?? null,
    provider,
    providerReference: null,
    metadata: JSON.stringify(refund.metadata),
    refundedKobo: toKobo(refund.order.refundedKobo),
    refundableKobo: toKobo(refund.order.refundableKobo),
    paymentStatus: refund.order.paymentStatus,
    createdByType: work.actor.type,
    createdById: work.actor.id,
    succeededAt: isSettled ? work.now : null,
    nextCheckAt: isSettled ? null : work.now,
    now: work.now,
  }
}

/** Adds the changed amounts of the order to the audit row. If the refund is already paid, also emits its event. */
function noteRefund(work: Work<RefundEvents>, order: LockedOrder, refund: Refund): void {
  const isSettled = refund.status === 'succeeded'
  work.note({
    ...(isSettled
      ? { refundedKobo: [order.refundedKobo, refund.order.refundedKobo] }
      : { refundPendingKobo: [order.refundPendingKobo, order.refundPendingKobo + refund.amountKobo] }),
    reason: [null, refund.reason],
  })
  if (isSettled) {
    resolvePaymentProblems(work, order, { ...order, refundedKobo: toKobo(refund.order.refundedKobo) })
    work.emit('order.refunded', refund.id, { refund, fullyRefunded: refund.order.paymentStatus === 'refunded' })
  }
}

interface Allocated {
  readonly amountKobo: Kobo
  readonly taxKobo: Kobo
  readonly items: Refund['items']
  readonly provider: ProviderOrManual
  /** The amount that payment disputes withhold from refunds. */
  readonly withheld: Kobo
  readonly creditedOrderId: OrderId | null
}

function refundOf(
  work: Work,
  order: LockedOrder,
  request: RefundInput,
  { amountKobo, taxKobo, items, provider, withheld, creditedOrderId }: Allocated,
): Refund {
  const account = request.destination ?? null
  const isByProvider = provider !== 'manual'
  const pendingKobo = isByProvider ? amountKobo : noKobo
  const after: LockedOrder = {
    ...order,
    refundedKobo: toKobo(order.refundedKobo + amountKobo - pendingKobo),
    refundPendingKobo: toKobo(order.refundPendingKobo + pendingKobo),
  }
  return {
    id: newRefundId(work.nowMs),
    orderId: order.id,
    orderNumber: order.number,
    returnId: request.returnId ?? null,
    amountKobo,
    taxKobo,
    currency: 'NGN',
    reason: request.reason,
    note: request.note ?? null,
    status: isByProvider ? 'pending' : 'succeeded',
    source: 'service',
    items,
    destination: destinationOf(isByProvider, account !== null),
    account: account && { ...account, accountNumber: maskedAccountNumber(account.accountNumber) },
    creditedOrderId,
    provider,
    providerReference: null,
    failureCode: null,
    failureMessage: null,
    metadata: request.metadata ?? {},
    createdBy: { type: work.actor.type, id: work.actor.id },
    createdAt: work.now,
    updatedAt: work.now,
    expectedAt: null,
    succeededAt: isByProvider ? null : work.now,
    failedAt: null,
    order: {
      refundedKobo: after.refundedKobo,
      refundableKobo: refundableKobo(after, withheld),
      paymentStatus: paymentStatusOf(after),
    },
  }
}

function destinationOf(isByProvider: boolean, hasAccount: boolean): Refund['destination'] {
  if (isByProvider) return 'original_payment'
  return hasAccount ? 'bank_account' : 'manual'
}
