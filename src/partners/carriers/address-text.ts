import type { Parcel } from '../../../registry/logistics/parcel.ts'
import type { Place } from '../../../registry/logistics/place.ts'

/** Places, people and parcels in the words carriers take. */

/** Everything a rider or a geocoder can use, from the door to the country. */
export function addressOf(place: Place): string {
  const { line1, line2, area, lga, landmark, state } = place
  // The territory is on no sign; the city in it is.
  const city = state === 'FCT' ? 'Abuja' : state
  const near = landmark === null ? null : `near ${landmark.replace(/^(near|opposite|opp\.?|beside)\s+/i, '')}`
  return [line1, line2, near, area, lga, city, 'Nigeria'].filter((part) => part !== null).join(', ')
}

/** `+2348031234567` as it is dialled at home, `08031234567`. */
export function dialledAtHome(phone: string): string {
  return phone.replace(/^\+234/, '0')
}

/** The part that is the same in every way of writing a number. */
export function lastDigits(phone: string): string {
  // Nigeria’s mobile numbers have ten digits behind the prefix.
  return phone.replaceAll(/\D/g, '').slice(-10)
}

/** What the rider has to know beyond the address. */
export function riderNoteOf(place: Place, extra: string | undefined): string | undefined {
  const parts = [place.landmark, place.instructions, extra ?? null].filter((part) => part !== null)
  return parts.length === 0 ? undefined : parts.map((part) => part.replace(/\.$/, '')).join('. ')
}

export function valueKoboOf(parcels: readonly Parcel[]): number {
  return parcels.reduce((sum, { valueKobo, quantity }) => sum + valueKobo * quantity, 0)
}

/** `2 × Ankara maxi dress, Gele`. */
export function contentsOf(parcels: readonly Parcel[]): string {
  const words = parcels.map(({ description, quantity }) =>
    quantity === 1 ? description : `${quantity} × ${description}`,
  )
  return words.join(', ').slice(0, contentsMaxLength)
}

/** What fits on a waybill; no carrier documents a limit. */
const contentsMaxLength = 250
