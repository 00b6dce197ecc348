import type { SalesGrouping, SalesRow } from '../../../registry/reports/sales.ts'

export function groupName(groupBy: SalesGrouping, { group, title }: SalesRow): string {
  if (groupBy === 'product') return title ?? 'Deleted product'
  return group ?? 'No delivery address'
}
