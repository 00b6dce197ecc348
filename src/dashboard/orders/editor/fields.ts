import { html, type Markup } from '../../../markup/markup.ts'
import type { Draft } from '../../kit/draft.ts'
import { textArea, textField } from '../../kit/form.ts'
import { addressFields } from './address.ts'

export function deliveryFields(draft: Draft): Markup {
  const hint = 'Leave empty if the buyer pays no shipping.'
  return html`${addressFields(draft)}${textField(draft, { name: 'shipping', label: 'Shipping price in naira', hint, inputMode: 'decimal' })}`
}

export function discountField(draft: Draft): Markup {
  const hint = 'Separate several codes with spaces.'
  return textField(draft, { name: 'discountCodes', label: 'Discount code', hint })
}

export function noteField(draft: Draft): Markup {
  return textArea(draft, { name: 'note', label: 'Internal note' })
}
