import type { SalesGrouping, SalesRow } from '../../../registry/reports/sales.ts'

/** Returns the name of a group of the sales report, such as a day, a product or a state. */
export function groupName(groupBy: SalesGrouping, { group, title }: SalesRow): string {
  if (groupBy === 'product') return title ?? 'Deleted product'
  return group ?? 'No delivery address'
}
