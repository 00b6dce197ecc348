import type { Permission } from '../../../registry/values/roles.ts'
import type { AuditListRow } from '../../store/audit/audit-list.ts'
import { html, type Markup, nothing } from '../kit/markup.ts'
import { code, link } from '../kit/parts.ts'
import { may, type Visit } from '../kit/visit.ts'

/** The pages of records, by the type of the record. */
const pages: Readonly<Record<string, readonly [path: string, permission: Permission]>> = {
  order: ['/orders', 'orders:read'],
  refund: ['/refunds', 'refunds:read'],
  shipment: ['/shipments', 'logistics:read'],
  discount: ['/discounts', 'discounts:read'],
  variant: ['/stock', 'products:read'],
  token: ['/tokens', 'tokens:read'],
  webhook_endpoint: ['/webhooks', 'webhooks:read'],
  webhook_delivery: ['/deliveries', 'webhooks:read'],
  member: ['/members', 'members:read'],
}

/** Shows the record of an entry, with a link to its page if it has one that the member may read. */
export function recordOf(visit: Visit, { resource_type: type, resource_id: id }: AuditListRow): Markup {
  const [path, permission] = pages[type] ?? []
  const isLinked = path !== undefined && permission !== undefined && may(visit, permission)
  return html`${type.replaceAll('_', ' ')} ${isLinked ? link(`${path}/${encodeURIComponent(id)}`, code(id)) : code(id)}`
}

/** Shows who acted: the name, the type, and the session of a member. */
export function actorOf(entry: AuditListRow): Markup {
  const { actor_type: type, actor_name: name, actor_label: label, session_id: session } = entry
  return html`${name ?? label} <small>${type}${session === null ? nothing : html`, session ${code(session)}`}</small>`
}
