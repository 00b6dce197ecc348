import { html, type Markup, nothing } from '../../markup/markup.ts'
import { heading } from '../../markup/parts.ts'
import type { Content } from '../kit/content.ts'
import { type Draft, newDraft } from '../kit/draft.ts'
import { form } from '../kit/form.ts'
import { link } from '../kit/parts.ts'
import { type Acted, action, page } from '../kit/route.ts'
import type { Visit } from '../kit/visit.ts'
import { draftOf, newBody, newDiscountFields, reductionOf } from './fields.ts'
import {
  codeField,
  endField,
  limitFields,
  minimumField,
  moreFields,
  reductionField,
  titleField,
  typeField,
} from './form.ts'
import { preview } from './preview.ts'
import { refusedTerms } from './refused-terms.ts'
import { refusedSearch, refusedWidening } from './targets.ts'

export const newDiscountPath = '/discounts/new'
const permission = 'discounts:write'

export const newDiscountPage = page({
  path: newDiscountPath,
  permission,
  show: (visit) => formPage(visit, newDraft({ type: 'percentage' })),
})

export const createDiscountAction = action({
  path: newDiscountPath,
  permission,
  done: 'The discount was created.',
  question: null,
  fields: newDiscountFields,
  form: (visit, _params, draft) => formPage(visit, draft),
  run: async (visit, _params, given): Promise<Acted> => {
    const read = reductionOf(given.type, given.value)
    if (read.is === 'invalid') return { is: 'refused', field: 'value', message: read.message }
    const { intent, productSearch, customerSearch, wholeOrder, everyone, ...terms } = given
    const ticked = (isTicked: boolean) => (isTicked ? 'yes' : undefined)
    const widened = { wholeOrder: ticked(wholeOrder), everyone: ticked(everyone) }
    const draft = draftOf(terms, { productSearch, customerSearch, ...widened })
    const isSearch = productSearch !== undefined || customerSearch !== undefined
    if (intent === 'preview' && isSearch) return { is: 'previewed', content: await formPage(visit, draft) }
    const isDryRun = intent === 'preview'
    const unchosen = refusedSearch(given) ?? refusedWidening(given)
    if (unchosen !== undefined) return unchosen
    const called = await visit.call('createDiscount', { body: newBody(given, read.reduction), isDryRun })
    if (called.is === 'refused') return refusedTerms(called.refusal)
    if (!isDryRun) return { is: 'done', to: `/discounts/${called.reply.id}` }
    return { is: 'previewed', content: await formPage(visit, draft, await preview(visit, called.reply)) }
  },
})

async function formPage(visit: Visit, draft: Draft, above: Markup = nothing): Promise<Content> {
  const title = 'Create a discount'
  const fields = html`${codeField(draft)}${typeField(draft)}${reductionField(draft)}${minimumField(draft)}
${endField(draft)}${limitFields(draft)}${titleField(draft, 'Without a title, the code is the title.')}${await moreFields(visit, draft)}`
  const other = { label: 'Preview the terms', intent: 'preview' }
  const main = html`${heading(title)}${above}
${form(visit, newDiscountPath, fields, { submit: 'Create discount', other })}
<p>${link('/discounts', 'Back to the discounts')}</p>`
  return { title, main }
}
