import { html, type Markup, nothing } from '../../markup/markup.ts'
import { heading } from '../../markup/parts.ts'
import type { CallInput, ReplyOf } from '../kit/call.ts'
import type { Content } from '../kit/content.ts'
import { type Draft, fieldValue } from '../kit/draft.ts'
import { checkBoxes, form, hiddenField } from '../kit/form.ts'
import { link } from '../kit/parts.ts'
import { type Acted, action, page } from '../kit/route.ts'
import { read, type Visit } from '../kit/visit.ts'
import {
  draftOf,
  reductionOf,
  storedDraft,
  unusedChange,
  unusedDiscountFields,
  usedChange,
  usedDiscountFields,
} from './fields.ts'
import { codeField, endField, limitFields, minimumField, moreFields, reductionField, titleField } from './form.ts'
import { namesOf, preview, targetIdsOf } from './preview.ts'
import { refusedTerms } from './refused-terms.ts'
import { refusedSearch, refusedWidening } from './targets.ts'
import { termsOf } from './terms.ts'

/**
 * The forms that edit a discount: one with all terms, and one with the few fields that can change after an order has
 * used the discount.
 */

const permission = 'discounts:write'
const done = 'The discount was changed.'

type Discount = ReplyOf<'getDiscount'>

export const editDiscountPage = page({
  path: '/discounts/{id}/edit',
  permission,
  show: async (visit, { id }): Promise<Content> => {
    const [discount, redemptions] = await Promise.all([
      read(visit, 'getDiscount', { params: { id } }),
      read(visit, 'listDiscountRedemptions', { params: { id }, query: { limit: '1' } }),
    ])
    const draft = storedDraft(discount)
    return redemptions.data.length === 0 ? unusedForm(visit, discount, { draft }) : usedForm(visit, discount, draft)
  },
})

export const editDiscountAction = action({
  path: '/discounts/{id}/edit',
  permission,
  done,
  question: null,
  fields: unusedDiscountFields,
  form: async (visit, { id }, draft) =>
    unusedForm(visit, await read(visit, 'getDiscount', { params: { id } }), { draft }),
  run: async (visit, { id }, given): Promise<Acted> => {
    const discount = await read(visit, 'getDiscount', { params: { id } })
    const reduction = reductionOf(discount.type, given.value)
    if (reduction.is === 'invalid') return { is: 'refused', field: 'value', message: reduction.message }
    const { intent, productSearch, customerSearch, paused, version, wholeOrder, everyone, ...terms } = given
    const ticked = (isTicked: boolean) => (isTicked ? 'yes' : undefined)
    const draft = draftOf(terms, {
      ...{ productSearch, customerSearch, version: String(version) },
      ...{ paused: ticked(paused), wholeOrder: ticked(wholeOrder), everyone: ticked(everyone) },
    })
    const isSearch = productSearch !== undefined || customerSearch !== undefined
    if (intent === 'preview' && isSearch) return previewed(await unusedForm(visit, discount, { draft }))
    const isDryRun = intent === 'preview'
    const unchosen = refusedSearch(given) ?? refusedWidening(given, discount)
    if (unchosen !== undefined) return unchosen
    const body = unusedChange(discount, given, reduction.reduction)
    const called = await visit.call('updateDiscount', { params: { id }, version, body, isDryRun })
    if (called.is === 'refused') return refusedTerms(called.refusal)
    if (!isDryRun) return { is: 'done', to: `/discounts/${id}` }
    const above = await preview(visit, called.reply)
    return previewed(await unusedForm(visit, discount, { draft, above }))
  },
})

export const editUsedDiscountAction = action({
  path: '/discounts/{id}/edit-used',
  permission,
  done,
  question: null,
  fields: usedDiscountFields,
  form: async (visit, { id }, draft) => usedForm(visit, await read(visit, 'getDiscount', { params: { id } }), draft),
  run: async (visit, { id }, given): Promise<Acted> => {
    const discount = await read(visit, 'getDiscount', { params: { id } })
    const body: CallInput<'updateDiscount'>['body'] = usedChange(discount, given)
    const called = await visit.call('updateDiscount', { params: { id }, version: given.version, body })
    return called.is === 'answered' ? { is: 'done', to: `/discounts/${id}` } : refusedTerms(called.refusal)
  },
})

function previewed(content: Content): Acted {
  return { is: 'previewed', content }
}

async function unusedForm(
  visit: Visit,
  discount: Discount,
  { draft, above = nothing }: { readonly draft: Draft; readonly above?: Markup },
): Promise<Content> {
  const { id, type, appliesTo } = discount
  const variants =
    appliesTo.scope === 'variants'
      ? html`<p class="hint">The discount is limited to variants: ${termsOf(discount, await namesOf(visit, targetIdsOf(discount)))}. Chosen products replace the variants.</p>`
      : nothing
  const fields = html`${codeField(draft)}${reductionField(draft, type)}${minimumField(draft)}${endField(draft)}
${limitFields(draft)}${titleField(draft, 'An empty field leaves the title unchanged.')}${variants}${await moreFields(visit, draft, discount)}`
  const other = { label: 'Preview the terms', intent: 'preview' }
  return formPage(discount, above, form(visit, `/discounts/${id}/edit`, withState(draft, fields), { submit, other }))
}

function usedForm(visit: Visit, discount: Discount, draft: Draft): Content {
  const fields = html`${endField(draft)}${limitFields(draft)}${titleField(draft, 'An empty field leaves the title unchanged.')}`
  const note = html`<p>An order has used this discount, so its code and its reduction can no longer change.</p>`
  return formPage(
    discount,
    note,
    form(visit, `/discounts/${discount.id}/edit-used`, withState(draft, fields), { submit }),
  )
}

const submit = 'Save discount'

function withState(draft: Draft, fields: Markup): Markup {
  return html`${hiddenField('version', fieldValue(draft, 'version'))}${fields}
${checkBoxes(draft, { name: 'paused', label: 'Pause', choices: [['yes', 'Pause the discount', 'Customers cannot use the code until you remove the pause.']] })}`
}

function formPage({ id, title: name }: Discount, above: Markup, body: Markup): Content {
  const title = `Edit ${name}`
  return {
    title,
    main: html`${heading(title)}${above}${body}<p>${link(`/discounts/${id}`, 'Back to the discount')}</p>`,
  }
}
