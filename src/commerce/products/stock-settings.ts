import type { Product, Variant } from '../../../registry/products/product.ts'
import type { Work } from '../../store/core/mutation.ts'
import { type ProductStock, stockSettings } from '../../store/products/inventory.ts'
import { availableOf, changedAtOf, emitLowStock, isLow } from './stock.ts'

/**
 * Updates the inventory settings of variants. A raised threshold, or inventory tracking that is turned on, can make a
 * variant low without a stock movement. The low-stock event is then emitted once, as after a stock movement. A lowered
 * threshold can clear the low-stock flag, so that the event can occur again.
 */
export function changeStockSettings(
  work: Work<'inventory.low_stock'>,
  product: Product,
  changes: readonly { readonly variant: Variant; readonly stock: ProductStock }[],
): Variant[] {
  const { trx, merchantId } = work
  const checked = changes.map(({ variant, stock }) => {
    const { tracked, lowStockThreshold } = variant.inventory
    const threshold = lowStockThreshold ?? product.lowStockThreshold ?? stock.merchantThreshold
    return { variant, stock, threshold, low: isLow({ isTracked: tracked, threshold }, availableOf(stock)) }
  })
  stockSettings.update(
    trx,
    checked.map(({ variant: { id, inventory }, stock, low }) => ({
      merchantId,
      variantId: id,
      tracked: inventory.tracked,
      allowBackorder: inventory.allowBackorder,
      lowStockThreshold: inventory.lowStockThreshold,
      productLowStockThreshold: product.lowStockThreshold,
      isLow: low,
      updatedAt: changedAtOf(work, stock),
    })),
  )
  for (const { stock, threshold, low } of checked) {
    if (!low || stock.isLow || product.status === 'archived' || threshold === null) continue
    const { onHand, reserved } = stock
    emitLowStock(work, { stock, levels: { onHand, reserved }, threshold }, { type: 'settings', orderId: null })
  }
  return checked.map(({ variant, stock, low }) => ({
    ...variant,
    inventory: {
      ...variant.inventory,
      onHand: stock.onHand,
      reserved: stock.reserved,
      available: availableOf(stock),
      low,
    },
  }))
}
