import type { Operation, Schema } from './document.ts'
import { generateText } from './generate-text.ts'
import { type Generator, generateValue } from './generate-value.ts'
import { makeBody } from './make-body.ts'
import type { Schemas } from './schemas.ts'

/**
 * The human-readable texts of a body: strings whose schema has no pattern, format or list of values. The values of a
 * map, such as metadata, are the integrator’s own data and not human-readable text.
 */

export interface PlacedText {
  /** The path of the text in the body, such as `shippingAddress.line1` or `tags[0]`. */
  readonly place: string
  /** A text that the schema allows at this place in the body. */
  readonly text: string
  /** Returns a copy of the body with the given text at this path. */
  with(text: string): unknown
}

export function textPlacesOf(generator: Generator, operation: Operation): PlacedText[] {
  const { body } = operation
  if (body === undefined) return []
  const { schemas } = generator
  return placesIn(schemas, body.schema, []).flatMap(({ path, schema }) => {
    const text = textFor(generator, schema)
    const made = makeBody(generator, operation)
    const withText = (each: string) => placed(generator, { schema: body.schema, value: made, path }, each)
    // Other parts of the body must match the schema, because otherwise a 400 would prove nothing about the text.
    if (schemas.faultsOf(body.schema, withText(text)).length > 0) return []
    return [{ place: nameOf(path), text, with: withText }]
  })
}

type Path = readonly (string | number)[]

interface Place {
  readonly path: Path
  readonly schema: Schema
}

/** Maximum depth of the traversal, larger than that of any real body. It ends the traversal of a recursive schema. */
const depthMax = 8

function placesIn(schemas: Schemas, schema: Schema, path: Path): Place[] {
  if (path.length > depthMax) return []
  const followed = schemas.follow(schema)
  const alternatives = [...(followed.anyOf ?? []), ...(followed.oneOf ?? []), ...(followed.allOf ?? [])]
  const { properties = {}, items } = followed
  return [
    ...alternatives.flatMap((each) => placesIn(schemas, each, path)),
    ...Object.entries(properties).flatMap(([name, member]) => placesIn(schemas, member, [...path, name])),
    ...(items === undefined ? [] : placesIn(schemas, items, [...path, 0])),
    ...(isFreeText(followed) ? [{ path, schema: followed }] : []),
  ]
}

function isFreeText({ type, pattern, format, enum: values, const: value }: Schema): boolean {
  return [type].flat().includes('string') && [pattern, format, values, value].every((each) => each === undefined)
}

function textFor({ schemas, draw }: Generator, schema: Schema): string {
  const example = schema.examples?.find((each) => typeof each === 'string')
  if (example !== undefined && schemas.faultsOf(schema, example).length === 0) return example
  const { minLength = 0, maxLength } = schema
  return generateText({ ...schema, minLength: Math.min(Math.max(minLength, 3), maxLength ?? 3) }, draw)
}

interface Part {
  readonly schema: Schema
  readonly value: unknown
  readonly path: Path
}

/**
 * Puts the text at the given path of the value. An object on the path that the value lacks is generated from the
 * schema.
 */
function placed(generator: Generator, { schema, value, path }: Part, text: string): unknown {
  const [name, ...rest] = path
  if (name === undefined) return text
  const within = partWith(generator.schemas, schema, name)
  if (typeof name === 'number') {
    const [first, ...others]: unknown[] = Array.isArray(value) ? value : []
    return [placed(generator, { schema: within.items ?? {}, value: first, path: rest }, text), ...others]
  }
  const isObject = typeof value === 'object' && value !== null
  const base: object = Object(isObject ? value : generateValue(generator, { schema: within }))
  const member = within.properties?.[name] ?? {}
  return { ...base, [name]: placed(generator, { schema: member, value: Reflect.get(base, name), path: rest }, text) }
}

/**
 * Returns the first schema that has the member: the schema itself or one of its alternatives. If none of them has the
 * member, returns the schema itself.
 */
function partWith(schemas: Schemas, schema: Schema, name: string | number): Schema {
  const followed = schemas.follow(schema)
  const alternatives = [...(followed.anyOf ?? []), ...(followed.oneOf ?? []), ...(followed.allOf ?? [])]
  const all = [followed, ...alternatives.map((each) => partWith(schemas, each, name))]
  const hasMember = ({ items, properties }: Schema) =>
    typeof name === 'number' ? items !== undefined : properties?.[name] !== undefined
  return all.find(hasMember) ?? followed
}

function nameOf(path: Path): string {
  return path.map((part, at) => (typeof part === 'number' ? `[${part}]` : `${at === 0 ? '' : '.'}${part}`)).join('')
}
