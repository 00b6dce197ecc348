import type { ShipmentStatus } from '../../../registry/logistics/shipment-states.ts'
import { openItemsOf } from '../../commerce/orders/open-items.ts'
import { html, type Markup } from '../../markup/markup.ts'
import type { ReplyOf } from '../kit/call.ts'
import { isCallable } from '../kit/contact.ts'
import { mainLink, otherLink } from '../kit/parts.ts'
import { may, type Visit } from '../kit/visit.ts'
import { itemsAnchor, type ShippedRecord } from './contents.ts'
import { resolvableCodesOf } from './resolvable.ts'

type Shipment = ReplyOf<'getShipment'>

export interface ShownShipment {
  readonly shipment: Shipment
  readonly courier: ReplyOf<'trackShipment'>['courier']
  readonly record: ShippedRecord
  /** Undefined if the shipment has neither a label nor a packing slip. */
  readonly print: Markup | undefined
  /** Undefined if the member cannot cancel the shipment. */
  readonly cancel: Markup | undefined
}

export interface NextStep {
  /** Sentence that states the next step of the shop, such as packing the parcel. */
  readonly text: string
  /** Whether the shop has nothing to do for the shipment. The field `text` then states this. */
  readonly isAtRest?: true
  /**
   * The link or form for the step: an outlined link if the shop has nothing to do. Undefined if the step has neither a
   * link nor a form.
   */
  readonly main: Markup | undefined
}

/**
 * Returns what the shop must do next with a shipment. Steps that resolve open exceptions come before the next step that
 * follows from the status of the shipment.
 */
export function nextStepOf(visit: Visit, shown: ShownShipment): NextStep {
  const { status, returnId } = shown.shipment
  const ended = endedStep(visit, shown)
  if (ended !== undefined) return ended
  const problem = problemStep(visit, shown)
  if (problem !== undefined) return problem
  if (status === 'cancelling')
    return { text: 'Do not hand over the parcel. Wait until the carrier confirms the cancellation.', main: undefined }
  return returnId === null ? parcelStep(shown) : returnStep(visit, shown)
}

/**
 * Returns the shop's next step with a shipment that has ended without a delivery, or whose delivery failed. Undefined
 * for any other shipment.
 */
function endedStep(visit: Visit, { shipment, record }: ShownShipment): NextStep | undefined {
  const { status, dropoff, orderId, returnId } = shipment
  const path = recordPath(shipment)
  switch (status) {
    case 'delivery_failed':
      return dropoff.phone === null || returnId !== null
        ? undefined
        : {
            text: 'Call the recipient. Then agree with the carrier on another attempt or on the return.',
            main: html`<a class="main" href="tel:${dropoff.phone}">Call the recipient</a>`,
          }
    case 'failed':
    case 'cancelled':
    case 'returned': {
      if (path === undefined || !may(visit, 'logistics:dispatch'))
        return { ...withoutDispatch(status, ''), main: undefined }
      if (orderId !== null && !isDispatchable(record))
        return {
          ...withoutDispatch(status, ' Nothing to do: no unit of the order is left to dispatch.'),
          main: otherLink(path, 'Open the order'),
        }
      const what = returnId === null ? 'order' : 'return'
      return {
        text: `${noRider[status]} Dispatch the ${what} again to request another rider.`,
        main: mainLink(`${path}/dispatch`, 'Dispatch again'),
      }
    }
    case 'lost':
      return {
        text: 'Claim the loss from the carrier. Then refund the customer, or send the units again in a new order.',
        main: path === undefined ? undefined : mainLink(path, openLabel(shipment)),
      }
    default:
      return undefined
  }
}

const noRider = {
  failed: 'No rider brings this parcel.',
  cancelled: 'The shipment is cancelled, so no rider comes.',
  returned: 'The parcel is back at the pickup. Check its units.',
} as const satisfies Partial<Record<ShipmentStatus, string>>

/**
 * Returns the next step of a shipment that is not dispatched again. The shop checks the units of a returned parcel, and
 * has nothing to do for any other parcel. `reason` states why.
 */
function withoutDispatch(status: keyof typeof noRider, reason: string): Omit<NextStep, 'main'> {
  return status === 'returned' ? { text: noRider.returned } : { text: `${noRider[status]}${reason}`, isAtRest: true }
}

/**
 * Whether the order has a unit to dispatch. Also true if the member may not read the order: the page then offers the
 * dispatch without knowing whether a unit remains.
 */
function isDispatchable({ order }: ShippedRecord): boolean {
  return order === undefined || (order.status !== 'cancelled' && openItemsOf(order).length > 0)
}

