import type { OrderPreview } from '../../../registry/orders/order-preview.ts'
import type { OrderInput } from '../../../registry/orders/orders.ts'
import type { MerchantId, Timestamp } from '../../../registry/values/vocabulary.ts'
import { getMerchantSettings } from '../../store/access/merchants.ts'
import type { ReadDb } from '../../store/core/database.ts'
import { findCustomerSnapshot } from '../../store/customers/customers.ts'
import { countUsesBy, findDiscountsByCode, hasOrdered } from '../../store/discounts/discount-uses.ts'
import { findVariants } from '../../store/products/variants.ts'
import { noKobo } from '../money.ts'
import { personOf } from './person.ts'
import {
  type AppliedDiscount,
  type Buyer,
  type KnownCustomer,
  type OrderSources,
  type PricedOrder,
  type PricingRefusal,
  priceOrder,
} from './price-order.ts'

export type PreviewOrderOutcome = { readonly is: 'previewed'; readonly preview: OrderPreview } | PricingRefusal

export interface Previewer {
  readonly db: ReadDb
  readonly merchantId: MerchantId
  readonly now: Timestamp
}

/** Prices an order as if it were created now. Stores nothing. */
export async function previewOrder(previewer: Previewer, request: OrderInput): Promise<PreviewOrderOutcome> {
  const priced = await priceOrder(request, readingSources(previewer, request))
  return priced.is === 'priced' ? { is: 'previewed', preview: previewOf(priced.order) } : priced
}

function readingSources({ db, merchantId, now }: Previewer, request: OrderInput): OrderSources<Buyer> {
  return {
    now,
    settings: () => getMerchantSettings(db, merchantId),
    customer: () => customerOf({ db, merchantId }, request),
    variants: (ids) => findVariants(db, { merchantId, ids }),
    discounts: (codes) => findDiscountsByCode(db, merchantId, codes),
    history: async (buyer, discounts) => {
      const person = personOf(merchantId, buyer)
      const ids = discounts.map(({ id }) => id)
      const [usesByCustomer, hasOrderedBefore] = await Promise.all([
        countUsesBy(db, person, ids),
        hasOrdered(db, { ...person, exceptOrderId: null }),
      ])
      return { usesByCustomer, hasOrderedBefore }
    },
  }
}

/** Finds the customer as order creation does, but creates no record. */
async function customerOf(
  { db, merchantId }: Pick<Previewer, 'db' | 'merchantId'>,
  request: OrderInput,
): Promise<KnownCustomer<Buyer>> {
  if (request.customerId !== undefined) {
    const found = await findCustomerSnapshot(db, merchantId, { id: request.customerId })
    if (found === undefined) return { is: 'customer_unknown' }
    const { status, ...customer } = found
    return status === 'anonymised' ? { is: 'customer_anonymised' } : { is: 'customer', customer }
  }
  if (request.customer === undefined) return { is: 'customer_unknown' }
  const { name, email, phone = null } = request.customer
  const found = await findCustomerSnapshot(db, merchantId, { email })
  if (found?.status === 'anonymised') return { is: 'customer_anonymised' }
  return { is: 'customer', customer: { id: found?.id ?? null, name, email, phone } }
}

function previewOf(order: PricedOrder<Buyer>): OrderPreview {
  const { settings, totals, rejected, shortages } = order
  return {
    totalKobo: totals.totalKobo,
    currency: 'NGN',
    canBeOrdered: rejected.length === 0 && shortages.length === 0,
    items: order.lines.map(({ stock, quantity, unitPriceKobo }, index) => {
      const line = totals.lines[index]
      if (line === undefined) throw new Error('The totals must have one entry for each order item.')
      return {
        productId: stock.productId,
        variantId: stock.variantId,
        sku: stock.sku,
        title: stock.title,
        variantTitle: stock.variantTitle,
        optionValues: stock.optionValues,
        quantity,
        unitPriceKobo,
        compareAtPriceKobo: stock.compareAtPriceKobo,
        ...line,
      }
    }),
    subtotalKobo: totals.subtotalKobo,
    discountKobo: totals.discountKobo,
    shippingKobo: totals.shippingKobo,
    taxKobo: totals.taxKobo,
    taxInclusive: settings.isTaxInclusive,
    taxRateBps: settings.isTaxRegistered ? settings.taxRateBps : 0,
    discounts: order.discounts.map((discount) => ({
      discountId: discount.id,
      code: discount.code,
      type: discount.terms.type,
      amountKobo: discount.cut.amountKobo,
      allocations: allocationsOf(discount, order),
    })),
    rejected: [...rejected],
    shortages: [...shortages],
  }
}

function allocationsOf({ cut }: AppliedDiscount, { lines }: PricedOrder<Buyer>) {
  const ofLines = lines.map(({ stock }, index) => ({
    variantId: String(stock.variantId),
    amountKobo: cut.lines[index] ?? noKobo,
  }))
  return [...ofLines, { variantId: 'shipping', amountKobo: cut.shippingKobo }].filter((part) => part.amountKobo > 0)
}
