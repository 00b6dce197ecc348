import type { Kobo } from '../../../registry/values/vocabulary.ts'
import { type AppliedCut, applyCuts, type PriceCut } from '../discounts/price-cuts.ts'
import { share, sum, toKobo } from '../money.ts'

export interface TaxRule {
  /** VAT rate in basis points; 0 for a merchant that is not registered for VAT. */
  readonly rateBps: number
  readonly isInclusive: boolean
}

export interface PricedLine {
  readonly quantity: number
  readonly unitPriceKobo: Kobo
  readonly isTaxExempt: boolean
}

export interface PricedOrder {
  readonly lines: readonly PricedLine[]
  readonly shippingKobo: Kobo
  readonly tax: TaxRule
  /** The price reductions of the order's discounts, in the sequence in which they are applied. */
  readonly cuts?: readonly PriceCut[]
}

export interface LineTotals {
  readonly subtotalKobo: Kobo
  readonly discountKobo: Kobo
  readonly taxRateBps: number
  readonly taxKobo: Kobo
  readonly totalKobo: Kobo
}

export interface Totals {
  readonly lines: readonly LineTotals[]
  /** The amounts by which each price reduction lowers the prices, in the order in which the reductions are applied. */
  readonly cuts: readonly AppliedCut[]
  readonly subtotalKobo: Kobo
  /** Total discount, including the discount on shipping. */
  readonly discountKobo: Kobo
  /** The shipping fee before discounts. */
  readonly shippingKobo: Kobo
  readonly taxKobo: Kobo
  readonly totalKobo: Kobo
}

/**
 * Computes the totals of an order. VAT is computed on the discounted amount of each item and of shipping, and rounded
 * half up. These VAT amounts are then summed, so that every total on an invoice is the sum of its parts.
 */
export function totalsOf({ lines, shippingKobo, tax, cuts = [] }: PricedOrder): Totals {
  const subtotals = lines.map((line) => toKobo(line.unitPriceKobo * line.quantity))
  const taken = applyCuts(subtotals, shippingKobo, cuts)
  const priced = lines.map((line, index) => {
    const subtotalKobo = toKobo(subtotals[index] ?? 0)
    const discountKobo = sum(taken.map((cut) => toKobo(cut.lines[index] ?? 0)))
    return lineTotals({ subtotalKobo, discountKobo, taxRateBps: line.isTaxExempt ? 0 : tax.rateBps }, tax)
  })
  const subtotalKobo = sum(subtotals)
  const discountKobo = sum(taken.map((cut) => cut.amountKobo))
  const shippingNetKobo = toKobo(shippingKobo - sum(taken.map((cut) => cut.shippingKobo)))
  const shippingTaxKobo = taxOf(shippingNetKobo, tax.rateBps, tax.isInclusive)
  const taxKobo = sum([...priced.map((line) => line.taxKobo), shippingTaxKobo])
  const netKobo = toKobo(subtotalKobo - discountKobo + shippingKobo)
  return {
    lines: priced,
    cuts: taken,
    subtotalKobo,
    discountKobo,
    shippingKobo,
    taxKobo,
    totalKobo: tax.isInclusive ? netKobo : toKobo(netKobo + taxKobo),
  }
}

function lineTotals(
  line: Pick<LineTotals, 'subtotalKobo' | 'discountKobo' | 'taxRateBps'>,
  { isInclusive }: TaxRule,
): LineTotals {
  const netKobo = toKobo(line.subtotalKobo - line.discountKobo)
  const taxKobo = taxOf(netKobo, line.taxRateBps, isInclusive)
  return { ...line, taxKobo, totalKobo: isInclusive ? netKobo : toKobo(netKobo + taxKobo) }
}

function taxOf(netKobo: Kobo, rateBps: number, isInclusive: boolean): Kobo {
  const wholeBps = 10_000 // 100 %
  return share(netKobo, rateBps, isInclusive ? wholeBps + rateBps : wholeBps)
}
