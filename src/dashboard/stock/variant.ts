import { VariantId } from '../../../registry/values/vocabulary.ts'
import { findVariants } from '../../store/products/variants.ts'
import type { ReplyOf } from '../kit/call.ts'
import { PageError } from '../kit/page-error.ts'
import { variantName } from '../kit/units.ts'
import { read, type Visit } from '../kit/visit.ts'

export interface FoundVariant {
  /** The low-stock threshold of the variant, the product or the merchant. Null if the stock is never treated as low. */
  readonly threshold: number | null
  readonly product: ReplyOf<'getProduct'>
  readonly variant: ReplyOf<'getProduct'>['variants'][number]
}

export function nameOf({ product, variant }: FoundVariant): string {
  return variantName({ title: product.title, variantTitle: variant.title })
}

/** The API operations also need the id of the product, which is read from the database first. */
export async function findVariant(visit: Visit, id: string): Promise<FoundVariant> {
  const parsed = VariantId.safeParse(id)
  const { database } = visit.context
  const [stock] = parsed.success
    ? await findVariants(database, { merchantId: visit.tenant.merchantId, ids: [parsed.data] })
    : []
  if (stock === undefined) throw noVariant()
  const product = await read(visit, 'getProduct', { params: { id: stock.productId } })
  const variant = product.variants.find((each) => each.id === id)
  // A deleted variant stays in the database, because its inventory movements refer to it, but is no longer part of its
  // product.
  if (variant === undefined) throw noVariant()
  return { product, variant, threshold: stock.threshold }
}

function noVariant(): PageError {
  return new PageError(404, 'This variant does not exist.')
}
