import type { DiscountType } from '../../../registry/values/discount-terms.ts'
import { html, type Markup, nothing } from '../../markup/markup.ts'
import type { ReplyOf } from '../kit/call.ts'
import { type Draft, problemsOf } from '../kit/draft.ts'
import { checkBoxes, select, textField } from '../kit/form.ts'
import type { Visit } from '../kit/visit.ts'
import { targetFields } from './targets.ts'

const types = [
  ['percentage', 'Percentage off'],
  ['fixed_amount', 'Amount off'],
  ['free_shipping', 'Free shipping'],
] as const

export function typeField(draft: Draft): Markup {
  return select(draft, { name: 'type', label: 'Kind', choices: types })
}

export function codeField(draft: Draft): Markup {
  const hint = 'Customers enter this code. 3 to 32 letters, digits, dashes or underscores.'
  return textField(draft, { name: 'code', label: 'Code', hint, isRequired: true })
}

/**
 * Returns the form field of the reduction, a percentage or an amount. If `type` is undefined, the member chooses the
 * type in another field of the form.
 */
export function reductionField(draft: Draft, type?: DiscountType): Markup {
  const field = (label: string, hint: string) => textField(draft, { name: 'value', label, hint, inputMode: 'decimal' })
  switch (type) {
    case undefined:
      return field(
        'Reduction',
        'A percentage such as 10, or an amount in naira such as 2,000. Leave the field empty for free shipping.',
      )
    case 'percentage':
      return field('Percentage', 'Such as 10 or 7.5.')
    case 'fixed_amount':
      return field('Amount in naira', 'Such as 2,000.')
    case 'free_shipping':
      return nothing
  }
}

export function endField(draft: Draft): Markup {
  const hint = 'Without an end, the discount applies until you end it.'
  return textField(draft, { name: 'endsAt', label: 'End (Lagos time)', hint, type: 'datetime-local' })
}

export function minimumField(draft: Draft): Markup {
  const hint =
    'Minimum price of the items to which the discount applies, before discounts. Leave the field empty for no minimum.'
  return textField(draft, { name: 'minimum', label: 'Minimum order in naira', hint, inputMode: 'decimal' })
}

/** Returns the fields of the two usage limits, which can change at any time. */
export function limitFields(draft: Draft): Markup {
  return html`${textField(draft, { name: 'usageLimitPerCustomer', label: 'Uses for each customer', hint: 'A number such as 1. Leave the field empty for no limit.', inputMode: 'numeric' })}
${textField(draft, { name: 'usageLimit', label: 'Uses in total', hint: 'A number such as 100. Leave the field empty for no limit.', inputMode: 'numeric' })}`
}

/** `ifEmpty` describes the meaning of an empty title. */
export function titleField(draft: Draft, ifEmpty: string): Markup {
  const hint = `Only members see it. ${ifEmpty}`
  return textField(draft, { name: 'title', label: 'Title', hint })
}

/**
 * Returns the collapsible part of the form with fields that most discounts leave empty. This part is open if one of its
 * fields has a value or a problem. `stored` is the discount that the form edits; undefined for a new discount.
 */
export async function moreFields(visit: Visit, draft: Draft, stored?: ReplyOf<'getDiscount'>): Promise<Markup> {
  const maximum =
    stored === undefined || stored.type === 'percentage'
      ? textField(draft, {
          name: 'maximum',
          label: 'Largest reduction in naira',
          hint: 'Only for a percentage. Leave the field empty for no maximum.',
          inputMode: 'decimal',
        })
      : nothing
  const isOpen = moreNames.some((name) => draft.values[name] !== undefined || problemsOf(draft, name).length > 0)
  return html`<details${isOpen ? html` open` : nothing}><summary>Start, products, customers and more conditions</summary><div class="form">
${textField(draft, { name: 'startsAt', label: 'Start (Lagos time)', hint: 'Leave the field empty to start the discount at once.', type: 'datetime-local' })}
${maximum}
${textField(draft, { name: 'minimumQuantity', label: 'Minimum units', hint: 'Minimum number of units to which the discount applies. Leave the field empty for no minimum.', inputMode: 'numeric' })}
${checkBoxes(draft, { name: 'firstOrderOnly', label: 'First order', choices: [['yes', 'Only for the first order of a customer']] })}
${checkBoxes(draft, { name: 'combinesWith', label: 'Can be combined with', hint: 'Two discounts combine only if each allows the other.', choices: classes })}
${await targetFields(visit, draft, stored)}
</div></details>`
}

/** The classes of discounts with which a discount can be combined, in words for members. */
export const classes = [
  ['product', 'Discounts on products'],
  ['order', 'Discounts on the whole order'],
  ['shipping', 'Free shipping'],
] as const

const moreNames = [
  ...['startsAt', 'maximum', 'minimumQuantity', 'firstOrderOnly', 'combinesWith', 'products', 'customers'],
  ...['productSearch', 'customerSearch', 'wholeOrder', 'everyone'],
]
