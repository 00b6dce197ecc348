import { AsyncLocalStorage } from 'node:async_hooks'
import { randomBytes } from 'node:crypto'

/** The only source of randomness. Ids and secrets are made here so that a test can see everything that is random. */

/** Crockford's base32: no i, l, o or u, so that an id can be read aloud. */
export const base32 = '0123456789abcdefghjkmnpqrstvwxyz'
export const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/**
 * A prefixed UUIDv7 in base32: 48 bits of time, then 74 random bits, so that ids made later sort later.
 * It is made here rather than by the database, so that PostgreSQL 15 suffices.
 */
export function newId(prefix: string, nowMs: number): string {
  return takeChosen(prefix) ?? idOf(prefix, nowMs, randomPool(16))
}

const chosen = new AsyncLocalStorage<string[]>()

/** For the demo, whose records the documentation names: the first ids that are made within it are these, kind by kind. */
export function withIds<Result>(ids: readonly string[], work: () => Result): Result {
  return chosen.run([...ids], work)
}

function takeChosen(prefix: string): string | undefined {
  const ids = chosen.getStore()
  const index = ids?.findIndex((id) => id.startsWith(`${prefix}_`)) ?? -1
  return index < 0 ? undefined : ids?.splice(index, 1)[0]
}

/** The lowest id of that prefix made at or after the moment: ids sort by time. */
export function lowestIdAt(prefix: string, ms: number): string {
  // What was before 1970 was before every id.
  return idOf(prefix, Math.max(0, ms), Buffer.alloc(16))
}

/** When an id was made: its first ten characters are two zero bits and the 48 of its moment. */
export function momentOf(id: string): number {
  const text = id.slice(id.indexOf('_') + 1).slice(0, 10)
  return [...text].reduce((ms, character) => ms * 32 + base32.indexOf(character), 0)
}

function idOf(prefix: string, ms: number, uuid: Buffer): string {
  uuid.writeUIntBE(ms, 0, 6)
  uuid[6] = 0x70 | ((uuid[6] ?? 0) & 0x0f) // version 7
  uuid[8] = 0x80 | ((uuid[8] ?? 0) & 0x3f) // the variant of RFC 9562
  return `${prefix}_${encodeBase32(uuid)}`
}

/** 128 bits as 26 characters; the first holds only three bits. */
function encodeBase32(bytes: Uint8Array): string {
  let text = ''
  let bits = 0
  let held = 2 // 130 bits are written, so two zero bits lead
  for (const byte of bytes) {
    bits = ((bits << 8) | byte) & 0xfff
    held += 8
    while (held >= 5) {
      held -= 5
      text += base32.charAt((bits >> held) & 31)
    }
  }
  return text
}

/** An order number of seven random characters. */
export function newOrderNumber(): string {
  return orderNumberOf([...randomPool(7)].map((byte) => byte & 31))
}

/**
 * Seven values under 32 as an order number, with one character more that checks them, because numbers are dictated on
 * the phone. Every weight is odd, so that no single wrong character passes.
 */
export function orderNumberOf(values: readonly number[]): string {
  const check = values.reduce((sum, value, index) => sum + value * (2 * index + 1), 0) % 32
  return `ORD-${[...values, check]
    .map((value) => base32.charAt(value))
    .join('')
    .toUpperCase()}`
}

/** Random digits and letters that can be read aloud, five bits each. */
export function randomCode(length: number): string {
  return [...randomPool(length)]
    .map((byte) => base32.charAt(byte & 31))
    .join('')
    .toUpperCase()
}

/** A stock keeping unit for a variant that was given none. Forty bits meet one of a merchant's own only by mishap. */
export function newSku(): string {
  return `SKU-${randomCode(8)}`
}

/** Random letters and digits without bias: bytes past the last whole multiple of 62 are thrown away. */
export function randomBase62(length: number): string {
  let text = ''
  while (text.length < length) {
    for (const byte of randomPool(length)) {
      if (byte < 248 && text.length < length) text += base62.charAt(byte % 62)
    }
  }
  return text
}

/** A secret of so many random bytes, in base64url. */
export function randomSecret(bytes: number): string {
  return randomBytes(bytes).toString('base64url')
}

/** Secret bytes as they are. */
export function randomKey(bytes: number): Buffer {
  return randomBytes(bytes)
}

/** Asking the system for every id is slow, so random bytes are fetched in batches; each is used once. */
const poolBytes = 8192
let pool = Buffer.alloc(0)

function randomPool(bytes: number): Buffer {
  if (pool.length < bytes) pool = randomBytes(poolBytes)
  const taken = pool.subarray(0, bytes)
  pool = pool.subarray(bytes)
  return taken
}

/** Digits a person reads out. Bytes past the last whole multiple of ten are thrown away, so that none is likelier. */
export function randomDigits(length: number): string {
  let text = ''
  while (text.length < length) {
    for (const byte of randomPool(length)) {
      if (byte < 250 && text.length < length) text += String(byte % 10)
    }
  }
  return text
}

/** Digits that some carriers take as a number, so that the first is not 0. */
export function randomPin(length: number): string {
  const text = randomDigits(length)
  return text.startsWith('0') ? randomPin(length) : text
}
