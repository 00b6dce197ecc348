import { holdsItems, isUnfetched } from '../../../registry/logistics/shipment-states.ts'
import { decidingShipmentOf, nextStepOf, type ReturnStatus } from '../../../registry/returns/return-states.ts'
import { html, type Markup, nothing } from '../../markup/markup.ts'
import {
  badge,
  code,
  count,
  dateTime,
  facts,
  money,
  type RecordActions,
  recordHeading,
  section,
  table,
} from '../../markup/parts.ts'
import type { ReplyOf } from '../kit/call.ts'
import { phoneLinks } from '../kit/contact.ts'
import type { Content } from '../kit/content.ts'
import { button } from '../kit/form.ts'
import { backLink, link, mainLink } from '../kit/parts.ts'
import { page } from '../kit/route.ts'
import { variantName } from '../kit/units.ts'
import { may, read, type Visit } from '../kit/visit.ts'
import { shipmentBadge } from '../shipments/tone.ts'
import { returnTone } from './tone.ts'

type Return = ReplyOf<'getReturn'>
type Order = ReplyOf<'getOrder'>

export const returnPage = page({
  path: '/returns/{id}',
  permission: 'orders:read',
  show: async (visit, { id }): Promise<Content> => {
    const found = await read(visit, 'getReturn', { params: { id } })
    const order = await read(visit, 'getOrder', { params: { id: found.orderId } })
    const title = `Return of ${found.orderNumber}`
    const main = html`${backLink('/returns', 'All returns')}${recordHeading(title, badge(found.status, returnTone[found.status]), actionsOf(visit, found))}
${section('Items', itemsOf(found.items, order))}${overview(visit, found, order)}
${found.shipments.length === 0 ? nothing : section('Shipments', shipmentsOf(found))}`
    return { title, main, isLive: true }
  },
})

function overview(visit: Visit, found: Return, { customer }: Order): Markup {
  const { exchangeOrderId, receivedAt, endedAt, note, refundedKobo } = found
  const refunds = may(visit, 'refunds:read') ? link(`/refunds?returnId=${found.id}`, 'Refunds of the return') : nothing
  const name = customer.id === null ? customer.name : link(`/customers/${customer.id}`, customer.name)
  const phone = customer.phone === null ? nothing : html`<small>${phoneLinks(customer.phone)}</small>`
  return facts([
    ['Customer', html`${name}${phone}`],
    ['Order', link(`/orders/${found.orderId}`, found.orderNumber)],
    ['Reason', found.reason.replaceAll('_', ' ')],
    ...(note === null ? [] : [['Internal note', note] as const]),
    ...(refundedKobo === 0 ? [] : [['Refunded', html`${money(refundedKobo)} ${refunds}`] as const]),
    ...(exchangeOrderId === null
      ? []
      : [['Exchange', link(`/orders/${exchangeOrderId}`, 'The order of the exchange')] as const]),
    ['Created', dateTime(found.createdAt)],
    ['Updated', dateTime(found.updatedAt)],
    ...(receivedAt === null ? [] : [['Received', dateTime(receivedAt)] as const]),
    ...(endedAt === null ? [] : [['Ended', dateTime(endedAt)] as const]),
    ['Id', code(found.id)],
  ])
}

/**
 * Columns of the item table that count the units of an item by outcome. A column is left out if it is 0 for every item.
 */
const progress: readonly { title: string; quantityOf(item: Return['items'][number]): number }[] = [
  { title: 'Restocked', quantityOf: ({ restockedQuantity }) => restockedQuantity },
  { title: 'Written off', quantityOf: ({ writtenOffQuantity }) => writtenOffQuantity },
  { title: 'Refunded', quantityOf: ({ refundedQuantity }) => refundedQuantity },
]

function itemsOf(items: Return['items'], order: Order): Markup {
  return table('Items', items, [
    { title: 'Item', cell: ({ itemId }) => itemTitleOf(order, itemId) },
    { title: 'Requested', cell: ({ quantity }) => count(quantity), isNumber: true },
    ...progress
      .filter(({ quantityOf }) => items.some((item) => quantityOf(item) > 0))
      .map(({ title, quantityOf }) => {
        return { title, cell: (item: Return['items'][number]) => count(quantityOf(item)), isNumber: true }
      }),
  ])
}

