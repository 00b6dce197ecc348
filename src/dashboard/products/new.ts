import { z } from 'zod'
import { html, type Markup, nothing } from '../../markup/markup.ts'
import { heading } from '../../markup/parts.ts'
import type { Refusal } from '../../operations/execute/refusal.ts'
import type { Content } from '../kit/content.ts'
import { type Draft, newDraft } from '../kit/draft.ts'
import { form, select, textField } from '../kit/form.ts'
import { link } from '../kit/parts.ts'
import { problemsBy } from '../kit/refused.ts'
import { type Acted, action, page } from '../kit/route.ts'
import type { Visit } from '../kit/visit.ts'
import { anyFields, type FormReader, readForm } from './form-reader.ts'
import {
  isLeftOut,
  isShown,
  type NewRow,
  newVariantField,
  readNewVariant,
  readRows,
  rowFields,
  rowOf,
  withRows,
} from './new-variants.ts'
import { combinationsOf, type OptionInForm, optionField, optionFields, readOptions } from './option-fields.ts'
import {
  descriptionField,
  detailField,
  detailFields,
  detailNames,
  folded,
  pictureField,
  readDetails,
  readImages,
} from './product-fields.ts'

const path = '/products/new'
const permission = 'products:write'
const title = 'Create product'

export const newProductPage = page({
  path,
  permission,
  show: (visit) => Promise.resolve(formContent(visit, newDraft({ status: 'active' }))),
})

export const createProductAction = action({
  path,
  permission,
  done: 'The product was created.',
  question: null,
  fields: anyFields,
  form: (visit, _params, draft) => {
    const given = readForm(draft)
    const shown = rowsOf(given, readOptions(given)).filter((row) => isShown(given, row))
    return Promise.resolve(formContent(visit, draft, shown))
  },
  run: async (visit, _params, sent): Promise<Acted> => {
    const given = readForm(newDraft(sent))
    const options = readOptions(given)
    const rows = rowsOf(given, options)
    if (given.problems.length > 0) return { is: 'invalid', problems: given.problems }
    if (rows.length > 0 && (given.text('intent') === 'rows' || !rows.every((row) => isShown(given, row))))
      return { is: 'previewed', content: formContent(visit, withRows(given, rows), rows) }
    const sold = rows.filter((row) => !isLeftOut(given.draft, row))
    const body = bodyOf(given, options, sold)
    if (given.problems.length > 0) return { is: 'invalid', problems: given.problems }
    const called = await visit.call('createProduct', { body })
    if (called.is === 'answered') return { is: 'done', to: `/products/${called.reply.id}` }
    return refused(called.refusal, { options, keys: options.length === 0 ? [''] : sold.map(({ key }) => key), given })
  },
})

function rowsOf(given: FormReader, options: readonly OptionInForm[]): readonly NewRow[] {
  return options.length === 0 ? [] : combinationsOf(given, options).map(rowOf)
}

const statusField = z.enum(['active', 'draft'], { error: 'Choose a status.' })

function bodyOf(given: FormReader, options: readonly OptionInForm[], rows: readonly NewRow[]) {
  return {
    ...readDetails(given),
    status: given.required('status', statusField) ?? 'draft',
    images: readImages(given),
    options: options.map(({ name, values }) => ({ name, values: [...values] })),
    variants: options.length === 0 ? [readNewVariant(given, '')] : readRows(given, options, rows),
  }
}

interface Refused {
  readonly options: readonly OptionInForm[]
  /** The suffixes of the variants’ field names, in the order of the request. */
  readonly keys: readonly string[]
  readonly given: FormReader
}

const ownedSku = z.object({ sku: z.string() })

function refused(refusal: Refusal, { options, keys, given }: Refused): Acted {
  if (refusal.code === 'sku_in_use') {
    const owned = ownedSku.safeParse(refusal.details)
    const sku = owned.success ? owned.data.sku.toLowerCase() : undefined
    const key = keys.find((each) => given.text(`sku${each}`).toLowerCase() === sku)
    const message = 'Another product already has this SKU.'
    return key === undefined ? { is: 'refused', message } : { is: 'refused', field: `sku${key}`, message }
  }
  return problemsBy(refusal, (at) => detailField(at) ?? optionField(at, options) ?? newVariantField(at, keys))
}

function formContent(visit: Visit, draft: Draft, rows: readonly NewRow[] = []): Content {
  const hasRows = rows.length > 0
  const of = hasRows ? 'The rows of new variants start with this value.' : undefined
  const hint = of === undefined ? {} : { hint: of }
  const more = html`${textField(draft, { name: 'sku', label: 'SKU', hint: hasRows ? 'Start of the SKUs of new rows.' : 'If the field is empty, a SKU is generated.' })}
${hasRows ? nothing : textField(draft, { name: 'barcode', label: 'Barcode' })}
${textField(draft, { name: 'weight', label: 'Weight in grams', inputMode: 'numeric', ...hint })}
${detailFields(draft)}`
  const statuses = [
    ['active', 'Active: can be ordered'],
    ['draft', 'Draft: cannot be ordered yet'],
  ] as const
  const fields = html`${textField(draft, { name: 'title', label: 'Title', isRequired: true })}
${textField(draft, { name: 'price', label: 'Price in naira', inputMode: 'decimal', isRequired: !hasRows, ...hint })}
${textField(draft, { name: 'onHand', label: 'Units in stock', inputMode: 'numeric', ...hint })}
${pictureField(draft)}
${descriptionField(draft)}
${select(draft, { name: 'status', label: 'Status', choices: statuses })}
${folded(draft, 'SKU, barcode, weight, category and tags', { names: ['sku', 'barcode', 'weight', ...detailNames], fields: more })}
${optionFields(draft, hasRows)}
${hasRows ? variantRows(draft, rows) : nothing}`
  const other = { label: hasRows ? 'Update variants' : 'Show variants', intent: 'rows' }
  const main = html`${heading(title)}${form(visit, path, fields, { submit: 'Create product', other })}
<p>${link('/products', 'Back to the products')}</p>`
  return { title, main }
}

function variantRows(draft: Draft, rows: readonly NewRow[]): Markup {
  return html`<h2>Variants</h2><p role="status">Nothing has been created yet. Check the ${String(rows.length)} variants, then choose Create product.</p>${rowFields(draft, rows)}`
}
