import type { Kobo, PaymentId } from '../../../registry/values/vocabulary.ts'
import type { LockedOrder } from '../../store/orders/order-writes.ts'
import type { RefundablePayment } from '../../store/orders/payments.ts'
import { noKobo, share, sum, toKobo } from '../money.ts'

export interface OrderMoney {
  readonly totalKobo: Kobo
  readonly taxKobo: Kobo
  readonly paidKobo: Kobo
  readonly refundedKobo: Kobo
  readonly refundPendingKobo: Kobo
  readonly refundedTaxKobo: Kobo
}

/**
 * Returns the refundable amount: the paid amount minus succeeded refunds, pending refunds (which may still succeed) and
 * the amount that disputes withhold.
 */
export function refundableKobo(
  order: Pick<OrderMoney, 'paidKobo' | 'refundedKobo' | 'refundPendingKobo'>,
  withheld: Kobo = noKobo,
): Kobo {
  return toKobo(order.paidKobo - order.refundedKobo - order.refundPendingKobo - withheld)
}

/**
 * Reports whether the individual payments of an order must be read for a refund. This is the case if a provider
 * received some of the payments. It is also the case if the order has a credit from an exchange, because a dispute may
 * withhold this credit. Orders with only manual payments do not need this.
 */
export function dependsOnPayments(order: Pick<LockedOrder, 'providerPaidKobo' | 'exchangeOfReturnId'>): boolean {
  return order.providerPaidKobo > 0 || order.exchangeOfReturnId !== null
}

/**
 * Returns the unrefunded amount that disputes withhold: the amounts of open disputes, and the amounts that lost
 * disputes returned to the payer. `leftOfOrderKobo` is the unrefunded amount of the order.
 */
export function withheldKobo(payments: readonly RefundablePayment[], leftOfOrderKobo: Kobo): Kobo {
  const received = payments.filter(isReceived)
  return toKobo(sum(received.map(withheldOf)) + withheldManualKobo(payments, leftOfOrderKobo))
}

/** Refunds are assigned only to payments that a provider received. */
export function isReceived({ provider }: RefundablePayment): boolean {
  return provider !== 'manual'
}

/**
 * Reports whether a payment has an open dispute, or has lost an amount through a dispute. If the id is null, reports
 * this for all manual payments of the order together. Manual payments can be disputed, because they include exchange
 * credits: the payment from which a credit comes can be disputed.
 */
export function isDisputed(payments: readonly RefundablePayment[], id: PaymentId | null): boolean {
  const ofSource = payments.filter((payment) => (id === null ? !isReceived(payment) : payment.id === id))
  return ofSource.some((payment) => payment.isDisputed || payment.lostKobo > 0)
}

/**
 * Returns the refundable amount of an order's manual payments. Refunds are not assigned to single manual payments, so
 * the amount is computed for all manual payments together. Disputes of exchange credits reduce this amount, but not
 * below 0.
 */
export function manualLeftKobo(payments: readonly RefundablePayment[], leftOfOrderKobo: Kobo): Kobo {
  return toKobo(manualUnrefundedKobo(payments, leftOfOrderKobo) - withheldManualKobo(payments, leftOfOrderKobo))
}

function withheldManualKobo(payments: readonly RefundablePayment[], leftOfOrderKobo: Kobo): Kobo {
  const credits = payments.filter((payment) => !isReceived(payment))
  return toKobo(Math.min(manualUnrefundedKobo(payments, leftOfOrderKobo), sum(credits.map(withheldOf))))
}

/**
 * Returns the unrefunded amount of an order's manual payments: the unrefunded amount of the order minus the unrefunded
 * amounts of its provider payments. Disputes reduce neither of the two amounts.
 */
export function manualUnrefundedKobo(payments: readonly RefundablePayment[], leftOfOrderKobo: Kobo): Kobo {
  const received = payments.filter(isReceived)
  return toKobo(Math.max(noKobo, leftOfOrderKobo - sum(received.map((each) => each.unrefundedKobo))))
}

function withheldOf(payment: RefundablePayment): Kobo {
  return toKobo(payment.unrefundedKobo - leftKobo(payment))
}

/** Returns the refundable amount of one payment. */
export function leftKobo({ isDisputed, unrefundedKobo, lostKobo }: RefundablePayment): Kobo {
  return isDisputed ? noKobo : toKobo(Math.max(noKobo, unrefundedKobo - lostKobo))
}

export function isPaidInExcess({ paidKobo, totalKobo }: Pick<OrderMoney, 'paidKobo' | 'totalKobo'>): boolean {
  return paidKobo > totalKobo
}

/**
 * Returns the part of the refunds of an order that returns money paid in excess of the total. Refunds without items
 * return the excess first, and refunds with items return the price of the items. The sales report applies the same
 * rule. `withoutItemsKobo` is the amount of all refunds without items.
 */
export function returnedExcessKobo({ paidKobo, totalKobo }: OrderMoney, withoutItemsKobo: Kobo): Kobo {
  return toKobo(Math.min(Math.max(0, paidKobo - totalKobo), withoutItemsKobo))
}

/**
 * Returns the VAT included in a refund: the cumulative VAT of all refunds, rounded half up, minus the VAT of earlier
 * refunds. Because the cumulative amount is rounded, rounding errors do not add up, and the refund of the order's last
 * kobo includes the rest of the order's VAT. `excessKobo` is the part of all refunds, including this one, that returns
 * money paid in excess. This part includes no VAT.
 */
export function refundTaxKobo(order: OrderMoney, amountKobo: Kobo, excessKobo: Kobo = noKobo): Kobo {
  if (order.totalKobo === 0) return noKobo
  const returnedKobo = order.refundedKobo + order.refundPendingKobo + amountKobo
  const goneKobo = toKobo(Math.min(order.totalKobo, returnedKobo - excessKobo))
  const dueKobo = share(goneKobo, order.taxKobo, order.totalKobo) - order.refundedTaxKobo
  return toKobo(Math.max(0, Math.min(dueKobo, amountKobo)))
}
