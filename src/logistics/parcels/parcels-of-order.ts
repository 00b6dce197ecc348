import type { Parcel } from '../../../registry/logistics/parcel.ts'
import type { PlaceInput } from '../../../registry/logistics/place.ts'
import type { ShipmentItem } from '../../../registry/logistics/shipment-item.ts'
import { contradictionOf } from '../../../registry/values/gazetteer/state-of-names.ts'
import { parcelItemsMax, parcelsMax } from '../../../registry/values/limits.ts'
import { storableText } from '../../base/storable-text.ts'
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

/** Undefined for an order that the customer collects. */
export function addressOfOrder(order: OrderToShip): PlaceInput | undefined {
  const { address, customerName, customerPhone, customerEmail } = order
  if (address === null) return undefined
  const { line1, line2, landmark, area, city, state, instructions, latitude, longitude } = address
  return {
    name: address.recipientName ?? customerName,
    phone: address.phone ?? customerPhone,
    email: customerEmail,
    // The address of a place requires at least five characters, so the city is added to a shorter first line of an
    // order's address.
    line1: line1.length < 5 ? `${line1}, ${city}`.padEnd(5, '.') : line1,
    line2,
    landmark: shortened(landmark, 140),
    area: area ?? city,
    // The state that belongs to the city takes precedence over the stored state. The stored state may be wrong: if an
    // earlier release did not recognise the city, it stored the merchant's default state.
    state: contradictionOf(address)?.example ?? state,
    instructions: shortened(instructions, 280),
    ...(latitude === null || longitude === null ? {} : { location: { lat: latitude, lng: longitude } }),
  }
}

/**
 * Shortens a field of an order's address to the limit of a place. The limit may be within an emoji, and half an emoji
 * cannot be stored.
 */
function shortened(text: string | null, maxLength: number): string | null {
  const start = text?.slice(0, maxLength) ?? null
  return start === null ? null : storableText(start)
}
