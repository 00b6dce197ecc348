import { html } from '../../markup/markup.ts'
import { heading, section } from '../../markup/parts.ts'
import type { ReplyOf } from '../kit/call.ts'
import type { Content } from '../kit/content.ts'
import { type Draft, fieldValue, newDraft } from '../kit/draft.ts'
import { version } from '../kit/fields.ts'
import { button, form, hiddenField } from '../kit/form.ts'
import { PageError } from '../kit/page-error.ts'
import { koboText, link } from '../kit/parts.ts'
import { type Acted, action, page } from '../kit/route.ts'
import { read, type Visit } from '../kit/visit.ts'
import { anyFields, readForm } from './form-reader.ts'
import { readVariant, variantFields, variantProblems } from './variant-fields.ts'
import { type GridVariant, variantName } from './variant-grid.ts'

const path = '/products/{id}/variants/{variantId}'
const permission = 'products:write'

interface Found {
  readonly product: ReplyOf<'getProduct'>
  readonly variant: GridVariant
}

export async function findProductVariant(visit: Visit, id: string, variantId: string): Promise<Found> {
  const product = await read(visit, 'getProduct', { params: { id } })
  const variant = product.variants.find((each) => each.id === variantId)
  if (variant === undefined) throw new PageError(404, 'This variant does not exist.')
  return { product, variant }
}

export const editVariantPage = page({
  path,
  permission,
  show: async (visit, { id, variantId }): Promise<Content> => {
    const found = await findProductVariant(visit, id, variantId)
    return formContent(visit, found, storedDraft(found))
  },
})

export const editVariantAction = action({
  path,
  permission,
  done: 'The variant is saved.',
  question: null,
  fields: anyFields,
  form: async (visit, { id, variantId }, draft) =>
    formContent(visit, await findProductVariant(visit, id, variantId), draft),
  run: async (visit, { id, variantId }, sent): Promise<Acted> => {
    const { product } = await findProductVariant(visit, id, variantId)
    const given = readForm(newDraft(sent))
    const shown = given.required('version', version)
    const { tracked, allowBackorder, lowStockThreshold, sku, ...fields } = readVariant(given, product)
    if (given.text('sku') === '') given.addProblem('sku', 'Fill in this field.')
    if (given.problems.length > 0) return { is: 'invalid', problems: given.problems }
    const body = {
      ...{ sku, optionValues: fields.optionValues, priceKobo: fields.priceKobo },
      compareAtPriceKobo: fields.compareAtPriceKobo ?? null,
      ...{ costKobo: fields.costKobo ?? null, barcode: fields.barcode ?? null },
      weightGrams: fields.weightGrams ?? null,
      inventory: { tracked, allowBackorder, lowStockThreshold: lowStockThreshold ?? null },
    }
    const called = await visit.call('updateVariant', { params: { id, variantId }, version: shown, body })
    return called.is === 'answered' ? { is: 'done', to: `/products/${id}` } : variantProblems(called.refusal)
  },
})

function storedDraft({ product, variant }: Found): Draft {
  const { inventory, priceKobo, compareAtPriceKobo, costKobo, sku, barcode, weightGrams, optionValues } = variant
  const { tracked, allowBackorder, lowStockThreshold } = inventory
  const textOr = <Value>(value: Value | null, show: (value: Value) => string) => (value === null ? '' : show(value))
  const options = product.options.map(({ name }, index) => [`option${index + 1}`, optionValues[name] ?? ''])
  return newDraft({
    ...Object.fromEntries(options),
    ...{ price: koboText(priceKobo), compareAtPrice: textOr(compareAtPriceKobo, koboText) },
    ...{ cost: textOr(costKobo, koboText), sku, barcode: barcode ?? '', weight: textOr(weightGrams, String) },
    lowStockThreshold: textOr(lowStockThreshold, String),
    settings: [...(tracked ? ['tracked'] : []), ...(allowBackorder ? ['allowBackorder'] : [])],
    version: String(product.version),
  })
}

function formContent(visit: Visit, { product, variant }: Found, draft: Draft): Content {
  const page = `/products/${product.id}/variants/${variant.id}`
  const title = `Edit ${product.title}, ${variantName(variant)}`
  const fields = html`${hiddenField('version', fieldValue(draft, 'version'))}${variantFields(draft, product)}`
  const hidden = { version: String(product.version) }
  const removal = button(visit, `${page}/delete`, 'Delete variant', { hidden, isDangerous: true })
  const main = html`${heading(title, link(`/stock/${variant.id}`, 'Stock and movements'))}
${form(visit, page, fields, { submit: 'Save variant' })}
${section('Delete', removal)}<p>${link(`/products/${product.id}`, 'Back to the product')}</p>`
  return { title, main }
}
