import { suggestedRefundReasons } from '../../../registry/refunds/refund.ts'
import { counted } from '../../base/counted.ts'
import { html, type Markup } from '../../markup/markup.ts'
import { heading, money } from '../../markup/parts.ts'
import type { ReplyOf } from '../kit/call.ts'
import type { Content } from '../kit/content.ts'
import type { Draft } from '../kit/draft.ts'
import { checkBoxes, form, hiddenField, optionsOf, select, textArea, textField } from '../kit/form.ts'
import { link } from '../kit/parts.ts'
import { variantName } from '../kit/units.ts'
import type { Visit } from '../kit/visit.ts'

type Order = ReplyOf<'getOrder'>

export function quantityField(itemId: string): string {
  return `quantity-${itemId}`
}

export function refundForm(visit: Visit, order: Order, draft: Draft): Content {
  const { id, number, refundableKobo } = order
  const title = `Refund ${number}`
  const items = order.items.filter(({ quantity, refundedQuantity }) => quantity > refundedQuantity)
  const choices = items.map((item) => [item.id, variantName(item)] as const)
  const fields = html`${hiddenField('refundable', String(refundableKobo))}${items.map((item) => quantityOf(draft, item))}
${choices.length === 0 ? '' : checkBoxes(draft, { name: 'restock', label: 'Restock', hint: restockHint, choices })}
${textField(draft, { name: 'amount', label: 'Amount in naira', hint: amountHint(order), inputMode: 'decimal' })}
${select(draft, { name: 'reason', label: 'Reason', choices: optionsOf(suggestedRefundReasons, 'Choose a reason') })}
${textArea(draft, { name: 'note', label: 'Internal note', hint: 'Optional.' })}`
  const main = html`${heading(title)}<p>${money(refundableKobo)} is refundable. The next page names the amount and how the customer gets it, and asks before the refund.</p>
${form(visit, `/orders/${id}/refund`, fields, { submit: 'Check the refund' })}
<p>${link(`/orders/${id}`, 'Back to the order')}</p>`
  return { title, main }
}

/**
 * Explains which amount is refunded if the member leaves the amount field empty: the price of the units. If this price
 * may exceed the refundable amount of the order, also asks for an amount.
 */
function amountHint({ items, refundableKobo }: Order): string {
  const hint = 'Leave the field empty to refund the price of the units above.'
  const priceKobo = items.reduce((sum, { totalKobo, quantity, refundedQuantity }) => {
    return sum + (totalKobo * (quantity - refundedQuantity)) / quantity
  }, 0)
  return priceKobo > refundableKobo ? `${hint} If the units cost more than is refundable, enter the amount.` : hint
}

const restockHint =
  'Tick the refunded items that can be sold again. Refunded units that have not left the shop are no longer shipped. Units without a tick return to the stock only with a return, or if the order is cancelled before it ships. The next page says what happens with each unit.'

function quantityOf(draft: Draft, item: Order['items'][number]): Markup {
  const left = item.quantity - item.refundedQuantity
  const inShop = item.quantity - item.fulfilledQuantity - item.cancelledQuantity
  const unsent =
    inShop === 0 ? '' : ` ${counted(inShop, 'unit')} of the order ${inShop === 1 ? 'has' : 'have'} not left the shop.`
  return textField(draft, {
    name: quantityField(item.id),
    label: `Units of ${variantName(item)}`,
    hint: `${left} of ${counted(item.quantity, 'unit')} can be refunded.${unsent}`,
    inputMode: 'numeric',
  })
}
