import { onHandMax } from '../../../registry/values/limits.ts'
import { html } from '../../markup/markup.ts'
import { empty, heading } from '../../markup/parts.ts'
import type { ReplyOf } from '../kit/call.ts'
import type { Content } from '../kit/content.ts'
import { type Draft, fieldValue, newDraft } from '../kit/draft.ts'
import { version, wholeNumber } from '../kit/fields.ts'
import { form, hiddenField, textField } from '../kit/form.ts'
import { koboText, link, mainLink } from '../kit/parts.ts'
import { type Acted, action, page } from '../kit/route.ts'
import { read, type Visit } from '../kit/visit.ts'
import { anyFields, readForm } from './form-reader.ts'
import { readVariant, variantFields, variantProblems } from './variant-fields.ts'

const path = '/products/{id}/variants/new'
const permission = 'products:write'

type Product = ReplyOf<'getProduct'>

export const addVariantPage = page({
  path,
  permission,
  show: async (visit, { id }): Promise<Content> => {
    const product = await read(visit, 'getProduct', { params: { id } })
    const last = product.variants.at(-1)
    const price = last === undefined ? {} : { price: koboText(last.priceKobo) }
    return formContent(visit, product, newDraft({ settings: 'tracked', version: String(product.version), ...price }))
  },
})

const units = wholeNumber({ min: 0, max: onHandMax })

export const addVariantAction = action({
  path,
  permission,
  done: 'The variant was added.',
  question: null,
  fields: anyFields,
  form: async (visit, { id }, draft) => formContent(visit, await read(visit, 'getProduct', { params: { id } }), draft),
  run: async (visit, { id }, sent): Promise<Acted> => {
    const product = await read(visit, 'getProduct', { params: { id } })
    const given = readForm(newDraft(sent))
    const shown = given.required('version', version)
    const { tracked, allowBackorder, lowStockThreshold, optionValues, priceKobo, ...more } = readVariant(given, product)
    const onHand = given.optional('onHand', units)
    if (given.problems.length > 0) return { is: 'invalid', problems: given.problems }
    const inventory = { tracked, allowBackorder, lowStockThreshold, onHand }
    const body = { optionValues, priceKobo, inventory, ...more }
    const called = await visit.call('createVariant', { params: { id }, version: shown, body })
    return called.is === 'answered' ? { is: 'done', to: `/products/${id}` } : variantProblems(called.refusal)
  },
})

function formContent(visit: Visit, product: Product, draft: Draft): Content {
  const { id, options, variants } = product
  const title = `Add a variant to ${product.title}`
  const back = html`<p>${link(`/products/${id}`, 'Back to the product')}</p>`
  if (options.length === 0 && variants.length > 0) {
    const next = html`<p>Enter an option first, such as Size, with its values.</p><p>${mainLink(`/products/${id}/edit`, 'Edit the product')}</p>`
    const message = 'Variants differ in options, and this product has none yet.'
    return { title, main: html`${heading(title)}${empty(message, next)}${back}` }
  }
  const more =
    options.length === 0
      ? ''
      : html`<p>Choose the value of each option below. To add a value, such as a new size, ${link(`/products/${id}/edit`, 'edit the product')} first.</p>`
  const stock = textField(draft, { name: 'onHand', label: 'Units in stock', inputMode: 'numeric' })
  const fields = html`${hiddenField('version', fieldValue(draft, 'version'))}${variantFields(draft, product, stock)}`
  const main = html`${heading(title)}${more}${form(visit, `/products/${id}/variants/new`, fields, { submit: 'Add variant' })}${back}`
  return { title, main }
}
