/** Types of discounts in the order in which the discounts of one class are applied. */
export const discountTypes = ['percentage', 'fixed_amount', 'free_shipping'] as const
export type DiscountType = (typeof discountTypes)[number]

export const discountScopes = ['order', 'products', 'variants'] as const
export type DiscountScope = (typeof discountScopes)[number]

/** Classes of discounts in the order in which they are applied. Each discount applies to the remaining amount. */
export const discountClasses = ['product', 'order', 'shipping'] as const
export type DiscountClass = (typeof discountClasses)[number]

/** Status of a discount, set by the merchant. */
export const discountStatuses = ['active', 'paused', 'archived'] as const
export type DiscountStatus = (typeof discountStatuses)[number]

/** Effective state of a discount, derived from its status, the time and its redemptions. */
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
