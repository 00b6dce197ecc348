import { createHash } from 'node:crypto'
import { onHandMax } from '../../../registry/values/limits.ts'
import { html, type Markup } from '../../markup/markup.ts'
import { table } from '../../markup/parts.ts'
import { type Draft, fieldValue, newDraft } from '../kit/draft.ts'
import { nairaPrice, wholeNumber } from '../kit/fields.ts'
import { hiddenField } from '../kit/form.ts'
import { cellBox, cellField } from './cell-field.ts'
import type { FormReader } from './form-reader.ts'
import type { OptionInForm } from './option-fields.ts'

/**
 * The variants in the form of a new product. A product without options has one variant, whose fields are those of the
 * form; a product with options has a row of fields for each combination of the option values.
 */

export interface NewRow {
  /**
   * Suffix of the names of the row’s form fields, derived from the option values of the row. If the member changes the
   * options, a row with the same option values therefore retains the texts that the member has typed.
   */
  readonly key: string
  readonly values: readonly string[]
}

const keyLength = 16

export function rowOf(values: readonly string[]): NewRow {
  const hash = createHash('sha256').update(JSON.stringify(values)).digest('base64url')
  return { key: `-${hash.slice(0, keyLength)}`, values }
}

/** Reports whether the submitted form contained the fields of this new variant. */
export function isShown(form: FormReader, { key }: NewRow): boolean {
  return form.text(`row${key}`) !== ''
}

const units = wholeNumber({ min: 0, max: onHandMax })

/** Maximum weight of a unit in grams that the API accepts. */
const weightMax = 1_000_000

export const weightInGrams = wholeNumber({ min: 0, max: weightMax })

/** `key` is the suffix of the variant's field names, empty for the only variant of a product. */
export function readNewVariant(form: FormReader, key: string) {
  const orNone = (name: string) => (form.text(name) === '' ? undefined : form.text(name))
  return {
    priceKobo: form.required(`price${key}`, nairaPrice) ?? 0,
    inventory: { onHand: form.optional(`onHand${key}`, units) ?? 0 },
    sku: orNone(`sku${key}`),
    barcode: orNone(`barcode${key}`),
    weightGrams: form.optional(`weight${key}`, weightInGrams),
  }
}

export function readRows(form: FormReader, options: readonly OptionInForm[], rows: readonly NewRow[]) {
  return rows.map(({ key, values }) => {
    const optionValues = Object.fromEntries(options.map(({ name }, index) => [name, values[index] ?? '']))
    return { ...readNewVariant(form, key), optionValues }
  })
}

/**
 * The names of the form fields, by the last part of the path of a field in the request body, such as `onHand` of
 * `variants[0].inventory.onHand`.
 */
const fields: Readonly<Record<string, string>> = {
  sku: 'sku',
  priceKobo: 'price',
  barcode: 'barcode',
  weightGrams: 'weight',
  onHand: 'onHand',
}

/** `keys` are the suffixes of the variants’ field names, in the order of the request. */
export function newVariantField(path: string, keys: readonly string[]): string | undefined {
  const { index, name } = /^variants\[(?<index>\d+)\]\.(?:inventory\.)?(?<name>\w+)/.exec(path)?.groups ?? {}
  const [key, field] = [keys[Number(index)], fields[name ?? '']]
  return key === undefined || field === undefined ? undefined : `${field}${key}`
}

/** Fills in the rows that the form has not shown yet, with the values of the fields that apply to all variants. */
export function withRows(form: FormReader, rows: readonly NewRow[]): Draft {
  const sku = form.text('sku')
  const added = rows
    .filter((row) => !isShown(form, row))
    .flatMap(({ key, values }) => [
      [`price${key}`, form.text('price')],
      [`onHand${key}`, form.text('onHand')],
      [`weight${key}`, form.text('weight')],
      [`sku${key}`, sku === '' ? '' : skuOf(sku, values)],
    ])
  return { ...form.draft, values: { ...form.draft.values, ...newDraft(Object.fromEntries(added)).values } }
}

/**
 * Proposes a SKU for a variant, such as `ANK-M-RED`, from a common prefix and the option values of the variant. Empty
 * if an option value contains no ASCII letter or digit.
 */
function skuOf(sku: string, values: readonly string[]): string {
  const parts = values.map((value) =>
    value
      .normalize('NFKD')
      .replaceAll(/[^A-Za-z0-9]/g, '')
      .toUpperCase(),
  )
  return parts.includes('') ? '' : [sku, ...parts].join('-')
}

export function rowFields(draft: Draft, rows: readonly NewRow[]): Markup {
  const nameOf = ({ values }: NewRow) => values.join(' / ')
  const cell = (name: string, label: string, inputMode?: 'numeric' | 'decimal') => (row: NewRow) =>
    cellField(draft, {
      ...{ name: `${name}${row.key}`, label: `${label} of ${nameOf(row)}` },
      ...(inputMode === undefined ? {} : { inputMode }),
    })
  const list = table('Variants', rows, [
    { title: 'Variant', cell: (row) => html`${hiddenField(`row${row.key}`, 'yes')}${nameOf(row)}` },
    { title: 'Price in naira', cell: cell('price', 'Price in naira', 'decimal') },
    { title: 'Units in stock', cell: cell('onHand', 'Units in stock', 'numeric') },
    { title: 'SKU', cell: cell('sku', 'SKU') },
    { title: 'Barcode', cell: cell('barcode', 'Barcode') },
    { title: 'Weight in grams', cell: cell('weight', 'Weight in grams', 'numeric') },
    {
      title: 'Leave out',
      cell: (row) => cellBox(draft, { name: `skip${row.key}`, label: `Leave out ${nameOf(row)}` }),
    },
  ])
  return list
}

/** Reports whether the member has chosen not to create the variant of a row. */
export function isLeftOut(draft: Draft, { key }: NewRow): boolean {
  return fieldValue(draft, `skip${key}`) !== ''
}
