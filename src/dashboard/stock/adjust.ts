import { z } from 'zod'
import { adjustmentReasons } from '../../../registry/products/inventory.ts'
import { onHandMax } from '../../../registry/values/limits.ts'
import { html } from '../../markup/markup.ts'
import { code, count, heading } from '../../markup/parts.ts'
import type { Content } from '../kit/content.ts'
import { type Draft, newDraft } from '../kit/draft.ts'
import { wholeNumber } from '../kit/fields.ts'
import { form, hiddenField, optionsOf, select, textArea, textField } from '../kit/form.ts'
import { link } from '../kit/parts.ts'
import { refusedBy } from '../kit/refused.ts'
import { type Acted, action, page } from '../kit/route.ts'
import type { Visit } from '../kit/visit.ts'
import { findVariant, nameOf } from './variant.ts'

const path = '/stock/{variantId}/adjust'
const permission = 'inventory:write'

/**
 * The two ways in which a member can adjust the stock: by entering a change of the quantity or the counted quantity.
 */
const methods = ['change', 'count'] as const

export const adjustPage = page({
  path,
  permission,
  show: (visit, { variantId }) => {
    const { method = 'change', reason } = visit.query
    return formPage(visit, variantId, newDraft({ method, reason }))
  },
})

export const adjustAction = action({
  path,
  permission,
  done: 'The stock was adjusted.',
  question: null,
  fields: z.strictObject({
    method: z.enum(methods, { error: 'Choose one.' }),
    quantity: wholeNumber({ min: -onHandMax, max: onHandMax }),
    reason: z.enum(adjustmentReasons, { error: 'Choose a reason.' }),
    note: z.string().optional(),
    /** The on-hand quantity that the form showed. An adjustment is rejected if the stored quantity is different. */
    onHand: wholeNumber({ min: 0, max: onHandMax }),
  }),
  form: (visit, { variantId }, draft) => formPage(visit, variantId, draft),
  run: async (visit, { variantId }, { method, quantity, reason, note, onHand }): Promise<Acted> => {
    const { product } = await findVariant(visit, variantId)
    const called = await visit.call('adjustInventory', {
      params: { id: product.id, variantId },
      body: {
        ...(method === 'count' ? { set: quantity } : { delta: quantity }),
        ...{ expectedOnHand: onHand, reason },
        ...(note === undefined ? {} : { note }),
      },
    })
    if (called.is === 'answered') return { is: 'done', to: `/stock/${variantId}` }
    return refusedBy(called.refusal, { set: 'quantity', delta: 'quantity', reason: 'reason', note: 'note' })
  },
})

/** After a rejection, the form shows the current on-hand quantity instead of the submitted quantity. */
async function formPage(visit: Visit, variantId: string, draft: Draft): Promise<Content> {
  const found = await findVariant(visit, variantId)
  const { sku, inventory } = found.variant
  const { onHand, reserved, available } = inventory
  const title = `Adjust the stock of ${nameOf(found)}`
  const choices = [
    ['change', 'Add or remove units'],
    ['count', 'Set the counted quantity'],
  ] as const
  const fields = html`${hiddenField('onHand', String(onHand))}
${select(draft, { name: 'method', label: 'Adjustment', choices })}
${textField(draft, { name: 'quantity', label: 'Units', hint: 'A negative number removes units.', isRequired: true })}
${select(draft, { name: 'reason', label: 'Reason', choices: optionsOf(adjustmentReasons, 'Choose a reason') })}
${textArea(draft, { name: 'note', label: 'Note', hint: 'Optional. At most 500 characters, without personal data.' })}`
  const main = html`${heading(title)}<p>SKU ${code(sku)}: ${count(onHand)} on hand, ${count(reserved)} reserved for orders, ${count(available)} available.</p>
${form(visit, `/stock/${variantId}/adjust`, fields, { submit: 'Adjust stock' })}
<p>${link(`/stock/${variantId}`, 'Back to the stock of the variant')}</p>`
  return { title, main }
}
