import { isPublicText } from './public-text.ts'

/**
 * Redacts the JSON body of a rejected request for the request log: the names and the structure remain, and texts are
 * replaced by their length. The size of the result is limited, and the redaction takes time in proportion to the size
 * of the body.
 */

/** Maximum number of nesting levels of a redacted body. The deepest valid body has fewer levels. */
const depthMax = 16

/**
 * Maximum number of values in a redacted body. The first values are enough to show the mistake in a rejected request.
 */
const valuesMax = 200

/** Maximum length of a name in a redacted body, longer than the name of any field. */
const nameMaxLength = 64

/**
 * Maximum size in bytes of the names and values of a redacted body, after which further values are omitted. The maximum
 * size of the whole redacted body is 16 KB. This limit is lower, so that the last value and the marks of omitted values
 * also fit.
 */
const contentMaxBytes = 15 * 1024

/** Names of fields whose numbers identify a person or an account, or state where a person lives. */
const personalNames = /phone|mobile|whatsapp|account|card|bvn|nin$|pin$|cvv|otp$|^(lat|lng|latitude|longitude)$/i

/** Text that stands in a redacted body for the values that are omitted. */
const omitted = '‹more›'

/** The number of values, and the number of their bytes, that may still be added to a redacted body. */
interface Left {
  values: number
  bytes: number
}

interface Place {
  /** The name of the field that contains the value. Items of a list have the name of the list. */
  readonly name: string
  readonly depth: number
  /**
   * Whether the value belongs to a field with a personal number, such as a phone number, or is nested in such a field.
   */
  readonly isPersonal: boolean
  readonly left: Left
}

/** Returns the redacted body as JSON of at most 16 KB. */
export function redactBody(value: unknown): string {
  const left = { values: valuesMax, bytes: contentMaxBytes }
  return JSON.stringify(redact(value, { name: '', depth: 0, isPersonal: false, left }))
}

function redact(value: unknown, place: Place): unknown {
  place.left.values -= 1
  if (typeof value === 'object' && value !== null) {
    if (place.depth === depthMax) return charged(Array.isArray(value) ? '‹list›' : '‹object›', place)
    return Array.isArray(value) ? redactList(value, place) : redactObject(value, place)
  }
  return charged(redactScalar(value, place), place)
}

function redactScalar(value: unknown, { name, isPersonal }: Place): unknown {
  if (typeof value === 'number') return isPersonal ? '‹number›' : value
  if (typeof value !== 'string' || (!isPersonal && isPublicText(name, value))) return value
  return `‹string, ${value.length} ${value.length === 1 ? 'character' : 'characters'}›`
}

function redactList(items: readonly unknown[], place: Place): readonly unknown[] {
  const redacted: unknown[] = []
  for (const item of items) {
    if (isFull(place)) return [...redacted, omitted]
    redacted.push(redact(item, { ...place, depth: place.depth + 1 }))
  }
  return redacted
}

function redactObject(object: object, place: Place): object {
  const redacted: [string, unknown][] = []
  for (const [name, value] of Object.entries(object)) {
    if (isFull(place)) {
      redacted.push(['…', omitted])
      break
    }
    const isPersonal = place.isPersonal || personalNames.test(name)
    const shown = charged(name.slice(0, nameMaxLength), place)
    redacted.push([shown, redact(value, { ...place, name, isPersonal, depth: place.depth + 1 })])
  }
  return Object.fromEntries(redacted)
}

function isFull({ left }: Place): boolean {
  return left.values <= 0 || left.bytes <= 0
}

/**
 * Subtracts the size of a name or a value from the number of bytes that may still be added to the redacted body. The
 * size includes the characters that separate the name or value from the next one.
 */
function charged<Value>(value: Value, { left }: Place): Value {
  left.bytes -= Buffer.byteLength(JSON.stringify(value) ?? '') + 4
  return value
}
