import { holdsItems } from '../../../registry/logistics/shipment-states.ts'
import { isPayable, type OrderStatus } from '../../../registry/orders/order-states.ts'
import { html, type Markup, nothing } from '../../markup/markup.ts'
import type { ReplyOf } from '../kit/call.ts'
import { button } from '../kit/form.ts'
import { link, mainLink } from '../kit/parts.ts'
import { may, type Visit } from '../kit/visit.ts'
import { unitsWithCustomer } from './items.ts'
import { isUnpaidBeforeDispatch } from './unpaid.ts'

interface OrderAction {
  readonly path: string
  readonly label: string
}

/**
 * Shows the actions that are possible for the order now and that the member may run, the main action first. The possible
 * status changes come from `allowedTransitions` of the order.
 */
export function orderActions(visit: Visit, order: ReplyOf<'getOrder'>): Markup {
  const { allowedTransitions } = order
  const [main, ...more] = pagesOf(visit, order)
  const transitions = may(visit, 'orders:write') ? allowedTransitions : []
  return html`${main === undefined ? nothing : mainLink(main.path, main.label)}
${more.map(({ path, label }) => link(path, label))}
${transitions.map((to) => transitionOf(visit, order, to))}`
}

/** Returns the pages of the possible actions, in the order in which a shop needs them. */
function pagesOf(visit: Visit, order: ReplyOf<'getOrder'>): readonly OrderAction[] {
  const { id, status, balanceKobo, refundableKobo, shipments, items, paymentMethod } = order
  const isDue = may(visit, 'orders:write') && balanceKobo > 0 && status !== 'cancelled'
  const payments = [
    { is: isDue, path: `/orders/${id}/payment-link`, label: 'Get a payment link' },
    { is: isDue, path: `/orders/${id}/payment`, label: 'Record a payment' },
  ]
  const dispatch = {
    is: may(visit, 'logistics:dispatch') && isDispatchable(order),
    path: `/orders/${id}/dispatch`,
    label: 'Dispatch',
  }
  const isPaidFirst = isUnpaidBeforeDispatch({ paymentMethod, dueKobo: balanceKobo })
  const actions = [
    ...(isPaidFirst ? [...payments, dispatch] : [dispatch, ...payments]),
    {
      is: status === 'shipped' && shipments.length > 0 && may(visit, 'logistics:read'),
      path: `/shipments/${shipments.at(-1)?.id ?? ''}`,
      label: 'Track the shipment',
    },
    { is: may(visit, 'orders:write') && isEditable(order), path: `/orders/${id}/edit`, label: 'Edit' },
    { is: may(visit, 'refunds:write') && refundableKobo > 0, path: `/orders/${id}/refund`, label: 'Refund' },
    {
      is: may(visit, 'orders:write') && items.some((item) => unitsWithCustomer(item) > 0),
      path: `/orders/${id}/return`,
      label: 'Create a return',
    },
    {
      is: items.some(({ fulfilledQuantity }) => fulfilledQuantity > 0),
      path: `/returns?orderId=${id}`,
      label: 'Returns',
    },
  ]
  return actions.filter(({ is }) => is)
}

/** Reports whether the order can still be edited: its address, and possibly its items. */
function isEditable({ status, items }: ReplyOf<'getOrder'>): boolean {
  const isOpen = status === 'pending' || status === 'on_hold' || status === 'processing'
  return isOpen && items.every(({ fulfilledQuantity }) => fulfilledQuantity === 0)
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
