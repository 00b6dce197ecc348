import {
  hasLeftShop,
  holdsItems,
  isActiveOrDelivered,
  type ShipmentStatus,
} from '../../registry/logistics/shipment-states.ts'
import { dueKoboOf } from '../../registry/orders/due.ts'
import type { Order } from '../../registry/orders/order.ts'
import { unitsToSendOf } from '../../registry/orders/order-states.ts'
import { carrierNameOf } from '../logistics/carriers/carrier-names.ts'
import { deliveryEtaOf } from '../logistics/shipments/delivery-eta.ts'
import { html, type Markup, nothing } from '../markup/markup.ts'
import { count, empty, facts, money, section, time } from '../markup/parts.ts'
import type { TrackedShipment } from '../store/orders/buyer-pages.ts'
import { orderWords, shipmentWordsOf } from './words.ts'

export interface Tracked {
  readonly order: Order
  readonly shipments: readonly TrackedShipment[]
  /** The units of each order item that carriers have lost. */
  readonly lost: Units
}

/**
 * The content of a tracking page. A stranger may have the link, so the page shows neither the rider nor the buyer. Of
 * the address, it shows only the city and the state, because the area may also contain a street or a landmark.
 */
export function trackingContent(tracked: Tracked): Markup {
  const { order } = tracked
  const shipments = tracked.shipments.filter((shipment, index, all) => !isReplaced(shipment, all.slice(index + 1)))
  return html`<p class="status">${orderWords[order.status]}</p>
${facts([
  ['Ordered', time(order.createdAt)],
  ...optional('Delivery to', areaOf(order)),
  ...optional('Due', dueOf(order, shipments)),
])}
${shipments.map((shipment, index) => parcel(order, shipment, shipments.length === 1 ? '' : ` ${index + 1}`))}
${unsent(tracked)}`
}

function optional(name: string, value: Markup | string | undefined): readonly (readonly [string, Markup | string])[] {
  return value === undefined ? [] : [[name, value]]
}

function areaOf({ shippingAddress }: Order): string | undefined {
  if (shippingAddress === null) return undefined
  const { city, state } = shippingAddress
  return [city, state].filter((part) => part !== null).join(', ')
}

function dueOf(order: Order, shipments: readonly TrackedShipment[]): Markup | undefined {
  const dueKobo = dueKoboOf(order)
  if (dueKobo === 0) return undefined
  const isPaidOnDelivery = order.paymentMethod === 'pay_on_delivery' && !isDelivered(order, shipments)
  return html`${money(dueKobo)}${isPaidOnDelivery ? html` <small>on delivery</small>` : nothing}`
}

/**
 * Reports whether all parcels of an order were delivered. The order status alone does not show this, because an order
 * that is not paid in full does not become `delivered`.
 */
function isDelivered({ status }: Order, shipments: readonly TrackedShipment[]): boolean {
  return status === 'delivered' || (shipments.length > 0 && shipments.every((each) => each.status === 'delivered'))
}

/**
 * Reports whether a shipment ended before the pickup and all of its units are in later shipments. The buyer then sees only
 * the later ones.
 */
function isReplaced({ status, items }: TrackedShipment, later: readonly TrackedShipment[]): boolean {
  if ((status !== 'failed' && status !== 'cancelled') || items.length === 0) return false
  const units = later.flatMap((shipment) => shipment.items)
  return items.every(({ itemId, quantity }) => quantityIn(units, itemId) >= quantity)
}

function parcel(order: Order, shipment: TrackedShipment, number: string): Markup {
  const { status, carrier, items, proofs } = shipment
  const details = facts([
    ...optional('Carrier', carrier === null ? undefined : carrierNameOf(carrier)),
    ...optional('Expected by', expectedBy(shipment)),
    ...optional('Cash on delivery', cashOf(order, shipment)),
    ...proofs.map(({ type, capturedAt }) => ['Proof of delivery', html`${type} ${time(capturedAt)}`] as const),
    ['Items', items.length === 0 ? 'The shop has not listed the items.' : unitList(order, items)],
  ])
  return section(
    `Parcel${number}`,
    html`<p class="status">${shipmentWordsOf(status)}</p>${details}${stepsOf(shipment)}`,
  )
}

function expectedBy(shipment: TrackedShipment): Markup | undefined {
  const eta = deliveryEtaOf(shipment)
  return isUnderWay(shipment.status) && eta !== null ? time(eta.p90) : undefined
}

function isUnderWay(status: ShipmentStatus): boolean {
  return isActiveOrDelivered(status) && status !== 'delivered' && !backStatuses.includes(status)
}

/** Statuses in which a parcel no longer moves towards the buyer, although its shipment has not ended. */
const backStatuses: readonly ShipmentStatus[] = ['delivery_failed', 'returning', 'cancelling']

/**
 * Shipment statuses before a carrier has accepted the shipment. In these statuses, a payment of the buyer still reduces
 * the cash that the rider collects.
 */
const unacceptedStatuses: readonly ShipmentStatus[] = ['scheduled', 'dispatching']

function cashOf(order: Order, { status, codAmountKobo, codCollectedKobo }: TrackedShipment): Markup | undefined {
  if (codCollectedKobo !== null) return html`${money(codCollectedKobo)} paid to the rider`
  const dueKobo = dueKoboOf(order)
  if (codAmountKobo === null || dueKobo === 0 || !isUnderWay(status)) return undefined
  const cashKobo = unacceptedStatuses.includes(status) ? Math.min(codAmountKobo, dueKobo) : codAmountKobo
  return html`Pay ${money(cashKobo)} to the rider`
}

/**
 * Shows the status changes of a shipment, newest first. A status that the carrier reports several times in a row is
 * shown once.
 */
function stepsOf({ steps }: TrackedShipment): Markup {
  const changes = steps.filter(({ status }, index) => status !== steps[index - 1]?.status)
  if (changes.length === 0) return nothing
  return html`<h3>Steps</h3><ol class="timeline">${changes.toReversed().map(({ status, at }) => html`<li>${time(at)}<br>${shipmentWordsOf(status)}</li>`)}</ol>`
}

type Units = readonly { readonly itemId: string; readonly quantity: number }[]

function unitList({ items }: Order, units: Units): Markup {
  const entries = units.map(({ itemId, quantity }) => {
    const item = items.find(({ id }) => id === itemId)
    return html`<li>${count(quantity)} × ${item?.title ?? 'item'} <small>${item?.variantTitle ?? ''}</small></li>`
  })
  return html`<ul>${entries}</ul>`
}

/** Shows the units that the buyer will still receive but that are not in any parcel yet. */
function unsent({ order, shipments, lost }: Tracked): Markup {
  if (order.status === 'cancelled' || order.status === 'returned') return nothing
  // Parcels that have left the shop are excluded, because their units are already counted as fulfilled units of the
  // order.
  const packed = shipments.filter(({ status }) => holdsItems(status) && !hasLeftShop(status))
  const units = order.items.flatMap((item) => {
    const lostQuantity = quantityIn(lost, item.id)
    const packedQuantity = packed.reduce((sum, { items }) => sum + quantityIn(items, item.id), 0)
    const quantity = unitsToSendOf({ ...item, lostQuantity }) - packedQuantity
    return quantity > 0 ? [{ itemId: item.id, quantity }] : []
  })
  if (units.length > 0) return section('Not sent yet', unitList(order, units))
  return shipments.length === 0 ? empty('The shop has not reported a parcel for this order.') : nothing
}

function quantityIn(units: Units, id: string): number {
  return units.reduce((sum, { itemId, quantity }) => sum + (itemId === id ? quantity : 0), 0)
}
