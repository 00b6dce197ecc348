import type { ProductStatus } from '../../../registry/products/product-states.ts'
import type { Markup } from '../../markup/markup.ts'
import { badge, type Tone } from '../../markup/parts.ts'

const tones: Readonly<Record<ProductStatus, Tone>> = { draft: 'waiting', active: 'good', archived: 'quiet' }

export function productBadge(status: ProductStatus): Markup {
  return badge(status, tones[status])
}
