import { accessories } from './catalogue-accessories.ts'
import { clothes } from './catalogue-clothes.ts'
import type { CatalogueProduct } from './catalogue-product.ts'

/** The demo shop's catalogue. */
export const catalogue: readonly CatalogueProduct[] = [...clothes, ...accessories]
