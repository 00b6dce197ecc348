import {
  barcodeOf,
  type Converted,
  gramsOfKilograms,
  koboOf,
  koboOrNoneOf,
  shownText,
  wholeOf,
  wrong,
} from './amounts.ts'
import { type Cells, type Draft, type FieldSource, listOf, listValue, newDraft, readFields } from './draft.ts'
import { columnSet, type DraftReader, type Import, type ImportFormat } from './format.ts'
import { plainTextOf } from './plain-text.ts'
import { isOnSale, salePeriodColumns } from './sale-period.ts'
import { addImage, addVariant, completed, newParts, type OptionCell, type ProductParts } from './variants.ts'

/**
 * The columns of WooCommerce's export of products. A simple product has one line. A variable product has a line of its
 * own, and a line for each variation. The line of a variation names its parent product by SKU, or as `id:` with the
 * parent's id.
 */

const productFields = {
  title: ['Name'],
  description: ['Description', (text) => ({ is: 'value', value: plainTextOf(withLineBreaks(text)) })],
  category: ['Categories', categoryOf],
  brand: ['Brands', categoryOf],
  tags: ['Tags', listValue],
} as const satisfies Readonly<Record<string, FieldSource>>

const barcode = 'GTIN, UPC, EAN, or ISBN'

const variantFields = {
  sku: ['SKU'],
  barcode: [barcode, barcodeOf],
  weightGrams: ['Weight (kg)', gramsOfKilograms],
} as const satisfies Readonly<Record<string, FieldSource>>

/** The regular price of a variant, and its price during a sale. */
const prices = { priceKobo: ['Regular price', koboOf] } as const satisfies Readonly<Record<string, FieldSource>>
const salePrices = {
  priceKobo: ['Sale price', koboOf],
  compareAtPriceKobo: ['Regular price', koboOrNoneOf],
} as const satisfies Readonly<Record<string, FieldSource>>

const inventoryFields = {
  onHand: ['Stock', stockOf],
  lowStockThreshold: ['Low stock amount', wholeOf],
} as const satisfies Readonly<Record<string, FieldSource>>

const attributeNumbers = [1, 2, 3] as const

export const woocommerceColumns: ImportFormat = {
  name: 'WooCommerce',
  signature: ['Type', 'SKU', 'Name', 'Regular price'],
  columns: columnSet(
    ...[productFields, variantFields, salePrices, inventoryFields].flatMap((fields) =>
      Object.values<FieldSource>(fields).map(([column]) => column),
    ),
    ...attributeNumbers.flatMap((number) => [`Attribute ${number} name`, `Attribute ${number} value(s)`]),
    ...['ID', 'Type', 'Published', 'Parent', 'Images', 'Tax status', 'Backorders allowed?', 'In stock?'],
    ...salePeriodColumns,
  ),
  open: openReader,
}

interface VariableParts extends ProductParts {
  readonly attributes: readonly Attribute[]
}

function noteAttributes(draft: Draft, attributes: readonly Attribute[]): void {
  for (const { name, namePlace } of attributes)
    draft.notes.push({ ...namePlace, message: `The attribute ${shownText(name)} is not imported.` })
}

function openReader({ nowMs }: Import): DraftReader {
  /**
   * The variable products of the file, by the names with which the column `Parent` of their variations refers to them.
   * The variations may follow anywhere in the file.
   */
  const parents = new Map<string, VariableParts>()
  const variable: VariableParts[] = []
  return {
    read: (cells) => {
      const types = listOf(cells.text('Type')?.toLowerCase() ?? '')
      if (types.includes('variation')) {
        const parent = parents.get(cells.text('Parent')?.toLowerCase() ?? '')
        if (parent === undefined)
          return failed(cells, 'Parent', 'Must be the SKU or the id of a variable product above.')
        addVariation(parent, cells, nowMs)
        return { current: parent.draft, complete: [] }
      }
      const parts = newParts(productOf(cells))
      for (const [order, url] of listOf(cells.text('Images') ?? '').entries())
        addImage(parts, cells, { column: 'Images', url, order })
      if (types.includes('variable')) {
        const product = { ...parts, attributes: attributesOf(cells) }
        variable.push(product)
        for (const name of [cells.text('SKU'), idOf(cells)])
          if (name !== undefined) parents.set(name.toLowerCase(), product)
        return { current: parts.draft, complete: [] }
      }
      if (!types.includes('simple')) return failed(cells, 'Type', 'Must be simple, variable or variation.')
      noteAttributes(parts.draft, attributesOf(cells))
      addLine(parts, cells, { nowMs, options: [] })
      return { current: parts.draft, complete: [completed(parts)] }
    },
    end: () =>
      variable.map((parts) => {
        noteAttributes(
          parts.draft,
          parts.attributes.filter(({ name }) => !parts.options.has(name)),
        )
        return completed(parts)
      }),
  }
}

