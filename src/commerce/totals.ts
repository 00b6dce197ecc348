import type { Kobo } from '../../registry/vocabulary.ts'
import { noKobo, share, sum, toKobo } from './money.ts'

export interface TaxRule {
  /** Basis points; 0 for a merchant that is not registered for VAT. */
  readonly rateBps: number
  readonly isInclusive: boolean
}

export interface PricedLine {
  readonly quantity: number
  readonly unitPriceKobo: Kobo
  readonly isTaxExempt: boolean
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
  readonly subtotalKobo: Kobo
  readonly discountKobo: Kobo
  readonly shippingKobo: Kobo
  readonly taxKobo: Kobo
  readonly totalKobo: Kobo
}

/**
 * What an order costs (design, commerce 1.5). VAT is computed for each line and for shipping, halves up, and then
 * added, so that every sum on an invoice is the sum of what stands above it.
 */
export function totalsOf(lines: readonly PricedLine[], shippingKobo: Kobo, tax: TaxRule): Totals {
  const priced = lines.map((line) => lineTotals(line, tax))
  const subtotalKobo = sum(priced.map((line) => line.subtotalKobo))
  const taxKobo = sum([...priced.map((line) => line.taxKobo), taxOf(shippingKobo, tax.rateBps, tax.isInclusive)])
  const netKobo = toKobo(subtotalKobo + shippingKobo)
  return {
    lines: priced,
    subtotalKobo,
    discountKobo: noKobo,
    shippingKobo,
    taxKobo,
    totalKobo: tax.isInclusive ? netKobo : toKobo(netKobo + taxKobo),
  }
}

function lineTotals(line: PricedLine, tax: TaxRule): LineTotals {
  const subtotalKobo = toKobo(line.unitPriceKobo * line.quantity)
  const taxRateBps = line.isTaxExempt ? 0 : tax.rateBps
  const taxKobo = taxOf(subtotalKobo, taxRateBps, tax.isInclusive)
  return {
    subtotalKobo,
    discountKobo: noKobo,
    taxRateBps,
    taxKobo,
    totalKobo: tax.isInclusive ? subtotalKobo : toKobo(subtotalKobo + taxKobo),
  }
}

/** The VAT contained in an amount, or due on top of it. */
function taxOf(netKobo: Kobo, rateBps: number, isInclusive: boolean): Kobo {
  const wholeBps = 10_000 // 100 %
  return share(netKobo, rateBps, isInclusive ? wholeBps + rateBps : wholeBps)
}
