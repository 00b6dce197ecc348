import { counted } from '../../base/counted.ts'
import { html, type Markup, nothing } from '../../markup/markup.ts'
import { ownFields } from '../kit/form.ts'
import { otherLink, withQuery } from '../kit/parts.ts'
import { root } from '../kit/root.ts'
import { may, type Visit } from '../kit/visit.ts'

/**
 * The form around a list of orders, with actions for all orders whose check boxes are ticked. The link “Select all”
 * opens the same page with all boxes ticked. With JavaScript, the link ticks the boxes without loading the page again.
 */

export const exportChosenPath = '/orders/export'

/**
 * Maximum number of orders that a member can dispatch at once: as many as a rider delivers in a morning, and few enough
 * to dispatch them within one response.
 */
export const dispatchMax = 25

/**
 * Value of the query parameter `choose`. With this value, the list opens with ticked check boxes of its first orders,
 * as many as can be dispatched at once.
 */
export const chooseFirst = 'first'

export function tickedIds({ query }: Visit, ids: readonly string[]): ReadonlySet<string> {
  if (query.choose === 'all') return new Set(ids)
  return new Set(query.choose === chooseFirst ? ids.slice(0, dispatchMax) : [])
}

interface Choosable {
  readonly id: string
  readonly number: string
  readonly isTicked: boolean
}

export function chooseBox({ id, number, isTicked }: Choosable): Markup {
  return html`<input type="checkbox" name="id" value="${id}" aria-label="Choose ${number}"${isTicked ? html` checked` : nothing}>`
}

interface ChooseForm {
  readonly listPath: string
  /** Number of orders whose boxes are ticked when the page opens. */
  readonly ticked: number
  /** Whether dispatching is the main action of the page even if no order is ticked. */
  readonly isToDispatch: boolean
  readonly list: Markup
}

/** While at least one order is ticked, dispatching is the main action of the page. */
export function chooseForm(visit: Visit, { listPath, ticked, isToDispatch, list }: ChooseForm): Markup {
  const label = ticked === 0 ? 'Dispatch' : `Dispatch ${counted(ticked, 'order')}`
  const dispatch = may(visit, 'logistics:dispatch')
    ? html`<button class="${isToDispatch || ticked > 0 ? 'main' : 'when-chosen'}" formaction="${root}/orders/dispatch" data-dispatch>${label}</button>`
    : nothing
  return html`<form method="post" action="${root}/orders/slips" data-choose>${ownFields(visit)}
<div class="buttons">${dispatch}${chooseLink(visit, { listPath, ticked })}<details class="fold more"><summary>More actions</summary><div class="actions"><button>Packing slips</button><button formaction="${root}${exportChosenPath}">Export chosen</button></div></details></div>${list}</form>`
}

function chooseLink(visit: Visit, { listPath, ticked }: Pick<ChooseForm, 'listPath' | 'ticked'>): Markup {
  const { choose: _choose, done: _done, ...filters } = visit.query
  return ticked > 0
    ? otherLink(withQuery(listPath, filters), 'Select none')
    : otherLink(withQuery(listPath, { ...filters, choose: 'all' }), 'Select all')
}
