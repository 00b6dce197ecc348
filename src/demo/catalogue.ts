import { accessories } from './catalogue-accessories.ts'
import { clothes } from './catalogue-clothes.ts'
import type { CatalogueProduct } from './catalogue-product.ts'

export const catalogue: readonly CatalogueProduct[] = [...clothes, ...accessories]
