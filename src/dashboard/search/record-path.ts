import type { Permission } from '../../../registry/values/roles.ts'
import { may, type Visit } from '../kit/visit.ts'

/**
 * For each prefix of record ids: the path of the pages of such records, and the permission that a member needs to read
 * them. Prefixes of records without a page are left out.
 */
const pages: Readonly<Record<string, readonly [path: string, permission: Permission]>> = {
  ord: ['/orders', 'orders:read'],
  prd: ['/products', 'products:read'],
  var: ['/stock', 'products:read'],
  shp: ['/shipments', 'logistics:read'],
  rfd: ['/refunds', 'refunds:read'],
  ret: ['/returns', 'orders:read'],
  cus: ['/customers', 'customers:read'],
  dsc: ['/discounts', 'discounts:read'],
  evt: ['/events', 'events:read'],
  dlv: ['/deliveries', 'webhooks:read'],
  whe: ['/webhooks', 'webhooks:read'],
  tok: ['/tokens', 'tokens:read'],
  req: ['/requests', 'requests:read'],
}

const idPattern = /^([a-z]{3})_[0-9a-z]{26}$/

/**
 * Returns the path of the page of the record with the given id. Undefined if the text is not an id, if the record has
 * no page, or if the member may not read the record.
 */
export function recordPathOf(visit: Visit, text: string): string | undefined {
  const prefix = idPattern.exec(text)?.[1]
  const [path, permission] = (prefix === undefined ? undefined : pages[prefix]) ?? []
  return path !== undefined && permission !== undefined && may(visit, permission) ? `${path}/${text}` : undefined
}
