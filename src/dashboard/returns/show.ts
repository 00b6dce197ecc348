import { holdsItems, isUnfetched } from '../../../registry/logistics/shipment-states.ts'
import { decidingShipmentOf, nextStepOf, type ReturnStatus } from '../../../registry/returns/return-states.ts'
import { html, type Markup, nothing } from '../../markup/markup.ts'
import { badge, code, count, empty, facts, heading, money, section, table, time } from '../../markup/parts.ts'
import type { ReplyOf } from '../kit/call.ts'
import type { Content } from '../kit/content.ts'
import { button } from '../kit/form.ts'
import { link } from '../kit/parts.ts'
import { page } from '../kit/route.ts'
import { may, read, type Visit } from '../kit/visit.ts'
import { titleOf } from '../orders/items.ts'
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
    const main = html`${heading(title, html`${badge(found.status, returnTone[found.status])} ${actionsOf(visit, found)}`)}
${overview(visit, found)}${section('Items', itemsOf(found.items, order))}${section('Shipments', shipmentsOf(found))}`
    return { title, main, isLive: true }
  },
})

function overview(visit: Visit, found: Return): Markup {
  const { exchangeOrderId, receivedAt, endedAt } = found
  const refunds = may(visit, 'refunds:read') ? link(`/refunds?returnId=${found.id}`, 'Refunds of the return') : nothing
  return facts([
    ['Id', code(found.id)],
    ['Order', link(`/orders/${found.orderId}`, found.orderNumber)],
    ['Reason', found.reason.replaceAll('_', ' ')],
    ['Internal note', found.note ?? 'none'],
    ['Refunded', html`${money(found.refundedKobo)} ${refunds}`],
    ...(exchangeOrderId === null
      ? []
      : [['Exchange', link(`/orders/${exchangeOrderId}`, code(exchangeOrderId))] as const]),
    ['Created', time(found.createdAt)],
    ['Updated', time(found.updatedAt)],
    ...(receivedAt === null ? [] : [['Received', time(receivedAt)] as const]),
    ...(endedAt === null ? [] : [['Ended', time(endedAt)] as const]),
  ])
}

function itemsOf(items: Return['items'], order: Order): Markup {
  return table('Items', items, [
    { title: 'Item', cell: ({ itemId }) => itemTitleOf(order, itemId) },
    { title: 'Requested', cell: ({ quantity }) => count(quantity), isNumber: true },
    { title: 'Restocked', cell: ({ restockedQuantity }) => count(restockedQuantity), isNumber: true },
    { title: 'Written off', cell: ({ writtenOffQuantity }) => count(writtenOffQuantity), isNumber: true },
    { title: 'Refunded', cell: ({ refundedQuantity }) => count(refundedQuantity), isNumber: true },
  ])
}

function shipmentsOf({ status: returnStatus, shipments }: Return): Markup {
  if (shipments.length === 0) return empty('No shipment was dispatched for this return.')
  const rows = table('Shipments', shipments, [
    { title: 'Shipment', cell: ({ id }) => link(`/shipments/${id}`, code(id)) },
    { title: 'Status', cell: ({ status }) => shipmentBadge(status) },
  ])
  return html`${shipmentNotice(returnStatus, shipments)}${rows}`
}

/** The units of a received return may have arrived in another way than by its shipment. */
const uncollected = html`<p>The carrier has not reported the pickup. If the units arrived without the carrier, cancel the shipment.</p>`

/** Names the shipment that decides the status of a return, and the next step. Empty if no shipment is under way. */
export function shipmentNotice(status: ReturnStatus, shipments: Return['shipments']): Markup {
  const shipment = decidingShipmentOf(status, shipments)
  if (shipment === undefined) return shipments.some((each) => isUnfetched(each.status)) ? uncollected : nothing
  const { id } = shipment
  return html`<p>The shipment ${link(`/shipments/${id}`, code(id))} decides the status of the return. ${nextStepOf(shipment)}</p>`
}

/** Returns the title of an item of a return. */
export function itemTitleOf({ items }: Order, itemId: string): string {
  const item = items.find(({ id }) => id === itemId)
  return item === undefined ? itemId : titleOf(item)
}

function actionsOf(visit: Visit, found: Return): Markup {
  const { id, status, items, exchangeOrderId } = found
  const mayWrite = may(visit, 'orders:write')
  const isRefundable = status !== 'rejected' && exchangeOrderId === null && items.some(isUnrefunded)
  const refund = isRefundable && may(visit, 'refunds:write')
  const dispatch = may(visit, 'logistics:dispatch') && isDispatchable(found)
  return html`${dispatch ? link(`/returns/${id}/dispatch`, 'Dispatch') : nothing}
${mayWrite ? found.allowedTransitions.map((to) => transitionOf(visit, found, to)) : nothing}
${refund ? button(visit, `/returns/${id}/refund`, 'Refund', { isDangerous: true }) : nothing}`
}

/** Whether a shipment can bring the units of the return back. */
function isDispatchable({ status, shipments }: Return): boolean {
  return status === 'approved' && !shipments.some((each) => holdsItems(each.status))
}

function isUnrefunded({ quantity, refundedQuantity }: Return['items'][number]): boolean {
  return refundedQuantity < quantity
}

const labels = { in_transit: 'Set to in transit', closed: 'Close', rejected: 'Reject' } as const

function labelOf(to: keyof typeof labels | 'approved', from: ReturnStatus): string {
  if (to !== 'approved') return labels[to]
  return from === 'requested' ? 'Approve' : 'Set back to approved'
}

function transitionOf(visit: Visit, { id, version, status }: Return, to: ReturnStatus): Markup {
  switch (to) {
    case 'requested':
      return nothing
    case 'received':
      return link(`/returns/${id}/receive`, 'Receive')
    case 'approved':
    case 'in_transit':
    case 'closed':
    case 'rejected':
      return button(visit, `/returns/${id}/transition`, labelOf(to, status), {
        isDangerous: to === 'closed' || to === 'rejected',
        hidden: { from: status, to, version: String(version) },
      })
  }
}
