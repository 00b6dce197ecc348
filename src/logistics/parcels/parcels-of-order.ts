import type { Parcel } from '../../../registry/logistics/parcel.ts'
import type { ShipmentItem } from '../../../registry/logistics/shipment-item.ts'
import { parcelItemsMax, parcelsMax } from '../../../registry/values/limits.ts'
import type { OrderToShip } from '../../store/orders/order-parcels.ts'

/**
 * Assumed weight in grams of an order item without a recorded weight: about that of a folded dress with its packaging.
 */
const assumedGrams = 500

/**
 * Returns one parcel for each order item. Undefined if the items exceed the limits of a shipment; the request for a
 * shipment must then describe the parcels.
 */
export function parcelsOfItems(
  { lines }: OrderToShip,
  items: readonly Pick<ShipmentItem, 'itemId' | 'quantity'>[],
): readonly Parcel[] | undefined {
  const quantities = new Map(items.map(({ itemId, quantity }) => [itemId, quantity]))
  const parcels = lines.flatMap(({ itemId, title, unitPriceKobo, weightGrams }) => {
    const quantity = quantities.get(itemId)
    if (quantity === undefined) return []
    return {
      description: title.slice(0, 200),
      weightGrams: Math.max(1, weightGrams ?? assumedGrams),
      quantity,
      valueKobo: unitPriceKobo,
      category: 'fashion',
      fragile: false,
    }
  })
  const exceedsLimits = parcels.length > parcelsMax || parcels.some(({ quantity }) => quantity > parcelItemsMax)
  return exceedsLimits ? undefined : parcels
}
