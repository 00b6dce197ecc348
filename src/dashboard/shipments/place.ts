import type { Place } from '../../../registry/logistics/place.ts'
import { html, type Markup, nothing } from '../../markup/markup.ts'
import { phoneLinks } from '../kit/contact.ts'
import { outside, withQuery } from '../kit/parts.ts'

export function placeOf(place: Place): Markup {
  const { name, phone, line1, line2, area, state, landmark, instructions } = place
  const address = [line1, line2, area, state].filter((part) => part !== null).join(', ')
  const line = (text: string | null) => (text === null ? nothing : html`<br>${text}`)
  const call = phone === null ? html`no phone number` : phoneLinks(phone)
  return html`${name ?? 'no name'}<br>${call}<br>${address}${line(landmark)}${line(instructions)}<br>${outside(mapUrl(place, address), 'Map')}`
}

/**
 * Returns the URL of a map. The map shows the coordinates if they are the exact coordinates of the address. Otherwise
 * the map shows the address, because the coordinates of an area may be kilometres away from it.
 */
function mapUrl({ location, locationSource }: Place, address: string): string {
  const isExact = locationSource === 'given' || locationSource === 'plus_code' || locationSource === 'geocoded'
  const query = isExact ? `${location.lat},${location.lng}` : `${address}, Nigeria`
  return withQuery('https://www.google.com/maps/search/?api=1', { query })
}
