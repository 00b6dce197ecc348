import { amountMaxKobo } from '../../registry/limits.ts'
import { recordPayment as recordPaymentVerb } from '../commerce/record-payment.ts'
import { listPayments as listPaymentRows } from '../store/payments.ts'
import { implement } from './implement.ts'
import { timeRangeOf } from './time-range.ts'

export const listPayments = implement('listPayments', async ({ db, caller, filters, page }) => {
  return listPaymentRows(db, caller.merchantId, { ...filters, ...timeRangeOf(filters) }, page)
})

export const recordPayment = implement('recordPayment', async ({ work, params, body, refuse }) => {
  const outcome = await recordPaymentVerb(work, params.id, body)
  switch (outcome.is) {
    case 'recorded':
      return outcome.payment
    case 'order_unknown':
      return refuse('order_not_found', `No order ${params.id}.`)
    case 'reference_in_use': {
      const { existingId } = outcome
      return refuse('payment_reference_in_use', `Payment ${existingId} has this reference.`, { existingId })
    }
    case 'too_large':
      return refuse('amount_too_large', `An order holds at most ${amountMaxKobo} kobo.`, { maxKobo: amountMaxKobo })
  }
})
