import { orderMoveEvents } from '../../../registry/kit/event.ts'
import type { OrderStatus } from '../../../registry/orders/order-states.ts'
import { type Payment, type PaymentInput, paidAtAheadMinutes } from '../../../registry/orders/payments.ts'
import { amountMaxKobo } from '../../../registry/values/limits.ts'
import type { PaymentProviderName } from '../../../registry/values/payment-providers.ts'
import type { Kobo, OrderId, PaymentId, RefundId, ShipmentId, Timestamp } from '../../../registry/values/vocabulary.ts'
import { normaliseInstant, toMs, toTimestamp } from '../../base/clock.ts'
import { newPaymentId } from '../../base/records.ts'
import { reopenDisputeCallbacks } from '../../store/callbacks/inboxes.ts'
import type { Work } from '../../store/core/mutation.ts'
import { addPaymentToOrder, confirmOrder, type LockedOrder, lockOrder } from '../../store/orders/order-writes.ts'
import { findPaymentByReference, insertPayment, type ReferencedPayment } from '../../store/orders/payments.ts'
import {
  listUnmatchedDisputes,
  lockPaymentReference,
  type UnmatchedDispute,
} from '../../store/payments/unmatched-disputes.ts'
import { resolveUnmatchedPayment } from '../../store/payments/unmatched-payments.ts'
import { noKobo, toKobo } from '../money.ts'
import { assignCreditLoss } from './assign-loss.ts'
import { emitStatusChange } from './emit-status-change.ts'
import { reportPaymentProblems, resolvePaymentProblems } from './payment-problems.ts'
import { paymentStatusOf } from './payment-status.ts'
import { applyUnmatchedDisputes } from './record-dispute.ts'
import { reportRefundedGoods, resolveRefundedGoods } from './refunded-goods.ts'
import { settleOrder } from './settle-order.ts'

/**
 * Records payments. A pending order that is now fully paid becomes `processing`. An order in any other status gets the
 * payment too, because the money has arrived and can be refunded. A payment that needs manual action is reported to the
 * merchant.
 */

export type RecordPaymentOutcome =
  | { readonly is: 'recorded'; readonly payment: Payment }
  | { readonly is: 'order_unknown' }
  | {
      readonly is: 'reference_in_use'
      readonly existingId: PaymentId
      /**
       * Whether the recorded payment with this reference certainly differs from the reported payment: their providers
       * differ, or their ids at the same provider differ.
       */
      readonly isOtherPayment: boolean
    }
  | { readonly is: 'too_large' }

export type RecordManualPaymentOutcome =
  | RecordPaymentOutcome
  | { readonly is: 'exceeds_due'; readonly dueKobo: Kobo }
  | { readonly is: 'paid_at_out_of_range'; readonly earliest: Timestamp; readonly latest: Timestamp }

const minuteMs = 60_000

/**
 * The webhook events that recording a payment can emit. A shipment exception is raised if a dispute of the payment is
 * already lost when the payment is recorded. The exception concerns a shipment that was already requested from a
 * carrier.
 */
export const paymentEvents = [...orderMoveEvents, 'payment.recorded', 'shipment.exception_raised'] as const

export type PaymentEvents = (typeof paymentEvents)[number]

type PaymentWork = Work<PaymentEvents>

/**
 * Records a payment that a person enters. The person may mistype it, so its amount and time must be plausible for the
 * order.
 */
export async function recordPayment(
  work: PaymentWork,
  orderId: OrderId,
  request: Omit<PaymentInput, 'provider'>,
): Promise<RecordManualPaymentOutcome> {
  const { trx, merchantId, now } = work
  const { method, reference, allowOverpayment = false } = request
  const [order, existing] = await Promise.all([
    lockOrder(trx, merchantId, orderId),
    findPaymentByReference(trx, merchantId, reference),
  ])
  const amountKobo = toKobo(request.amountKobo)
  const paidAt = request.paidAt === undefined ? now : normaliseInstant(request.paidAt)
  const received: Received = { amountKobo, method, reference, ...manual, refundId: null, paidAt }
  const checked = check(order, existing, received)
  if (checked.is !== 'recordable') return checked
  const { dueKobo } = checked
  if (amountKobo > dueKobo && !allowOverpayment) return { is: 'exceeds_due', dueKobo }
  // Forms send payment times in whole minutes, so the time of a payment may be up to a minute before the creation of
  // its order.
  const earliestMs = Math.floor(toMs(checked.order.createdAt) / minuteMs) * minuteMs
  const latestMs = work.nowMs + paidAtAheadMinutes * minuteMs
  if (toMs(paidAt) < earliestMs || toMs(paidAt) > latestMs) {
    return { is: 'paid_at_out_of_range', earliest: toTimestamp(earliestMs), latest: toTimestamp(latestMs) }
  }
  return { is: 'recorded', payment: await store(work, checked, received, []) }
}

