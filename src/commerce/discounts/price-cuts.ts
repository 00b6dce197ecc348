import type { Kobo } from '../../../registry/values/vocabulary.ts'
import { allocate, noKobo, share, sum, toKobo } from '../money.ts'
import { type DiscountedLine, type DiscountTerms, isEligible } from './discount-rules.ts'

/**
 * The price reduction of a discount, and the indexes of the order items to which it applies. The conditions of the
 * discount, such as its period, are not part of it.
 */
export type PriceCut =
  | {
      readonly is: 'percentage'
      readonly bps: number
      readonly maxKobo: Kobo | null
      readonly lineIndexes: readonly number[]
    }
  | { readonly is: 'fixed'; readonly amountKobo: Kobo; readonly lineIndexes: readonly number[] }
  | { readonly is: 'shipping' }

/** The amounts by which one discount reduces the prices. `amountKobo` is the sum of `lines` and `shippingKobo`. */
export interface AppliedCut {
  readonly amountKobo: Kobo
  /**
   * The amounts by which the prices of the order items are reduced: one amount for each item, in the same sequence as
   * the items.
   */
  readonly lines: readonly Kobo[]
  readonly shippingKobo: Kobo
}

export function priceCutOf(terms: DiscountTerms, lines: readonly DiscountedLine[]): PriceCut {
  const lineIndexes = lines.flatMap((line, index) => (isEligible(terms, line) ? [index] : []))
  switch (terms.type) {
    case 'percentage':
      return { is: 'percentage', bps: requiredValue(terms.percentageBps), maxKobo: terms.maxDiscountKobo, lineIndexes }
    case 'fixed_amount':
      return { is: 'fixed', amountKobo: requiredValue(terms.amountKobo), lineIndexes }
    case 'free_shipping':
      return { is: 'shipping' }
  }
}

/**
 * Returns a value, such as the percentage, that the type of the discount requires. A database constraint guarantees
 * that it is not null.
 */
function requiredValue<Value>(value: Value | null): Value {
  if (value === null) throw new Error('A discount lacks the percentage or amount that its type requires.')
  return value
}

const wholeBps = 10_000 // 100 %

/**
 * Applies price reductions one after another, each to the amounts that remain after the earlier ones. A reduction is
 * divided among the order items in proportion to their remaining amounts, exact to the kobo, so that no item becomes
 * negative.
 */
export function applyCuts(
  lineAmounts: readonly Kobo[],
  shippingKobo: Kobo,
  cuts: readonly PriceCut[],
): readonly AppliedCut[] {
  let left = lineAmounts
  let shippingLeft = shippingKobo
  return cuts.map((cut) => {
    const taken =
      cut.is === 'shipping'
        ? { amountKobo: shippingLeft, lines: left.map(() => noKobo), shippingKobo: shippingLeft }
        : cutLines(cut, left)
    left = left.map((amount, index) => toKobo(amount - (taken.lines[index] ?? 0)))
    shippingLeft = toKobo(shippingLeft - taken.shippingKobo)
    return taken
  })
}

function cutLines(cut: Exclude<PriceCut, { is: 'shipping' }>, left: readonly Kobo[]): AppliedCut {
  const touched = new Set(cut.lineIndexes)
  const weights = left.map((amount, index) => (touched.has(index) ? amount : noKobo))
  const baseKobo = sum(weights)
  const wantedKobo = cut.is === 'fixed' ? cut.amountKobo : share(baseKobo, cut.bps, wholeBps)
  const capKobo = cut.is === 'fixed' ? baseKobo : (cut.maxKobo ?? baseKobo)
  const amountKobo = toKobo(Math.min(wantedKobo, capKobo))
  return { amountKobo, lines: allocate(amountKobo, weights), shippingKobo: noKobo }
}
