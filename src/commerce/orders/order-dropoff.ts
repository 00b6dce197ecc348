import { isDeepStrictEqual } from 'node:util'
import type { Place, PlaceInput } from '../../../registry/logistics/place.ts'
import { contradictionOf } from '../../../registry/values/gazetteer/state-of-names.ts'
import { storableText } from '../../base/storable-text.ts'
import type { OrderToShip } from '../../store/orders/order-parcels.ts'

/** The part of an order that determines the dropoff of its shipments. */
export type Recipient = Pick<OrderToShip, 'address' | 'customerName' | 'customerPhone' | 'customerEmail'>

/** Undefined for an order that the customer collects. */
export function addressOfOrder(order: Recipient): PlaceInput | undefined {
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

/** The fields by which a rider finds the recipient. The e-mail address is not one of them. */
const comparedFields = ['name', 'phone', 'line1', 'line2', 'area', 'landmark', 'state', 'instructions'] as const

/** Whether the dropoff of a shipment is the address of the order, with the same recipient. */
export function isDropoffOf(order: Recipient, dropoff: Place): boolean {
  const address = addressOfOrder(order)
  if (address === undefined) return false
  const { location } = address
  const isSamePoint = location ? isDeepStrictEqual(dropoff.location, location) : dropoff.locationSource !== 'given'
  return isSamePoint && comparedFields.every((field) => dropoff[field] === (address[field] ?? null))
}

export function haveSameDropoff(one: Recipient, other: Recipient): boolean {
  const [first, second] = [one, other].map((order) => ({ ...addressOfOrder(order), email: null }))
  return isDeepStrictEqual(first, second)
}