export interface ProviderPayment {
  readonly provider: PaymentProviderName
  readonly amountKobo: Kobo
  readonly method: Payment['method']
  readonly reference: string
  /** The payment provider's own id of the payment. Null if it is unknown. */
  readonly providerId: string | null
  readonly paidAt?: Timestamp | undefined
}

/**
 * Records a payment of any amount from a payment provider. Disputes that were reported before the payment was recorded
 * apply at once.
 */
export async function recordProviderPayment(
  work: PaymentWork,
  orderId: OrderId,
  { provider, amountKobo, method, reference, providerId, paidAt = work.now }: ProviderPayment,
): Promise<RecordPaymentOutcome> {
  const { trx, merchantId } = work
  const [, order, existing, unmatched] = await Promise.all([
    lockPaymentReference(trx, { merchantId, reference }),
    lockOrder(trx, merchantId, orderId),
    findPaymentByReference(trx, merchantId, reference),
    listUnmatchedDisputes(trx, { merchantId, provider, reference }),
  ])
  const identity = { provider, providerPaymentId: providerId }
  const received: Received = { amountKobo, method, reference, ...identity, refundId: null, paidAt }
  const checked = check(order, existing, received)
  if (checked.is !== 'recordable') return checked
  reopenDisputeCallbacks(trx, { merchantId, reference })
  resolveUnmatchedPayment(trx, { merchantId, provider, reference, providerId, now: work.now })
  return { is: 'recorded', payment: await store(work, checked, received, unmatched) }
}

/** A refund whose amount pays for another order (an exchange) instead of being paid out to the customer. */
export interface Credit {
  readonly refundId: RefundId
  readonly amountKobo: Kobo
}

/** Records a credit as a payment of an order, which must owe at least the amount of the credit. */
export async function recordCredit(work: PaymentWork, orderId: OrderId, credit: Credit): Promise<void> {
  const order = await lockOrder(work.trx, work.merchantId, orderId)
  if (order === undefined) throw new Error(`Order ${orderId} was created but not found.`)
  const paid = { method: 'other', reference: credit.refundId, ...manual, paidAt: work.now } as const
  const dueKobo = toKobo(order.totalKobo - order.paidKobo)
  await store(work, { order, dueKobo, isExcessAccepted: true }, { ...credit, ...paid }, [])
}

/** Cash that a rider collected for an order at the delivery of a shipment. */
export interface Cash {
  readonly amountKobo: Kobo
  /** The reference of the payment that records this cash: the id of the shipment. */
  readonly reference: ShipmentId
  readonly paidAt: Timestamp
}

/**
 * Records the cash of a delivery as a payment. Any amount is accepted, because the rider already has the cash. Nothing
 * is recorded if a member has already recorded this cash, with the id of the shipment as the reference. Nothing is
 * recorded either if the sum of the order's payments would exceed the maximum amount. In this case, the function returns
 * `too_large`, and the caller must report the cash.
 */
export async function recordCash(
  work: PaymentWork,
  orderId: OrderId,
  cash: Cash,
): Promise<'recorded' | 'known' | 'too_large'> {
  const { trx, merchantId } = work
  const [order, existing] = await Promise.all([
    lockOrder(trx, merchantId, orderId),
    findPaymentByReference(trx, merchantId, cash.reference),
  ])
  const received: Received = { ...cash, method: 'pay_on_delivery', ...manual, refundId: null }
  const checked = check(order, existing, received)
  if (checked.is !== 'recordable') return checked.is === 'too_large' ? 'too_large' : 'known'
  await store(work, { ...checked, isExcessAccepted: false }, received, [])
  return 'recorded'
}

interface Received extends Omit<ProviderPayment, 'provider' | 'providerId'> {
  readonly provider: PaymentProviderName | 'manual'
  readonly providerPaymentId: string | null
  readonly refundId: RefundId | null
  readonly paidAt: Timestamp
}

const manual = { provider: 'manual', providerPaymentId: null } as const

interface Recordable {
  readonly order: LockedOrder
  /** The amount due on the order before the payment. */
  readonly dueKobo: Kobo
  /** Whether the actor who recorded the payment has accepted an amount above the amount due. */
  readonly isExcessAccepted: boolean
}

