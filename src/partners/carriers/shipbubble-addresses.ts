import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import type { Place } from '../../../registry/place.ts'
import { agingBy } from '../../aging.ts'
import type { Clock } from '../../clock.ts'
import type { CarrierAccount, Outcome } from './carrier.ts'
import { addressOf, lastDigits } from './place-words.ts'
import type { AddressBook } from './shared.ts'
import { readShipbubble, type ShipbubbleCaller } from './shipbubble-calls.ts'

/** Shipbubble prices codes, not places: each place is validated first, with the person in it, and gets a code. */

export interface ValidatedPlace {
  readonly code: number
  /** Its way of writing the address, by which its orders are recognised; undefined of a code from the database. */
  readonly formatted: string | undefined
}

export interface PlaceValidator {
  validate(account: CarrierAccount, person: Person, signal: AbortSignal): Promise<Outcome<ValidatedPlace>>
  /** Its way of writing the address of a code. Reading it costs nothing. */
  formattedOf(account: CarrierAccount, place: ValidatedPlace, signal: AbortSignal): Promise<string>
  /** A code that Shipbubble knows no more. */
  forget(account: CarrierAccount, person: Person): Promise<void>
}

/** A place as it is sent: whatever differs here is another code. */
export interface Person {
  readonly name: string
  readonly email: string
  readonly phone: string
  readonly address: string
  readonly latitude?: number
  readonly longitude?: number
}

/** Some megabytes. The database has the others. */
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

/** Each validation that succeeds is charged, so a code is stored for as long as Shipbubble knows it. */
export function openPlaceValidator(call: ShipbubbleCaller, clock: Clock, addresses: AddressBook): PlaceValidator {
  const known = new LRUCache<string, ValidatedPlace>({ max: placesMax, ttl: placeLifeMs, ...agingBy(clock) })
  const keyOf = (account: CarrierAccount, digest: string) => `${account.credentials.apiKey ?? ''} ${digest}`
  return {
    validate: async (account, person, signal) => {
      const digest = addressDigestOf(person)
      const key = keyOf(account, digest)
      const cached = known.get(key)
      if (cached !== undefined) return { is: 'ok', value: cached }
      const stored = placeOf(await addresses.find(account, digest))
      if (stored !== undefined) {
        known.set(key, stored)
        return { is: 'ok', value: stored }
      }
      // It must not arrive twice: each that succeeds is charged.
      const ask = { method: 'POST', path: '/shipping/address/validate', body: person, isQuestion: false } as const
      const outcome = readShipbubble(await call(account, ask, signal), (data) => {
        const read = Validated.safeParse(data).data
        return read && { code: read.address_code, formatted: read.formatted_address }
      })
      if (outcome.is === 'ok') {
        known.set(key, outcome.value)
        await addresses.put(account, digest, outcome.value.code)
      }
      return outcome
    },
    formattedOf: async (account, { code, formatted }, signal) => {
      if (formatted !== undefined) return formatted
      const heard = await call(
        account,
        { method: 'GET', path: `/shipping/address/${code}`, isBackground: true },
        signal,
      )
      const read = readShipbubble(heard, (data) => Validated.partial().safeParse(data).data)
      return read.is === 'ok' ? (read.value.formatted_address ?? '') : ''
    },
    forget: async (account, person) => {
      const digest = addressDigestOf(person)
      known.delete(keyOf(account, digest))
      await addresses.delete(account, digest)
    },
  }
}

function placeOf(code: number | undefined): ValidatedPlace | undefined {
  return code === undefined ? undefined : { code, formatted: undefined }
}

/** The same address in other letters, spaces or punctuation is the same address. The person is part of the code. */
function addressDigestOf({ name, email, phone, address, latitude, longitude }: Person): string {
  const normalised = [name, email, address].map((text) =>
    text
      .normalize('NFKC')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}@]+/gu, ' ')
      .trim(),
  )
  return digestOf([...normalised, lastDigits(phone), latitude ?? null, longitude ?? null])
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