/** Returns the shop's next step with a shipment that has an open exception. Undefined if it has none. */
function problemStep(visit: Visit, { shipment, courier, cancel }: ShownShipment): NextStep | undefined {
  const open = shipment.exceptions.filter(({ resolvedAt }) => resolvedAt === null).map(({ code }) => code)
  if (open.length === 0) return undefined
  const text = 'Solve the problem below first.'
  if (open.every((code) => code === 'courier_late' || code === 'pickup_late') && isCallable(courier?.phone))
    return { text: 'Call the rider, who is late.', main: callRider(courier) }
  if (!may(visit, 'logistics:dispatch')) return { text, main: undefined }
  if (cancel !== undefined) return { text, main: cancel }
  const [resolvable] = resolvableCodesOf(shipment)
  if (resolvable !== undefined)
    return { text, main: mainLink(`/shipments/${shipment.id}/resolve?code=${resolvable}`, 'Resolve the problem') }
  const path = recordPath(shipment)
  return { text, main: path === undefined ? undefined : mainLink(path, openLabel(shipment)) }
}

type Courier = ShownShipment['courier']

function callRider(courier: Courier): Markup | undefined {
  return isCallable(courier?.phone)
    ? html`<a class="main" href="tel:${courier?.phone ?? ''}">Call the rider</a>`
    : undefined
}

/**
 * Describes the rider by details that a member can check at the pickup, such as `the rider Musa (bike, plate ends in
 * 42KJ)`.
 */
function riderText(courier: Courier): string {
  if (courier === null) return 'the rider'
  const { name, vehicle, plateLastFour } = courier
  const known = [vehicle, plateLastFour === null ? null : `plate ends in ${plateLastFour}`].filter(Boolean).join(', ')
  return `the rider ${name}${known === '' ? '' : ` (${known})`}`
}

/** Returns the next step of the shop for a shipment to a customer. */
function parcelStep({ shipment, courier, print }: ShownShipment): NextStep {
  const { status, carrier, dropoff } = shipment
  const rider = riderText(courier)
  const recipient = dropoff.name ?? 'the recipient'
  const pack = print ?? html`<a class="main" href="#${itemsAnchor}">Check the items to pack</a>`
  switch (status) {
    case 'scheduled':
      return { text: 'Pack the parcel. A rider is requested later.', main: pack }
    case 'dispatching':
      return { text: 'Pack the parcel. A rider is being requested.', main: pack }
    case 'awaiting_courier':
      return { text: `Pack the parcel. ${carrier?.name ?? 'The carrier'} assigns a rider.`, main: pack }
    case 'courier_assigned':
      return { text: `Pack the parcel. Then hand it to ${rider}, who is on the way to you.`, main: pack }
    case 'at_pickup':
      return {
        text: `Check the items, and give the parcel to ${rider}, who waits at the pickup. You need not record the pickup: ${carrier?.name ?? 'the carrier'} reports it.`,
        main: html`<a class="main" href="#${itemsAnchor}">Check the items to hand over</a>`,
      }
    case 'delivery_failed':
      return { text: 'Agree with the carrier on another attempt or on the return.', main: callRider(courier) }
    case 'at_dropoff':
      return waiting(shipment, `${rider} is with the parcel at the address of ${recipient}.`)
    case 'delivered':
      return waiting(shipment, `the parcel was delivered to ${recipient}.`)
    case 'returning':
      return waiting(shipment, `${rider} brings the parcel back to the pickup. Check its units when it arrives.`)
    default:
      return waiting(shipment, `${rider} brings the parcel to ${recipient}.`)
  }
}

/** Returns the next step of a shipment for which the shop has nothing to do but wait. */
function waiting(shipment: Shipment, text: string): NextStep {
  const path = recordPath(shipment)
  const main = path === undefined ? undefined : otherLink(path, openLabel(shipment))
  return { text: `Nothing to do: ${text}`, isAtRest: true, main }
}

/** Returns the next step for a shipment that brings a return from the customer to the shop. */
function returnStep(visit: Visit, { shipment, courier }: ShownShipment): NextStep {
  const { status, returnId, pickup } = shipment
  const path = `/returns/${returnId}`
  switch (status) {
    case 'delivered':
      return may(visit, 'orders:write')
        ? { text: 'The return has arrived. Count its units.', main: mainLink(`${path}/receive`, 'Record the receipt') }
        : { text: 'The return has arrived.', isAtRest: true, main: otherLink(path, 'Open the return') }
    case 'scheduled':
    case 'dispatching':
    case 'awaiting_courier':
    case 'courier_assigned':
    case 'at_pickup':
      return {
        text: `Tell ${pickup.name ?? 'the customer'} that ${riderText(courier)} collects the return.`,
        main:
          pickup.phone === null
            ? otherLink(path, 'Open the return')
            : html`<a class="main" href="tel:${pickup.phone}">Call the customer</a>`,
      }
    case 'delivery_failed':
      return {
        text: 'Agree with the carrier on another attempt at your address.',
        main: callRider(courier) ?? otherLink(path, 'Open the return'),
      }
    default:
      return waiting(shipment, `${riderText(courier)} brings the return to you. Count its units when it arrives.`)
  }
}

function recordPath({ orderId, returnId }: Shipment): string | undefined {
  if (orderId !== null) return `/orders/${orderId}`
  return returnId === null ? undefined : `/returns/${returnId}`
}

function openLabel({ orderId }: Shipment): string {
  return orderId === null ? 'Open the return' : 'Open the order'
}
