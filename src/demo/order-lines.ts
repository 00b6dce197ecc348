import type { OrderStatus } from '../../registry/orders/order-states.ts'
import type { MerchantId, OrderId } from '../../registry/values/vocabulary.ts'
import { toKobo } from '../commerce/money.ts'
import { type TaxRule, type Totals, totalsOf } from '../commerce/orders/totals.ts'
import type { SeedItem } from '../store/seed/seed.ts'
import type { SellableVariant } from '../store/seed/seed-stock.ts'
import type { DemoIds } from './demo-ids.ts'
import type { Random } from './random.ts'

export interface Basket {
  readonly lines: readonly BasketLine[]
  readonly totals: Totals
  readonly itemCount: number
}

interface BasketLine {
  readonly variant: SellableVariant
  readonly quantity: number
}

/** Generates a basket of one to four different variants, mostly one unit of each. */
export function basketOf(
  random: Random,
  variants: readonly SellableVariant[],
  terms: { shippingNaira: number; tax: TaxRule },
): Basket {
  const { count } = random.weighted(lineCounts)
  const chosen = new Map<string, BasketLine>()
  for (let line = 0; line < count; line++) {
    const variant = random.pick(variants)
    // If a variant is drawn twice, the basket has one item of it, because an order has at most one item per variant.
    chosen.set(variant.variantId, { variant, quantity: random.weighted(quantities).quantity })
  }
  const lines = [...chosen.values()]
  const priced = lines.map(({ variant, quantity }) => ({
    quantity,
    unitPriceKobo: variant.priceKobo,
    isTaxExempt: variant.isTaxExempt,
  }))
  const shippingKobo = toKobo(terms.shippingNaira * 100) // Number of kobo in a naira.
  return {
    lines,
    totals: totalsOf({ lines: priced, shippingKobo, tax: terms.tax }),
    itemCount: lines.reduce((total, line) => total + line.quantity, 0),
  }
}

/** Orders of a fashion shop have few items. */
const lineCounts = [
  { weight: 45, count: 1 },
  { weight: 30, count: 2 },
  { weight: 17, count: 3 },
  { weight: 8, count: 4 },
]

const quantities = [
  { weight: 78, quantity: 1 },
  { weight: 16, quantity: 2 },
  { weight: 4, quantity: 3 },
  { weight: 2, quantity: 6 }, // For a celebration, families buy several units of one cloth (aso ebi).
]

const sent: readonly OrderStatus[] = ['shipped', 'delivered', 'returned']

/** All items of a demo order share one status. */
export function itemRowsOf(
  basket: Basket,
  order: { merchantId: MerchantId; id: OrderId; createdMs: number; status: OrderStatus },
  ids: DemoIds,
) {
  return basket.lines.map(({ variant, quantity }, position) => {
    const totals = basket.totals.lines[position]
    if (totals === undefined) throw new Error('The totals must have one entry for each order item.')
    return {
      merchantId: order.merchantId,
      orderId: order.id,
      id: ids.item(order.createdMs),
      position,
      productId: variant.productId,
      variantId: variant.variantId,
      sku: variant.sku,
      title: variant.title,
      variantTitle: variant.variantTitle,
      optionValues: variant.optionValues,
      quantity,
      fulfilledQuantity: sent.includes(order.status) ? quantity : 0,
      returnedQuantity: order.status === 'returned' ? quantity : 0,
      refundedQuantity: 0,
      cancelledQuantity: order.status === 'cancelled' ? quantity : 0,
      unitPriceKobo: variant.priceKobo,
      compareAtPriceKobo: variant.compareAtPriceKobo,
      subtotalKobo: totals.subtotalKobo,
      discountKobo: totals.discountKobo,
      taxRateBps: totals.taxRateBps,
      taxKobo: totals.taxKobo,
      totalKobo: totals.totalKobo,
    } satisfies SeedItem
  })
}

export type DemoItem = ReturnType<typeof itemRowsOf>[number]
