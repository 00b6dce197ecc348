import { counted } from '../../base/counted.ts'
import { nairaText } from '../../base/naira.ts'
import { html, type Markup, nothing } from '../../markup/markup.ts'
import { badge, count, empty, heading } from '../../markup/parts.ts'
import type { ListedOrderToShip } from '../../store/orders/order-parcels.ts'
import type { Content } from '../kit/content.ts'
import { type Draft, newDraft } from '../kit/draft.ts'
import { form, hiddenField, textField } from '../kit/form.ts'
import { koboText, link, mainLink } from '../kit/parts.ts'
import type { Visit } from '../kit/visit.ts'
import { paymentLinkLabel } from '../orders/actions.ts'
import { dispatchMax } from '../orders/choose-form.ts'
import { isUnpaidBeforeDispatch, unpaidText } from '../orders/unpaid.ts'
import { chosenOrders, openItemList, orderLine } from './chosen-orders.ts'
import { dueOf, fieldOf, usualCashOf } from './form-fields.ts'
import type { OrderOffers } from './offers.ts'
import { hasPickup, noPickup } from './pickup.ts'
import { dispatchPath } from './step-paths.ts'

/**
 * Renders the first page of the dispatch form, which lists the chosen orders. Also renders the parts that this page
 * shares with the second page, which shows the offers.
 */

/** Shows the chosen orders, for which the next step requests offers. */
export async function ordersPage(visit: Visit, ids: readonly string[], draft?: Draft): Promise<Content> {
  const problem = numberProblem(ids)
  // If the submitted form is rejected, the form is shown again with an error summary. This summary already states the
  // problem with the number of chosen orders. The page then shows only a hint.
  if (problem !== undefined) return numberPage(draft === undefined ? problem : 'Tick the orders in the list first.')
  const [orders, isReady] = await Promise.all([chosenOrders(visit, ids), hasPickup(visit)])
  const shown = draft ?? cashDraft(orders.map((order) => ({ order, cashKobo: usualCashOf(order) })))
  const blocks = orders.map((order) => orderBlock(order, shown, nothing))
  const next = html`<p>The next step requests offers from the carriers. Riders collect the parcels at the pickup address of the shop.</p>${form(visit, dispatchPath, html`${blocks}`, { submit: `Get offers for ${counted(orders.length, 'order')}` })}`
  return contentOf(orders, isReady ? next : noPickup(visit))
}

/** Undefined if the number of orders is valid. */
export function numberProblem(ids: readonly string[]): string | undefined {
  const chosen = new Set(ids).size
  if (chosen === 0) return 'Choose at least one order.'
  return chosen > dispatchMax
    ? `Choose at most ${dispatchMax} orders at once. ${count(chosen)} orders are chosen.`
    : undefined
}

/**
 * Returns the page that states why the chosen orders cannot be dispatched together: no orders or too many orders are
 * chosen.
 */
export function numberPage(problem: string): Content {
  const title = 'Dispatch orders'
  return {
    title,
    main: html`${heading(title)}${empty(problem, html`<p>${mainLink('/orders?view=to_pack', 'Choose orders')}</p>`)}`,
  }
}

export function orderBlock(order: ListedOrderToShip, draft: Draft, offers: Markup): Markup {
  const { id } = order
  const dueKobo = dueOf(order)
  const due = usualCashOf(order) === undefined ? nothing : hiddenField(fieldOf('due', id), koboText(dueKobo))
  const cash = textField(draft, {
    name: fieldOf('cash', id),
    label: 'Cash to collect in naira',
    hint: `${nairaText(dueKobo)} is due${order.paymentMethod === 'pay_on_delivery' ? ', to be paid on delivery' : ''}.`,
    inputMode: 'decimal',
  })
  const payment = { paymentMethod: order.paymentMethod, dueKobo }
  const warning = isUnpaidBeforeDispatch(payment)
    ? html`<p>${badge('unpaid', 'bad')} ${unpaidText(payment)} ${link(`/orders/${id}/payment-link`, paymentLinkLabel(dueKobo))}</p>`
    : nothing
  return html`<fieldset class="parcel"><legend>${orderLine(order)}</legend>${hiddenField('id', id)}${due}${warning}
${openItemList(order)}${dueKobo > 0 ? cash : nothing}${offers}</fieldset>`
}

export function cashDraft(cash: readonly Pick<OrderOffers, 'order' | 'cashKobo'>[]): Draft {
  const texts = cash.map(({ order: { id }, cashKobo }) => {
    return [fieldOf('cash', id), cashKobo === undefined ? undefined : koboText(cashKobo)] as const
  })
  return newDraft(Object.fromEntries(texts))
}

export function contentOf(orders: readonly ListedOrderToShip[], content: Markup): Content {
  const [only] = orders
  if (only === undefined || orders.length > 1) {
    const title = `Dispatch ${count(orders.length)} orders`
    return { title, main: html`${heading(title)}${content}<p>${link('/orders', 'Back to the orders')}</p>` }
  }
  const title = `Dispatch ${only.number}`
  return { title, main: html`${heading(title)}${content}<p>${link(`/orders/${only.id}`, 'Back to the order')}</p>` }
}
