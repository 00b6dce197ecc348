import { isDeepStrictEqual } from 'node:util'
import type { ShipmentItem } from '../../../registry/logistics/shipment-item.ts'
import { quantityOf } from '../../commerce/orders/carried-units.ts'
import { isHandedOver, refundedParcelsOf } from '../../commerce/orders/open-items.ts'
import { uncollectedKobo } from '../../commerce/orders/uncollected-cash.ts'
import { hasReturnEnded } from '../../commerce/returns/follow-return-shipment.ts'
import type { Work } from '../../store/core/mutation.ts'
import { findOrderToShip, type OrderToShip } from '../../store/orders/order-parcels.ts'
import { type LockedOrder, lockOrder } from '../../store/orders/order-writes.ts'
import type { StoredShipment } from '../../store/tables/shipment.ts'
import { parcelsOfItems } from '../parcels/parcels-of-order.ts'
import { resolvedOf } from './exceptions.ts'

export type UnrefundedShipment =
  /**
   * `shipment` is the unchanged object, unless refunded units were removed from it or its cash to collect was reduced.
   */
  | { readonly is: 'shippable'; readonly shipment: StoredShipment }
  | { readonly is: 'order_on_hold' }
  /**
   * All units of the shipment are refunded or were handed over without it, or its return has ended, so there is nothing
   * to ship.
   */
  | { readonly is: 'unneeded'; readonly why: typeof unitsRefunded | typeof unitsHandedOver | typeof returnEnded }

const unitsRefunded = {
  reason: { code: 'units_refunded', message: 'The units of the shipment were refunded.' },
  description: 'The shipment was cancelled, because its units were refunded.',
} as const

const unitsHandedOver = {
  reason: { code: 'units_handed_over', message: 'The units of the shipment were handed over without its carrier.' },
  description: 'The shipment was cancelled, because its units were handed over without its carrier.',
} as const

const returnEnded = {
  reason: { code: 'return_ended', message: 'The return of the shipment was received or closed.' },
  description: 'The shipment was cancelled, because its return was received or closed.',
} as const

/**
 * Returns a locked shipment that no carrier has, without the units that were refunded since the shipment was created.
 * The cash of the shipment is limited to the amount that the order still owes. The order is locked, so that a
 * concurrent refund takes effect either before or after this function. If the refund takes effect first, this function
 * removes the refunded units. Otherwise, the refund takes into account that a carrier is requested. Units that the
 * merchant handed over without the shipment are not shipped either, nor are the units of a return that was received or
 * closed.
 */
export async function withoutRefundedUnits(work: Work, shipment: StoredShipment): Promise<UnrefundedShipment> {
  const { orderId, returnId, items } = shipment
  if (await hasReturnEnded(work, returnId)) return { is: 'unneeded', why: returnEnded }
  if (orderId === null) return { is: 'shippable', shipment }
  const { trx, merchantId, now } = work
  const [locked, order] = await Promise.all([
    lockOrder(trx, merchantId, orderId),
    // Both statements are sent on the same connection, the lock of the order first. The query of the order therefore
    // reads the locked state.
    findOrderToShip(trx, { merchantId, id: orderId }),
  ])
  if (locked?.status === 'on_hold') return { is: 'order_on_hold' }
  if (locked === undefined || order === undefined) return { is: 'shippable', shipment }
  if (isHandedOver(order, items)) return { is: 'unneeded', why: unitsHandedOver }
  const refunded = refundedParcelsOf(order).find(({ parcel }) => parcel.id === shipment.id)
  const owed = withOwedCash(work, shipment, { locked, order })
  if (refunded === undefined) return { is: 'shippable', shipment: owed }
  const { kept } = refunded
  if (kept.length === 0) return { is: 'unneeded', why: unitsRefunded }
  work.note({ items: [items, kept] })
  // Parcels that the dispatch request described are not changed when units are removed from the shipment, because it is
  // not known which parcel contains them.
  const isDerived = isDeepStrictEqual(parcelsOfItems(order, items), shipment.parcels)
  const parcels = (isDerived ? parcelsOfItems(order, kept) : undefined) ?? shipment.parcels
  const exceptions = resolvedOf(shipment.exceptions, ['units_refunded'], now)
  const removedItems = withRemoved(shipment, kept)
  return { is: 'shippable', shipment: { ...owed, items: kept, removedItems, parcels, exceptions } }
}

interface OwingOrder {
  readonly locked: LockedOrder
  readonly order: OrderToShip
}

/**
 * Limits the cash of a shipment to the amount that is still due. The order may have been paid since the shipment was
 * created, and the rider must then collect less cash or none.
 */
function withOwedCash(work: Work, shipment: StoredShipment, { locked, order }: OwingOrder): StoredShipment {
  const { id, codAmountKobo } = shipment
  const others = order.shipments.filter((parcel) => parcel.id !== id)
  const dueKobo = uncollectedKobo(locked, { shipments: others })
  if (codAmountKobo === null || codAmountKobo <= dueKobo) return shipment
  const owedKobo = dueKobo === 0 ? null : dueKobo
  work.note({ codAmountKobo: [codAmountKobo, owedKobo] })
  return { ...shipment, codAmountKobo: owedKobo }
}

/**
 * Returns all items that were ever removed from the shipment, including the items that this change removes. After the
 * change, only the items in `kept` remain in the shipment.
 */
function withRemoved(
  { items, removedItems }: Pick<StoredShipment, 'items' | 'removedItems'>,
  kept: readonly ShipmentItem[],
): readonly ShipmentItem[] {
  const before = [...removedItems, ...items]
  return [...new Set(before.map(({ itemId }) => itemId))]
    .map((itemId) => ({
      itemId,
      quantity: quantityOf(itemId, [{ items: before }]) - quantityOf(itemId, [{ items: kept }]),
    }))
    .filter(({ quantity }) => quantity > 0)
}
