import { AsyncLocalStorage } from 'node:async_hooks'
import { randomBytes, randomUUID } from 'node:crypto'

/** The only source of randomness: ids, codes and secrets are generated here. */

/** Crockford's base32 alphabet: without i, l, o and u, so that an id can be read aloud. */
export const base32 = '0123456789abcdefghjkmnpqrstvwxyz'
export const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/**
 * Returns a prefixed UUIDv7 in base32: 48 bits of time, then 74 random bits, so that ids sort by creation time.
 * The database does not generate it, because PostgreSQL 15 has no UUIDv7.
 */
export function newId(prefix: string, nowMs: number): string {
  const preset = presetIds.getStore()
  return (preset && takeId(preset, prefix)) ?? idOf(prefix, nowMs, randomPool(16))
}

const presetIds = new AsyncLocalStorage<string[]>()

/**
 * Runs a function in which newId() returns the given ids before it generates others. A given id is returned only to a
 * call of newId() with the prefix of this id. Demo data is created in this way, so that its ids are those in the
 * examples of the documentation.
 */
export function withIds<Result>(ids: readonly string[], work: () => Result): Result {
  return presetIds.run([...ids], work)
}

function takeId(ids: string[], prefix: string): string | undefined {
  const index = ids.findIndex((id) => id.startsWith(`${prefix}_`))
  return index < 0 ? undefined : ids.splice(index, 1)[0]
}

/** Returns the lowest possible id with a given prefix and a given creation time, for range queries: ids sort by creation time. */
export function lowestIdAt(prefix: string, ms: number): string {
  // An id cannot encode a time before 1970, because such a time is negative, or one above 48 bits. All times of ids are
  // in this range, so other times are replaced by its ends.
  return idOf(prefix, Math.min(Math.max(0, ms), 2 ** 48 - 1), Buffer.alloc(16))
}

/** Returns the creation time of an id: its first ten characters hold two zero bits and 48 bits of time. */
export function timeOfId(id: string): number {
  const text = id.slice(id.indexOf('_') + 1).slice(0, 10)
  return [...text].reduce((ms, character) => ms * 32 + base32.indexOf(character), 0)
}

function idOf(prefix: string, ms: number, uuid: Buffer): string {
  uuid.writeUIntBE(ms, 0, 6)
  uuid[6] = 0x70 | ((uuid[6] ?? 0) & 0x0f) // version 7
  uuid[8] = 0x80 | ((uuid[8] ?? 0) & 0x3f) // Sets the two variant bits of a UUID (RFC 9562).
  return `${prefix}_${encodeBase32(uuid)}`
}

/** Encodes 128 bits as 26 base32 characters; the first character contains only three bits. */
function encodeBase32(bytes: Uint8Array): string {
  let text = ''
  let bits = 0
  let held = 2 // 26 characters hold 130 bits, so two zero bits precede the 128 bits of the UUID.
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

export function newLeaseId(): string {
  return randomUUID()
}

export function newOrderNumber(): string {
  return orderNumberOf([...randomPool(7)].map((byte) => byte & 31))
}

/**
 * Formats seven values below 32 as an order number with a check character, because people dictate order numbers on the
 * phone. The weights of the checksum are odd, so that the checksum detects each single wrong character.
 */
export function orderNumberOf(values: readonly number[]): string {
  const check = values.reduce((sum, value, index) => sum + value * (2 * index + 1), 0) % 32
  return `ORD-${[...values, check]
    .map((value) => base32.charAt(value))
    .join('')
    .toUpperCase()}`
}

/** Returns random digits and letters that can be read aloud, five bits each. */
export function randomCode(length: number): string {
  return [...randomPool(length)]
    .map((byte) => base32.charAt(byte & 31))
    .join('')
    .toUpperCase()
}

/** Returns a generated SKU for a variant without one. Its forty random bits make a collision unlikely. */
export function newSku(): string {
  return `SKU-${randomCode(8)}`
}

/**
 * Returns random letters and digits without bias: bytes of 248 or more are discarded, so that each of the 62 characters
 * stands for four values of a byte.
 */
export function randomBase62(length: number): string {
  let text = ''
  while (text.length < length) {
    for (const byte of randomPool(length)) {
      if (byte < 248 && text.length < length) text += base62.charAt(byte % 62)
    }
  }
  return text
}

export function randomSecret(bytes: number): string {
  return randomBytes(bytes).toString('base64url')
}

export function randomKey(bytes: number): Buffer {
  return randomBytes(bytes)
}

/**
 * Random bytes are generated in batches of this size, because a system call for every id would be slow. Each random
 * byte is used once.
 */
const poolBytes = 8192
let pool = Buffer.alloc(0)

function randomPool(bytes: number): Buffer {
  if (pool.length < bytes) pool = randomBytes(poolBytes)
  const taken = pool.subarray(0, bytes)
  pool = pool.subarray(bytes)
  return taken
}

/**
 * Returns random digits without bias: bytes of 250 or more are discarded, so that each digit stands for 25 values of a
 * byte.
 */
export function randomDigits(length: number): string {
  let text = ''
  while (text.length < length) {
    for (const byte of randomPool(length)) {
      if (byte < 250 && text.length < length) text += String(byte % 10)
    }
  }
  return text
}

/** Returns random digits that do not start with 0: some carriers store a PIN as a number. */
export function randomPin(length: number): string {
  const text = randomDigits(length)
  return text.startsWith('0') ? randomPin(length) : text
}
