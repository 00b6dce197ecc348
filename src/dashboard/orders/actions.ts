import { beforePickupStatuses, holdsItems, isActiveOrDelivered } from '../../../registry/logistics/shipment-states.ts'
import { dueKoboOf } from '../../../registry/orders/due.ts'
import { isPayable, type OrderStatus } from '../../../registry/orders/order-states.ts'
import { nairaText } from '../../base/naira.ts'
import type { Markup } from '../../markup/markup.ts'
import type { RecordActions } from '../../markup/parts.ts'
import type { ReplyOf } from '../kit/call.ts'
import { button } from '../kit/form.ts'
import { link, mainLink } from '../kit/parts.ts'
import { may, type Visit } from '../kit/visit.ts'
import { unitsWithCustomer } from './items.ts'
import { isUnpaidBeforeDispatch } from './unpaid.ts'

/** A possible action on an order, such as a refund. Each of these actions has a page of its own. */
interface Step {
  readonly is: boolean
  readonly path: string
  readonly label: string
  /**
   * Whether the order may require this action next. The first possible action of this kind is the main action of the
   * order's page.
   */
  readonly isNext: boolean
}

type Order = ReplyOf<'getOrder'>

/** Records of an order that determine which actions are possible on the order. */
interface Related {
  readonly hasOpenLink: boolean
  readonly underReturn: readonly { readonly itemId: string; readonly quantity: number }[]
}

/**
 * Returns the possible actions that the member may run. The main action is the next one that the order needs. The
 * status changes come from `allowedTransitions` of the order.
 */
export function orderActions(visit: Visit, order: Order, related: Related): RecordActions {
  const steps = stepsOf(visit, order, related).filter(({ is }) => is)
  const main = steps.find(({ isNext }) => isNext)
  const transitions = may(visit, 'orders:write') ? order.allowedTransitions : []
  const next = main === undefined ? transitions.find((to) => nextStatuses[order.status]?.includes(to)) : undefined
  const shown =
    main === undefined
      ? next && transitionOf(visit, order, { to: next, isMain: true })
      : mainLink(main.path, main.label)
  return {
    main: shown,
    more: [
      ...steps.filter((step) => step !== main).map(({ path, label }) => link(path, label)),
      ...transitions.filter((to) => to !== next).map((to) => transitionOf(visit, order, { to })),
    ],
  }
}

/**
 * The possible next statuses for each status of an order. The status change is the main action if the order needs no
 * action that has its own page. A released order returns to the status that it had before the hold.
 */
const nextStatuses: Partial<Record<OrderStatus, readonly OrderStatus[]>> = {
  pending: ['processing'],
  on_hold: ['pending', 'processing'],
  processing: ['shipped'],
  shipped: ['delivered'],
}

/** Returns the pages of the actions, in the order in which a shop needs them. */
function stepsOf(visit: Visit, order: Order, { hasOpenLink, underReturn }: Related): readonly Step[] {
  const { id, status, balanceKobo, paymentMethod } = order
  const payments = paymentSteps(visit, order, hasOpenLink)
  const dispatch = {
    ...{ is: may(visit, 'logistics:dispatch') && isDispatchable(order), isNext: true },
    ...{ path: `/orders/${id}/dispatch`, label: 'Dispatch the order' },
  }
  const shipping = [dispatch, ...shipmentSteps(visit, order)]
  const isPaidFirst = isUnpaidBeforeDispatch({ paymentMethod, dueKobo: balanceKobo })
  const edit = {
    ...{ is: may(visit, 'orders:write') && isEditable(order), isNext: false },
    ...{ path: `/orders/${id}/edit`, label: 'Edit' },
  }
  // For a cancelled order, shipping actions precede payment actions: a rider may still come to collect the parcel,
  // which must not leave the shop.
  const first = isPaidFirst && status !== 'cancelled' ? [...payments, ...shipping] : [...shipping, ...payments]
  return [...first, edit, ...afterSaleSteps(visit, order, underReturn)]
}

