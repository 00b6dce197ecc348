import { paymentProviderNames, providerDisplayName } from '../../registry/values/payment-providers.ts'
import type { Facts } from './facts.ts'

const providerNames = paymentProviderNames.map((name) => `“${name}”`).join(' or ')

export function amountIn({ money }: Facts): string {
  const amount = money('amountKobo')
  return amount === undefined ? '' : ` (${amount})`
}

/**
 * Returns the text of a notification about a payment that could not be recorded: it identifies the payment and states
 * the next step.
 */
export function unmatchedIn(facts: Facts): string {
  const reference = facts.text('reference')
  if (facts.text('reason') === 'not_confirmed') {
    return outageIn(facts)
  }
  if (facts.text('reason') === 'reference_in_use') {
    return `Reference ${reference}${amountIn(facts)}. Refund the payment at its provider, or record it with another reference and without a provider. Then mark the problem as resolved.`
  }
  if (reference !== undefined) {
    return `Reference ${reference}${amountIn(facts)}. Record the payment for its order, with this reference and the provider ${providerNames}, or refund it at the provider.`
  }
  const paidAt = facts.time('paidAt')
  const received = paidAt === undefined ? '' : `, received ${paidAt}`
  return `The payment provider sent no reference of the payment, only the id ${facts.text('providerId') ?? 'unknown'}${amountIn(facts)}${received}. Find the payment at the provider. Then record it for its order, or refund it at the provider, and mark the problem as resolved.`
}

function outageIn({ text, time }: Facts): string {
  const name = paymentProviderNames.find((each) => each === text('provider'))
  const provider = name === undefined ? 'the provider' : providerDisplayName(name)
  const endedAt = time('endedAt')
  if (endedAt === undefined) {
    return `Check the connection with ${provider}. When the provider responds again, the daily comparison records the missing payments and resolves this problem.`
  }
  return `The outage of ${provider} ended before ${endedAt}. The payments of this provider since ${time('comparedSince') ?? 'then'} were compared. Compare earlier payments of the outage with the orders, then mark the problem as resolved.`
}

export function openedTextOf(facts: Facts): string {
  return `The payer disputed ${disputedIn(facts)}. Answer the dispute ${facts.text('disputeId') ?? ''} at the payment provider ${dueIn(facts)}: without an answer, the payer gets the money back. The payment cannot be refunded until the dispute ends.${creditedIn(facts)}${unrecordedIn(facts)}`
}

export function lostTextOf(facts: Facts): string {
  return `The payer won the dispute ${facts.text('disputeId') ?? ''} and got ${facts.money('lostKobo') ?? 'the payment'} back. The amount can no longer be refunded.${creditedIn(facts)}${paidOutIn(facts)} If the customer has the units, agree with the customer on the payment or on a return. Then mark the problem as resolved.${unrecordedIn(facts)}`
}

export function unclearTextOf(facts: Facts): string {
  return facts.text('reason') === 'dispute_unreadable'
    ? 'The payment provider reported a dispute, but its callback has no id of the dispute. Check the disputes at the payment provider, and answer each open one in time. Then mark the problem as resolved.'
    : `The dispute ${facts.text('disputeId') ?? ''} ended (${facts.text('resolution') ?? 'no resolution reported'}), and it is unclear who won. The payment still cannot be refunded. Find the result at the payment provider, then record it with “commerce payments dispute”.${creditedIn(facts)}${unrecordedIn(facts)}`
}

/** The phrase mentions the order only if the payment is recorded, because an unrecorded payment has no order. */
function disputedIn(facts: Facts): string {
  const place = isUnrecorded(facts) ? ' that is not recorded for an order' : ' of the order'
  return `a payment${amountIn(facts)}${place}`
}

/** Maximum number of orders that a message names. Exchanges rarely move the money of one payment to more orders. */
const namedOrdersMax = 5

/**
 * If exchanges moved money of the disputed payment to many orders, the message names only the first of these orders.
 */
export function namedCreditsOf(facts: Facts): readonly string[] {
  return facts.ids('ord', 'creditedOrderIds').slice(0, namedOrdersMax)
}

/** Names the orders to which exchanges moved money of the disputed payment. */
function creditedIn(facts: Facts): string {
  const orderIds = facts.ids('ord', 'creditedOrderIds')
  if (orderIds.length === 0) return ''
  const more = orderIds.length > namedOrdersMax ? ` and ${orderIds.length - namedOrdersMax} more` : ''
  return ` Because of exchanges, the payment also pays for the order ${namedCreditsOf(facts).join(', ')}${more}: the dispute also applies to the money that was moved to other orders in this way.`
}

/**
 * States how much of the lost dispute's amount refunds had already paid to the customer. The customer got this amount
 * twice.
 */
function paidOutIn({ money }: Facts): string {
  const paidOut = money('paidOutKobo')
  return paidOut === undefined
    ? ''
    : ` Refunds had already paid ${paidOut} of this amount to the customer, who therefore got ${paidOut} twice.`
}

/** Empty if the payment of the dispute is recorded. */
function unrecordedIn(facts: Facts): string {
  if (!isUnrecorded(facts)) return ''
  const reference = facts.text('reference')
  if (reference === undefined) return ' The payment provider sent no reference of the payment.'
  return ` The payment with the reference ${reference} is not recorded. If the payment belongs to an order, record the payment for this order, with this reference and the provider ${providerNames}.`
}

function isUnrecorded({ id }: Facts): boolean {
  return id('ord', 'orderId') === undefined
}

function dueIn({ time }: Facts): string {
  const dueAt = time('dueAt')
  return dueAt === undefined ? 'in time' : `until ${dueAt}`
}
