import { koboOf, koboOrNoneOf, wholeOf } from './amounts.ts'
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
  barcode: ['Variant Barcode'],
  weightGrams: ['Variant Grams', wholeOf],
} as const satisfies Readonly<Record<string, FieldSource>>

const inventoryFields = { onHand: ['Variant Inventory Qty', wholeOf] } as const satisfies Readonly<
  Record<string, FieldSource>
>

const optionNumbers = [1, 2, 3] as const

const tracker = 'Variant Inventory Tracker'

export const shopifyColumns: ImportFormat = {
  name: 'Shopify',
  signature: ['Handle', 'Title', 'Variant Price'],
  columns: columnSet(
    ...[productFields, variantFields, inventoryFields].flatMap((fields) =>
      Object.values<FieldSource>(fields).map(([column]) => column),
    ),
    ...optionNumbers.flatMap((number) => [`Option${number} Name`, `Option${number} Value`]),
    ...[tracker, 'Variant Inventory Policy', 'Variant Taxable', 'Variant Image', 'Published', 'Status'],
    ...['Image Src', 'Image Alt Text'],
  ),
  open: openReader,
}

interface Current extends ProductParts {
  readonly handle: string
  /** The names of the options, which only the first line has. */
  readonly optionNames: readonly (string | undefined)[]
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
      current = {
        ...newParts(draft),
        handle,
        optionNames: optionNumbers.map((each) => cells.text(`Option${each} Name`)),
      }
      if (ended.has(handle))
        draft.problems.push({ ...cells.place('Handle'), message: 'All lines of a product must follow each other.' })
      Object.assign(draft.input, readFields(draft, cells, { path: [], fields: productFields }), settingsOf(cells))
      addRow(current, cells)
      return { current: draft, complete }
    },
    end: close,
  }
}

function settingsOf(cells: Cells): Record<string, unknown> {
  const status = cells.text('Status')?.toLowerCase()
  const isActive = status === undefined ? isTrue(cells.text('Published')) : status === 'active'
  const isTaxExempt = cells.text('Variant Taxable')?.toLowerCase() === 'false'
  return { status: isActive ? 'active' : 'draft', ...(isTaxExempt ? { taxExempt: true } : {}) }
}

function isTrue(text: string | undefined): boolean {
  return text?.toLowerCase() === 'true'
}

function addRow(current: Current, cells: Cells): void {
  const image = cells.text('Image Src')
  if (image !== undefined)
    addImage(current, cells, { column: 'Image Src', url: image, alt: cells.text('Image Alt Text') })
  const hasVariant = ['Variant Price', 'Variant SKU', 'Option1 Value'].some(
    (column) => cells.text(column) !== undefined,
  )
  if (!hasVariant) return
  const isTracked = cells.text(tracker) !== undefined || cells.place(tracker).column === null
  const variant = addVariant(current, cells, {
    options: optionsOf(current, cells),
    fields: variantFields,
    // A shop that does not track a variant exports a quantity that means nothing.
    inventory: isTracked ? inventoryFields : {},
    settings: {
      tracked: isTracked,
      ...(cells.text('Variant Inventory Policy')?.toLowerCase() === 'continue' ? { allowBackorder: true } : {}),
    },
    column: 'Option1 Value',
  })
  const variantImage = cells.text('Variant Image')
  if (variantImage !== undefined)
    variant.imagePosition = addImage(current, cells, { column: 'Variant Image', url: variantImage })
}

/** Returns the option values of a row. A product without options has the option “Title” with one value. */
function optionsOf({ optionNames }: Current, cells: Cells): OptionCell[] {
  return optionNumbers.flatMap((number, index): OptionCell[] => {
    const column = `Option${number} Value`
    const [name, value] = [optionNames[index], cells.text(column)]
    if (name === undefined || value === undefined) return []
    return name === 'Title' && value === 'Default Title' ? [] : [{ name, value, column }]
  })
}