function idOf(cells: Cells): string | undefined {
  const id = cells.text('ID')
  return id === undefined ? undefined : `id:${id}`
}

function productOf(cells: Cells): Draft {
  const draft = newDraft(cells.line)
  Object.assign(draft.input, readFields(draft, cells, { path: [], fields: productFields }), {
    status: cells.text('Published') === '1' ? 'active' : 'draft',
    ...(cells.text('Tax status')?.toLowerCase() === 'none' ? { taxExempt: true } : {}),
  })
  return draft
}

function failed(cells: Cells, column: string, message: string): ReturnType<DraftReader['read']> {
  const current = productOf(cells)
  current.problems.push({ ...cells.place(column), message })
  // The file has the variants of a variable product in other lines than the product. The validation of the product
  // would therefore also report that its variants are missing. Marking the field `variants` as failed suppresses this
  // report.
  current.failed.add('variants')
  return { current, complete: [current] }
}

/** A variation that is not published is left out, with a note in the report. */
function addVariation(parent: VariableParts, cells: Cells, nowMs: number): void {
  const published = cells.text('Published')
  if (published !== undefined && published !== '1') {
    const message = 'The variation is not published, so it is not imported.'
    parent.draft.notes.push({ ...cells.place('Published'), message })
    return
  }
  const attributes = attributesOf(cells)
  for (const { value, column } of attributes) {
    if (value !== undefined) continue
    const message = 'Is required: a variation without a fixed value cannot be imported.'
    parent.draft.problems.push({ ...cells.place(column), message })
  }
  const options = attributes.flatMap(({ value, ...rest }) => (value === undefined ? [] : [{ ...rest, value }]))
  addLine(parent, cells, { nowMs, options })
}

interface LineSource {
  readonly nowMs: number
  readonly options: readonly OptionCell[]
}

function addLine(parts: ProductParts, cells: Cells, { nowMs, options }: LineSource): void {
  const hasStock = cells.text('Stock') !== undefined
  // In WooCommerce, a product whose quantity is not tracked can still be marked as out of stock. Such a product is
  // imported as sold out.
  const isSoldOut = !hasStock && cells.text('In stock?') === '0'
  const allowBackorder = ['1', 'yes', 'notify'].includes(cells.text('Backorders allowed?')?.toLowerCase() ?? '')
  const hasSalePrice = cells.text('Sale price') !== undefined && isOnSale(parts.draft, cells, nowMs)
  const [image] = listOf(cells.text('Images') ?? '')
  addVariant(parts, cells, {
    options,
    fields: { ...variantFields, ...(hasSalePrice ? salePrices : prices) },
    inventory: hasStock ? inventoryFields : {},
    settings: {
      tracked: hasStock || isSoldOut,
      ...(isSoldOut ? { onHand: 0 } : {}),
      ...(allowBackorder ? { allowBackorder } : {}),
    },
    column: 'Attribute 1 value(s)',
    image: { url: image, column: 'Images' },
  })
}

type Attribute = Omit<OptionCell, 'value'> & { readonly value: string | undefined }

function attributesOf(cells: Cells): Attribute[] {
  return attributeNumbers.flatMap((number): Attribute[] => {
    const column = `Attribute ${number} value(s)`
    const nameColumn = `Attribute ${number} name`
    const name = cells.text(nameColumn)
    if (name === undefined) return []
    const value = cells.text(column)?.replaceAll('\\,', ',')
    return [{ name, namePlace: cells.place(nameColumn), value, column }]
  })
}

/** WooCommerce writes the line breaks of a text as `\n`, and a backslash before an n as `\\n`. */
function withLineBreaks(text: string): string {
  return text
    .split('\\\\n')
    .map((part) => part.replaceAll('\\n', '\n'))
    .join('\\n')
}

function stockOf(text: string): Converted {
  return text.toLowerCase() === 'parent'
    ? wrong('Must be the stock of the variation: variations cannot share the stock of their product', text)
    : wholeOf(text)
}

/** Returns the name of the first category without its parents, such as `Dresses` for `Clothing > Dresses, Sale`. */
function categoryOf(text: string): Converted {
  const [first = ''] = listOf(text)
  return { is: 'value', value: first.split('>').at(-1)?.trim() }
}
