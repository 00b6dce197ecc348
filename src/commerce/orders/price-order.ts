import type { OrderInput } from '../../../registry/orders/orders.ts'
import { amountMaxKobo } from '../../../registry/values/limits.ts'
import type { CustomerId, DiscountId, Kobo, Timestamp, VariantId } from '../../../registry/values/vocabulary.ts'
import type { MerchantSettings } from '../../store/access/merchants.ts'
import type { StoredDiscount } from '../../store/discounts/discounts.ts'
import type { SellableVariant } from '../../store/products/variants.ts'
import { type CodedDiscount, chooseDiscounts, normaliseCode, type RejectedCode } from '../discounts/discount-choice.ts'
import type { DiscountedOrder, DiscountTerms } from '../discounts/discount-rules.ts'
import { priceCutOf, type TakenCut } from '../discounts/price-cuts.ts'
import { noKobo, toKobo } from '../money.ts'
import { type Shortage, shortagesOf } from '../products/stock.ts'
import { type TaxRule, type Totals, totalsOf } from './totals.ts'

/**
 * What an order costs and what stands in its way. Creating an order and previewing one both go through here, so they cannot
 * tell different prices; they differ in where they look: the one locks what it reads, the other only reads.
 */

/** Who buys; the record may not exist yet where nothing is kept. */
export interface Buyer {
  readonly id: CustomerId | null
  readonly name: string
  readonly email: string
  readonly phone: string | null
}

export interface WantedLine {
  readonly stock: SellableVariant
  readonly quantity: number
  readonly unitPriceKobo: Kobo
}

/** How the buyer, as a person, used discounts before. */
export type UseHistory = Pick<DiscountedOrder, 'usesByCustomer' | 'hasOrderedBefore'>

/** Where an order's facts come from. Each is asked for once, the first four at the same time. */
export interface OrderSources<Customer extends Buyer> {
  readonly now: Timestamp
  settings(): Promise<MerchantSettings>
  customer(): Promise<KnownCustomer<Customer>>
  variants(ids: readonly VariantId[]): Promise<readonly SellableVariant[]>
  discounts(codes: readonly string[]): Promise<readonly StoredDiscount[]>
  /** Asked only for discounts whose terms depend on it. */
  history(buyer: Customer, discounts: readonly DiscountTerms[]): Promise<UseHistory>
}

export interface AppliedDiscount extends CodedDiscount {
  readonly id: DiscountId
  readonly cut: TakenCut
}

export interface PricedOrder<Customer extends Buyer> {
  readonly settings: MerchantSettings
  readonly customer: Customer
  readonly lines: readonly WantedLine[]
  readonly totals: Totals
  /** In the order in which they are taken off. */
  readonly discounts: readonly AppliedDiscount[]
  readonly rejected: readonly RejectedCode[]
  readonly shortages: readonly Shortage[]
}

/** Why nobody can be sold to by what was sent of them. */
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
  const judged = judgeLines(request, variants)
  if (judged.is !== 'fine') return judged
  const { lines } = judged
  const shippingKobo = toKobo(request.shippingKobo ?? noKobo)
  if (isTooLarge(lines, shippingKobo)) return { is: 'too_large' }
  const history = await historyOf(sources, customer, found)
  const discounted = lines.map(({ stock, ...line }) => ({ ...line, ...targetOf(stock) }))
  const order = { now: sources.now, customerId: customer.id, lines: discounted, ...history }
  const { accepted, rejected } = chooseDiscounts(codes, found.map(codedDiscount), order)
  const totals = totalsOf({
    lines: lines.map(({ stock, ...line }) => ({ ...line, isTaxExempt: stock.isTaxExempt })),
    shippingKobo,
    tax: taxRuleOf(settings),
    cuts: accepted.map(({ terms }) => priceCutOf(terms, discounted)),
  })
  if (totals.totalKobo > amountMaxKobo) return { is: 'too_large' }
  const discounts = accepted.map((discount, index) => ({
    ...discount,
    id: discount.terms.id,
    cut: cutAt(totals, index),
  }))
  const shortages = shortagesOf(lines)
  return { is: 'priced', order: { settings, customer, lines, totals, discounts, rejected, shortages } }
}

function judgeLines(
  request: OrderInput,
  variants: readonly SellableVariant[],
): { readonly is: 'fine'; readonly lines: readonly WantedLine[] } | PricingRefusal {
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

/** Judged with BigInt before any sum is made: a hundred lines of a thousand pieces could pass 2^53. */
function isTooLarge(lines: readonly WantedLine[], shippingKobo: Kobo): boolean {
  const gross = lines.reduce(
    (total, { unitPriceKobo, quantity }) => total + BigInt(unitPriceKobo) * BigInt(quantity),
    BigInt(shippingKobo),
  )
  return gross > BigInt(amountMaxKobo)
}

const noHistory: UseHistory = { usesByCustomer: new Map(), hasOrderedBefore: false }

async function historyOf<Customer extends Buyer>(
  sources: OrderSources<Customer>,
  customer: Customer,
  found: readonly StoredDiscount[],
): Promise<UseHistory> {
  const dependent = found.filter((terms) => terms.usageLimitPerCustomer !== null || terms.firstOrderOnly)
  return dependent.length === 0 ? noHistory : sources.history(customer, dependent)
}

function targetOf({ productId, variantId }: SellableVariant) {
  return { productId, variantId }
}

/** They were looked up by their codes, so they have one. */
function codedDiscount(terms: StoredDiscount): CodedDiscount & { readonly terms: StoredDiscount } {
  return { code: terms.code ?? '', terms }
}

function taxRuleOf(settings: MerchantSettings): TaxRule {
  return { rateBps: settings.isTaxRegistered ? settings.taxRateBps : 0, isInclusive: settings.isTaxInclusive }
}

function cutAt(totals: Totals, index: number): TakenCut {
  const cut = totals.cuts[index]
  if (cut === undefined) throw new Error('Totals take every cut.')
  return cut
}
