import { type Converted, wholeOf } from './amounts.ts'
import { type FieldSource, newDraft, readFields } from './draft.ts'
import { columnSet, type ImportFormat } from './format.ts'

/** The columns of the export of products of this service: one line for each product, with its variants as JSON. */

const fields = {
  title: ['title'],
  slug: ['slug'],
  description: ['description'],
  // An archived product becomes a draft: a new product cannot start archived.
  status: ['status', (text) => ({ is: 'value', value: text === 'archived' ? 'draft' : text })],
  options: ['options', jsonOf],
  images: ['images', (text) => mapped(jsonOf(text), imageOf)],
  variants: ['variants', (text) => mapped(jsonOf(text), (variant) => variant)],
  category: ['category'],
  brand: ['brand'],
  tags: ['tags', jsonOf],
  lowStockThreshold: ['lowStockThreshold', wholeOf],
  taxExempt: [
    'taxExempt',
    (text) => ({ is: 'value', value: text === 'true' ? true : text === 'false' ? false : text }),
  ],
  metadata: ['metadata', jsonOf],
} as const satisfies Readonly<Record<string, FieldSource>>

export const exportedColumns: ImportFormat = {
  name: 'Commerce Service',
  signature: ['title', 'slug', 'variants'],
  columns: columnSet(...Object.values(fields).map(([column]) => column)),
  open: () => ({
    read: (cells) => {
      const draft = newDraft(cells.line)
      const imagesText = cells.text('images')
      const images = imagesText === undefined ? [] : listIn(jsonOf(imagesText))
      const { variants, ...values } = readFields(draft, cells, { path: [], fields })
      const imageIds = images.map((image) => Reflect.get(Object(image), 'id'))
      const list = Array.isArray(variants) ? variants.map((each) => variantOf(each, imageIds)) : variants
      Object.assign(draft.input, values, list === undefined ? {} : { variants: list })
      return { current: draft, complete: [draft] }
    },
    end: () => [],
  }),
}

/** Escapes of characters that PostgreSQL cannot store: NUL and unpaired surrogates. */
const unstorable = /\\u(?:0000|d[89a-f])/

function jsonOf(text: string): Converted {
  try {
    const value: unknown = JSON.parse(text)
    if (!unstorable.test(JSON.stringify(value))) return { is: 'value', value }
  } catch {
    // A syntax error is reported like other text that is not JSON.
  }
  return { is: 'wrong', message: 'Must be JSON with well-formed text, as in an export.' }
}

function listIn(converted: Converted): readonly unknown[] {
  return converted.is === 'value' && Array.isArray(converted.value) ? converted.value : []
}

function mapped(converted: Converted, map: (item: unknown) => unknown): Converted {
  if (converted.is === 'wrong' || !Array.isArray(converted.value)) return converted
  return { is: 'value', value: converted.value.map(map) }
}

/** Returns the named properties of an exported record that have a value. Null means that a record has none. */
function pick(record: unknown, names: readonly string[]): Record<string, unknown> {
  const entries = names.map((name) => [name, Reflect.get(Object(record), name)] as const)
  return Object.fromEntries(entries.filter(([, value]) => value !== null && value !== undefined))
}

function imageOf(image: unknown): unknown {
  return pick(image, ['url', 'alt'])
}

const variantNames = ['sku', 'optionValues', 'priceKobo', 'compareAtPriceKobo', 'costKobo', 'barcode', 'weightGrams']

function variantOf(variant: unknown, imageIds: readonly unknown[]): unknown {
  const { imageId, inventory } = pick(variant, ['imageId', 'inventory'])
  const imagePosition = imageIds.indexOf(imageId)
  return {
    ...pick(variant, variantNames),
    ...(imageId === undefined || imagePosition === -1 ? {} : { imagePosition }),
    inventory: pick(inventory, ['tracked', 'onHand', 'lowStockThreshold', 'allowBackorder']),
  }
}
