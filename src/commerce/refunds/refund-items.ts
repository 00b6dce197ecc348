import type { Refund } from '../../../registry/refunds/refund.ts'
import type { RefundInput } from '../../../registry/refunds/refunds.ts'
import type { Kobo, OrderItemId } from '../../../registry/values/vocabulary.ts'
import type { OrderShipment } from '../../store/logistics/shipments/tracking.ts'
import type { OrderItemMoney } from '../../store/refunds/refundable-items.ts'
import { allocate, noKobo, share, sum, toKobo } from '../money.ts'
import { type RestockedUnits, type UnavailableUnits, uncarriedUnits } from '../orders/carried-units.ts'

export type ItemsOutcome =
  | { readonly is: 'fine'; readonly items: Refund['items']; readonly amountKobo: Kobo }
  | { readonly is: 'items_unknown'; readonly itemIds: readonly string[] }
  | { readonly is: 'too_many'; readonly items: readonly { itemId: string; refundableQuantity: number }[] }
  /** The refund amount exceeds `mostKobo`, the amount that was charged for the units, after discounts and with VAT. */
  | { readonly is: 'above_price'; readonly mostKobo: Kobo }

/**
 * Checks the items of a refund, and allocates the amount to them in proportion to their price. If the request has items
 * but no `amountKobo`, the amount is the price of the items. A higher amount is rejected. `unitsMax` limits the refund
 * to the units of a return. If the request has neither items nor an amount, all these units are refunded.
 */
export function checkItems(
  request: Pick<RefundInput, 'items' | 'amountKobo'>,
  lines: readonly OrderItemMoney[],
  unitsMax?: ReadonlyMap<OrderItemId, number>,
): ItemsOutcome {
  const { amountKobo: requestedKobo, items: wanted = requestedKobo === undefined ? itemsOf(unitsMax) : [] } = request
  const byId = new Map(lines.map((line) => [line.id, line]))
  const unknown = wanted.filter((item) => !byId.has(item.itemId))
  if (unknown.length > 0) return { is: 'items_unknown', itemIds: unknown.map((item) => item.itemId) }
  const found = wanted.flatMap((item) => {
    const line = byId.get(item.itemId)
    if (line === undefined) return []
    const left = line.quantity - line.refundedQuantity
    return [{ ...item, line, left: unitsMax === undefined ? left : Math.min(left, unitsMax.get(line.id) ?? 0) }]
  })
  const tooMany = found.filter((item) => item.quantity > item.left)
  if (tooMany.length > 0) {
    return {
      is: 'too_many',
      items: tooMany.map((item) => ({ itemId: item.itemId, refundableQuantity: item.left })),
    }
  }
  const prices = found.map(({ line, quantity }) => priceOfUnits(line, quantity))
  const priceKobo = sum(prices)
  const amountKobo = requestedKobo === undefined ? priceKobo : toKobo(requestedKobo)
  // Units that cost nothing have no amount to refund.
  const isAbovePrice = amountKobo > priceKobo || priceKobo === noKobo
  if (found.length > 0 && isAbovePrice) return { is: 'above_price', mostKobo: priceKobo }
  const shares = allocate(amountKobo, prices)
  const items = found.map(({ itemId, quantity, restock = false }, index) => {
    return { itemId, quantity, restock, amountKobo: shares[index] ?? noKobo }
  })
  // The refund items are sorted by id, because the stored refund is read in this order.
  return { is: 'fine', items: items.sort((a, b) => (a.itemId < b.itemId ? -1 : 1)), amountKobo }
}

/**
 * Returns the refundable units of a return as the items of a refund. If no unit is refundable, returns one unit of each
 * item. The refund is then rejected, because it contains more units than are refundable.
 */
function itemsOf(unitsMax: ReadonlyMap<OrderItemId, number> = new Map()): NonNullable<RefundInput['items']> {
  const left = [...unitsMax].filter(([, quantity]) => quantity > 0)
  return (left.length > 0 ? left : [...unitsMax]).map(([itemId, quantity]) => ({
    itemId,
    quantity: Math.max(1, quantity),
  }))
}

/**
 * Returns the price of the given number of units of an order item, which are refunded next. The function rounds the
 * cumulative price of all refunded units, and not the price of each unit. Refunds of single units therefore add up to
 * the total of the item.
 */
function priceOfUnits({ totalKobo, quantity, refundedQuantity }: OrderItemMoney, units: number): Kobo {
  const priceOfFirst = (count: number) => share(totalKobo, count, quantity)
  return toKobo(priceOfFirst(refundedQuantity + units) - priceOfFirst(refundedQuantity))
}

/**
 * Returns the number of units to restock for a refund of `quantity` units. Units that a return or an earlier failed
 * refund has already restocked are not restocked again. Of the other units, unshipped units are restocked first.
 */
export function refundedItems(
  line: OrderItemMoney,
  quantity: number,
  shipments: readonly OrderShipment[] = [],
): RestockedUnits {
  const back = line.cancelledQuantity + line.returnedQuantity
  const spare = Math.max(0, back - line.restockedQuantity)
  const wanted = Math.max(0, quantity - spare)
  const free = uncarriedUnits(line, line.id, shipments)
  const unsent = Math.min(wanted, free.unsent)
  // Units in a return that is in progress are not restocked by a refund: they are restocked or written off when the
  // return is received.
  const sent = Math.max(0, free.sent - line.underReturnQuantity)
  return { unsent, sent: Math.min(wanted - unsent, sent) }
}

/**
 * Returns the items of a refund that cannot be restocked in full. Some of their units are lost, in an active shipment,
 * or in a return in progress. For each of these items, the result states the quantity that can be restocked.
 */
export function carriedItems(
  items: Refund['items'],
  lines: readonly OrderItemMoney[],
  shipments: readonly OrderShipment[],
): readonly UnavailableUnits[] {
  return items.flatMap(({ itemId, quantity, restock }) => {
    const line = lines.find(({ id }) => id === itemId)
    if (line === undefined || !restock) return []
    const all = refundedItems({ ...line, lostQuantity: 0, underReturnQuantity: 0 }, quantity)
    const free = refundedItems(line, quantity, shipments)
    const missing = all.unsent + all.sent - free.unsent - free.sent
    return missing > 0 ? [{ itemId: line.id, requested: quantity, available: quantity - missing }] : []
  })
}
