import { pageSize } from '../../../registry/values/limits.ts'
import { OrderId } from '../../../registry/values/vocabulary.ts'
import { openItemsOf } from '../../commerce/orders/open-items.ts'
import { html, type Markup } from '../../markup/markup.ts'
import { type ListedOrderToShip, listOrdersToShip } from '../../store/orders/order-parcels.ts'
import { PageError } from '../kit/page-error.ts'
import { link } from '../kit/parts.ts'
import type { Acted } from '../kit/route.ts'
import type { Visit } from '../kit/visit.ts'

/**
 * Returns the orders that a member chose, each once. If an id belongs to no order of the merchant, the response has the
 * status 404.
 */
export async function chosenOrders(visit: Visit, ids: readonly string[]): Promise<readonly ListedOrderToShip[]> {
  const distinct = [...new Set(ids)]
  const known = distinct.flatMap((id) => OrderId.safeParse(id).data ?? [])
  const orders = await listOrdersToShip(visit.context.database, visit.tenant.merchantId, known)
  if (orders.length !== distinct.length) throw new PageError(404, 'One of the chosen orders does not exist.')
  return orders
}

/**
 * Maximum number of ticked orders from which a page (such as the dispatch form) or a file is made. It is the largest
 * page size of the API.
 */
export const chosenMax = pageSize.max

export const tooManyChosen = `Choose at most ${chosenMax} orders at once.`

/**
 * Redirects from the list of orders to a page or a file about the orders whose check boxes are ticked. Changes nothing.
 */
export async function showChosen(
  visit: Visit,
  ids: readonly string[],
  pathOf: (ids: readonly string[]) => string,
): Promise<Acted> {
  const chosen = new Set(ids)
  if (chosen.size === 0) return { is: 'refused', message: 'Choose at least one order.' }
  if (chosen.size > chosenMax) return { is: 'refused', message: tooManyChosen }
  const orders = await chosenOrders(visit, [...chosen])
  return { is: 'shown', to: pathOf(orders.map((order) => order.id)), hasChanged: false }
}

/** Returns the area to which the parcel of an order goes, such as `Lekki Phase 1`. */
export function areaOf({ address }: ListedOrderToShip): string {
  return address === null ? 'no shipping address' : (address.area ?? address.city)
}

/** Shows the units of an order that no shipment contains yet. */
export function openItemList(order: ListedOrderToShip): Markup {
  const titles = new Map(order.lines.map(({ itemId, title }) => [itemId, title]))
  const open = openItemsOf(order)
  if (open.length === 0) return html`<p>No unit is left to ship.</p>`
  const text = ({ itemId, quantity }: (typeof open)[number]) => {
    const { title = '' } = order.variants[itemId] ?? {}
    return `${quantity} × ${titles.get(itemId) ?? ''}${title === '' ? '' : `, ${title}`}`
  }
  return html`<ul class="contents">${open.map((item) => html`<li>${text(item)}</li>`)}</ul>`
}

export function orderLine(order: ListedOrderToShip): Markup {
  const { id, number, customerName, address } = order
  return html`${link(`/orders/${id}`, number)} ${address?.recipientName ?? customerName}, ${areaOf(order)}`
}
