import type { OrderInput } from '../../../registry/orders/orders.ts'
import { amountMaxKobo } from '../../../registry/values/limits.ts'
import type { CustomerId, DiscountId, Kobo, Timestamp, VariantId } from '../../../registry/values/vocabulary.ts'
import type { MerchantSettings } from '../../store/access/merchants.ts'
import type { StoredDiscount } from '../../store/discounts/discounts.ts'
import type { SellableVariant } from '../../store/products/variants.ts'
import { type CodedDiscount, chooseDiscounts, normaliseCode, type RejectedCode } from '../discounts/discount-choice.ts'
import type { DiscountedLine, DiscountedOrder, DiscountTerms } from '../discounts/discount-rules.ts'
import { type AppliedCut, priceCutOf } from '../discounts/price-cuts.ts'
import { noKobo, toKobo } from '../money.ts'
import { type Shortage, shortagesOf } from '../products/stock.ts'
import { type TaxRule, type Totals, totalsOf } from './totals.ts'

/**
 * Computes the prices of an order and collects the reasons to reject it. Order creation and order preview share this
 * code, so that they return the same prices. The two differ only in how they read the data: creation locks the rows,
 * and preview does not.
 */

/** The customer who places the order. The id is null in a preview for a customer without a record. */
export interface Buyer {
  readonly id: CustomerId | null
  readonly name: string
  readonly email: string
  readonly phone: string | null
}

export interface RequestedLine {
  readonly stock: SellableVariant
  readonly quantity: number
  readonly unitPriceKobo: Kobo
}

export type UseHistory = Pick<DiscountedOrder, 'usesByCustomer' | 'hasOrderedBefore'>

/**
 * The functions that read the data for pricing an order. Each function is called at most once. The first four are
 * called concurrently, and history() after them.
 */
export interface OrderSources<Customer extends Buyer> {
  readonly now: Timestamp
  settings(): Promise<MerchantSettings>
  customer(): Promise<KnownCustomer<Customer>>
  variants(ids: readonly VariantId[]): Promise<readonly SellableVariant[]>
  discounts(codes: readonly string[]): Promise<readonly StoredDiscount[]>
  /**
   * Returns the customer's earlier uses of the discounts, and whether the customer has ordered before. Called only if
   * the conditions of a discount depend on these facts.
   */
  history(buyer: Customer, discounts: readonly DiscountTerms[]): Promise<UseHistory>
}

export interface AppliedDiscount extends CodedDiscount {
  readonly id: DiscountId
  readonly cut: AppliedCut
}

export interface PricedOrder<Customer extends Buyer> {
  readonly settings: MerchantSettings
  readonly customer: Customer
  readonly lines: readonly RequestedLine[]
  readonly totals: Totals
  /** Accepted discounts of the order, in the order in which they are applied. */
  readonly discounts: readonly AppliedDiscount[]
  readonly rejected: readonly RejectedCode[]
  readonly shortages: readonly Shortage[]
}

type CustomerRefusal = { readonly is: 'customer_unknown' } | { readonly is: 'customer_anonymised' }

export type KnownCustomer<Customer extends Buyer> =
  | { readonly is: 'customer'; readonly customer: Customer }
  | CustomerRefusal

export type PricingRefusal =
  | CustomerRefusal
  | { readonly is: 'variants_unknown'; readonly variantIds: readonly VariantId[] }
  | { readonly is: 'not_available'; readonly variantIds: readonly VariantId[] }
  | { readonly is: 'too_large' }

export async function priceOrder<Customer extends Buyer>(
  request: OrderInput,
  sources: OrderSources<Customer>,
): Promise<{ readonly is: 'priced'; readonly order: PricedOrder<Customer> } | PricingRefusal> {
  const codes = request.discountCodes ?? []
  const [settings, known, variants, found] = await Promise.all([
    sources.settings(),
    sources.customer(),
    sources.variants(request.items.map((item) => item.variantId)),
    codes.length === 0 ? [] : sources.discounts(codes.map(normaliseCode)),
  ])
  if (known.is !== 'customer') return known
  const { customer } = known
  const checked = checkLines(request, variants)
  if (checked.is !== 'fine') return checked
  const { lines } = checked
  const shippingKobo = toKobo(request.shippingKobo ?? noKobo)
  const history = await historyOf(sources, customer, found)
  const priced = priceLines({
    lines: lines.map(({ stock, ...line }) => ({ ...line, ...priceFactsOf(stock) })),
    shippingKobo,
    tax: taxRuleOf(settings),
    codes,
    found: found.map(codedDiscount),
    order: { now: sources.now, customerId: customer.id, ...history },
  })
  if (priced.is !== 'priced') return priced
  return { is: 'priced', order: { ...priced, settings, customer, lines, shortages: shortagesOf(lines) } }
}

