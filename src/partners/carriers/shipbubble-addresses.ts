import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import type { Place } from '../../../registry/place.ts'
import type { Clock } from '../../clock.ts'
import { agingBy } from './aging.ts'
import type { CarrierAccount, Outcome } from './carrier.ts'
import { addressOf } from './place-words.ts'
import { readShipbubble, type ShipbubbleCaller } from './shipbubble-calls.ts'

/** Shipbubble prices codes, not places: each place is validated first, with the person in it, and gets a code. */

export interface ValidatedPlace {
  readonly code: number
  /** Its way of writing the address, by which its orders are recognised. */
  readonly formatted: string
}

export type PlaceValidator = (
  account: CarrierAccount,
  person: Person,
  signal: AbortSignal,
) => Promise<Outcome<ValidatedPlace>>

/** A place as it is sent: whatever differs here is another code. */
export interface Person {
  readonly name: string
  readonly email: string
  readonly phone: string
  readonly address: string
  readonly latitude?: number
  readonly longitude?: number
}

/** Some megabytes. How long a code lives is not documented, so it is asked for again the day after. */
const placesMax = 10_000
const placeLifeMs = 24 * 3_600_000

const Validated = z.object({
  address_code: z.union([
    z.int(),
    z
      .string()
      .regex(/^\d{1,15}$/)
      .transform(Number),
  ]),
  formatted_address: z.string().catch(''),
})

export function openPlaceValidator(call: ShipbubbleCaller, clock: Clock): PlaceValidator {
  const known = new LRUCache<string, ValidatedPlace>({ max: placesMax, ttl: placeLifeMs, ...agingBy(clock) })
  return async (account, person, signal) => {
    const key = digestOf([account.credentials.apiKey, person])
    const kept = known.get(key)
    if (kept !== undefined) return { is: 'ok', value: kept }
    // A second validation of the same place does nothing but give another code.
    const ask = { method: 'POST', path: '/shipping/address/validate', body: person, isQuestion: true } as const
    const outcome = readShipbubble(await call(account, ask, signal), (data) => {
      const read = Validated.safeParse(data).data
      return read && { code: read.address_code, formatted: read.formatted_address }
    })
    if (outcome.is === 'ok') known.set(key, outcome.value)
    return outcome
  }
}

export function digestOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64url')
}

/** Closer than a street’s length, a point is worth more than the words, which it overrides. */
const pointPrecisionMeters = 200

/** Undefined without any phone number: one that is made up would send the rider nowhere. */
export function personAt(
  place: Place,
  { role, email, phone }: { role: 'Sender' | 'Recipient'; email: string; phone: string | null },
): Person | undefined {
  const reached = place.phone ?? phone
  if (reached === null) return undefined
  const { lat, lng } = place.location
  return {
    name: twoWords(place.name ?? '', role),
    email: place.email ?? email,
    phone: reached,
    address: addressOf(place),
    ...(place.precisionMeters <= pointPrecisionMeters ? { latitude: lat, longitude: lng } : {}),
  }
}

/** A client of it notes that a name must have two words, of letters only. */
function twoWords(name: string, role: string): string {
  const words = name
    .normalize('NFC')
    .replaceAll(/['’.]/g, '')
    .split(/[^\p{L}]+/u)
    .filter((word) => word !== '')
  if (words.length === 0) return `Parcel ${role}`
  return words.length === 1 ? `${words[0]} ${role}` : words.join(' ')
}
