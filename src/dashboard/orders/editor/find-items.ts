import type { SellableVariant } from '../../../store/products/variants.ts'
import type { ReplyOf } from '../../kit/call.ts'
import type { Draft, FieldProblem } from '../../kit/draft.ts'
import type { Visit } from '../../kit/visit.ts'
import { typed } from './values.ts'

type Product = ReplyOf<'listProducts'>['data'][number]

export type FoundVariant = Pick<
  SellableVariant,
  'title' | 'variantTitle' | 'sku' | 'isTracked' | 'allowsBackorder' | 'available'
>

export interface FoundItems {
  readonly variants: readonly (FoundVariant & { readonly variantId: string; readonly priceKobo: number })[]
  /** Whether more products match than the form shows. */
  readonly isCut: boolean
}

/** Maximum number of products that a search shows. If more products match, the member can refine the search text. */
const productsMax = '10'

/**
 * Maximum number of variants that a search shows. If the first product alone has more variants, all of its variants are
 * shown.
 */
const variantsMax = 40

/**
 * Finds products that are for sale by the search text in the form. First searches the texts and SKUs of the products;
 * if no product matches, searches for a barcode.
 */
export async function findItems(
  visit: Visit,
  draft: Draft,
): Promise<{ readonly found: FoundItems | undefined; readonly problems: readonly FieldProblem[] }> {
  const q = typed(draft, 'findItems')
  if (q === undefined) return { found: undefined, problems: [] }
  const fixed = { status: 'active', limit: productsMax }
  const called = await visit.call('listProducts', { query: { ...fixed, q } })
  if (called.is === 'refused') {
    const message = called.refusal.problems?.[0]?.message ?? called.refusal.message
    return { found: undefined, problems: [{ field: 'findItems', message }] }
  }
  if (called.reply.data.length > 0) return { found: foundIn(called.reply, q), problems: [] }
  const byBarcode = await visit.call('listProducts', { query: { ...fixed, barcode: q } })
  const reply = byBarcode.is === 'answered' ? byBarcode.reply : called.reply
  return { found: foundIn(reply, q), problems: [] }
}

function foundIn({ data, pagination }: ReplyOf<'listProducts'>, q: string): FoundItems {
  const shown: Product[] = []
  let variantCount = 0
  for (const product of data) {
    const variants = matchingVariants(product, q)
    variantCount += variants.length
    if (shown.length > 0 && variantCount > variantsMax) break
    shown.push({ ...product, variants })
  }
  const variants = shown.flatMap((product) => product.variants.map((variant) => foundVariant(product, variant)))
  return { variants, isCut: pagination.hasMore || shown.length < data.length }
}

/**
 * Returns the variants of a product whose SKU or barcode matches the search text. If none matches, the text matched the
 * product itself, and all its variants are returned.
 */
function matchingVariants({ variants }: Product, q: string): Product['variants'] {
  const sku = q.toLowerCase()
  const matching = variants.filter((variant) => variant.sku.toLowerCase().includes(sku) || variant.barcode === q)
  return matching.length === 0 ? variants : matching
}

function foundVariant(product: Product, { id, sku, title, priceKobo, inventory }: Product['variants'][number]) {
  const { tracked, allowBackorder, available } = inventory
  return {
    ...{ variantId: id, title: product.title, variantTitle: title, sku, priceKobo },
    ...{ isTracked: tracked, allowsBackorder: allowBackorder, available },
  }
}
