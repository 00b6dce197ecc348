import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import pTimeout from 'p-timeout'
import { z } from 'zod'
import type { Place } from '../../../registry/logistics/place.ts'
import type { Clock } from '../../base/clock.ts'
import { expiryBy } from '../../base/clock.ts'
import { addressOf, lastDigits } from './address-text.ts'
import type { CarrierAccount, Outcome } from './carrier.ts'
import type { AddressBook } from './shared.ts'
import { readShipbubble, type ShipbubbleCaller, type ShipbubbleRequest } from './shipbubble-calls.ts'

/**
 * Shipbubble quotes prices for address codes, not for places: each place and its contact are validated first and get a
 * code.
 */

export interface ValidatedPlace {
  readonly code: number
  /**
   * The address as Shipbubble formats it. A search for an order compares it with the addresses of Shipbubble's orders.
   * Undefined if the address code was read from the database.
   */
  readonly formatted: string | undefined
}

export interface PlaceValidator {
  /** Returns the stored code of an address, or a new one, for which Shipbubble charges. */
  validate(account: CarrierAccount, person: Contact, signal: AbortSignal): Promise<Outcome<ValidatedPlace>>
  /** Returns the stored code of an address, if there is one. The call is never charged. */
  find(account: CarrierAccount, person: Contact): Promise<ValidatedPlace | undefined>
  /** Returns the address that belongs to an address code, as Shipbubble formats it. The request is free of charge. */
  formattedOf(account: CarrierAccount, place: ValidatedPlace, signal: AbortSignal): Promise<string>
  /**
   * Deletes the stored address code if Shipbubble no longer has it, and reports whether the code was deleted. The
   * request to Shipbubble is free of charge.
   */
  deleteIfUnknown(account: CarrierAccount, located: Located, signal: AbortSignal): Promise<boolean>
}

export interface Located {
  readonly person: Contact
  readonly place: ValidatedPlace
}

/**
 * A place and its contact as sent to Shipbubble. Two places that differ in any of these fields have different address
 * codes.
 */
export interface Contact {
  readonly name: string
  readonly email: string
  readonly phone: string
  readonly address: string
  readonly latitude?: number
  readonly longitude?: number
}

/** Maximum number of cached address codes: a few megabytes. Evicted codes are read from the database. */
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

/**
 * Each successful validation is charged, so the address code from a validation is stored for as long as Shipbubble
 * stores it.
 */
export function openPlaceValidator(call: ShipbubbleCaller, clock: Clock, addresses: AddressBook): PlaceValidator {
  const known = new LRUCache<string, ValidatedPlace>({ max: placesMax, ttl: placeLifeMs, ...expiryBy(clock) })
  const underWay = new Map<string, Promise<Outcome<ValidatedPlace>>>()
  const keyOf = (account: CarrierAccount, digest: string) => `${account.credentials.apiKey ?? ''} ${digest}`
  const find = async (account: CarrierAccount, person: Contact): Promise<ValidatedPlace | undefined> => {
    const digest = addressDigestOf(person)
    const key = keyOf(account, digest)
    const cached = known.get(key)
    if (cached !== undefined) return cached
    const stored = placeOf(await addresses.find(account, digest))
    if (stored !== undefined) known.set(key, stored)
    return stored
  }
  const validateNew = async (account: CarrierAccount, person: Contact): Promise<Outcome<ValidatedPlace>> => {
    const stored = await find(account, person)
    if (stored !== undefined) return { is: 'ok', value: stored }
    // A request to validate an address is not idempotent, because each successful validation is charged.
    const ask: ShipbubbleRequest = {
      method: 'POST',
      path: '/shipping/address/validate',
      body: person,
      isIdempotent: false,
    }
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
  /**
   * Concurrent quotes for the same address share the validation, and the deadline of one caller does not cancel it for
   * the others.
   */
  const start = (account: CarrierAccount, person: Contact): Promise<Outcome<ValidatedPlace>> => {
    const key = keyOf(account, addressDigestOf(person))
    const started = validateNew(account, person).finally(() => underWay.delete(key))
    underWay.set(key, started)
    return started
  }
  return {
    validate: async (account, person, signal) => {
      const key = keyOf(account, addressDigestOf(person))
      const cached = known.get(key)
      if (cached !== undefined) return { is: 'ok', value: cached }
      return withDeadline(underWay.get(key) ?? start(account, person), signal)
    },
    find,
    formattedOf: async (account, { code, formatted }, signal) => {
      if (formatted !== undefined) return formatted
      const response = await call(
        account,
        { method: 'GET', path: `/shipping/address/${code}`, isBackground: true },
        signal,
      )
      const read = readShipbubble(response, (data) => Validated.partial().safeParse(data).data)
      return read.is === 'ok' ? (read.value.formatted_address ?? '') : ''
    },
    deleteIfUnknown: async (account, { person, place: { code } }, signal) => {
      const response = await call(account, { method: 'GET', path: `/shipping/address/${code}` }, signal)
      if (response.is !== 'declined' || !codeUnknown.includes(response.status)) return false
      const digest = addressDigestOf(person)
      const key = keyOf(account, digest)
      // If another quote or another process has stored a new code meanwhile, the new code stays in the cache: only the
      // cached code that Shipbubble no longer has is removed.
      if (known.get(key)?.code === code) known.delete(key)
      await addresses.delete(account, digest, code)
      return true
    },
  }
}

/**
 * HTTP statuses that mean that Shipbubble does not have the address code. The request contains only the code, so a
 * rejected request means that the code is unknown.
 */
const codeUnknown = [200, 400, 404, 410, 422]

/**
 * Time limit of a validation, longer than that of a quote. Shipbubble charges for a validation even if the quote times
 * out, so the service still waits for the address code.
 */
const validationMs = 30_000

async function withDeadline<Value>(validation: Promise<Outcome<Value>>, signal: AbortSignal): Promise<Outcome<Value>> {
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

/**
 * Returns the digest of an address and its contact, under which the address code is stored. Case, spaces and
 * punctuation are normalised, so that different spellings of one address share a code.
 */
function addressDigestOf({ name, email, phone, address, latitude, longitude }: Contact): string {
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

/** Maximum imprecision, in metres, of a place whose coordinates are sent. The coordinates override the address text. */
const pointPrecisionMeters = 200

/** Undefined without a phone number, because an invented number would mislead the rider. */
export function contactAt(
  place: Place,
  { role, email, phone }: { role: 'Sender' | 'Recipient'; email: string; phone: string | null },
): Contact | undefined {
  const usablePhone = place.phone ?? phone
  if (usablePhone === null) return undefined
  const { lat, lng } = place.location
  return {
    name: twoWords(place.name ?? '', role),
    email: place.email ?? email,
    phone: usablePhone,
    address: addressOf(place),
    ...(place.precisionMeters <= pointPrecisionMeters ? { latitude: lat, longitude: lng } : {}),
  }
}

/**
 * Returns the name as at least two words that consist only of letters. Only the documentation of a client library for
 * Shipbubble mentions this requirement; Shipbubble's own documentation does not.
 */
function twoWords(name: string, role: string): string {
  const words = name
    .normalize('NFC')
    .replaceAll(/['’.]/g, '')
    .split(/[^\p{L}]+/u)
    .filter((word) => word !== '')
  if (words.length === 0) return `Parcel ${role}`
  return words.length === 1 ? `${words[0]} ${role}` : words.join(' ')
}
