import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { endpoints, events } from '../../registry/index.ts'
import { isSerialized } from '../../registry/kit/serialized-record.ts'
import { serializerOf } from '../../registry/kit/serializer.ts'

/** The serializer must write the same text as JSON.stringify, for every response and event with any value. */

const schemas: [string, z.ZodType][] = [
  ...Object.values(endpoints)
    .filter((endpoint) => endpoint.access !== 'public' && !isSerialized(endpoint.reply.body))
    .map((endpoint): [string, z.ZodType] => [endpoint.id, endpoint.reply.body]),
  ...Object.values(events).map((event): [string, z.ZodType] => [event.kind, event.data]),
]

/** Generates arbitrary text, including characters that need escapes: quotes, control characters and lone surrogates. */
const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 10 }).map((units) => String.fromCharCode(...units)),
  fc.constantFrom('', '"', '\\', '\u0000', '\n', '\u2028', '\ud83d', '\ude00', '\u{1f457}'),
)

const number = fc.oneof(fc.integer(), fc.constantFrom(0, -0, 2 ** 53 - 1, -(2 ** 53 - 1), 1e21, 5e-324, 0.1))

/**
 * Generates values of the structure that a schema describes. Limits of the schema are ignored, because the service
 * writes stored values as they are.
 */
function valuesOf(schema: z.core.$ZodType): fc.Arbitrary<unknown> {
  if (isSerialized(schema)) return fc.jsonValue().map((kept) => ({ text: JSON.stringify(kept) }))
  if (schema instanceof z.ZodObject) {
    return fc.record(Object.fromEntries(Object.entries(schema.shape).map(([key, field]) => [key, valuesOf(field)])), {
      requiredKeys: Object.keys(schema.shape).filter((key) => !(schema.shape[key] instanceof z.ZodOptional)),
    })
  }
  if (schema instanceof z.ZodArray) return fc.array(valuesOf(schema.element), { maxLength: 3 })
  if (schema instanceof z.ZodRecord) return fc.dictionary(text, valuesOf(schema.valueType), { maxKeys: 3 })
  if (schema instanceof z.ZodOptional) return valuesOf(schema.unwrap())
  if (schema instanceof z.ZodUnion) return fc.oneof(...schema.options.map(valuesOf))
  if (schema instanceof z.ZodEnum) return fc.constantFrom(...schema.options)
  if (schema instanceof z.ZodLiteral) return fc.constantFrom(...schema.values)
  if (schema instanceof z.ZodNumber) return number
  if (schema instanceof z.ZodBoolean) return fc.boolean()
  if (schema instanceof z.ZodNull) return fc.constant(null)
  if (schema instanceof z.ZodUnknown) return fc.jsonValue()
  return text
}

/** Returns a value with its declared fields in the order of their declaration, in which the serializer writes them. */
function declared(schema: z.core.$ZodType, value: unknown): unknown {
  if (isSerialized(schema)) return JSON.parse(String(Reflect.get(Object(value), 'text')))
  if (schema instanceof z.ZodOptional) return value === undefined ? undefined : declared(schema.unwrap(), value)
  if (schema instanceof z.ZodArray && Array.isArray(value)) return value.map((each) => declared(schema.element, each))
  if (schema instanceof z.ZodUnion) {
    const [content] = schema.options
    return value === null || content === undefined ? value : declared(content, value)
  }
  if (schema instanceof z.ZodObject && typeof value === 'object' && value !== null) {
    const fields = Object.entries(schema.shape).map(([key, field]) => [key, declared(field, Reflect.get(value, key))])
    return Object.fromEntries(fields)
  }
  return value
}

describe.for(schemas)('the serializer of %s', ([, schema]) => {
  const write = serializerOf(schema)

  test('the response serializer writes declared fields as JSON.stringify does', () => {
    fc.assert(
      fc.property(valuesOf(schema), (value) => {
        expect(write(value)).toBe(JSON.stringify(declared(schema, value)))
      }),
      { numRuns: 200 },
    )
  })

  test('the response serializer omits undeclared fields', () => {
    fc.assert(
      fc.property(valuesOf(schema), (value) => {
        const more = { secret: 'x', ...Object(value) }
        expect(write(more)).toBe(write(value))
      }),
      { numRuns: 50 },
    )
  })

  test('the response serializer rejects a value if a field is missing or has another type', () => {
    if (!(schema instanceof z.ZodObject)) throw new Error('Replies and events are objects.')
    const fields = Object.keys(schema.shape).filter((key) => !(schema.shape[key] instanceof z.ZodOptional))
    fc.assert(
      fc.property(valuesOf(schema), fc.constantFrom(...fields), (value, field) => {
        expect(() => write({ ...Object(value), [field]: undefined })).toThrow(/does not match its schema/)
        expect(() => write({ ...Object(value), [field]: () => 1 })).toThrow(/does not match its schema/)
      }),
      { numRuns: 50 },
    )
  })
})
