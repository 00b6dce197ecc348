import type { Parcel } from '../../../registry/logistics/parcel.ts'
import type { Place } from '../../../registry/logistics/place.ts'
import { storableText } from '../../base/storable-text.ts'

export function addressOf(place: Place): string {
  const { line1, line2, area, lga, landmark, state } = place
  // An address in the Federal Capital Territory names the city, Abuja, instead of the territory.
  const city = state === 'FCT' ? 'Abuja' : state
  const near = landmark === null ? null : `near ${landmark.replace(/^(near|opposite|opp\.?|beside)\s+/i, '')}`
  return [line1, line2, near, area, lga, city, 'Nigeria'].filter((part) => part !== null).join(', ')
}

/** Converts an international phone number such as `+2348031234567` to the national format `08031234567`. */
export function dialledAtHome(phone: string): string {
  return phone.replace(/^\+234/, '0')
}

export function lastDigits(phone: string): string {
  // Nigerian mobile numbers have ten digits after the country code or the leading zero.
  return phone.replaceAll(/\D/g, '').slice(-10)
}

/**
 * Returns the note for the rider: the landmark, the instructions of the place and an additional text, none of which is
 * part of the address.
 */
export function riderNoteOf(place: Place, extra: string | undefined): string | undefined {
  const parts = [place.landmark, place.instructions, extra ?? null].filter((part) => part !== null)
  return parts.length === 0 ? undefined : parts.map((part) => part.replace(/\.$/, '')).join('. ')
}

export function valueKoboOf(parcels: readonly Parcel[]): number {
  return parcels.reduce((sum, { valueKobo, quantity }) => sum + valueKobo * quantity, 0)
}

/** Describes the contents of parcels, for example `2 × Ankara maxi dress, Gele`. */
export function contentsOf(parcels: readonly Parcel[]): string {
  const words = parcels.map(({ description, quantity }) =>
    quantity === 1 ? description : `${quantity} × ${description}`,
  )
  // A carrier may reject the half of an emoji that remains at the end of a shortened text.
  return storableText(words.join(', ').slice(0, contentsMaxLength))
}

/**
 * Maximum length of the description of a parcel's contents: a text of this length fits on a waybill. No carrier
 * documents a limit.
 */
const contentsMaxLength = 250
