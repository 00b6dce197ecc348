import { productImagesMax, productVariantsMax } from '../../../registry/values/limits.ts'
import { type Converted, wholeOf } from './amounts.ts'
import { type Cells, type Draft, type FieldSource, newDraft, readFields } from './draft.ts'
import { columnSet, type DraftReader, type ImportFormat } from './format.ts'

/** The columns of this service's own product export: one line for each product, with its variants as JSON. */

const fields = {
  title: ['title'],
  slug: ['slug'],
  description: ['description'],
  // An archived product is imported with the status `draft`, because a new product cannot be created as archived.
  status: ['status', (text) => ({ is: 'value', value: text === 'archived' ? 'draft' : text })],
  options: ['options', jsonOf],
  images: ['images', (text) => mapped(jsonOf(text), { max: productImagesMax, map: imageOf })],
  variants: [
    'variants',
    (text) => listOrNone(mapped(jsonOf(text), { max: productVariantsMax, map: (variant) => variant })),
  ],
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
  open: openReader,
}

function openReader(): DraftReader {
  // Archived products are returned after all others. Another product of the file may have the SKUs of an archived
  // product, and this other product must be imported first.
  const archived: Draft[] = []
  return {
    read: (cells) => {
      const draft = draftOf(cells)
      if (cells.text('status') !== 'archived') return { current: draft, complete: [draft] }
      archived.push(draft)
      return { current: draft, complete: [] }
    },
    end: () => archived,
  }
}

function draftOf(cells: Cells): Draft {
  const draft = newDraft(cells.line)
  const imagesText = cells.text('images')
  const images = imagesText === undefined ? [] : listIn(jsonOf(imagesText)).slice(0, productImagesMax)
  const { variants, ...values } = readFields(draft, cells, { path: [], fields })
  const imageIds = images.map((image) => Reflect.get(Object(image), 'id'))
  const list = Array.isArray(variants) ? variants.map((each) => variantOf(each, imageIds)) : variants
  Object.assign(draft.input, values, list === undefined ? {} : { variants: list })
  return draft
}

/**
 * Matches the JSON escapes of the characters that PostgreSQL cannot store: NUL and unpaired surrogates. After an
 * escaped backslash, `u0000` is ordinary text.
 */
const unstorable = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/

function jsonOf(text: string): Converted {
  try {
    const value: unknown = JSON.parse(text)
    if (!unstorable.test(JSON.stringify(value))) return { is: 'value', value }
  } catch {
    // A cell with invalid JSON is reported as a problem of its column.
  }
  return { is: 'wrong', message: 'Must be JSON with well-formed text, as in an export.' }
}

function listIn(converted: Converted): readonly unknown[] {
  return converted.is === 'value' && Array.isArray(converted.value) ? converted.value : []
}

/**
 * Converts each item of a list. A list with more items than `max` is rejected as a whole, before any item is converted.
 */
function mapped(
  converted: Converted,
  { max, map }: { readonly max: number; readonly map: (item: unknown) => unknown },
): Converted {
  if (converted.is === 'wrong' || !Array.isArray(converted.value)) return converted
  const { length } = converted.value
  if (length > max) return { is: 'wrong', message: `Must have at most ${max} items, not ${length}.` }
  return { is: 'value', value: converted.value.map(map) }
}

/**
 * Converts an empty list to no value. A product with the status `draft` may have no variants, and its export contains
 * an empty list for them.
 */
function listOrNone(converted: Converted): Converted {
  const isEmpty = converted.is === 'value' && Array.isArray(converted.value) && converted.value.length === 0
  return isEmpty ? { is: 'value', value: undefined } : converted
}

/**
 * Returns an exported record without null values and without the given fields. The service sets these fields itself,
 * and the schema of createProduct rejects them.
 */
function without(record: unknown, names: readonly string[]): unknown {
  if (typeof record !== 'object' || record === null || Array.isArray(record)) return record
  return Object.fromEntries(Object.entries(record).filter(([name, value]) => value !== null && !names.includes(name)))
}

function imageOf(image: unknown): unknown {
  return without(image, ['id', 'position', 'variantIds'])
}

function variantOf(variant: unknown, imageIds: readonly unknown[]): unknown {
  const fields = without(variant, ['id', 'title', 'position', 'imageId'])
  if (typeof fields !== 'object' || fields === null || Array.isArray(fields)) return fields
  const imageId: unknown = Reflect.get(Object(variant), 'imageId')
  const imagePosition = typeof imageId === 'string' ? imageIds.indexOf(imageId) : -1
  const inventory: unknown = Reflect.get(fields, 'inventory')
  return {
    ...fields,
    ...(imagePosition === -1 ? {} : { imagePosition }),
    ...(inventory === undefined ? {} : { inventory: without(inventory, ['reserved', 'available', 'low']) }),
  }
}
