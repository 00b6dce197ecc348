/**
 * All token scopes with the descriptions that merchants see. Each operation requires exactly one scope, and `write`
 * does not imply `read`, because spec 5.3 recommends the smallest sufficient set of scopes.
 */
export const scopes = {
  'orders:read': 'Read payments, and orders with their items and totals.',
  'orders:write': 'Create, update, transition and cancel orders, and record payments.',
  'products:read': 'Read products with their variants, prices, stock and inventory movements.',
  'inventory:write': 'Adjust the on-hand quantity of variants.',
  'customers:read': 'Read customers with their addresses and order totals.',
  'customers:write': 'Create, update, delete and anonymise customers.',
  'discounts:read': 'Read discounts with their codes and redemptions.',
  'discounts:write': 'Create, update and archive discounts.',
  'products:write': 'Create, update, archive and delete products and variants, and set the unit prices of orders.',
  'events:read':
    'Read the events of the last 30 days, which contain orders, payments, refunds, returns, customers, products, shipments and stock.',
  'logistics:read': 'Read delivery zones, surge, and shipments with their addresses and positions.',
  'logistics:quote': 'Request quotes from carriers.',
  'logistics:dispatch': 'Schedule riders, cancel shipments, and dispatch shipments, which costs money.',
  'refunds:read': 'Read refunds.',
  'refunds:write': 'Create and cancel refunds, and set their bank details.',
} as const

export type Scope = keyof typeof scopes

export type Access = Scope | 'public'

export function isScope(value: string): value is Scope {
  return Object.hasOwn(scopes, value)
}
