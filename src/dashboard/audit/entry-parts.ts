import type { Permission } from '../../../registry/values/roles.ts'
import { carrierNameOf } from '../../logistics/carriers/carrier-names.ts'
import { html, type Markup, nothing } from '../../markup/markup.ts'
import { code } from '../../markup/parts.ts'
import type { AuditListRow } from '../../store/audit/audit-list.ts'
import { link, withQuery } from '../kit/parts.ts'
import { may, type Visit } from '../kit/visit.ts'

const pages: Readonly<Record<string, readonly [path: string, permission: Permission]>> = {
  customer: ['/customers', 'customers:read'],
  order: ['/orders', 'orders:read'],
  refund: ['/refunds', 'refunds:read'],
  return: ['/returns', 'orders:read'],
  shipment: ['/shipments', 'logistics:read'],
  discount: ['/discounts', 'discounts:read'],
  product: ['/products', 'products:read'],
  variant: ['/stock', 'products:read'],
  token: ['/tokens', 'tokens:read'],
  webhook_endpoint: ['/webhooks', 'webhooks:read'],
  webhook_delivery: ['/deliveries', 'webhooks:read'],
  member: ['/members', 'members:read'],
}

/** Shows the record of an audit entry, with a link if the record has a page that the member may read. */
export function recordOf(visit: Visit, { resourceType: type, resourceId: id }: AuditListRow, names: Names): Markup {
  return recordWithType(visit, { type, id, names })
}

/** Shows the record with the given id, in the same way as `recordOf`: with its type and a link. */
export function recordWithId(visit: Visit, id: string, names: Names): Markup {
  return recordWithType(visit, { type: types[id.slice(0, 3)], id, names })
}

function recordWithType(visit: Visit, record: ShownRecord): Markup {
  const { type, id, names } = record
  const shown = linkedRecord(visit, record)
  return type === undefined || (names.has(id) && isOfOrder(type)) ? shown : html`${wordOf(type)} ${shown}`
}

/** Types of records without a page of their own, which the page of their order shows. */
const ofOrderPage = ['payment', 'payment_link']

/** Types of records that are named by the number of their order. */
const ofOrders = [...ofOrderPage, 'refund', 'return']

function isOfOrder(type: string | undefined): boolean {
  return type !== undefined && ofOrders.includes(type)
}

function wordOf(type: string): string {
  return type === 'merchant' ? 'shop' : type.replaceAll('_', ' ')
}

/** Names of the records that audit log entries mention, by the ids of the records. */
type Names = ReadonlyMap<string, string>

interface ShownRecord {
  readonly type: string | undefined
  readonly id: string
  readonly names: Names
}

/** Returns the name of a record, such as `Refund of ORD-7Q2M4X9K`. Undefined if the record has no name. */
function nameOf({ type, id, names }: ShownRecord): string | undefined {
  const name = names.get(id)
  if (name === undefined || type === undefined || !isOfOrder(type)) return name
  const word = wordOf(type)
  return `${word.charAt(0).toUpperCase()}${word.slice(1)} of ${name}`
}

function linkedRecord(visit: Visit, shown: ShownRecord): Markup {
  const { type, id } = shown
  const [path, permission] = pages[type ?? ''] ?? []
  const name = nameOf(shown)
  const order = ofOrderPage.includes(type ?? '') ? shown.names.get(id) : undefined
  if (order !== undefined && may(visit, 'orders:read'))
    return link(withQuery('/orders', { number: order }), html`<span title="${id}">${name ?? id}</span>`)
  // A deleted customer has neither a name nor a page.
  const hasPage = type !== 'customer' || name !== undefined
  const isLinked = hasPage && path !== undefined && permission !== undefined && may(visit, permission)
  const text = name === undefined ? code(id) : html`<span title="${id}">${name}</span>`
  return isLinked ? link(`${path}/${encodeURIComponent(id)}`, text) : text
}

/** Record types by id prefix, for records that have a dashboard page. */
const types: Readonly<Record<string, string>> = {
  cus: 'customer',
  ord: 'order',
  pay: 'payment',
  pln: 'payment_link',
  rfd: 'refund',
  ret: 'return',
  shp: 'shipment',
  dsc: 'discount',
  prd: 'product',
  var: 'variant',
  tok: 'token',
  whe: 'webhook_endpoint',
  mbr: 'member',
}

/** Shows all records that the change of an audit entry concerns. */
export function recordsOf(visit: Visit, { resources, resourceId: own }: AuditListRow, names: Names): Markup {
  const others = (resources ?? []).filter((id) => id !== own)
  if (others.length === 0) return html`none`
  return html`${others.map((id, index) => html`${index === 0 ? nothing : ', '}${linkedRecord(visit, { type: types[id.slice(0, 3)], id, names })}`)}`
}

/**
 * Shows the name and the type of the actor of an audit entry. On a phone, where the entry is shown as a card, the type
 * is left out.
 */
export function actorOf({ actorType: type, actorName, actorLabel }: AuditListRow): Markup {
  const name = actorName ?? (type === 'provider' ? carrierNameOf(actorLabel) : actorLabel)
  return html`${name} <small class="wide-only">${type}</small>`
}
