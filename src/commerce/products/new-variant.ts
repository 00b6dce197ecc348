import type { Product, ProductOption, Variant } from '../../../registry/products/product.ts'
import type { VariantInput } from '../../../registry/products/variants.ts'
import { newSku } from '../../base/ids.ts'
import { newVariantId } from '../../base/records.ts'
import type { Work } from '../../store/core/mutation.ts'
import { inventoryRows } from '../../store/products/inventory.ts'
import type { Stock } from '../../store/products/stock.ts'
import { insertVariants } from '../../store/products/variant-writes.ts'
import { toKobo } from '../money.ts'
import { variantTitleOf } from './product-options.ts'
import { variantRowOf } from './product-rows.ts'
import { isLow, openStock } from './stock.ts'

/**
 * The data of a product that a new variant needs: the options, the position of the variant, its image and the low-stock
 * threshold that it inherits.
 */
export interface VariantPlace {
  readonly options: readonly ProductOption[]
  readonly position: number
  readonly imageId: Variant['imageId']
  /** The low-stock threshold of the product if it has one, otherwise that of the merchant. */
  readonly threshold: number | null
}

export function newVariant(nowMs: number, input: Omit<VariantInput, 'imageId'>, place: VariantPlace): Variant {
  const { inventory = {} } = input
  const optionValues = input.optionValues ?? {}
  const onHand = inventory.onHand ?? 0
  const isTracked = inventory.tracked ?? true
  const lowStockThreshold = inventory.lowStockThreshold ?? null
  const threshold = lowStockThreshold ?? place.threshold
  return {
    id: newVariantId(nowMs),
    sku: input.sku ?? newSku(),
    title: variantTitleOf(place.options, optionValues),
    optionValues,
    priceKobo: toKobo(input.priceKobo),
    compareAtPriceKobo: input.compareAtPriceKobo ?? null,
    costKobo: input.costKobo ?? null,
    barcode: input.barcode ?? null,
    weightGrams: input.weightGrams ?? null,
    imageId: place.imageId,
    position: place.position,
    inventory: {
      tracked: isTracked,
      onHand,
      reserved: 0,
      available: onHand,
      lowStockThreshold,
      allowBackorder: inventory.allowBackorder ?? false,
      low: isLow({ isTracked, threshold }, onHand),
    },
  }
}

/**
 * Stores new variants. The stock of each variant is inserted as zero, and the quantity with which it starts is recorded
 * as an inventory movement. A new variant whose initial stock is low emits no low-stock event.
 */
export function storeVariants(
  work: Work,
  product: Product,
  variants: readonly Variant[],
  merchantThreshold: number | null,
): void {
  const { trx, merchantId, now } = work
  insertVariants(
    trx,
    variants.map((variant) => variantRowOf(merchantId, product, variant)),
  )
  const stocks = variants.map((variant) => emptyStock(product, variant, merchantThreshold))
  inventoryRows.insert(
    trx,
    variants.map((variant, index) => ({
      merchantId,
      variantId: variant.id,
      onHand: 0,
      reserved: 0,
      tracked: variant.inventory.tracked,
      allowBackorder: variant.inventory.allowBackorder,
      lowStockThreshold: variant.inventory.lowStockThreshold,
      productLowStockThreshold: product.lowStockThreshold,
      isLow: stocks[index]?.isLow ?? false,
      updatedAt: now,
    })),
  )
  const opened = variants.flatMap((variant, index) => {
    const stock = stocks[index]
    return stock === undefined ? [] : [{ stock, onHandDelta: variant.inventory.onHand, reservedDelta: 0 }]
  })
  openStock(work, opened)
}

function emptyStock(product: Product, variant: Variant, merchantThreshold: number | null): Stock {
  const { inventory } = variant
  const threshold = inventory.lowStockThreshold ?? product.lowStockThreshold ?? merchantThreshold
  return {
    variantId: variant.id,
    productId: product.id,
    sku: variant.sku,
    title: product.title,
    variantTitle: variant.title,
    isArchived: product.status === 'archived',
    onHand: 0,
    reserved: 0,
    isTracked: inventory.tracked,
    allowsBackorder: inventory.allowBackorder,
    isLow: isLow({ isTracked: inventory.tracked, threshold }, 0),
    threshold,
    changedAt: null,
  }
}

/** Returns the SKUs that a request specifies for its variants, so that the caller can check that they are unique. */
export function requestedSkus(variants: readonly { readonly sku?: string | undefined }[]): string[] {
  return variants.flatMap(({ sku }) => (sku === undefined ? [] : [sku]))
}
