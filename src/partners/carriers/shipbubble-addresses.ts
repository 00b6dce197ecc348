import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import pTimeout from 'p-timeout'
import { z } from 'zod'
import type { Place } from '../../../registry/logistics/place.ts'
import { expiryBy } from '../../base/cache-expiry.ts'
import type { Clock } from '../../base/clock.ts'
import { addressOf, lastDigits } from './address-text.ts'
import type { CarrierAccount, Outcome } from './carrier.ts'
import type { AddressBook } from './shared.ts'
import { readShipbubble, type ShipbubbleCaller } from './shipbubble-calls.ts'

/** Shipbubble prices codes, not places: each place is validated first, with the person in it, and gets a code. */

export interface ValidatedPlace {
  readonly code: number
  /** Its way of writing the address, by which its orders are recognised; undefined of a code from the database. */
  readonly formatted: string | undefined
}

export interface PlaceValidator {
  /** The stored code, or a new one, which is charged. */
  validate(account: CarrierAccount, person: Person, signal: AbortSignal): Promise<Outcome<ValidatedPlace>>
  /** The stored code, if any. Never charged. */
  find(account: CarrierAccount, person: Person): Promise<ValidatedPlace | undefined>
  /** Its way of writing the address of a code. Reading it costs nothing. */
  formattedOf(account: CarrierAccount, place: ValidatedPlace, signal: AbortSignal): Promise<string>
  /** Forgets the code if Shipbubble knows it no more, and returns whether it did. Reading a code costs nothing. */
  forgetIfGone(account: CarrierAccount, located: Located, signal: AbortSignal): Promise<boolean>
}

export interface Located {
  readonly person: Person
  readonly place: ValidatedPlace
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
  const known = new LRUCache<string, ValidatedPlace>({ max: placesMax, ttl: placeLifeMs, ...expiryBy(clock) })
  const underWay = new Map<string, Promise<Outcome<ValidatedPlace>>>()
  const keyOf = (account: CarrierAccount, digest: string) => `${account.credentials.apiKey ?? ''} ${digest}`
  const find = async (account: CarrierAccount, person: Person): Promise<ValidatedPlace | undefined> => {
    const digest = addressDigestOf(person)
    const key = keyOf(account, digest)
    const cached = known.get(key)
    if (cached !== undefined) return cached
    const stored = placeOf(await addresses.find(account, digest))
    if (stored !== undefined) known.set(key, stored)
    return stored
  }
  const buy = async (account: CarrierAccount, person: Person): Promise<Outcome<ValidatedPlace>> => {
    const stored = await find(account, person)
    if (stored !== undefined) return { is: 'ok', value: stored }
    // It must not arrive twice: each that succeeds is charged.
    const ask = { method: 'POST', path: '/shipping/address/validate', body: person, isQuestion: false } as const
    const outcome = readShipbubble(await call(account, ask, AbortSignal.timeout(validationMs)), (data) => {
      const read = Validated.safeParse(data).data
      return read && { code: read.address_code, formatted: read.formatted_address }
    })
    if (outcome.is === 'ok') {
      const digest = addressDigestOf(person)
      known.set(keyOf(account, digest), outcome.value)
      await addresses.put(account, digest, outcome.value.code)
    }
    return outcome
  }
  /** Quotes that need one code at once share its validation, and none of them ends it for the others. */
  const start = (account: CarrierAccount, person: Person): Promise<Outcome<ValidatedPlace>> => {
    const key = keyOf(account, addressDigestOf(person))
    const started = buy(account, person).finally(() => underWay.delete(key))
    underWay.set(key, started)
    return started
  }
  return {
    validate: async (account, person, signal) => {
      const key = keyOf(account, addressDigestOf(person))
      const cached = known.get(key)
      if (cached !== undefined) return { is: 'ok', value: cached }
      return within(underWay.get(key) ?? start(account, person), signal)
    },
    find,
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
    forgetIfGone: async (account, { person, place: { code } }, signal) => {
      const heard = await call(account, { method: 'GET', path: `/shipping/address/${code}` }, signal)
      if (heard.is !== 'declined' || !codeUnknown.includes(heard.status)) return false
      const digest = addressDigestOf(person)
      const key = keyOf(account, digest)
      // Another quote, or another process, may have a new one by now.
      if (known.get(key)?.code === code) known.delete(key)
      await addresses.delete(account, digest, code)
      return true
    },
  }
}

/** Only the code was sent, so that declining it is a word on the code. */
const codeUnknown = [200, 400, 404, 410, 422]

/** A validation that outlasts its quote is charged all the same, so its code is waited for. */
const validationMs = 30_000

async function within<Value>(validation: Promise<Outcome<Value>>, signal: AbortSignal): Promise<Outcome<Value>> {
  try {
    return await pTimeout(validation, { milliseconds: Number.POSITIVE_INFINITY, signal })
  } catch (error) {
    if (!signal.aborted) throw error
    return { is: 'unknown', cause: 'timeout', message: 'Shipbubble did not validate the address in time.' }
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
