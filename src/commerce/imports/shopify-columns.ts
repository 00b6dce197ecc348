import { barcodeOf, gramsOf, koboOf, koboOrNoneOf, wholeOf } from './amounts.ts'
import { type Cells, type Draft, type FieldSource, listValue, newDraft, readFields } from './draft.ts'
import { columnSet, type DraftReader, type ImportFormat } from './format.ts'
import { plainTextOf } from './plain-text.ts'
import { addImage, addVariant, completed, newParts, type OptionCell, type ProductParts } from './variants.ts'

/**
 * The columns of Shopify's export of products. The first line of a product has its title; the following lines have the
 * same handle, and add a variant, an image or both.
 */

const productFields = {
  title: ['Title'],
  slug: ['Handle'],
  description: ['Body (HTML)', (text) => ({ is: 'value', value: plainTextOf(text) })],
  brand: ['Vendor'],
  category: ['Type'],
  tags: ['Tags', listValue],
} as const satisfies Readonly<Record<string, FieldSource>>

const variantFields = {
  sku: ['Variant SKU'],
  priceKobo: ['Variant Price', koboOf],
  compareAtPriceKobo: ['Variant Compare At Price', koboOrNoneOf],
  costKobo: ['Cost per item', koboOrNoneOf],
  barcode: ['Variant Barcode', barcodeOf],
  weightGrams: ['Variant Grams', gramsOf],
} as const satisfies Readonly<Record<string, FieldSource>>

const quantity = 'Variant Inventory Qty'

const inventoryFields = { onHand: [quantity, wholeOf] } as const satisfies Readonly<Record<string, FieldSource>>

const optionNumbers = [1, 2, 3] as const

const tracker = 'Variant Inventory Tracker'

const taxable = 'Variant Taxable'

const imagePosition = 'Image Position'

export const shopifyColumns: ImportFormat = {
  name: 'Shopify',
  signature: ['Handle', 'Title', 'Variant Price'],
  columns: columnSet(
    ...[productFields, variantFields, inventoryFields].flatMap((fields) =>
      Object.values<FieldSource>(fields).map(([column]) => column),
    ),
    ...optionNumbers.flatMap((number) => [`Option${number} Name`, `Option${number} Value`]),
    ...[tracker, 'Variant Inventory Policy', taxable, 'Variant Image', 'Published', 'Status'],
    ...['Image Src', 'Image Alt Text', imagePosition],
  ),
  open: openReader,
}

interface Current extends ProductParts {
  readonly handle: string
  /** The cells of the product's first line, the only line that contains the names of the options. */
  readonly first: Cells
}

function openReader(): DraftReader {
  let current: Current | undefined
  const ended = new Set<string>()
  const close = (): Draft[] => {
    if (current === undefined) return []
    ended.add(current.handle)
    return [completed(current)]
  }
  return {
    read: (cells) => {
      const handle = cells.text('Handle') ?? ''
      if (current !== undefined && current.handle === handle && handle !== '') {
        addRow(current, cells)
        return { current: current.draft, complete: [] }
      }
      const complete = close()
      const draft = newDraft(cells.line)
      current = { ...newParts(draft), handle, first: cells }
      if (handle !== '' && ended.has(handle))
        draft.problems.push({ ...cells.place('Handle'), message: 'All lines of a product must follow each other.' })
      Object.assign(draft.input, readFields(draft, cells, { path: [], fields: productFields }), settingsOf(cells))
      addRow(current, cells)
      return { current: draft, complete }
    },
    end: close,
  }
}

function settingsOf(cells: Cells): Record<string, unknown> {
  const [status, published] = ['Status', 'Published'].map((column) => cells.text(column)?.toLowerCase())
  // A product that is active but not published is imported as a draft, because the online shop does not sell it.
  const isActive = status === undefined ? published === 'true' : status === 'active' && published !== 'false'
  return { status: isActive ? 'active' : 'draft', ...(isExempt(cells) ? { taxExempt: true } : {}) }
}

function isExempt(cells: Cells): boolean {
  return cells.text(taxable)?.toLowerCase() === 'false'
}

/**
 * Adds a note for a variant whose VAT differs from that of the product. In this service, the VAT exemption belongs to
 * the product, and is imported from its first line.
 */
function noteOtherTax({ draft, first }: Current, cells: Cells): void {
  if (cells.text(taxable) === undefined || isExempt(cells) === isExempt(first)) return
  const imported = isExempt(first) ? 'exempt from VAT' : 'subject to VAT'
  const message = `The variant is imported as ${imported}, like the first line of its product, because all variants of a product have the same VAT.`
  draft.notes.push({ ...cells.place(taxable), message })
}

function addRow(current: Current, cells: Cells): void {
  const url = cells.text('Image Src')
  if (url !== undefined) {
    const position = cells.text(imagePosition)
    const order = position !== undefined && /^\d{1,9}$/.test(position) ? Number(position) : current.images.size + 1
    addImage(current, cells, { column: 'Image Src', url, alt: cells.text('Image Alt Text'), order })
  }
  const hasVariant = ['Variant Price', 'Variant SKU', 'Option1 Value'].some(
    (column) => cells.text(column) !== undefined,
  )
  if (hasVariant) addRowVariant(current, cells)
}

function addRowVariant(current: Current, cells: Cells): void {
  noteOtherTax(current, cells)
  const hasQuantity = cells.text(quantity) !== undefined
  const hasTrackers = cells.place(tracker).column !== null
  const isTracked = hasTrackers ? cells.text(tracker) !== undefined : hasQuantity
  if (isTracked && !hasQuantity) {
    const place = cells.place(cells.place(quantity).column === null ? tracker : quantity)
    current.draft.notes.push({ ...place, message: 'The stock starts at 0, because the file has no quantity for it.' })
  }
  addVariant(current, cells, {
    options: optionsOf(current, cells),
    fields: variantFields,
    // The stock fields are ignored if the shop does not track the stock of the variant, because the exported quantity
    // is then meaningless.
    inventory: isTracked ? inventoryFields : {},
    settings: {
      tracked: isTracked,
      ...(cells.text('Variant Inventory Policy')?.toLowerCase() === 'continue' ? { allowBackorder: true } : {}),
    },
    column: 'Option1 Value',
    image: { url: cells.text('Variant Image'), column: 'Variant Image' },
  })
}

/** Returns the option values of a row. A product without options has the option “Title” with one value. */
function optionsOf({ draft, first }: Current, cells: Cells): OptionCell[] {
  return optionNumbers.flatMap((number): OptionCell[] => {
    const column = `Option${number} Value`
    const nameColumn = `Option${number} Name`
    const [name, value] = [first.text(nameColumn), cells.text(column)]
    if (value === undefined) return []
    if (name === undefined) {
      draft.problems.push({
        ...cells.place(column),
        message: `Must have the name of its option in the column ${nameColumn}.`,
      })
      return []
    }
    const namePlace = first.place(nameColumn)
    return name === 'Title' && value === 'Default Title' ? [] : [{ name, namePlace, value, column }]
  })
}
