import { providerDisplayName } from '../../../registry/values/payment-providers.ts'
import { nairaText } from '../../base/naira.ts'
import type { ReplyOf } from '../kit/call.ts'
import type { Question } from '../kit/route.ts'
import { namedUnits, unitsText } from '../kit/units.ts'

interface RefundedOrder {
  readonly number: string
  readonly customerName: string
  readonly items: readonly Pick<ReplyOf<'getOrder'>['items'][number], 'id' | 'title' | 'variantTitle'>[]
}

type Refund = ReplyOf<'createRefund'>

/** Whether the merchant pays out the refund manually, because no payment provider pays it. */
function isPaidByHand({ provider }: Refund): boolean {
  return provider === 'manual'
}

/**
 * Returns the confirmation question before a refund. It states the amount with its VAT, the items, how the money is
 * returned, and the refundable amount that remains. `refund` is the result of a dry run, and `stock` is a sentence
 * about the stock of the refunded units.
 */
export function refundQuestion({ items, number, customerName }: RefundedOrder, refund: Refund, stock = ''): Question {
  const amount = nairaText(refund.amountKobo)
  const vat = refund.taxKobo === 0 ? '' : `The amount contains ${nairaText(refund.taxKobo)} VAT. `
  const rest = `${vat}${nairaText(refund.order.refundableKobo)} of the order remains refundable after this refund. ${stock}`
  const units = unitsText(namedUnits(items, refund.items))
  const what = `${amount} for ${units === '' ? `the order ${number}` : units}`
  if (isPaidByHand(refund)) {
    const text =
      `Have you transferred ${what} to the customer? A member recorded the payment by hand, so this service sends no money: transfer the money first, then record the refund. The record cannot be removed. ${rest}`.trim()
    return { text, submit: `Record the refund of ${amount} to ${customerName}` }
  }
  const by = providerDisplayName(refund.provider)
  const text =
    `Refund ${what} to the original payment method by ${by}? ${by} sends the money, which cannot be stopped. ${rest}`.trim()
  return { text, submit: `Refund ${amount} to ${customerName}` }
}
