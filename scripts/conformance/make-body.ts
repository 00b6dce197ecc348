import type { Operation, Schema } from './document.ts'
import { oneOf } from './draw.ts'
import { type Generator, generateValue } from './generate-value.ts'
import type { Schemas } from './schemas.ts'

/**
 * Maximum number of attempts to generate a valid body. If every generated body is invalid, the documented example is
 * used instead.
 */
const triesMax = 6

export function makeBody(generator: Generator, { body }: Operation): unknown {
  if (body === undefined) return undefined
  for (let tries = 0; tries < triesMax; tries++) {
    const value = generateValue(generator, body)
    if (generator.schemas.faultsOf(body.schema, value).length === 0) return value
  }
  return generateValue({ ...generator, changedPercent: 0 }, body)
}

/**
 * Percentage of the example's values that an update replaces with generated values. An update to the record's current
 * values would change nothing. The other values stay, because the service accepts them.
 */
const updatedPercent = 60

/**
 * Builds the body of an update, with one field only. A service rejects an update if the state of the record forbids one
 * field of the update. Most random bodies with several fields would contain a forbidden field.
 */
export function makeUpdate(generator: Generator, operation: Operation): unknown {
  const whole = makeBody({ ...generator, changedPercent: updatedPercent }, operation)
  const field = oneOf(generator.draw, Object.entries(Object(whole)))
  if (operation.body === undefined || field === undefined) return whole
  const update = Object.fromEntries([field])
  return generator.schemas.faultsOf(operation.body.schema, update).length === 0 ? update : whole
}

/**
 * Returns variations of the example, each with one changed field. An optional field that the example omits gets its own
 * example, if it has one. An enum field gets each of its other values, one per variation.
 */
export function variationsOf(generator: Generator, { body }: Operation): object[] {
  if (body === undefined) return []
  const { schemas } = generator
  const shown: object = Object(body.example)
  return Object.entries(schemas.follow(body.schema).properties ?? {})
    .flatMap(([name, field]) =>
      valuesOf(schemas, field, Reflect.get(shown, name)).map((value) => ({ name, field, value })),
    )
    .map(({ name, field, value }) => {
      const example: object = Object(generateValue(generator, body))
      return { ...example, [name]: generateValue(generator, { schema: field, example: value, name }) }
    })
    .filter((made) => schemas.faultsOf(body.schema, made).length === 0)
}

function valuesOf(schemas: Schemas, field: Schema, shown: unknown): unknown[] {
  if (shown !== undefined) return (schemas.follow(field).enum ?? []).filter((value) => value !== shown)
  const example = exampleOf(schemas, field)
  return example === undefined ? [] : [example]
}

export function exampleOf(schemas: Schemas, field: Schema): unknown {
  return (field.examples ?? schemas.follow(field).examples)?.[0]
}
