import type { Kobo } from '../../../registry/values/vocabulary.ts'
import { allocate, noKobo, share, sum, toKobo } from '../money.ts'
import { type DiscountedLine, type DiscountTerms, isEligible } from './discount-rules.ts'

/** What a discount takes off, and of which lines, told without its terms. */
export type PriceCut =
  | {
      readonly is: 'percentage'
      readonly bps: number
      readonly maxKobo: Kobo | null
      readonly lineIndexes: readonly number[]
    }
  | { readonly is: 'fixed'; readonly amountKobo: Kobo; readonly lineIndexes: readonly number[] }
  | { readonly is: 'shipping' }

/** What one cut came to: its amount is the sum of its parts. */
export interface TakenCut {
  readonly amountKobo: Kobo
  /** For every line of the order, in the order of the lines. */
  readonly lines: readonly Kobo[]
  readonly shippingKobo: Kobo
}

export function priceCutOf(terms: DiscountTerms, lines: readonly DiscountedLine[]): PriceCut {
  const lineIndexes = lines.flatMap((line, index) => (isEligible(terms, line) ? [index] : []))
  switch (terms.type) {
    case 'percentage':
      return { is: 'percentage', bps: given(terms.percentageBps), maxKobo: terms.maxDiscountKobo, lineIndexes }
    case 'fixed_amount':
      return { is: 'fixed', amountKobo: given(terms.amountKobo), lineIndexes }
    case 'free_shipping':
      return { is: 'shipping' }
  }
}

/** The database keeps the value with its type. */
function given<Value>(value: Value | null): Value {
  if (value === null) throw new Error('A discount has the value its type needs.')
  return value
}

const wholeBps = 10_000 // 100 %

/**
 * Takes cuts off one after the other, each from what the earlier ones left (design, commerce 1.5). An amount is spread over
 * its lines by what is left of each, to the last kobo, so that no line falls below nothing.
 */
export function applyCuts(
  lineAmounts: readonly Kobo[],
  shippingKobo: Kobo,
  cuts: readonly PriceCut[],
): readonly TakenCut[] {
  let left = lineAmounts
  let shippingLeft = shippingKobo
  return cuts.map((cut) => {
    const taken =
      cut.is === 'shipping'
        ? { amountKobo: shippingLeft, lines: left.map(() => noKobo), shippingKobo: shippingLeft }
        : takeOffLines(cut, left)
    left = left.map((amount, index) => toKobo(amount - (taken.lines[index] ?? 0)))
    shippingLeft = toKobo(shippingLeft - taken.shippingKobo)
    return taken
  })
}

function takeOffLines(cut: Exclude<PriceCut, { is: 'shipping' }>, left: readonly Kobo[]): TakenCut {
  const touched = new Set(cut.lineIndexes)
  const weights = left.map((amount, index) => (touched.has(index) ? amount : noKobo))
  const baseKobo = sum(weights)
  const wantedKobo = cut.is === 'fixed' ? cut.amountKobo : share(baseKobo, cut.bps, wholeBps)
  const capKobo = cut.is === 'fixed' ? baseKobo : (cut.maxKobo ?? baseKobo)
  const amountKobo = toKobo(Math.min(wantedKobo, capKobo))
  return { amountKobo, lines: allocate(amountKobo, weights), shippingKobo: noKobo }
}
