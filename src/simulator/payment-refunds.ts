import { testPaymentSteps } from '../../registry/service/test-payments.ts'
import { toTimestamp } from '../base/clock.ts'
import {
  insertSimulatedRefund,
  type SimulatedPayment,
  type SimulatedRefund,
} from '../store/simulator/simulated-payments.ts'
import { type Account, scheduleCallback, scheduleDisputeCallbacks } from './payment-callbacks.ts'
import { refundLife, refundStatusAt, type SimulatedRefundStatus } from './payment-life.ts'

/**
 * The refunds of the simulated payment provider, and the events that follow a simulated payment: a dispute, or a refund
 * in the provider's dashboard.
 */

/** Difference in kobo between the requested amount of a refund and the amount that the provider reports. */
const differenceKobo = 100

export async function schedulePaymentEvents(account: Account, payment: SimulatedPayment): Promise<void> {
  await scheduleDisputeCallbacks(account, payment)
  if (payment.behaviour !== 'refunded_by_provider') return
  const { simulation, merchantId, nowMs } = account
  const { reference, amountKobo, behaviour } = payment
  const refund = await insertSimulatedRefund(simulation.database, {
    ...{ account: merchantId, reference, amountKobo: Math.ceil(amountKobo / 2), note: 'Refunded in the dashboard.' },
    ...{ behaviour, stepMs: simulation.stepMs },
    now: toTimestamp(nowMs + testPaymentSteps.providerRefund * simulation.stepMs),
  })
  if (refund !== undefined) await scheduleRefundCallbacks(account, refund)
}

export async function scheduleRefundCallbacks(account: Account, refund: SimulatedRefund): Promise<void> {
  for (const { status, atMs } of refundLife(refund)) {
    if (atMs <= account.nowMs) continue
    await scheduleCallback(account, atMs, { event: `refund.${status}`, data: dataOf(refund, status) })
  }
}

function dataOf(refund: SimulatedRefund, status: SimulatedRefundStatus): object {
  const { id, reference, amountKobo, note, behaviour } = refund
  const amount = behaviour === 'refund_differs' && status === 'processed' ? amountKobo - differenceKobo : amountKobo
  return {
    ...{ id, status, amount, currency: 'NGN', domain: 'test', transaction_reference: reference },
    ...{ merchant_note: note, reason: status === 'failed' ? 'The simulated bank returned the money.' : null },
  }
}

/** Returns a refund as Paystack's API shows it. */
export function recordOf(refund: SimulatedRefund, nowMs: number): object {
  const ends = refundLife(refund).at(-1)
  const expected_at = ends === undefined ? null : toTimestamp(ends.atMs)
  return { ...dataOf(refund, refundStatusAt(refund, nowMs)), expected_at, createdAt: refund.createdAt }
}