function paymentSteps(visit: Visit, order: Order, hasOpenLink: boolean): readonly Step[] {
  const { id, status, balanceKobo, paymentMethod } = order
  const is = may(visit, 'orders:write') && balanceKobo > 0 && status !== 'cancelled'
  // After the goods came back, nothing is due. The shop then only records money that the customer had paid before.
  const isDue = dueKoboOf(order) > 0
  const share = {
    ...{ is: is && isDue, isNext: true, path: `/orders/${id}/payment-link` },
    label: hasOpenLink ? 'Send the payment link' : paymentLinkLabel(balanceKobo),
  }
  const record = { is, isNext: isDue, path: `/orders/${id}/payment`, label: 'Record a payment' }
  return paymentMethod === 'pay_on_delivery' ? [record, share] : [share, record]
}

export function paymentLinkLabel(dueKobo: number): string {
  return `Create a payment link for ${nairaText(dueKobo)}`
}

function shipmentSteps(visit: Visit, { status, shipments }: Order): readonly Step[] {
  const open = shipments.findLast(({ status: at }) => isActiveOrDelivered(at) && at !== 'delivered')
  const shown = open ?? (status === 'shipped' ? shipments.at(-1) : undefined)
  if (shown === undefined) return []
  const path = `/shipments/${shown.id}`
  const isToFetch = beforePickupStatuses.some((before) => before === shown.status)
  if (status === 'cancelled' && isToFetch && may(visit, 'logistics:dispatch'))
    return [{ is: true, isNext: true, path: `${path}/cancel`, label: 'Cancel the shipment' }]
  const label = isToFetch ? 'Open the shipment' : 'Track the shipment'
  return [{ is: may(visit, 'logistics:read'), isNext: true, path, label }]
}

function afterSaleSteps(visit: Visit, order: Order, underReturn: Related['underReturn']): readonly Step[] {
  const { id, number, status, refundableKobo, items, customer, shipments } = order
  const lost = shipments.filter((shipment) => shipment.status === 'lost')
  const returnable = ({ id: itemId, ...item }: Order['items'][number]) => {
    const requested = underReturn.find((each) => each.itemId === itemId)?.quantity ?? 0
    return unitsWithCustomer(item) - quantityIn(lost, itemId) - requested
  }
  const isOver = status === 'cancelled' || status === 'returned'
  return [
    {
      ...{ is: may(visit, 'refunds:write') && refundableKobo > 0, isNext: isOver, path: `/orders/${id}/refund` },
      label: isOver ? `Refund ${nairaText(refundableKobo)} to ${customer.name}` : 'Refund',
    },
    {
      is: may(visit, 'orders:write') && items.some((item) => returnable(item) > 0),
      ...{ isNext: status === 'delivered', path: `/orders/${id}/return`, label: 'Create a return' },
    },
    {
      is: items.some(({ fulfilledQuantity }) => fulfilledQuantity > 0),
      ...{
        isNext: status === 'delivered' && underReturn.length > 0,
        path: `/returns?order=${number}`,
        label: 'Returns',
      },
    },
  ]
}

/** Reports whether the order can still be edited: its address can change and, in some cases, also its items. */
function isEditable({ status, items }: Order): boolean {
  const isOpen = status === 'pending' || status === 'on_hold' || status === 'processing'
  return isOpen && items.every(({ fulfilledQuantity }) => fulfilledQuantity === 0)
}

/**
 * Reports whether the order can be shipped and has a unit that was neither handed over nor put into a shipment. The
 * request for offers computes the exact quantities.
 */
function isDispatchable(order: Order): boolean {
  if (order.status !== 'processing' && !(order.status === 'pending' && isPayable(order))) return false
  return order.items.some(({ id, quantity, cancelledQuantity, fulfilledQuantity }) => {
    const unavailableQuantity = Math.max(fulfilledQuantity, quantityInShipments(order, id))
    return quantity - cancelledQuantity > unavailableQuantity
  })
}

function quantityInShipments({ shipments }: Order, itemId: string): number {
  return quantityIn(
    shipments.filter(({ status }) => holdsItems(status)),
    itemId,
  )
}

function quantityIn(shipments: Order['shipments'], itemId: string): number {
  return shipments
    .flatMap(({ items }) => items)
    .reduce((sum, item) => (item.itemId === itemId ? sum + item.quantity : sum), 0)
}

interface Transition {
  readonly to: OrderStatus
  readonly isMain?: boolean
}

function transitionOf(visit: Visit, { id, version, status }: Order, { to, isMain = false }: Transition): Markup {
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
      return button(visit, path, to === 'on_hold' ? 'Put on hold' : `Set to ${to}`, {
        ...{ isMain, hidden: { from: status, to, version: String(version) } },
      })
  }
}
