import type { Kobo, OrderId, PaymentId, Timestamp } from '../../../registry/values/vocabulary.ts'
import type { Work } from '../../store/core/mutation.ts'
import { type Credit, findSourceMoney, listCredits } from '../../store/orders/credits.ts'
import { resolveEndedProblems } from '../../store/orders/kept-payments.ts'
import { type LockedOrder, lockOrder } from '../../store/orders/order-writes.ts'
import { setPaymentDisputed } from '../../store/orders/payments.ts'
import { sum, toKobo } from '../money.ts'
import { reopenPaymentProblems } from './payment-problems.ts'
import { reportRefundedGoods } from './refunded-goods.ts'

/**
 * Losses of credits. An exchange moves money of a payment to another order, so a dispute that returns the payment to the
 * payer also takes this money. The payment bears its loss up to the amount that it still has. The rest is assigned to
 * the credits that were taken from it, newest first. The order of a credit may have been exchanged too, so its manual
 * payments assign the rest of their loss in the same way.
 *
 * Each order that is an exchange has one returned order, and the lock of the returned order is taken first. Concurrent
 * assignments therefore cannot deadlock.
 */

type LossWork = Work<'shipment.exception_raised'>

/** The money from which credits were taken: a payment that a provider received, or the manual payments of an order. */
interface Source {
  readonly orderId: OrderId
  /** The payment from which the credits were taken. Null for all manual payments of the order together. */
  readonly paymentId: PaymentId | null
}

export interface AssignedLoss {
  /** The orders that still have credits from which the disputes take, or may take, an amount. */
  readonly creditedOrderIds: readonly OrderId[]
  /** The part of the loss that was paid to the customer by refunds before. The merchant bears it. */
  readonly paidOutKobo: Kobo
}

/** Maximum number of exchanges, one after another, through which a loss is assigned. More than two are rare. */
const exchangesMax = 10

/**
 * Assigns the loss of a source to credits. It must be called after a change of the disputes, the refunds or the amount
 * of the source, and requires the lock of the source's order. A repeated call changes nothing.
 */
export async function assignLoss(work: LossWork, source: Source, depth = 0): Promise<AssignedLoss> {
  const { trx, merchantId } = work
  const key = { merchantId, ...source }
  const [money, credits] = await Promise.all([findSourceMoney(trx, key), listCredits(trx, key)])
  if (money === undefined) throw new Error(`The amounts of order ${source.orderId} were not found.`)
  const { unrefundedKobo, lostKobo, atRiskKobo } = money
  const excess = { lostKobo: above(lostKobo, unrefundedKobo), atRiskKobo: above(atRiskKobo, unrefundedKobo) }
  const losses = depth === exchangesMax ? [] : lossesOf(work, credits, excess)
  const assigned: AssignedLoss[] = []
  for (const orderId of new Set(losses.map(({ credit }) => credit.orderId))) {
    const ofOrder = losses.filter(({ credit }) => credit.orderId === orderId)
    assigned.push(await storeLosses(work, orderId, ofOrder, depth))
  }
  const unassignedKobo = above(excess.lostKobo, toKobo(sum(losses.map((loss) => loss.lostKobo))))
  return {
    creditedOrderIds: [
      ...(depth > 0 && atRiskKobo > 0 && unrefundedKobo > 0 ? [source.orderId] : []),
      ...assigned.flatMap(({ creditedOrderIds }) => creditedOrderIds),
    ],
    paidOutKobo: toKobo(
      Math.min(unassignedKobo, money.paidOutKobo) + sum(assigned.map(({ paidOutKobo }) => paidOutKobo)),
    ),
  }
}

/**
 * Assigns the loss of an order's credits again, after its manual payments have changed. Only an order that is an
 * exchange has credits.
 */
export async function assignCreditLoss(work: LossWork, order: LockedOrder): Promise<void> {
  if (order.exchangeOfReturnId !== null) await assignLoss(work, { orderId: order.id, paymentId: null })
}

/** The part of a loss that is assigned to a credit. */
interface CreditLoss {
  readonly credit: Credit
  readonly lostKobo: Kobo
  readonly disputedAt: Timestamp | null
}

/** The amount of the lost disputes, and the amount that it becomes if all open disputes are lost too. */
interface Excess {
  readonly lostKobo: Kobo
  readonly atRiskKobo: Kobo
}

/** Divides a loss among credits, newest first. Leaves out the credits that have no loss, neither before nor now. */
function lossesOf({ now }: LossWork, credits: readonly Credit[], excess: Excess): readonly CreditLoss[] {
  let left = excess
  return credits.flatMap((credit) => {
    const { amountKobo } = credit
    const lostKobo = toKobo(Math.min(amountKobo, left.lostKobo))
    const atRiskKobo = toKobo(Math.min(amountKobo, left.atRiskKobo))
    left = { lostKobo: above(left.lostKobo, lostKobo), atRiskKobo: above(left.atRiskKobo, atRiskKobo) }
    const isLocked = lostKobo === amountKobo || atRiskKobo > lostKobo
    const disputedAt = isLocked ? (credit.disputedAt ?? now) : null
    const isFree = atRiskKobo === 0 && credit.disputedAt === null && credit.disputeLostKobo === 0
    return isFree ? [] : [{ credit, lostKobo, disputedAt }]
  })
}

/**
 * Stores the losses of the credits of one order. Assigns the part that the order has already moved to another order to
 * that later exchange.
 */
async function storeLosses(
  work: LossWork,
  orderId: OrderId,
  losses: readonly CreditLoss[],
  depth: number,
): Promise<AssignedLoss> {
  const { trx, merchantId, now } = work
  const order = await lockOrder(trx, merchantId, orderId)
  if (order === undefined) throw new Error(`Order ${orderId} has a credit but was not found.`)
  let changeKobo = 0
  for (const { credit, lostKobo, disputedAt } of losses) {
    if (lostKobo === credit.disputeLostKobo && disputedAt === credit.disputedAt) continue
    setPaymentDisputed(trx, { merchantId, id: credit.id, disputedAt, lostKobo })
    changeKobo += lostKobo - credit.disputeLostKobo
    work.note({
      [`credit ${credit.id} disputedAt`]: [credit.disputedAt, disputedAt],
      [`credit ${credit.id} disputeLostKobo`]: [credit.disputeLostKobo, lostKobo],
    })
  }
  const assigned = await assignLoss(work, { orderId, paymentId: null }, depth + 1)
  if (changeKobo > 0) resolveEndedProblems(trx, { merchantId, orderId, now })
  if (changeKobo < 0) reopenPaymentProblems(work, order)
  if (changeKobo !== 0) await reportRefundedGoods(work, orderId)
  return assigned
}

/** Returns the part of an amount that exceeds a limit. */
function above(amountKobo: Kobo, limitKobo: Kobo): Kobo {
  return toKobo(Math.max(0, amountKobo - Math.max(0, limitKobo)))
}
