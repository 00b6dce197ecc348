import { type Converted, gramsOf, koboOf, koboOrNoneOf, wholeOf } from './amounts.ts'
import { type Cells, type Draft, type FieldSource, listOf, listValue, newDraft, readFields } from './draft.ts'
import { columnSet, type DraftReader, type ImportFormat } from './format.ts'
import { plainTextOf } from './plain-text.ts'
import { addImage, addVariant, completed, newParts, type OptionCell, type ProductParts } from './variants.ts'

/**
 * The columns of WooCommerce's export of products. A simple product has one line. A variable product has a line of its
 * own, and a line for each variation, which names its parent by SKU or as `id:` with the id.
 */

const productFields = {
  title: ['Name'],
  description: ['Description', (text) => ({ is: 'value', value: plainTextOf(text) })],
  category: ['Categories', categoryOf],
  brand: ['Brands'],
  tags: ['Tags', listValue],
} as const satisfies Readonly<Record<string, FieldSource>>

const barcode = 'GTIN, UPC, EAN, or ISBN'

const variantFields = {
  sku: ['SKU'],
  barcode: [barcode],
  weightGrams: ['Weight (kg)', gramsOf],
} as const satisfies Readonly<Record<string, FieldSource>>

/** The prices of a variant that is not on sale, and of one that is. */
const prices = { priceKobo: ['Regular price', koboOf] } as const satisfies Readonly<Record<string, FieldSource>>
const salePrices = {
  priceKobo: ['Sale price', koboOf],
  compareAtPriceKobo: ['Regular price', koboOrNoneOf],
} as const satisfies Readonly<Record<string, FieldSource>>

const inventoryFields = {
  onHand: ['Stock', wholeOf],
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
    ...['ID', 'Type', 'Published', 'Parent', 'Images', 'Tax status', 'Backorders allowed?'],
  ),
  open: openReader,
}

function openReader(): DraftReader {
  /** Variable products, whose variations may follow anywhere, by the names by which variations refer to them. */
  const parents = new Map<string, ProductParts>()
  const variable: ProductParts[] = []
  return {
    read: (cells) => {
      const types = listOf(cells.text('Type')?.toLowerCase() ?? '')
      if (types.includes('variation')) {
        const parent = parents.get(cells.text('Parent')?.toLowerCase() ?? '')
        if (parent === undefined)
          return failed(cells, 'Parent', 'Must be the SKU or the id of a variable product above.')
        addLine(parent, cells)
        return { current: parent.draft, complete: [] }
      }
      const parts = newParts(productOf(cells))
      for (const url of listOf(cells.text('Images') ?? '')) addImage(parts, cells, { column: 'Images', url })
      if (types.includes('variable')) {
        variable.push(parts)
        for (const name of [cells.text('SKU'), idOf(cells)])
          if (name !== undefined) parents.set(name.toLowerCase(), parts)
        return { current: parts.draft, complete: [] }
      }
      if (!types.includes('simple')) return failed(cells, 'Type', 'Must be simple, variable or variation.')
      addLine(parts, cells, [])
      return { current: parts.draft, complete: [completed(parts)] }
    },
    end: () => variable.map(completed),
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
  return { current, complete: [current] }
}

/** Adds a line as a variant of a product. */
function addLine(parts: ProductParts, cells: Cells, options = attributesOf(cells)): void {
  const isTracked = cells.text('Stock') !== undefined
  const allowBackorder = ['1', 'yes', 'notify'].includes(cells.text('Backorders allowed?')?.toLowerCase() ?? '')
  const variant = addVariant(parts, cells, {
    options,
    fields: { ...variantFields, ...(cells.text('Sale price') === undefined ? prices : salePrices) },
    inventory: isTracked ? inventoryFields : {},
    settings: { tracked: isTracked, ...(allowBackorder ? { allowBackorder } : {}) },
    column: 'Attribute 1 value(s)',
  })
  const [image] = listOf(cells.text('Images') ?? '')
  if (image !== undefined) variant.imagePosition = addImage(parts, cells, { column: 'Images', url: image })
}

function attributesOf(cells: Cells): OptionCell[] {
  return attributeNumbers.flatMap((number) => {
    const column = `Attribute ${number} value(s)`
    const [name, value] = [cells.text(`Attribute ${number} name`), cells.text(column)]
    return name === undefined || value === undefined ? [] : [{ name, value, column }]
  })
}

/** Returns the innermost of the first category, such as `Dresses` of `Clothing > Dresses, Sale`. */
function categoryOf(text: string): Converted {
  const [first = ''] = listOf(text)
  return { is: 'value', value: first.split('>').at(-1)?.trim() }
}
