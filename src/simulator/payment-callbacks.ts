import { testPaymentSteps } from '../../registry/service/test-payments.ts'
import { toTimestamp } from '../base/clock.ts'
import { insertSimulatedCallback, type SimulatedPayment } from '../store/simulator/simulated-payments.ts'
import type { Simulation } from './simulation.ts'

/** The account of a merchant at the simulated payment provider. */
export interface Account {
  readonly simulation: Simulation
  readonly nowMs: number
  readonly merchantId: string
  /** The merchant's secret key, which signs the callbacks, as at Paystack. */
  readonly key: string
  /** The base URL to which callbacks are sent. Undefined if callbacks are disabled. */
  readonly callbackRoot: string | undefined
}

const resolutions: Readonly<Record<string, { readonly resolution: string; readonly share: number }>> = {
  dispute_won: { resolution: 'declined', share: 0 },
  dispute_lost: { resolution: 'auto-accepted', share: 1 },
  dispute_partly_lost: { resolution: 'merchant-accepted', share: 0.5 },
  dispute_lost_during_refund: { resolution: 'auto-accepted', share: 1 },
  dispute_unclear: { resolution: 'under-review', share: 0 },
}

export async function scheduleDisputeCallbacks(account: Account, payment: SimulatedPayment): Promise<void> {
  const resolved = resolutions[payment.behaviour]
  if (resolved === undefined && payment.behaviour !== 'disputed') return
  const { reference, amountKobo: amount } = payment
  const { stepMs } = account.simulation
  const dispute = { id: payment.id, currency: 'NGN', domain: 'test', category: 'chargeback' }
  const opened = { ...dispute, status: 'awaiting-merchant-feedback', resolution: null, refund_amount: amount }
  const transaction = { reference, amount, status: 'success' }
  const openedMs = account.nowMs + testPaymentSteps.disputeOpens * stepMs
  await scheduleCallback(account, openedMs, { event: 'charge.dispute.create', data: { ...opened, transaction } })
  if (resolved === undefined) return
  const status = resolved.share === 1 ? 'reversed' : 'success'
  const data = {
    ...{ ...dispute, status: 'resolved', resolution: resolved.resolution },
    ...{ refund_amount: Math.floor(amount * resolved.share), transaction: { ...transaction, status } },
  }
  const endedMs = account.nowMs + testPaymentSteps.disputeEnds * stepMs
  await scheduleCallback(account, endedMs, { event: 'charge.dispute.resolve', data })
}

export async function scheduleCallback(account: Account, atMs: number, event: object): Promise<void> {
  const { simulation, callbackRoot, merchantId, key } = account
  if (callbackRoot === undefined) return
  const url = `${callbackRoot}/callbacks/paystack/${merchantId}`
  await insertSimulatedCallback(simulation.database, {
    url,
    key,
    body: JSON.stringify(event),
    dueAt: toTimestamp(atMs),
  })
}

/** The delay can be long, so that the callback arrives long after the payment. */
export async function scheduleChargeCallback(
  account: Account,
  payment: SimulatedPayment,
  { orderId, delayMs }: { readonly orderId: string; readonly delayMs: number },
): Promise<void> {
  const metadata = payment.behaviour === 'unmatched' ? {} : { orderId }
  const data = { ...chargeOf(payment), metadata }
  await scheduleCallback(account, account.nowMs + delayMs, { event: 'charge.success', data })
}

/** Returns a payment as Paystack's API shows it. */
export function chargeOf({ id, reference, amountKobo: amount, paidAt }: SimulatedPayment): object {
  const details = { id, reference, amount, currency: 'NGN', domain: 'test', channel: 'card' }
  return { ...details, status: 'success', paid_at: paidAt }
}
