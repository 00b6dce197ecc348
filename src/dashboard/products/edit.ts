import { html } from '../../markup/markup.ts'
import { heading } from '../../markup/parts.ts'
import type { ReplyOf } from '../kit/call.ts'
import type { Content } from '../kit/content.ts'
import { type Draft, fieldValue, newDraft } from '../kit/draft.ts'
import { version } from '../kit/fields.ts'
import { checkBoxes, form, hiddenField, textField } from '../kit/form.ts'
import { link } from '../kit/parts.ts'
import { problemsBy } from '../kit/refused.ts'
import { type Acted, action, page } from '../kit/route.ts'
import { staleBy } from '../kit/stale.ts'
import { read, type Visit } from '../kit/visit.ts'
import { anyFields, type FormReader, readForm } from './form-reader.ts'
import { optionField, optionFields, optionTexts, readOptions } from './option-fields.ts'
import {
  descriptionField,
  detailField,
  detailFields,
  imagesText,
  pictureField,
  readDetails,
  readImages,
} from './product-fields.ts'

const path = '/products/{id}/edit'
const permission = 'products:write'

type Product = ReplyOf<'getProduct'>

export const editProductPage = page({
  path,
  permission,
  show: async (visit, { id }): Promise<Content> => {
    const product = await read(visit, 'getProduct', { params: { id } })
    return formContent(visit, product, storedDraft(product))
  },
})

export const editProductAction = action({
  path,
  permission,
  done: 'The product is saved.',
  question: null,
  fields: anyFields,
  form: async (visit, { id }, draft) => formContent(visit, await read(visit, 'getProduct', { params: { id } }), draft),
  run: async (visit, { id }, sent): Promise<Acted> => {
    const product = await read(visit, 'getProduct', { params: { id } })
    const given = readForm(newDraft(sent))
    const options = readOptions(given)
    const shown = given.required('version', version)
    const body = bodyOf(given, product)
    if (given.problems.length > 0) return { is: 'invalid', problems: given.problems }
    // Options that the member has not changed are left out of the request. The form shows the values of an option as
    // one text, and splitting this text again could change the values.
    const listed = options.map(({ name, values }) => ({ name, values: [...values] }))
    const changes = areOptionsChanged(given, product) ? { ...body, options: listed } : body
    const called = await visit.call('updateProduct', { params: { id }, version: shown, body: changes })
    if (called.is === 'answered') return { is: 'done', to: `/products/${id}` }
    const { refusal } = called
    if (refusal.code === 'options_in_use') {
      const message = 'A variant has a value that you removed. Change or delete the variant first.'
      return { is: 'refused', field: 'optionValues1', message }
    }
    return staleBy(refusal, 'product') ?? problemsBy(refusal, (at) => detailField(at) ?? optionField(at, options))
  },
})

function bodyOf(given: FormReader, { images }: Product) {
  const { category, brand, lowStockThreshold, ...details } = readDetails(given)
  return {
    ...details,
    ...{ category: category ?? null, brand: brand ?? null, lowStockThreshold: lowStockThreshold ?? null },
    images: readImages(given, images),
    taxExempt: given.text('taxExempt') === 'yes',
  }
}

function areOptionsChanged({ draft }: FormReader, { options }: Product): boolean {
  const stored = optionTexts(options)
  const sent = Object.keys(draft.values).filter((name) => name.startsWith('option'))
  return [...new Set([...sent, ...Object.keys(stored)])].some(
    (name) => fieldValue(draft, name) !== (stored[name] ?? ''),
  )
}

function storedDraft(product: Product): Draft {
  const { title, description, category, brand, tags, lowStockThreshold, taxExempt, images, options } = product
  return newDraft({
    ...{ title, description, category: category ?? '', brand: brand ?? '', tags: tags.join('\n') },
    lowStockThreshold: lowStockThreshold === null ? '' : String(lowStockThreshold),
    images: imagesText(images),
    ...(taxExempt ? { taxExempt: 'yes' } : {}),
    ...optionTexts(options),
    version: String(product.version),
  })
}

/**
 * The form contains the version that the product had when the form was opened, so that saving never overwrites a change
 * of another member.
 */
function formContent(visit: Visit, { id, title: stored }: Product, draft: Draft): Content {
  const title = `Edit ${stored}`
  const fields = html`${hiddenField('version', fieldValue(draft, 'version'))}
${textField(draft, { name: 'title', label: 'Title', isRequired: true })}
${pictureField(draft)}
${descriptionField(draft)}
${detailFields(draft)}
${checkBoxes(draft, { name: 'taxExempt', label: 'VAT', choices: [['yes', 'The product is exempt from VAT']] })}
${optionFields(draft)}`
  const main = html`${heading(title)}${form(visit, `/products/${id}/edit`, fields, { submit: 'Save product' })}
<p>${link(`/products/${id}`, 'Back to the product')}</p>`
  return { title, main }
}
