/** The words a discount’s terms are told in, and why a code may not count for an order. */

export const discountTypes = ['percentage', 'fixed_amount', 'free_shipping'] as const
export type DiscountType = (typeof discountTypes)[number]

/** What a discount looks at: the whole order, or only lines of these products or variants. */
export const discountScopes = ['order', 'products', 'variants'] as const
export type DiscountScope = (typeof discountScopes)[number]

/** The order in which discounts are taken off: each later one sees what the earlier ones left. */
export const discountClasses = ['product', 'order', 'shipping'] as const
export type DiscountClass = (typeof discountClasses)[number]

/** What the merchant has set. */
export const discountStatuses = ['active', 'paused', 'archived'] as const
export type DiscountStatus = (typeof discountStatuses)[number]

/** What follows from the status, the time and the uses. */
export const discountStates = ['scheduled', 'active', 'expired', 'exhausted', 'paused', 'archived'] as const
export type DiscountState = (typeof discountStates)[number]

export const discountRejections = [
  'not_found',
  'paused',
  'not_started',
  'expired',
  'usage_limit_reached',
  'not_eligible',
  'not_first_order',
  'customer_limit_reached',
  'no_eligible_items',
  'minimum_not_met',
  'combination_disallowed',
] as const
export type DiscountRejection = (typeof discountRejections)[number]
