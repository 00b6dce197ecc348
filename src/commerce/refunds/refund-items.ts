import type { Refund, RefundInput } from '../../../registry/refunds/refunds.ts'
import type { Kobo } from '../../../registry/values/vocabulary.ts'
import type { OrderShipment } from '../../store/logistics/shipments/tracking.ts'
import type { OrderItemMoney } from '../../store/refunds/refunds.ts'
import { allocate, noKobo, share, sum, toKobo } from '../money.ts'
import { type RestockedUnits, type UnavailableUnits, uncarriedUnits } from '../orders/carried-units.ts'

export type ItemsOutcome =
  | { readonly is: 'fine'; readonly items: Refund['items'] }
  | { readonly is: 'items_unknown'; readonly itemIds: readonly string[] }
  | { readonly is: 'too_many'; readonly items: readonly { itemId: string; refundableQuantity: number }[] }

/** Checks the items of a refund and allocates the amount to them in proportion to their price. */
export function checkItems(
  wanted: NonNullable<RefundInput['items']>,
  lines: readonly OrderItemMoney[],
  amountKobo: Kobo,
): ItemsOutcome {
  const byId = new Map(lines.map((line) => [line.id, line]))
  const unknown = wanted.filter((item) => !byId.has(item.itemId))
  if (unknown.length > 0) return { is: 'items_unknown', itemIds: unknown.map((item) => item.itemId) }
  const found = wanted.flatMap((item) => {
    const line = byId.get(item.itemId)
    return line === undefined ? [] : [{ ...item, line, left: line.quantity - line.refundedQuantity }]
  })
  const tooMany = found.filter((item) => item.quantity > item.left)
  if (tooMany.length > 0) {
    return {
      is: 'too_many',
      items: tooMany.map((item) => ({ itemId: item.itemId, refundableQuantity: item.left })),
    }
  }
  const weights = found.map(({ line, quantity }) => share(line.totalKobo, quantity, line.quantity))
  const shares = allocate(amountKobo, weights)
  const items = found.map(({ itemId, quantity, restock = false }, index) => {
    return { itemId, quantity, restock, amountKobo: shares[index] ?? toKobo(0) }
  })
  // The order in which the stored refund is read.
  return { is: 'fine', items: items.sort((a, b) => (a.itemId < b.itemId ? -1 : 1)) }
}

/** Returns the price of units of order items, which is the usual amount of their refund. Unknown items are left out. */
export function priceOfItems(
  wanted: readonly { readonly itemId: string; readonly quantity: number }[],
  lines: readonly Pick<OrderItemMoney, 'id' | 'quantity' | 'totalKobo'>[],
): Kobo {
  const prices = wanted.map(({ itemId, quantity }) => {
    const line = lines.find(({ id }) => id === itemId)
    return line === undefined ? noKobo : share(line.totalKobo, quantity, line.quantity)
  })
  return sum(prices)
}

/**
 * Returns the units to restock for a refund of `quantity` units. Units that are already back, by a return or an earlier
 * failed refund, are not restocked again; of the others, unshipped units come first.
 */
export function refundedItems(
  line: OrderItemMoney,
  quantity: number,
  isReserved: boolean,
  shipments: readonly OrderShipment[] = [],
): RestockedUnits {
  const back = line.cancelledQuantity + line.returnedQuantity
  const spare = Math.max(0, back - line.restockedQuantity)
  const wanted = Math.max(0, quantity - spare)
  const free = uncarriedUnits(line, line.id, shipments)
  const unsent = Math.min(wanted, isReserved ? free.unsent : 0)
  return { unsent, sent: Math.min(wanted - unsent, free.sent) }
}

/** Returns the items to restock whose units an active shipment carries, with the quantity that can be restocked. */
export function carriedItems(
  items: Refund['items'],
  lines: readonly OrderItemMoney[],
  isReserved: boolean,
  shipments: readonly OrderShipment[],
): readonly UnavailableUnits[] {
  return items.flatMap(({ itemId, quantity, restock }) => {
    const line = lines.find(({ id }) => id === itemId)
    if (line === undefined || !restock) return []
    const all = refundedItems(line, quantity, isReserved)
    const free = refundedItems(line, quantity, isReserved, shipments)
    const missing = all.unsent + all.sent - free.unsent - free.sent
    return missing > 0 ? [{ itemId: line.id, requested: quantity, available: quantity - missing }] : []
  })
}
