import { testPaymentBehaviours } from '../../registry/service/test-payments.ts'
import type { Timestamp } from '../../registry/values/vocabulary.ts'
import { html, type Markup, nothing } from '../markup/markup.ts'
import { code, facts, money, time } from '../markup/parts.ts'
import { documentOf } from './layout.ts'

/** The checkout page of the simulated payment provider, on which a tester chooses how the buyer pays. */

export interface ShownPage {
  readonly orderId: string
  readonly reference: string
  readonly amountKobo: number
  readonly callbackUrl: string | null
}

export interface ShownPayment {
  readonly amountKobo: number
  readonly paidAt: Timestamp
}

/**
 * The delays, in minutes, from which a tester chooses when the simulated provider sends the callback about a payment.
 */
export const callbackDelays = [
  { minutes: 0, meaning: 'at once' },
  { minutes: 5, meaning: 'after 5 minutes' },
  { minutes: 60, meaning: 'after an hour' },
  { minutes: 1_440, meaning: 'after a day' },
] as const

/**
 * The behaviours of a simulated payment that a tester can choose on the checkout page. `abandoned` is not offered,
 * because a tester who does not pay simply leaves the page open.
 */
export const checkoutBehaviours = testPaymentBehaviours.filter(({ name }) => name !== 'abandoned')

/**
 * The state of a checkout page on which no payment was made: open, declined by the tester, or submitted with invalid
 * fields.
 */
export type Unpaid =
  | { readonly is: 'open' }
  | { readonly is: 'declined' }
  | { readonly is: 'invalid'; readonly problems: readonly string[] }

export function checkoutPage(page: ShownPage, unpaid: Unpaid): string {
  const { orderId, reference, amountKobo } = page
  const main = html`${problemOf(unpaid)}
${facts([
  ['Amount', html`<strong>${money(amountKobo)}</strong>`],
  ['Order', code(orderId)],
  ['Reference', code(reference)],
])}
<form method="post">
<p><label for="amountKobo">Amount in kobo</label><input id="amountKobo" name="amountKobo" type="number" min="1" step="1" value="${String(amountKobo)}" required></p>
<p><label for="payments">Number of payments</label><select id="payments" name="payments"><option value="1">1: the buyer pays once</option><option value="2">2: the buyer pays twice</option></select></p>
<p><label for="callbackDelayMinutes">The callback arrives</label><select id="callbackDelayMinutes" name="callbackDelayMinutes">${callbackDelays.map(({ minutes, meaning }) => html`<option value="${String(minutes)}">${meaning}</option>`)}</select></p>
<p><label for="behaviour">After the payment</label><select id="behaviour" name="behaviour">${checkoutBehaviours.map(({ name, meaning }) => html`<option value="${name}">${name}: ${meaning.replaceAll('`', '')}</option>`)}</select></p>
<p class="actions"><button name="outcome" value="paid">Pay</button> <button class="quiet" name="outcome" value="declined">Decline the payment</button></p>
</form>
<p class="hint">To abandon the payment, close this page. The page can still be paid after the link has expired or the order was cancelled, as a page of a real provider.</p>`
  return documentOf({ title: 'Simulated checkout', main, isSimulated: true })
}

function problemOf(unpaid: Unpaid): Markup {
  switch (unpaid.is) {
    case 'open':
      return nothing
    case 'declined':
      return html`<p class="status" role="status">The payment was declined. The buyer can pay again.</p>`
    case 'invalid':
      return html`<div class="status" role="alert"><p>The payment was not made:</p><ul>${unpaid.problems.map((problem) => html`<li>${problem}</li>`)}</ul></div>`
  }
}

/**
 * Returns the page that is shown after the buyer has paid. Its link leads to the URL of the shop to which the real
 * provider would redirect the buyer.
 */
export function paidPage({ orderId, reference, callbackUrl }: ShownPage, { amountKobo, paidAt }: ShownPayment): string {
  const main = html`<p class="status" role="status">The buyer paid ${money(amountKobo)}.</p>
${facts([
  ['Order', code(orderId)],
  ['Reference', code(reference)],
  ['Paid', time(paidAt)],
])}
<form method="post"><p><button class="quiet" name="outcome" value="repeated">Send the callback again</button></p></form>
${callbackUrl === null ? nothing : html`<p><a href="${returnUrlOf(callbackUrl, reference)}">Return to the shop</a></p>`}`
  return documentOf({ title: 'Simulated checkout', main, isSimulated: true })
}

/**
 * Returns the URL to which a buyer goes after the payment. Like Paystack, the function adds the payment reference to
 * the URL in two query parameters.
 */
function returnUrlOf(callbackUrl: string, reference: string): string {
  const url = new URL(callbackUrl)
  url.searchParams.set('trxref', reference)
  url.searchParams.set('reference', reference)
  return url.href
}
