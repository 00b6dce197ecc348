import { productImagesMax, productVariantsMax } from '../../../registry/values/limits.ts'
import { type Cells, type Draft, type FieldSource, keyOf, readFields } from './draft.ts'
import type { Place } from './problem.ts'

/** Builds the variants, options and images of a product that has several lines in a file. */

export interface OptionCell {
  readonly name: string
  readonly namePlace: Place
  readonly value: string
  /** The column of the file that contains the option value. */
  readonly column: string
}

/**
 * An option of a product, and its values in the order in which they occur in the file. For each value, the map contains
 * the cell in which the value first occurs.
 */
interface Option {
  readonly namePlace: Place
  readonly values: Map<string, Place>
}

interface Image {
  readonly place: Place
  alt: string | undefined
  /** Position of the image in the list of the product’s images. */
  order: number
}

export interface ProductParts {
  readonly draft: Draft
  readonly variants: Record<string, unknown>[]
  /** The URL of the image of each variant that has one, by the position of the variant in `variants`. */
  readonly variantImages: Map<number, string>
  /** The images of the product, by their URLs. */
  readonly images: Map<string, Image>
  readonly options: Map<string, Option>
}

export function newParts(draft: Draft): ProductParts {
  return { draft, variants: [], variantImages: new Map(), images: new Map(), options: new Map() }
}

interface VariantSource {
  readonly options: readonly OptionCell[]
  readonly fields: Readonly<Record<string, FieldSource>>
  readonly inventory: Readonly<Record<string, FieldSource>>
  /**
   * Inventory settings of the variant, such as whether its stock is tracked. They are derived from the cells of the
   * row, whereas each field of `inventory` is read from one cell.
   */
  readonly settings: Readonly<Record<string, unknown>>
  /** The column that a problem names if the problem concerns the option values of the variant as a whole. */
  readonly column: string
  readonly image: { readonly url: string | undefined; readonly column: string }
}

/**
 * Adds the variant of a row to its product. At most one variant above the limit is added, which is enough to report the
 * problem. The further rows of the product are ignored, so that the import takes linear time even for a product with
 * very many variants.
 */
export function addVariant(parts: ProductParts, cells: Cells, source: VariantSource): void {
  const { draft, variants } = parts
  if (variants.length > productVariantsMax) return
  const path = ['variants', variants.length]
  draft.places.set(keyOf(path), { line: cells.line, column: null })
  draft.places.set(keyOf([...path, 'optionValues']), cells.place(source.column))
  const optionValues = optionValuesOf(parts, cells, source.options)
  const inventory = readFields(draft, cells, { path: [...path, 'inventory'], fields: source.inventory })
  const { compareAtPriceKobo, ...fields } = readFields(draft, cells, { path, fields: source.fields })
  // Some shops export a compare-at price that equals the price for products that are not on sale. Such a compare-at
  // price is not imported.
  const isOnSale = compareAtPriceKobo !== undefined && compareAtPriceKobo !== fields.priceKobo
  if (source.image.url !== undefined) {
    parts.variantImages.set(variants.length, source.image.url)
    addImage(parts, cells, { column: source.image.column, url: source.image.url, order: Number.MAX_SAFE_INTEGER })
  }
  variants.push({
    ...fields,
    ...(isOnSale ? { compareAtPriceKobo } : {}),
    ...(source.options.length === 0 ? {} : { optionValues }),
    inventory: { ...inventory, ...source.settings },
  })
}

/**
 * Adds the options of a variant to its product. Returns the option values of the variant by the names of the options.
 */
function optionValuesOf(
  { draft, variants, options }: ProductParts,
  cells: Cells,
  optionCells: readonly OptionCell[],
): Record<string, string> {
  const values = new Map<string, string>()
  for (const { name, namePlace, value, column } of optionCells) {
    if (values.has(name)) draft.problems.push({ ...namePlace, message: `Must not repeat the option ${name}.` })
    values.set(name, value)
    const option = options.get(name) ?? { namePlace, values: new Map<string, Place>() }
    options.set(name, option)
    const place = cells.place(column)
    if (!option.values.has(value)) option.values.set(value, place)
    draft.places.set(keyOf(['variants', variants.length, 'optionValues', name]), place)
  }
  return Object.fromEntries(values)
}

interface ImageSource {
  readonly column: string
  readonly url: string
  readonly alt?: string | undefined
  readonly order: number
}

/** Adds an image to the product, unless the product has the image already or has the maximum number of images. */
export function addImage({ images }: ProductParts, cells: Cells, { column, url, alt, order }: ImageSource): void {
  const known = images.get(url)
  if (known !== undefined) {
    known.alt ??= alt
    known.order = Math.min(known.order, order)
  } else if (images.size <= productImagesMax) images.set(url, { place: cells.place(column), alt, order })
}

/** Returns the draft of a product after all of its lines were read. */
export function completed({ draft, variants, variantImages, images, options }: ProductParts): Draft {
  const excess = [...images.values()][productImagesMax]
  if (excess !== undefined)
    draft.problems.push({ ...excess.place, message: `Must have at most ${productImagesMax} images.` })
  // If a product has too many images, the draft contains none of them. Otherwise the schema would report the same
  // problem a second time.
  const sorted = (excess === undefined ? [...images] : []).toSorted(([, one], [, two]) => one.order - two.order)
  const positions = new Map(sorted.map(([url], position) => [url, position]))
  sorted.forEach(([, { place }], position) => {
    draft.places.set(keyOf(['images', position]), place)
  })
  for (const [index, option] of [...options.values()].entries()) {
    draft.places.set(keyOf(['options', index]), option.namePlace)
    for (const [position, place] of [...option.values.values()].entries())
      draft.places.set(keyOf(['options', index, 'values', position]), place)
  }
  const withImages = variants.map((variant, index) => {
    const imagePosition = positions.get(variantImages.get(index) ?? '')
    return imagePosition === undefined ? variant : { ...variant, imagePosition }
  })
  Object.assign(draft.input, {
    ...(variants.length === 0 ? {} : { variants: withImages }),
    ...(sorted.length === 0
      ? {}
      : { images: sorted.map(([url, { alt }]) => ({ url, ...(alt === undefined ? {} : { alt }) })) }),
    ...(options.size === 0
      ? {}
      : { options: [...options].map(([name, { values }]) => ({ name, values: [...values.keys()] })) }),
  })
  return draft
}
