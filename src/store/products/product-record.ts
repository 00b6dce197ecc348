import type { Product, ProductImage } from '../../../registry/products/product.ts'

/** A product image as stored. Its position is its index in the list. */
export type StoredImage = Omit<ProductImage, 'position' | 'variantIds'>

/** A product without the fields that are computed from its variants and their inventory. */
export type ProductParts = Omit<Product, 'currency' | 'images' | 'priceRange' | 'totalAvailable'> & {
  readonly images: readonly StoredImage[]
}

/**
 * Adds the derived fields to a product. Reads and writes of a product both use this function, so that they return the
 * same record.
 */
export function completeProduct(parts: ProductParts): Product {
  const { variants } = parts
  const prices = variants.map((variant) => variant.priceKobo).toSorted((a, b) => a - b)
  const [minKobo] = prices
  const maxKobo = prices.at(-1)
  return {
    ...parts,
    currency: 'NGN',
    images: parts.images.map(({ id, url, alt }, position) => ({
      id,
      url,
      alt,
      position,
      variantIds: variants.filter((variant) => variant.imageId === id).map((variant) => variant.id),
    })),
    priceRange: minKobo === undefined || maxKobo === undefined ? null : { minKobo, maxKobo },
    totalAvailable: variants.reduce((total, { inventory }) => total + (inventory.tracked ? inventory.available : 0), 0),
  }
}
