import fc from 'fast-check'
import type { Schema } from './document.ts'
import { chance, type Draw, oneOf } from './draw.ts'
import { generateText } from './generate-text.ts'
import type { Known } from './known.ts'
import type { Schemas } from './schemas.ts'

/**
 * Generates values that a schema allows. Each value is derived from the documented example, because the example is a
 * meaningful request. Parts of the example are copied, regenerated, removed or added. Ids are those of existing
 * records.
 */
export interface Generator {
  readonly schemas: Schemas
  readonly known: Known
  readonly draw: Draw
  /**
   * Percentage of the example's parts that are regenerated. At 0, the value is the documented example with existing
   * ids.
   */
  readonly changedPercent: number
  /** The record id in the path of the request whose body is generated. */
  readonly recordId?: string | undefined
  /** Returns a number for unique values. No earlier value on this service contains this number. */
  readonly next: () => number
}

/** Probability, in percent, with which an optional field that the example omits is added. */
const addedPercent = 12

export interface Wanted {
  readonly schema: Schema
  readonly example?: unknown
  /**
   * Name of the object member for which the value is generated. Some names, such as `email`, determine the form of the
   * text.
   */
  readonly name?: string | undefined
}

export function generateValue(generator: Generator, { schema, example, name = '' }: Wanted): unknown {
  const { schemas, draw, changedPercent } = generator
  const followed = schemas.follow(schema)
  const alternatives = followed.anyOf ?? followed.oneOf
  if (alternatives !== undefined) {
    return generateValue(generator, { schema: chosen(generator, alternatives, example), example, name })
  }
  const values = followed.enum ?? ('const' in followed ? [followed.const] : undefined)
  const isCopied = example !== undefined && !chance(draw, changedPercent)
  if (values !== undefined) return isCopied ? example : oneOf(draw, values)
  switch (typeOf(followed, draw)) {
    case 'object':
      return generateObject(generator, followed, example)
    case 'array':
      return generateArray(generator, { schema: followed, example, name })
    case 'string':
      return (
        knownId(generator, followed, name) ??
        (isCopied ? uniqueValue(generator, { schema: followed, example, name }) : generateText(followed, draw))
      )
    case 'integer':
      return isCopied ? example : generateInteger(followed, draw)
    case 'number':
      return isCopied ? example : generateNumber(followed, draw)
    case 'boolean':
      return isCopied ? example : draw(fc.boolean())
    default:
      return null
  }
}

function chosen(generator: Generator, alternatives: readonly Schema[], example: unknown): Schema {
  const { schemas, draw, changedPercent } = generator
  const fitting = alternatives.filter((each) => schemas.faultsOf(each, example).length === 0)
  const [first] = fitting
  if (first !== undefined && !chance(draw, changedPercent)) return first
  return oneOf(draw, alternatives) ?? {}
}

function typeOf({ type, properties }: Schema, draw: Draw): string {
  if (typeof type === 'string') return type
  if (type !== undefined) return oneOf(draw, type) ?? 'null'
  return properties === undefined ? 'string' : 'object'
}

function generateObject(generator: Generator, schema: Schema, example: unknown): object {
  const { draw, changedPercent } = generator
  const shown: object = Object(example)
  const fields: [string, unknown][] = []
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    const isShown = Object.hasOwn(shown, name)
    const isRequired = schema.required?.includes(name) ?? false
    const isIncluded = isShown
      ? !chance(draw, changedPercent / 4)
      : chance(draw, Math.min(addedPercent, changedPercent))
    const wanted = { schema: field, example: Reflect.get(shown, name), name }
    if (isRequired || isIncluded) fields.push([name, generateValue(generator, wanted)])
  }
  if (schema.properties === undefined && typeof schema.additionalProperties === 'object') {
    const names = Object.keys(shown)
    if (changedPercent > 0) names.push(...draw(memberNames))
    for (const name of names) {
      const wanted = { schema: schema.additionalProperties, example: Reflect.get(shown, name), name }
      fields.push([name, generateValue(generator, wanted)])
    }
  }
  return Object.fromEntries(fields)
}

/**
 * Generates names of additional members, for an object that allows any members. It is built once, because building it
 * takes as long as drawing a hundred values.
 */
const memberNames = fc.array(fc.stringMatching(/^[a-z]{1,12}$/), { maxLength: 3 })

/** Maximum length of a generated array. Longer arrays found no further defects. */
const longMax = 3

function generateArray(generator: Generator, { schema, example, name }: Wanted): unknown[] {
  const { draw, changedPercent } = generator
  const { items = {}, minItems = 0 } = schema
  const shown: unknown[] = Array.isArray(example) ? example : []
  const isLong = chance(draw, changedPercent)
  const min = Math.max(minItems, isLong ? 0 : shown.length)
  const max = Math.max(min, isLong ? Math.min(schema.maxItems ?? longMax, longMax) : shown.length)
  const length = draw(fc.integer({ min, max }))
  return Array.from({ length }, (_, at) => generateValue(generator, { schema: items, example: shown[at], name }))
}

/**
 * Returns the id of an existing record for a member such as `orderId`. An id that occurred in a response together with
 * the record of the path comes first, because an operation on an order or a return accepts only the items of this order
 * or return. If `changedPercent` is above 0, half of these members get the id of any record instead, and 8 % get a
 * value that is not the id of a known record.
 */
function knownId(
  { known, draw, changedPercent, recordId }: Generator,
  { pattern }: Schema,
  name: string,
): string | undefined {
  if (pattern === undefined || !/(^id|Ids?)$/.test(name)) return undefined
  if (changedPercent > 0 && chance(draw, 8)) return undefined
  const own = recordId === undefined ? [] : known.beside(recordId, pattern)
  const isOwn = own.length > 0 && (changedPercent === 0 || chance(draw, 50))
  return oneOf(draw, isOwn ? own : known.ids(pattern))
}

/**
 * Names of JSON members whose values must be unique within a merchant. A second request with the example's value would
 * be rejected.
 */
export const uniqueNames = ['reference', 'externalReference', 'sku', 'slug', 'email', 'phone', 'code']

/**
 * For a member that must be unique, returns a new value of the same form as the example. For any other member, returns
 * the example itself.
 */
function uniqueValue({ schemas, next }: Generator, { schema, example, name = '' }: Wanted): unknown {
  if (typeof example !== 'string' || !uniqueNames.includes(name)) return example
  const number = next()
  const digits = String(number).slice(-7)
  const letters = number.toString(36)
  const forms = [
    example.replace(/^(\+?\d+)\d{7}$/, (_, front: string) => front + digits),
    example.replace('@', `.${letters}@`),
    `${example}-${letters}`,
    `${example}${letters}`.toUpperCase(),
  ]
  return forms.find((form) => form !== example && schemas.faultsOf(schema, form).length === 0) ?? example
}

function generateInteger(schema: Schema, draw: Draw): number {
  const min = schema.minimum ?? 0
  const largest = schema.maximum ?? Number.MAX_SAFE_INTEGER
  const max = chance(draw, 85) ? Math.min(largest, min + 1000) : largest
  return draw(fc.integer({ min, max }))
}

function generateNumber(schema: Schema, draw: Draw): number {
  const min = schema.minimum ?? 0
  const max = schema.maximum ?? min + 1000
  return draw(fc.double({ min, max, noNaN: true, noDefaultInfinity: true }))
}
