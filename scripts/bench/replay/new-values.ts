/**
 * Replaces the values of a recorded order that must be unique, so that the same messages create another order. Every new value has
 * the length of the recorded one, because a message contains the lengths of its values.
 */

/** A value in the messages: an id of this service, an order number, or a UUID in an e-mail address or an idempotency key. */
const valuePattern = /[a-z]{3}_[0-9a-hjkmnp-tv-z]{26}|ORD-[0-9A-Z]{8}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g

/** An id starts with its type, such as `ord_`, and ten characters for its time. New ids have the same time. */
const typeLength = 4
const timeLength = 10

/** Characters of the counter that makes a value unique: a whole order number, and less than the random part of an id. */
const counterLength = 8

/** Messages with the places of the values to replace. */
export interface Template {
  readonly bytes: Buffer
  readonly counters: readonly CounterPlace[]
  readonly variants: readonly VariantPlace[]
}

interface CounterPlace {
  readonly offset: number
  /** Order numbers are in upper case. */
  readonly isUpperCase: boolean
}

/** The place of an id without its type, which a variant and its product have in common. */
interface VariantPlace {
  readonly offset: number
  /** The position of the variant among those of the order. */
  readonly item: number
}

export interface Recorded {
  readonly bytes: Buffer
  /** The messages of another order of the same variants. A value that is in both, such as the merchant's id, is not unique. */
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
  /** A number that no order had before. */
  readonly counter: number
  readonly variantIds: readonly string[]
}

/** Returns the messages of another order. */
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
