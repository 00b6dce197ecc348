import { type DiscountRejection, discountClasses, discountTypes } from '../../../registry/values/discount-terms.ts'
import { classOf, type DiscountedOrder, type DiscountTerms, rejectionOf } from './discount-rules.ts'

/** A discount, and the code by which an order requested it. */
export interface CodedDiscount {
  readonly code: string
  readonly terms: DiscountTerms
}

export interface RejectedCode {
  readonly code: string
  readonly reason: DiscountRejection
}

export interface Choice<Discount extends CodedDiscount> {
  /** Accepted discounts of an order, in the order in which they are applied. */
  readonly accepted: readonly Discount[]
  readonly rejected: readonly RejectedCode[]
}

/** Discount codes are stored and compared in upper case. */
export function normaliseCode(code: string): string {
  return code.toUpperCase()
}

/**
 * Selects, from the discount codes of a request, the codes that apply together. The discounts are checked in the order
 * in which they are applied. Of two discounts that cannot be combined, the one that is applied first is therefore
 * accepted.
 */
export function chooseDiscounts<Discount extends CodedDiscount>(
  codes: readonly string[],
  found: readonly Discount[],
  order: DiscountedOrder,
): Choice<Discount> {
  const requested = new Set(codes.map(normaliseCode))
  const accepted: Discount[] = []
  const reasons = new Map<string, DiscountRejection>()
  for (const discount of inOrderOfApplication(found.filter(({ code }) => requested.has(code)))) {
    const reason = reasonAgainst(discount, accepted, order)
    if (reason === undefined) accepted.push(discount)
    else reasons.set(discount.code, reason)
  }
  const rejected = codes.flatMap((code) => {
    const stored = normaliseCode(code)
    if (accepted.some((discount) => discount.code === stored)) return []
    return [{ code, reason: reasons.get(stored) ?? ('not_found' as const) }]
  })
  return { accepted, rejected }
}

function reasonAgainst(
  { terms }: CodedDiscount,
  accepted: readonly CodedDiscount[],
  order: DiscountedOrder,
): DiscountRejection | undefined {
  const alone = rejectionOf(terms, order)
  if (alone !== undefined) return alone
  return accepted.every((other) => mayCombine(terms, other.terms)) ? undefined : 'combination_disallowed'
}

function mayCombine(one: DiscountTerms, other: DiscountTerms): boolean {
  return one.combinesWith.includes(classOf(other)) && other.combinesWith.includes(classOf(one))
}

/**
 * Sorts discounts in the sequence of their application: by class, then by type, then by code. The sequence matters,
 * because a percentage is a smaller amount after a fixed amount has reduced the price. Codes are unique, so the total
 * does not depend on the sequence in which a request lists them.
 */
function inOrderOfApplication<Discount extends CodedDiscount>(discounts: readonly Discount[]): Discount[] {
  const ranksOf = ({ terms }: CodedDiscount) =>
    [discountClasses.indexOf(classOf(terms)), discountTypes.indexOf(terms.type)] as const
  return discounts.toSorted((a, b) => {
    const [classOfA, typeOfA] = ranksOf(a)
    const [classOfB, typeOfB] = ranksOf(b)
    return classOfA - classOfB || typeOfA - typeOfB || (a.code < b.code ? -1 : 1)
  })
}