function check(
  order: LockedOrder | undefined,
  existing: ReferencedPayment | undefined,
  { amountKobo, provider, providerPaymentId }: Received,
): ({ readonly is: 'recordable' } & Recordable) | Exclude<RecordPaymentOutcome, { is: 'recorded' }> {
  if (order === undefined) return { is: 'order_unknown' }
  if (existing !== undefined) {
    const isOtherPayment = isOther(existing, { provider, providerId: providerPaymentId })
    return { is: 'reference_in_use', existingId: existing.id, isOtherPayment }
  }
  if (order.paidKobo + amountKobo > amountMaxKobo) return { is: 'too_large' }
  const dueKobo = isOfReturnedGoods(order, provider) ? noKobo : toKobo(Math.max(0, order.totalKobo - order.paidKobo))
  return { is: 'recordable', order, dueKobo, isExcessAccepted: provider === 'manual' }
}

/**
 * Whether a buyer pays for goods that all came back, for example with an earlier payment link. Nothing is due for such
 * an order. Members may still record what the customer paid before the return, and the cash of a delivered parcel.
 */
function isOfReturnedGoods({ status }: LockedOrder, provider: Received['provider']): boolean {
  return status === 'returned' && provider !== 'manual'
}

/**
 * Whether two payments with the same reference, one of them recorded, are certainly different payments. This is certain
 * if their providers differ, or if the provider's own payment ids differ. It is never certain if one of the two is a
 * manual payment.
 */
export function isOther(
  recorded: ReferencedPayment,
  { provider, providerId }: { readonly provider: Received['provider']; readonly providerId: string | null },
): boolean {
  if (recorded.provider === 'manual' || provider === 'manual') return false
  const ids = new Set([recorded.providerPaymentId, providerId])
  return recorded.provider !== provider || (ids.size > 1 && !ids.has(null))
}

async function store(
  work: PaymentWork,
  { order, dueKobo, isExcessAccepted }: Recordable,
  { providerPaymentId, ...received }: Received,
  unmatched: readonly UnmatchedDispute[],
): Promise<Payment> {
  const { trx, merchantId, now } = work
  const { amountKobo, reference, provider } = received
  const id = newPaymentId(work.nowMs)
  const paidKobo = toKobo(order.paidKobo + amountKobo)
  insertPayment(trx, { merchantId, id, orderId: order.id, ...received, providerPaymentId, createdAt: now })
  const providerKobo = provider === 'manual' ? noKobo : amountKobo
  addPaymentToOrder(trx, { merchantId, id: order.id, amountKobo, providerKobo, now })
  const isConfirmed = order.status === 'pending' && paidKobo >= order.totalKobo
  const status = isConfirmed ? await confirm(work, order) : order.status
  work.note({ paidKobo: [order.paidKobo, paidKobo] })
  const undisputed = { disputedAt: null, disputeLostKobo: noKobo }
  const named = { id, orderId: order.id, amountKobo, reference, ...undisputed }
  const payment: Payment = {
    id,
    orderId: order.id,
    currency: 'NGN',
    ...received,
    ...(provider === 'manual' ? undisputed : await applyUnmatchedDisputes(work, { ...named, provider }, unmatched)),
    voidedAt: null,
    voidReason: null,
    createdAt: now,
    order: {
      status,
      paymentStatus: paymentStatusOf({ ...order, paidKobo }),
      paidKobo,
      balanceKobo: toKobo(order.totalKobo - paidKobo),
    },
  }
  const excessKobo = toKobo(Math.max(0, amountKobo - dueKobo))
  if (provider === 'manual' && received.refundId === null) await assignCreditLoss(work, order)
  await reportPaymentProblems(work, payment, { before: order, dueKobo, isExcessAccepted })
  resolvePaymentProblems(work, order, { ...order, status, paidKobo })
  if (payment.disputeLostKobo > 0) await reportRefundedGoods(work, order.id)
  else if (dueKobo === 0) await resolveRefundedGoods(work, order.id)
  work.emit('payment.recorded', id, { payment, excessKobo })
  return payment
}

async function confirm(work: PaymentWork, order: LockedOrder): Promise<OrderStatus> {
  const { trx, merchantId, now, actor } = work
  const change = { from: 'pending', to: 'processing', reason: 'payment_received', version: order.version + 1 } as const
  confirmOrder(trx, { merchantId, id: order.id, actor, now, ...change })
  emitStatusChange(work, order, change)
  // If units had already left the shop before the payment, the order continues to the status that follows from its
  // units, such as `shipped`.
  const settled = order.fulfilledQuantity > 0 ? await settleOrder(work, order.id, 'payment_received') : undefined
  return settled?.status ?? change.to
}
