export interface CatalogueProduct {
  readonly slug: string
  readonly title: string
  readonly description: string
  readonly category: string
  readonly tags: readonly string[]
  readonly sku: string
  readonly variants: readonly CatalogueVariant[]
}

/**
 * The size is null if the product's variants differ only by colour, and the colour is null if they differ only by size.
 */
export type CatalogueVariant = readonly [size: string | null, colour: string | null, priceKobo: number, stock: number]

/** Returns the SKU of a variant, such as `ANK-MAX-M-IND`: the product, the size and the first letters of the colour. */
export function skuOf(product: CatalogueProduct, [size, colour]: CatalogueVariant): string {
  const parts = [product.sku, size, colour?.slice(0, 3)]
  return parts
    .filter((part) => part !== null && part !== undefined)
    .join('-')
    .toUpperCase()
    .replaceAll(' ', '')
}

/** Returns the title of a variant, which is derived from the option values, such as `M / Indigo`. */
export function variantTitleOf([size, colour]: CatalogueVariant): string {
  return [size, colour].filter((part) => part !== null).join(' / ')
}

export function optionValuesOf([size, colour]: CatalogueVariant): Record<string, string> {
  return { ...(size === null ? {} : { size }), ...(colour === null ? {} : { colour }) }
}

/** The values of each option are in the order of appearance. */
export function optionsOf({ variants }: CatalogueProduct): { name: string; values: string[] }[] {
  const values = (index: 0 | 1) => [
    ...new Set(variants.map((variant) => variant[index]).filter((each) => each !== null)),
  ]
  return [
    { name: 'size', values: values(0) },
    { name: 'colour', values: values(1) },
  ].filter((option) => option.values.length > 0)
}
