/**
 * Every scope a token can carry, with the sentence a merchant reads when choosing it.
 * One operation needs exactly one scope, and `write` does not imply `read` (README of the design: the
 * smallest sufficient set is the recommended one, spec 5.3).
 */
export const scopes = {
  'orders:read': 'See orders, their lines, payments and totals.',
  'orders:write': 'Create, change, move and cancel orders, and record payments on them.',
  'products:read': 'See products, their variants, prices and stock.',
  'inventory:write': 'Adjust how many pieces of a variant there are.',
  'customers:read': 'See customers, their addresses and what they bought.',
  'customers:write': 'Create, change, delete and anonymise customers.',
  'discounts:read': 'See discounts, their codes and which orders used them.',
  'discounts:write': 'Create, change and archive discounts.',
  'products:write': 'Create, change and archive products, and set prices, also of single orders.',
  'events:read': 'See the events of the last 30 days, with the orders, customers, refunds and stock they tell of.',
  'logistics:read': 'See shipments with the addresses they go to, where they are, delivery zones and surge.',
  'logistics:quote': 'Ask carriers what a shipment would cost.',
  'logistics:dispatch': 'Send shipments, which costs money, schedule riders and cancel shipments.',
  'refunds:read': 'See refunds.',
  'refunds:write': 'Refund orders, in whole or in part, and cancel refunds.',
} as const

export type Scope = keyof typeof scopes

/** An operation is either open to everybody or needs one scope. */
export type Access = Scope | 'public'

export function isScope(value: string): value is Scope {
  return Object.hasOwn(scopes, value)
}
