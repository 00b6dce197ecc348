import { html, type Markup, nothing } from '../../markup/markup.ts'
import { ownFields } from '../kit/form.ts'
import { link, withQuery } from '../kit/parts.ts'
import { root } from '../kit/root.ts'
import { may, type Visit } from '../kit/visit.ts'

/**
 * The form around a list of orders, with actions for all orders whose check boxes are ticked. A link ticks all boxes: it
 * leads to the same page with ticked boxes, and the script of the page ticks them without loading the page again.
 */

export const exportChosenPath = '/orders/export'

const areAllChosen = ({ query }: Visit) => query.choose === 'all'

/** Returns the check box of an order. */
export function chooseBox(visit: Visit, { id, number }: { readonly id: string; readonly number: string }): Markup {
  return html`<input type="checkbox" name="id" value="${id}" aria-label="Choose ${number}"${areAllChosen(visit) ? html` checked` : nothing}>`
}

export function chooseForm(visit: Visit, listPath: string, list: Markup): Markup {
  const dispatch = may(visit, 'logistics:dispatch')
    ? html`<button class="main" formaction="${root}/orders/dispatch">Dispatch</button>`
    : nothing
  return html`<form method="post" action="${root}/orders/slips" data-choose>${ownFields(visit)}
<div class="buttons">${dispatch}<button>Packing slips</button><button formaction="${root}${exportChosenPath}">Export chosen</button>${chooseLink(visit, listPath)}</div>${list}</form>`
}

function chooseLink(visit: Visit, listPath: string): Markup {
  const { choose: _choose, done: _done, ...filters } = visit.query
  return areAllChosen(visit)
    ? link(withQuery(listPath, filters), 'Select none')
    : link(withQuery(listPath, { ...filters, choose: 'all' }), 'Select all')
}
