import type { Product, Variant } from '../../registry/product.ts'
import { lockStockToRecount, type ProductStock, stockSettings } from '../store/inventory.ts'
import type { Work } from '../store/mutation.ts'
import { type Stock, writeStock } from '../store/stock.ts'
import { availableOf, isLow, tellLow } from './stock.ts'

/**
 * Brings the stock of some variants to what their product's record says of how it is counted. A threshold that rises to
 * what is available, or stock that begins to be counted, can make a variant low without a piece moved: that is a
 * crossing like any other, told once (design, commerce 2.2). One that falls re-arms it.
 */
export function changeStockSettings(
  work: Work<'inventory.low_stock'>,
  product: Product,
  changes: readonly { readonly variant: Variant; readonly stock: ProductStock }[],
): Variant[] {
  const { trx, merchantId, now } = work
  const judged = changes.map(({ variant, stock }) => {
    const { tracked, lowStockThreshold } = variant.inventory
    const threshold = lowStockThreshold ?? product.lowStockThreshold ?? stock.merchantThreshold
    return { variant, stock, threshold, low: isLow({ isTracked: tracked, threshold }, availableOf(stock)) }
  })
  stockSettings.update(
    trx,
    judged.map(({ variant: { id, inventory }, low }) => ({
      merchant_id: merchantId,
      variant_id: id,
      tracked: inventory.tracked,
      allow_backorder: inventory.allowBackorder,
      low_stock_threshold: inventory.lowStockThreshold,
      product_low_stock_threshold: product.lowStockThreshold,
      is_low: low,
      updated_at: now,
    })),
  )
  for (const { stock, threshold, low } of judged) {
    if (low) tellCrossing(work, { ...stock, isArchived: product.status === 'archived' }, threshold)
  }
  return judged.map(({ variant, stock, low }) => ({
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

/**
 * Brings stock to the merchant's new threshold, which must be written already: what it makes low is told, and what is no
 * longer low is armed again.
 */
export async function recountLowStock(work: Work<'inventory.low_stock'>): Promise<void> {
  const { trx, merchantId, now } = work
  const stocks = await lockStockToRecount(trx, merchantId)
  const turned = stocks.map((stock) => ({ stock, low: isLow(stock, availableOf(stock)) }))
  const levels = turned.map(({ stock: { variantId, onHand, reserved }, low }) => ({
    variantId,
    onHand,
    reserved,
    isLow: low,
  }))
  writeStock(trx, { merchantId, now }, levels, [])
  for (const { stock, low } of turned) {
    if (low) tellCrossing(work, stock, stock.threshold)
  }
}

/** Nobody is told of what is in the archive. */
function tellCrossing(work: Work<'inventory.low_stock'>, stock: Stock, threshold: number | null): void {
  if (stock.isLow || stock.isArchived || threshold === null) return
  const { onHand, reserved } = stock
  tellLow(work, { stock, levels: { onHand, reserved }, threshold }, { type: 'settings', orderId: null })
}
