import { hash } from 'node:crypto'
import type { PlaceInput } from '../../../registry/logistics/place.ts'

/** The version is a hash of the address, because settings have no version number. */
export function pickupVersion(place: PlaceInput | null): string {
  return hash('sha256', JSON.stringify(place), 'base64url')
}
