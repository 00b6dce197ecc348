import type { Payment } from '../../registry/orders/payments.ts'
import { amountMaxKobo } from '../../registry/values/limits.ts'
import { type PaymentProviderName, providerDisplayName } from '../../registry/values/payment-providers.ts'
import { nairaText } from '../base/naira.ts'
import {
  paymentEvents,
  type RecordManualPaymentOutcome,
  recordPayment as recordPaymentVerb,
} from '../commerce/orders/record-payment.ts'
import { voidPayment as voidPaymentVerb } from '../commerce/refunds/void-payment.ts'
import { recordVerifiedPayment, type VerifyPaymentOutcome } from '../payments/verify-payment.ts'
import { mutate } from '../store/core/mutation.ts'
import { findPayment, listPayments as listPaymentRows } from '../store/orders/payments.ts'
import { implement } from './execute/implement.ts'
import type { Refuse } from './execute/refusal.ts'
import { timeRangeOf } from './execute/time-range.ts'

export const listPayments = implement('listPayments', async ({ db, caller, filters, page }) => {
  return listPaymentRows(db, caller.merchantId, { ...filters, ...timeRangeOf(filters) }, page)
})

export const getPayment = implement('getPayment', async ({ db, caller, params, refuse }) => {
  const payment = await findPayment(db, caller.merchantId, params.id)
  return payment ?? refuse('payment_not_found', `No payment has the id ${params.id}.`)
})

export const recordPayment = implement('recordPayment', async ({ call, params, body, refuse }) => {
  const { provider = 'manual', ...input } = body
  const { tenant, actor, isDryRun, expectedVersion } = call
  if (provider !== 'manual') {
    if (call.payments === undefined) {
      return refuse('payment_provider_unavailable', 'This server is not configured to call payment providers.')
    }
    const { reference, amountKobo } = input
    const wanted = { tenant, actor, isDryRun, provider, reference, amountKobo, orderId: params.id }
    const outcome = await recordVerifiedPayment(call.payments, wanted)
    if (outcome.is === 'recorded') return { status: 201, reply: outcome.payment }
    return refuseUnverified(refuse, wanted, outcome)
  }
  const mutation = {
    ...{ tenant, actor, isDryRun, expectedVersion, action: 'payment.record' as const, resourceType: 'payment' },
    resourceId: ({ id }: Payment) => id,
    emits: paymentEvents,
  } as const
  const reply = await call.inWriteQueue(() =>
    mutate(call.context, mutation, async (work) => {
      const outcome = await recordPaymentVerb(work, params.id, input)
      return outcome.is === 'recorded' ? outcome.payment : refuseRecord(refuse, params.id, outcome)
    }),
  )
  return { status: 201, reply }
})

export const voidPayment = implement('voidPayment', async ({ work, params, body, refuse }) => {
  const outcome = await voidPaymentVerb(work, params.id, body.reason)
  switch (outcome.is) {
    case 'voided':
      return outcome.payment
    case 'payment_unknown':
      return refuse('payment_not_found', `No payment has the id ${params.id}.`)
    case 'not_voidable': {
      const { reason } = outcome
      return refuse('payment_not_voidable', `Payment ${params.id} cannot be voided: ${notVoidable[reason]}.`, {
        reason,
      })
    }
  }
})

const notVoidable = {
  credit: 'it is the credit of a refund',
  provider: 'a payment provider received the money',
  voided: 'the payment is already voided',
  refunded: 'a refund has returned a part of the money',
}

type RecordRefusal =
  | 'order_not_found'
  | 'payment_reference_in_use'
  | 'payment_exceeds_due'
  | 'paid_at_out_of_range'
  | 'amount_too_large'
  | 'payment_not_verified'
  | 'payment_provider_not_connected'
  | 'payment_provider_unavailable'

function refuseRecord(
  refuse: Refuse<RecordRefusal>,
  orderId: string,
  outcome: Exclude<RecordManualPaymentOutcome, { is: 'recorded' }>,
): never {
  switch (outcome.is) {
    case 'order_unknown':
      return refuse('order_not_found', `No order has the id ${orderId}.`)
    case 'reference_in_use': {
      const { existingId } = outcome
      return refuse('payment_reference_in_use', `Payment ${existingId} already has this reference.`, { existingId })
    }
    case 'exceeds_due': {
      const { dueKobo } = outcome
      const rule = `The amount exceeds the ${nairaText(dueKobo)} that are due for the order.`
      return refuse('payment_exceeds_due', `${rule} To record the full amount, send allowOverpayment: true.`, {
        dueKobo,
      })
    }
    case 'paid_at_out_of_range': {
      const { earliest, latest } = outcome
      return refuse('paid_at_out_of_range', `paidAt must be between ${earliest} and ${latest}.`, { earliest, latest })
    }
    case 'too_large':
      return refuse(
        'amount_too_large',
        `An amount of the order would exceed the maximum of ${nairaText(amountMaxKobo)}.`,
        {
          maxKobo: amountMaxKobo,
        },
      )
  }
}

function refuseUnverified(
  refuse: Refuse<RecordRefusal>,
  { orderId, provider }: { readonly orderId: string; readonly provider: PaymentProviderName },
  outcome: Exclude<VerifyPaymentOutcome, { is: 'recorded' }>,
): never {
  const name = providerDisplayName(provider)
  switch (outcome.is) {
    case 'not_verified': {
      const { reason, report } = outcome
      const amountKobo = report?.isPaid === true ? (report.amountKobo ?? null) : null
      const word =
        report === undefined ? 'has no payment with this reference' : `reports the status ${report.providerStatus}`
      const received = amountKobo === null ? '' : ` and ${nairaText(amountKobo)} received`
      return refuse('payment_not_verified', `${name} ${word}${received} (${reason}).`, { reason, amountKobo })
    }
    case 'not_connected':
      return refuse('payment_provider_not_connected', `The merchant has not connected a ${name} account.`)
    case 'unavailable':
      return refuse('payment_provider_unavailable', `The request to ${name} failed: ${outcome.reason}.`)
    case 'order_unknown':
    case 'reference_in_use':
    case 'too_large':
      return outcome.is === 'reference_in_use'
        ? refuseRecord(refuse, orderId, outcome)
        : refuseRecord(refuse, orderId, { is: outcome.is })
  }
}
