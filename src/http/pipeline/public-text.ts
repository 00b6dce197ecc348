import { z } from 'zod'
import { endpoints } from '../../../registry/index.ts'

/** Texts in request bodies that are never personal: ids, timestamps, currencies and the values of enums. */

const idPattern = /^[a-z]{3}_[0-7][0-9a-hjkmnp-tv-z]{25}$/
const timestampPattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)?$/
const currencyPattern = /^[A-Z]{3}$/

/** Maximum length of an id, a timestamp or a value of an enum. */
const maxLength = 64

/**
 * Reports whether a text certainly contains no personal data, by its format and by the name of its field in the request
 * body.
 */
export function isPublicText(name: string, text: string): boolean {
  if (text.length > maxLength) return false
  if (idPattern.test(text) || timestampPattern.test(text)) return true
  return name === 'currency' ? currencyPattern.test(text) : enumValues().has(text)
}

let collected: ReadonlySet<string> | undefined

/** The values are collected when the first body is redacted. */
function enumValues(): ReadonlySet<string> {
  collected ??= collectValues()
  return collected
}

function collectValues(): ReadonlySet<string> {
  const bodies = Object.values(endpoints).flatMap((endpoint) => ('body' in endpoint ? [endpoint.body.schema] : []))
  const visited = new Set<unknown>(bodies)
  const values = new Set<string>()
  // The loop also visits schemas that are added during the loop.
  for (const schema of visited) {
    if (schema instanceof z.ZodEnum || schema instanceof z.ZodLiteral)
      for (const value of valuesOf(schema)) if (typeof value === 'string') values.add(value)
    for (const inner of innerOf(schema)) visited.add(inner)
  }
  return values
}

function valuesOf(schema: z.ZodEnum | z.ZodLiteral): Iterable<unknown> {
  return schema instanceof z.ZodEnum ? schema.options : schema.values
}

function innerOf(schema: unknown): readonly unknown[] {
  if (schema instanceof z.ZodObject) return Object.values(schema.shape)
  if (schema instanceof z.ZodArray) return [schema.element]
  if (schema instanceof z.ZodRecord) return [schema.valueType]
  if (schema instanceof z.ZodUnion) return schema.options
  if (schema instanceof z.ZodPipe) return [schema.in]
  return schema instanceof z.ZodOptional || schema instanceof z.ZodDefault ? [schema.unwrap()] : []
}
