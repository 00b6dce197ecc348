import type { InventoryAdjustment, VariantInventory } from '../../../registry/products/inventory.ts'
import { onHandMax } from '../../../registry/values/limits.ts'
import type { Work } from '../../store/core/mutation.ts'
import { lockProductStock } from '../../store/products/inventory.ts'
import { hasProduct } from '../../store/products/products.ts'
import { levelsAfter, returnStock, takeStock } from './stock.ts'
import { hasSku, type VariantKey } from './variant-key.ts'

export type AdjustInventoryOutcome =
  | { readonly is: 'adjusted'; readonly inventory: VariantInventory }
  | { readonly is: 'product_unknown' }
  | { readonly is: 'variant_unknown' }
  | { readonly is: 'changed'; readonly currentOnHand: number }
  | { readonly is: 'out_of_range'; readonly currentOnHand: number }

/** Sets the quantity on hand to a counted value, or changes it by a delta. Reserved units stay reserved. */
export async function adjustInventory(
  work: Work<'inventory.low_stock' | 'inventory.back_in_stock'>,
  { id, variantId, sku }: VariantKey,
  request: InventoryAdjustment,
): Promise<AdjustInventoryOutcome> {
  const { trx, merchantId } = work
  const [isKnown, [stock]] = await Promise.all([
    hasProduct(trx, { merchantId, id }),
    lockProductStock(trx, merchantId, id, variantId),
  ])
  if (!isKnown) return { is: 'product_unknown' }
  if (stock === undefined || !hasSku(stock, sku)) return { is: 'variant_unknown' }
  const currentOnHand = stock.onHand
  const { expectedOnHand } = request
  if (expectedOnHand !== undefined && expectedOnHand !== currentOnHand) return { is: 'changed', currentOnHand }
  const onHand = request.set ?? currentOnHand + (request.delta ?? 0)
  if (onHand < 0 || onHand > onHandMax) return { is: 'out_of_range', currentOnHand }
  const move = { stock, onHandDelta: onHand - currentOnHand, reservedDelta: 0 }
  const change = onHand < currentOnHand ? takeStock : returnStock
  change(work, [move], { reason: request.reason, note: request.note })
  work.note({ onHand: [currentOnHand, onHand], reason: [null, request.reason] })
  const levels = levelsAfter(move)
  return {
    is: 'adjusted',
    inventory: {
      id: variantId,
      productId: id,
      sku: stock.sku,
      tracked: stock.isTracked,
      onHand,
      reserved: levels.reserved,
      available: onHand - levels.reserved,
      lowStockThreshold: stock.ownThreshold,
      allowBackorder: stock.allowsBackorder,
      low: levels.isLow,
    },
  }
}
