import type { DiscountClass, DiscountRejection, DiscountState } from '../../../registry/values/discount-terms.ts'
import type { CustomerId, DiscountId, Kobo, Timestamp } from '../../../registry/values/vocabulary.ts'
import type { StoredDiscount } from '../../store/discounts/discounts.ts'

/** The fields of a discount that decide whether and how it applies to an order. */
export type DiscountTerms = Omit<StoredDiscount, 'title' | 'code' | 'metadata' | 'version' | 'createdAt' | 'updatedAt'>

export interface DiscountedLine {
  readonly productId: string
  readonly variantId: string
  readonly quantity: number
  readonly unitPriceKobo: Kobo
}

export interface DiscountedOrder {
  /** The time at which the discounts must be valid: all rules are evaluated for this one time. */
  readonly now: Timestamp
  /** Id of the customer who places the order. Null for a customer who is not stored yet. */
  readonly customerId: CustomerId | null
  readonly lines: readonly DiscountedLine[]
  /** Number of redemptions by this customer per discount. Discounts without redemptions are omitted. */
  readonly usesByCustomer: ReadonlyMap<DiscountId, number>
  readonly hasOrderedBefore: boolean
  /**
   * The discounts that the order has already redeemed. An edit of the order does not check again whether these
   * discounts are active, or whether the customer may use them.
   */
  readonly redeemedIds?: ReadonlySet<DiscountId>
}

export function classOf({ type, scope }: Pick<DiscountTerms, 'type' | 'scope'>): DiscountClass {
  if (type === 'free_shipping') return 'shipping'
  return scope === 'order' ? 'order' : 'product'
}

/**
 * Returns the state of a discount. If several conditions prevent the use of the discount, the first one in this
 * function decides both its state and the reason with which its code is rejected.
 */
export function discountStateOf(
  terms: Pick<DiscountTerms, 'status' | 'startsAt' | 'endsAt' | 'usageLimit' | 'redemptionCount'>,
  now: Timestamp,
): DiscountState {
  if (terms.status !== 'active') return terms.status
  if (now < terms.startsAt) return 'scheduled'
  if (terms.endsAt !== null && now >= terms.endsAt) return 'expired'
  return terms.usageLimit !== null && terms.redemptionCount >= terms.usageLimit ? 'exhausted' : 'active'
}

/**
 * The reason for rejecting a discount code, by the state of its discount. Undefined for the state in which the code can
 * be used.
 */
const stateRejections = {
  scheduled: 'not_started',
  active: undefined,
  expired: 'expired',
  exhausted: 'usage_limit_reached',
  paused: 'paused',
  // The code of an archived discount can be used by a new discount, so an archived discount is treated as not found.
  archived: 'not_found',
} as const satisfies Record<DiscountState, DiscountRejection | undefined>

/** Returns why a discount does not apply to an order, without regard to other discounts. Undefined if it applies. */
export function rejectionOf(terms: DiscountTerms, order: DiscountedOrder): DiscountRejection | undefined {
  const isRedeemed = order.redeemedIds?.has(terms.id) === true
  const earlier = isRedeemed
    ? undefined
    : (stateRejections[discountStateOf(terms, order.now)] ?? customerRejection(terms, order))
  return earlier ?? linesRejection(terms, order)
}

function customerRejection(terms: DiscountTerms, order: DiscountedOrder): DiscountRejection | undefined {
  if (terms.customerIds !== null && !terms.customerIds.some((id) => id === order.customerId)) return 'not_eligible'
  if (terms.firstOrderOnly && order.hasOrderedBefore) return 'not_first_order'
  const uses = order.usesByCustomer.get(terms.id) ?? 0
  if (terms.usageLimitPerCustomer !== null && uses >= terms.usageLimitPerCustomer) return 'customer_limit_reached'
  return undefined
}

/** The minimums of a discount are compared with the price of the eligible items before discounts. */
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
