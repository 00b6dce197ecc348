import { productImagesMax, productVariantsMax } from '../../../registry/values/limits.ts'
import { type Cells, type Draft, type FieldSource, readFields } from './draft.ts'

/** Builds the variants, options and images of a product that has several lines in a file. */

/** The name and the value of an option in the line of a variant. */
export interface OptionCell {
  readonly name: string
  readonly value: string
  /** The column of the value. */
  readonly column: string
}

export interface ProductParts {
  readonly draft: Draft
  readonly variants: Record<string, unknown>[]
  readonly images: Record<string, unknown>[]
  /** The values of each option, in the order in which they occur. */
  readonly options: Map<string, Set<string>>
}

export function newParts(draft: Draft): ProductParts {
  return { draft, variants: [], images: [], options: new Map() }
}

interface VariantSource {
  readonly options: readonly OptionCell[]
  readonly fields: Readonly<Record<string, FieldSource>>
  readonly inventory: Readonly<Record<string, FieldSource>>
  /** Fields of the inventory that follow from other cells. */
  readonly settings: Readonly<Record<string, unknown>>
  /** The column of the option values, for a problem about all of them. */
  readonly column: string
}

/**
 * Adds the variant of a row to its product. Further variants are left out after the first one above the limit, so that a
 * file of any size takes linear time.
 */
export function addVariant(parts: ProductParts, cells: Cells, source: VariantSource): Record<string, unknown> {
  const { draft, variants, options } = parts
  if (variants.length > productVariantsMax) return {}
  const path = ['variants', variants.length]
  draft.places.set(path.join('.'), { line: cells.line, column: null })
  draft.places.set([...path, 'optionValues'].join('.'), cells.place(source.column))
  const optionValues = source.options.map(({ name, value }) => [name, value] as const)
  for (const [name, value] of optionValues) options.set(name, (options.get(name) ?? new Set()).add(value))
  const inventory = readFields(draft, cells, { path: [...path, 'inventory'], fields: source.inventory })
  const variant = {
    ...readFields(draft, cells, { path, fields: source.fields }),
    ...(optionValues.length === 0 ? {} : { optionValues: Object.fromEntries(optionValues) }),
    inventory: { ...inventory, ...source.settings },
  }
  variants.push(variant)
  return variant
}

/** Adds an image unless the product has it, or has too many. Returns its position. */
export function addImage(
  { draft, images }: ProductParts,
  cells: Cells,
  image: { column: string; url: string; alt?: string | undefined },
): number {
  const { column, url, alt } = image
  const known = images.findIndex((each) => each.url === url)
  if (known !== -1 || images.length > productImagesMax) return known === -1 ? productImagesMax : known
  draft.places.set(`images.${images.length}`, cells.place(column))
  return images.push({ url, ...(alt === undefined ? {} : { alt }) }) - 1
}

/** Returns the draft of a product whose lines are all read. */
export function completed({ draft, variants, images, options }: ProductParts): Draft {
  Object.assign(draft.input, {
    variants,
    ...(images.length === 0 ? {} : { images }),
    ...(options.size === 0 ? {} : { options: [...options].map(([name, values]) => ({ name, values: [...values] })) }),
  })
  return draft
}
