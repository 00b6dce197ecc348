import { hasLeftShop, holdsItems, isActiveOrDelivered } from '../../registry/logistics/shipment-states.ts'
import type { Order } from '../../registry/orders/order.ts'
import { unitsToSendOf } from '../../registry/orders/order-states.ts'
import { carrierNameOf } from '../logistics/carriers/carrier-names.ts'
import { html, type Markup, nothing } from '../markup/markup.ts'
import { count, empty, facts, money, section, time } from '../markup/parts.ts'
import type { TrackedShipment } from '../store/orders/buyer-pages.ts'
import { orderWords, shipmentWordsOf } from './words.ts'

/**
 * The content of a tracking page. A stranger may have the link, so the page shows neither the rider nor the buyer, and of
 * the address only the area.
 */
export function trackingContent(order: Order, shipments: readonly TrackedShipment[]): Markup {
  return html`<p class="status">${orderWords[order.status]}</p>
${facts([
  ['Ordered', time(order.createdAt)],
  ...optional('Delivery to', areaOf(order)),
  ...optional('Due', dueOf(order)),
])}
${shipments.map((shipment, index) => parcel(order, shipment, shipments.length === 1 ? '' : ` ${index + 1}`))}
${unsent(order, shipments)}`
}

function optional(name: string, value: Markup | string | undefined): readonly (readonly [string, Markup | string])[] {
  return value === undefined ? [] : [[name, value]]
}

function areaOf({ shippingAddress }: Order): string | undefined {
  if (shippingAddress === null) return undefined
  const { area, city, state } = shippingAddress
  return [area, city, state].filter((part) => part !== null).join(', ')
}

function dueOf({ status, balanceKobo, paymentMethod }: Order): Markup | undefined {
  if (status === 'cancelled' || balanceKobo <= 0) return undefined
  return html`${money(balanceKobo)}${paymentMethod === 'pay_on_delivery' ? html` <small>on delivery</small>` : nothing}`
}

function parcel(order: Order, shipment: TrackedShipment, number: string): Markup {
  const { status, carrier, items, proofs } = shipment
  const details = facts([
    ...optional('Carrier', carrier === null ? undefined : carrierNameOf(carrier)),
    ...optional('Expected by', expectedBy(shipment)),
    ...optional('Cash on delivery', cashOf(shipment)),
    ...proofs.map(({ type, capturedAt }) => ['Proof of delivery', html`${type} ${time(capturedAt)}`] as const),
    ['Items', items.length === 0 ? 'The shop has not listed the items.' : unitList(order, items)],
  ])
  return section(
    `Parcel${number}`,
    html`<p class="status">${shipmentWordsOf(status)}</p>${details}${stepsOf(shipment)}`,
  )
}

function expectedBy({ status, estimate }: TrackedShipment): Markup | undefined {
  const isUnderWay = isActiveOrDelivered(status) && status !== 'delivered' && !backStatuses.includes(status)
  return isUnderWay && estimate !== null ? time(estimate.p90) : undefined
}

/** Statuses in which a parcel no longer moves towards the buyer, although its shipment has not ended. */
const backStatuses: readonly string[] = ['delivery_failed', 'returning', 'cancelling']

function cashOf({ status, codAmountKobo, codCollectedKobo }: TrackedShipment): Markup | undefined {
  if (codCollectedKobo !== null) return html`${money(codCollectedKobo)} paid to the rider`
  if (codAmountKobo === null || !isActiveOrDelivered(status)) return undefined
  return html`Pay ${money(codAmountKobo)} to the rider`
}

/** Shows the steps of a shipment, newest first. A step that a carrier reports several times is shown once. */
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

/** Shows the units that the buyer will still receive and that no parcel contains. */
function unsent(order: Order, shipments: readonly TrackedShipment[]): Markup {
  if (order.status === 'cancelled' || order.status === 'returned') return nothing
  // The units of a parcel that has left the shop count as fulfilled.
  const packed = shipments.filter(({ status }) => holdsItems(status) && !hasLeftShop(status))
  const units = order.items.flatMap((item) => {
    const inParcels = packed.flatMap(({ items }) => items.filter(({ itemId }) => itemId === item.id))
    const quantity =
      unitsToSendOf({ ...item, lostQuantity: 0 }) - inParcels.reduce((sum, each) => sum + each.quantity, 0)
    return quantity > 0 ? [{ itemId: item.id, quantity }] : []
  })
  if (units.length > 0) return section('Not sent yet', unitList(order, units))
  return shipments.length === 0 ? empty('The shop has not reported a parcel for this order.') : nothing
}
