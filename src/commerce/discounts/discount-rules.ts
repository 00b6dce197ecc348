import type { DiscountClass, DiscountRejection, DiscountState } from '../../../registry/values/discount-terms.ts'
import type { CustomerId, DiscountId, Kobo, Timestamp } from '../../../registry/values/vocabulary.ts'
import type { StoredDiscount } from '../../store/discounts/discounts.ts'

/** What the rules need to know of a discount: all of it but what it is called and how it came about. */
export type DiscountTerms = Omit<StoredDiscount, 'title' | 'code' | 'metadata' | 'version' | 'createdAt' | 'updatedAt'>

export interface DiscountedLine {
  readonly productId: string
  readonly variantId: string
  readonly quantity: number
  readonly unitPriceKobo: Kobo
}

/** What the rules need to know of an order. */
export interface DiscountedOrder {
  /** The one moment by which everything of an order is judged. */
  readonly now: Timestamp
  /** Null for somebody who has no record yet. */
  readonly customerId: CustomerId | null
  readonly lines: readonly DiscountedLine[]
  /** How often the same person used each discount; a discount they never used is not in it. */
  readonly usesByCustomer: ReadonlyMap<DiscountId, number>
  readonly hasOrderedBefore: boolean
}

export function classOf({ type, scope }: Pick<DiscountTerms, 'type' | 'scope'>): DiscountClass {
  if (type === 'free_shipping') return 'shipping'
  return scope === 'order' ? 'order' : 'product'
}

/** Where the discount is in its life. The first that holds is told, as it is to whoever tries the code. */
export function discountStateOf(
  terms: Pick<DiscountTerms, 'status' | 'startsAt' | 'endsAt' | 'usageLimit' | 'redemptionCount'>,
  now: Timestamp,
): DiscountState {
  if (terms.status !== 'active') return terms.status
  if (now < terms.startsAt) return 'scheduled'
  if (terms.endsAt !== null && now >= terms.endsAt) return 'expired'
  return terms.usageLimit !== null && terms.redemptionCount >= terms.usageLimit ? 'exhausted' : 'active'
}

/** The state in which a code may be used, and why it may not in any other. */
const stateRejections = {
  scheduled: 'not_started',
  active: undefined,
  expired: 'expired',
  exhausted: 'usage_limit_reached',
  paused: 'paused',
  // The code of an archived discount is free for another one, so it is as if it had never been.
  archived: 'not_found',
} as const satisfies Record<DiscountState, DiscountRejection | undefined>

/** Why a discount does not count for an order, judged by itself; undefined when it does. */
export function rejectionOf(terms: DiscountTerms, order: DiscountedOrder): DiscountRejection | undefined {
  return (
    stateRejections[discountStateOf(terms, order.now)] ??
    customerRejection(terms, order) ??
    linesRejection(terms, order)
  )
}

function customerRejection(terms: DiscountTerms, order: DiscountedOrder): DiscountRejection | undefined {
  if (terms.customerIds !== null && !terms.customerIds.some((id) => id === order.customerId)) return 'not_eligible'
  if (terms.firstOrderOnly && order.hasOrderedBefore) return 'not_first_order'
  const uses = order.usesByCustomer.get(terms.id) ?? 0
  if (terms.usageLimitPerCustomer !== null && uses >= terms.usageLimitPerCustomer) return 'customer_limit_reached'
  return undefined
}

/** Minimums look at what the lines cost before any discount, and only at the lines the discount is for. */
function linesRejection(terms: DiscountTerms, order: DiscountedOrder): DiscountRejection | undefined {
  const eligible = order.lines.filter((line) => isEligible(terms, line))
  if (eligible.length === 0) return 'no_eligible_items'
  const subtotal = eligible.reduce((total, line) => total + BigInt(line.unitPriceKobo) * BigInt(line.quantity), 0n)
  if (terms.minimumSubtotalKobo !== null && subtotal < BigInt(terms.minimumSubtotalKobo)) return 'minimum_not_met'
  const quantity = eligible.reduce((count, line) => count + line.quantity, 0)
  if (terms.minimumQuantity !== null && quantity < terms.minimumQuantity) return 'minimum_not_met'
  return undefined
}

export function isEligible(
  terms: Pick<DiscountTerms, 'scope' | 'appliesToIds'>,
  line: Pick<DiscountedLine, 'productId' | 'variantId'>,
): boolean {
  switch (terms.scope) {
    case 'order':
      return true
    case 'products':
      return terms.appliesToIds.includes(line.productId)
    case 'variants':
      return terms.appliesToIds.includes(line.variantId)
  }
}
