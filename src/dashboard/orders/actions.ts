import { holdsItems } from '../../../registry/logistics/shipment-states.ts'
import { isPayable, type OrderStatus } from '../../../registry/orders/order-states.ts'
import { html, type Markup, nothing } from '../../markup/markup.ts'
import type { ReplyOf } from '../kit/call.ts'
import { button } from '../kit/form.ts'
import { link } from '../kit/parts.ts'
import { may, type Visit } from '../kit/visit.ts'

/**
 * Shows the actions that are possible for the order now and that the member may run. The possible status changes come
 * from `allowedTransitions` of the order.
 */
export function orderActions(visit: Visit, order: ReplyOf<'getOrder'>): Markup {
  const { id, allowedTransitions, balanceKobo, refundableKobo } = order
  const mayWrite = may(visit, 'orders:write')
  const payment = mayWrite && balanceKobo > 0 && order.status !== 'cancelled'
  const refund = may(visit, 'refunds:write') && refundableKobo > 0
  const isHandedOver = order.items.some(({ fulfilledQuantity }) => fulfilledQuantity > 0)
  const dispatch = may(visit, 'logistics:dispatch') && isDispatchable(order)
  return html`${dispatch ? link(`/orders/${id}/dispatch`, 'Dispatch') : nothing}
${mayWrite ? allowedTransitions.map((to) => transitionOf(visit, order, to)) : nothing}
${payment ? link(`/orders/${id}/payment`, 'Record a payment') : nothing}
${refund ? link(`/orders/${id}/refund`, 'Refund') : nothing}
${isHandedOver ? link(`/returns?orderId=${id}`, 'Returns') : nothing}`
}

/**
 * Reports whether the order can be shipped and has a unit that was neither handed over nor put into a shipment. The
 * request for offers computes the exact quantities.
 */
function isDispatchable(order: ReplyOf<'getOrder'>): boolean {
  if (order.status !== 'processing' && !(order.status === 'pending' && isPayable(order))) return false
  return order.items.some(({ id, quantity, cancelledQuantity, fulfilledQuantity }) => {
    const unavailableQuantity = Math.max(fulfilledQuantity, quantityInShipments(order, id))
    return quantity - cancelledQuantity > unavailableQuantity
  })
}

function quantityInShipments({ shipments }: ReplyOf<'getOrder'>, itemId: string): number {
  return shipments
    .filter(({ status }) => holdsItems(status))
    .flatMap(({ items }) => items)
    .reduce((sum, item) => (item.itemId === itemId ? sum + item.quantity : sum), 0)
}

function transitionOf(visit: Visit, { id, version, status }: ReplyOf<'getOrder'>, to: OrderStatus): Markup {
  const path = `/orders/${id}/transition`
  switch (to) {
    // Cancellations and returns have forms of their own: a cancellation needs a reason, and a return asks which units
    // are restocked.
    case 'cancelled':
      return link(`/orders/${id}/cancel`, 'Cancel')
    case 'returned':
      return link(`${path}?to=${to}`, 'Record a return')
    case 'pending':
    case 'on_hold':
    case 'processing':
    case 'shipped':
    case 'delivered':
      return button(visit, path, `Set to ${to.replaceAll('_', ' ')}`, {
        hidden: { from: status, to, version: String(version) },
      })
  }
}
