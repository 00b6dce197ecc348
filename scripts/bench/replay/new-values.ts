/**
 * Replaces the values of a recorded order that must be unique, so that the same messages create another order. Every
 * new value has the length of the recorded one, because a message contains the lengths of its values.
 */

/**
 * A value in the recorded messages that must be unique: an id of this service, an order number, or a UUID in an e-mail
 * address or an idempotency key.
 */
const valuePattern = /[a-z]{3}_[0-9a-hjkmnp-tv-z]{26}|ORD-[0-9A-Z]{8}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g

/**
 * An id starts with the type of its record, such as `ord_`, followed by ten characters for its time. Generated ids keep
 * the recorded time.
 */
const typeLength = 4
const timeLength = 10

/**
 * Characters of the counter that makes a value unique. They replace the whole order number, or a part of the random
 * characters of an id.
 */
const counterLength = 8

/** Recorded messages with the offsets of the values that each new order must replace. */
export interface Template {
  readonly bytes: Buffer
  readonly counters: readonly CounterPlace[]
  readonly variants: readonly VariantPlace[]
}

interface CounterPlace {
  readonly offset: number
  /** Whether the replaced value is in upper case, as in an order number. */
  readonly isUpperCase: boolean
}

/**
 * The offset of a variant's id without its type prefix. The ids of a variant and of its product are equal after the
 * prefix.
 */
interface VariantPlace {
  readonly offset: number
  /** The position of the variant in the list of ordered variants, counted from 0. */
  readonly item: number
}

export interface Recorded {
  readonly bytes: Buffer
  /**
   * The recorded messages of another order with the same variants. A value that occurs in both orders, such as the
   * merchant's id, need not be unique.
   */
  readonly other: string
  readonly variantIds: readonly string[]
}

export function templateOf({ bytes, other, variantIds }: Recorded): Template {
  const variants = variantIds.map((id) => id.slice(typeLength))
  const found = [...bytes.toString('latin1').matchAll(valuePattern)]
  const items = found.map(({ 0: value, index }) => ({
    offset: index + typeLength,
    item: variants.indexOf(value.slice(typeLength)),
  }))
  return {
    bytes,
    counters: found
      .filter(({ 0: value }) => !other.includes(value))
      .map(({ 0: value, index }) => placeOf(value, index)),
    variants: items.filter(({ item }) => item >= 0),
  }
}

function placeOf(value: string, index: number): CounterPlace {
  if (value.startsWith('ORD-')) return { offset: index + typeLength, isUpperCase: true }
  const isUuid = value.charAt(typeLength - 1) !== '_'
  return { offset: isUuid ? index : index + typeLength + timeLength, isUpperCase: false }
}

export interface NewValues {
  /** Number of the order, which no previous order had. It makes the new values unique. */
  readonly counter: number
  readonly variantIds: readonly string[]
}

/** Returns the recorded messages with new values, so that they create another order. */
export function withNewValues(template: Template, { counter, variantIds }: NewValues): Buffer {
  const bytes = Buffer.from(template.bytes)
  const lowerCase = counter.toString(16).padStart(counterLength, '0')
  const upperCase = lowerCase.toUpperCase()
  for (const { offset, isUpperCase } of template.counters)
    bytes.write(isUpperCase ? upperCase : lowerCase, offset, 'latin1')
  const ids = variantIds.map((id) => id.slice(typeLength))
  for (const { offset, item } of template.variants) bytes.write(ids[item] ?? '', offset, 'latin1')
  return bytes
}
