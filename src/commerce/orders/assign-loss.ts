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
 * Assigns the loss of a disputed payment to credits. An exchange moves a part of a payment, as a credit, to another
 * order. A lost dispute returns the payment to the payer, including this credit. The loss first reduces the part of the
 * payment that remains, and then the credits that were taken from the payment, newest first. An order that got a credit
 * may itself have been exchanged, so that a part of the credit is now in a third order. If the loss of such an
 * exchanged order exceeds its manual payments, the excess is assigned in the same way to the credits that were taken
 * from the exchanged order. An exchange order replaces exactly one returned order, and the returned order is always
 * locked before the exchange order. Concurrent assignments therefore cannot deadlock.
 */

type LossWork = Work<'shipment.exception_raised'>

/** The money from which credits were taken: a payment that a provider received, or the manual payments of an order. */
interface Source {
  readonly orderId: OrderId
  /** The payment from which the credits were taken. Null for all manual payments of the order together. */
  readonly paymentId: PaymentId | null
}

export interface AssignedLoss {
  /**
   * The orders whose credits a dispute of the payment affects. A lost dispute reduces the credits, and an open dispute
   * may reduce them.
   */
  readonly creditedOrderIds: readonly OrderId[]
  /**
   * The part of the loss that earlier refunds had already paid to the customer. No credit covers this part, so the
   * merchant bears it.
   */
  readonly paidOutKobo: Kobo
}

/**
 * Maximum number of successive exchanges (an exchange of an exchange, and so on) to which the loss from a dispute is
 * passed on. A chain of more than two exchanges is rare.
 */
const exchangesMax = 10

/**
 * Assigns a loss from disputes to exchange credits. These credits were taken either from the disputed payment, or from
 * the manual payments of an order. Must be called under the lock of the order, after the disputes, the refunds or the
 * amount of these payments have changed. A repeated call changes nothing.
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
 * Assigns the loss from disputes again, after the manual payments of an order have changed. Manual payments can have a
 * loss only if one of them is an exchange credit. Only an order that was created by an exchange has such a credit, so
 * the function does nothing for any other order.
 */
export async function assignCreditLoss(work: LossWork, order: LockedOrder): Promise<void> {
  if (order.exchangeOfReturnId !== null) await assignLoss(work, { orderId: order.id, paymentId: null })
}

/** The part of the loss by a lost dispute that an exchange credit must bear. */
interface CreditLoss {
  readonly credit: Credit
  readonly lostKobo: Kobo
  readonly disputedAt: Timestamp | null
}

/**
 * The part of a loss that credits must bear. `lostKobo` is the part for the disputes that are already lost.
 * `atRiskKobo` is the part if all open disputes are lost as well.
 */
interface Excess {
  readonly lostKobo: Kobo
  readonly atRiskKobo: Kobo
}

/**
 * Divides a loss among credits, newest first. Omits credits that have no loss now and had none before, because nothing
 * changes for them.
 */
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
 * Stores the losses that disputes have caused or may cause to the credits of one order. If a later exchange has moved a
 * part of a credit to another order, the loss of this part is assigned to the other order.
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

function above(amountKobo: Kobo, limitKobo: Kobo): Kobo {
  return toKobo(Math.max(0, amountKobo - Math.max(0, limitKobo)))
}
