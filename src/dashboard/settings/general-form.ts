import { states } from '../../../registry/values/states.ts'
import { html, type Markup } from '../../markup/markup.ts'
import { type Draft, fieldValue, newDraft } from '../kit/draft.ts'
import { checkBoxes, form, hiddenField, select, textField } from '../kit/form.ts'
import type { Visit } from '../kit/visit.ts'
import { type GeneralSettings, shownValues } from './general-fields.ts'
import { settingPaths } from './paths.ts'

export function generalDraft(settings: GeneralSettings): Draft {
  return newDraft({ ...shownValues(settings), shown: JSON.stringify(settings) })
}

export function vatNote(isTaxRegistered: boolean): string {
  return isTaxRegistered ? '' : 'Has no effect until VAT is charged.'
}

export function generalForm(visit: Visit, draft: Draft, isSecondary: boolean): Markup {
  const inclusive = 'Prices include VAT'
  const note = vatNote(fieldValue(draft, 'isTaxRegistered') === 'yes')
  const fields = html`${hiddenField('shown', fieldValue(draft, 'shown'))}
${select(draft, { name: 'defaultState', label: 'Default state', hint: 'The Nigerian state of an address that names no state, if the rest of the address does not determine it.', choices: states.map((state) => [state, state] as const) })}
${checkBoxes(draft, { name: 'isTaxRegistered', label: 'VAT', choices: [['yes', 'Charge VAT', 'Tick this only if the business is registered for VAT.']] })}
${textField(draft, { name: 'taxRateBps', label: 'VAT rate in percent', hint: `Such as 7.5. ${note}`.trim(), inputMode: 'decimal', isRequired: true })}
${checkBoxes(draft, { name: 'isTaxInclusive', label: 'Prices', choices: [note === '' ? ['yes', inclusive] : ['yes', inclusive, note]] })}
${textField(draft, { name: 'lowStockThreshold', label: 'Low-stock threshold', hint: 'Available quantity at or below which a variant is low on stock. If the field is empty, no variant is low on stock.', inputMode: 'numeric' })}
${textField(draft, { name: 'pendingOrderTtlMinutes', label: 'Lifetime of unpaid orders in minutes', hint: 'A new order expires if it is not paid within this time. If the field is empty, orders never expire.', inputMode: 'numeric' })}
${checkBoxes(draft, { name: 'autoConfirmsPayOnDelivery', label: 'Payment on delivery', choices: [['yes', 'Confirm orders with payment on delivery automatically']] })}`
  return form(visit, settingPaths.general, fields, { submit: 'Save settings', isSecondary })
}