export interface LineToPrice extends DiscountedLine {
  readonly isTaxExempt: boolean
}

export interface LinesToPrice {
  readonly lines: readonly LineToPrice[]
  readonly shippingKobo: Kobo
  readonly tax: TaxRule
  /** The requested discount codes, and the discounts that were found for them. */
  readonly codes: readonly string[]
  readonly found: readonly StoredCode[]
  readonly order: Omit<DiscountedOrder, 'lines'>
}

export type PricedLines = Pick<PricedOrder<Buyer>, 'totals' | 'discounts' | 'rejected'>

export function priceLines(
  request: LinesToPrice,
): ({ readonly is: 'priced' } & PricedLines) | { readonly is: 'too_large' } {
  const { lines, shippingKobo, tax, codes, found, order } = request
  if (isTooLarge(lines, shippingKobo)) return { is: 'too_large' }
  const { accepted, rejected } = chooseDiscounts(codes, found, { ...order, lines })
  const totals = totalsOf({ lines, shippingKobo, tax, cuts: accepted.map(({ terms }) => priceCutOf(terms, lines)) })
  if (totals.totalKobo > amountMaxKobo) return { is: 'too_large' }
  const discounts = accepted.map((discount, index) => ({
    ...discount,
    id: discount.terms.id,
    cut: cutAt(totals, index),
  }))
  return { is: 'priced', totals, discounts, rejected }
}

function checkLines(
  request: OrderInput,
  variants: readonly SellableVariant[],
): { readonly is: 'fine'; readonly lines: readonly RequestedLine[] } | PricingRefusal {
  const byId = new Map(variants.map((variant) => [variant.variantId, variant]))
  const unknown = request.items.filter((item) => !byId.has(item.variantId))
  if (unknown.length > 0) return { is: 'variants_unknown', variantIds: unknown.map((item) => item.variantId) }
  const lines = request.items.flatMap(({ variantId, quantity, unitPriceKobo }) => {
    const stock = byId.get(variantId)
    if (stock === undefined) return []
    return [{ stock, quantity, unitPriceKobo: toKobo(unitPriceKobo ?? stock.priceKobo) }]
  })
  const unavailable = lines.filter(({ stock }) => !stock.isSellable)
  if (unavailable.length === 0) return { is: 'fine', lines }
  return { is: 'not_available', variantIds: unavailable.map(({ stock }) => stock.variantId) }
}

/**
 * Reports whether the sum of an order's prices exceeds the maximum amount. The sum is computed with BigInt, because a
 * hundred items of a thousand units each could exceed 2^53, up to which numbers are exact.
 */
function isTooLarge(lines: readonly Pick<LineToPrice, 'unitPriceKobo' | 'quantity'>[], shippingKobo: Kobo): boolean {
  const gross = lines.reduce(
    (total, { unitPriceKobo, quantity }) => total + BigInt(unitPriceKobo) * BigInt(quantity),
    BigInt(shippingKobo),
  )
  return gross > BigInt(amountMaxKobo)
}

const noHistory: UseHistory = { usesByCustomer: new Map(), hasOrderedBefore: false }

/** Returns the customer's history if one of the discounts depends on it. */
export async function historyOf<Customer extends Buyer>(
  sources: Pick<OrderSources<Customer>, 'history'>,
  customer: Customer,
  found: readonly StoredDiscount[],
): Promise<UseHistory> {
  const dependent = found.filter((terms) => terms.usageLimitPerCustomer !== null || terms.firstOrderOnly)
  return dependent.length === 0 ? noHistory : sources.history(customer, dependent)
}

function priceFactsOf({ productId, variantId, isTaxExempt }: SellableVariant) {
  return { productId, variantId, isTaxExempt }
}

export interface StoredCode extends CodedDiscount {
  readonly terms: StoredDiscount
}

/** Returns a discount together with its code. The code is not null, because the discount was found by its code. */
export function codedDiscount(terms: StoredDiscount): StoredCode {
  return { code: terms.code ?? '', terms }
}

function taxRuleOf(settings: MerchantSettings): TaxRule {
  return { rateBps: settings.isTaxRegistered ? settings.taxRateBps : 0, isInclusive: settings.isTaxInclusive }
}

function cutAt(totals: Totals, index: number): AppliedCut {
  const cut = totals.cuts[index]
  if (cut === undefined) throw new Error('The totals must have one entry for each discount.')
  return cut
}