function shipmentsOf({ status: returnStatus, shipments }: Return): Markup {
  const rows = table('Shipments', shipments, [
    { title: 'Shipment', cell: ({ id }) => link(`/shipments/${id}`, code(id)) },
    { title: 'Status', cell: ({ status }) => shipmentBadge(status) },
  ])
  return html`${shipmentNotice(returnStatus, shipments)}${rows}`
}

/**
 * Notice about a return that the shop has received although the carrier never reported the pickup. The units may have
 * arrived without the carrier.
 */
const uncollected = html`<p>The carrier has not reported the pickup. If the units arrived without the carrier, cancel the shipment.</p>`

/**
 * Shows which shipment decides the status of a return, and the next step for the shop. Empty if no shipment of the
 * return is under way.
 */
export function shipmentNotice(status: ReturnStatus, shipments: Return['shipments']): Markup {
  const shipment = decidingShipmentOf(status, shipments)
  if (shipment === undefined) return shipments.some((each) => isUnfetched(each.status)) ? uncollected : nothing
  const { id } = shipment
  return html`<p>The shipment ${link(`/shipments/${id}`, code(id))} decides the status of the return. ${nextStepOf(shipment)}</p>`
}

export function itemTitleOf({ items }: Order, itemId: string): string {
  const item = items.find(({ id }) => id === itemId)
  return item === undefined ? itemId : variantName(item)
}

/** The main action is the one that a shop usually needs next. */
function actionsOf(visit: Visit, found: Return): RecordActions {
  const { id, orderId, orderNumber, items, exchangeOrderId, status, allowedTransitions } = found
  const isRefundable = status !== 'rejected' && exchangeOrderId === null && items.some(isUnrefunded)
  const pages = [
    {
      is: may(visit, 'logistics:dispatch') && isDispatchable(found),
      path: `/returns/${id}/dispatch`,
      label: 'Dispatch the return',
    },
    {
      is: may(visit, 'orders:write') && allowedTransitions.includes('received'),
      path: `/returns/${id}/receive`,
      label: 'Receive the units',
    },
    { is: isRefundable && may(visit, 'refunds:write'), path: `/returns/${id}/refund`, label: 'Refund' },
  ].filter(({ is }) => is)
  const transitions = may(visit, 'orders:write') ? allowedTransitions : []
  const approval = status === 'requested' ? transitions.find((to) => to === 'approved') : undefined
  const main = approval === undefined ? pages[0] : undefined
  const next =
    main === undefined
      ? mainLink(`/orders/${orderId}`, `Open the order ${orderNumber}`)
      : mainLink(main.path, main.label)
  return {
    main: approval === undefined ? next : transitionOf(visit, found, approval),
    more: [
      ...transitions.filter((to) => to !== approval).map((to) => transitionOf(visit, found, to)),
      ...pages.filter((each) => each !== main).map(({ path, label }) => link(path, label)),
    ],
  }
}

/**
 * Whether a shipment that brings the units back can be dispatched now: the return is approved, and no other shipment
 * carries its units.
 */
function isDispatchable({ status, shipments }: Return): boolean {
  return status === 'approved' && !shipments.some((each) => holdsItems(each.status))
}

function isUnrefunded({ quantity, refundedQuantity }: Return['items'][number]): boolean {
  return refundedQuantity < quantity
}

const labels = { in_transit: 'Mark as in transit', closed: 'Close', rejected: 'Reject' } as const

function labelOf(to: keyof typeof labels | 'approved', from: ReturnStatus): string {
  if (to !== 'approved') return labels[to]
  return from === 'requested' ? 'Approve' : 'Set back to approved'
}

function transitionOf(visit: Visit, { id, version, status }: Return, to: ReturnStatus): Markup {
  switch (to) {
    // No button sets the status `received`, because receiving a return has a form of its own, which asks for the units.
    case 'requested':
    case 'received':
      return nothing
    case 'approved':
    case 'in_transit':
    case 'closed':
    case 'rejected':
      return button(visit, `/returns/${id}/transition`, labelOf(to, status), {
        isDangerous: to === 'closed' || to === 'rejected',
        isMain: status === 'requested' && to === 'approved',
        hidden: { from: status, to, version: String(version) },
      })
  }
}
