import { z } from 'zod'
import type { Part } from './guard-parts.ts'

/**
 * Returns a fault for each schema construct that the OpenAPI generator translates incorrectly. The text of the fault
 * contains the remedy.
 */
export function schemaFaults(parts: readonly Part[]): string[] {
  const faults = new Set<string>()
  const owners = new Map<string, z.core.$ZodType>()
  for (const part of parts) {
    for (const schema of reachable(part.schema)) {
      const found = [...rules, ...(part.isReply ? [parsedReply] : [])].map((rule) => rule(schema))
      found.push(sharedName(schema, owners))
      for (const fault of found) if (fault !== undefined) faults.add(`${part.place}: ${fault}`)
    }
  }
  return [...faults]
}

/** Function that checks one schema and returns its fault. Undefined for a valid schema. */
type Rule = (schema: z.core.$ZodType) => string | undefined

/** Rejects `.nullable()`: on a named schema, the generator changes the shared component or omits null. */
const nullableWrapper: Rule = (schema) =>
  schema instanceof z.ZodNullable ? 'Write `nullable(schema)` of vocabulary.ts instead of `.nullable()`.' : undefined

/** Rejects a schema that is derived from a named schema, because the derived schema loses the name. */
const lostName: Rule = (schema) => {
  const name = nameOf(schema) === undefined ? ancestorName(schema) : undefined
  return name === undefined
    ? undefined
    : `A schema is derived from the named schema ${name} and loses the name. Use ${name} unchanged, or derive from the unnamed schema.`
}

/** Rejects patterns with flags. JSON Schema has no flags: the generator would write `/x/i` as the pattern `x/i`. */
const flaggedPattern: Rule = (schema) => {
  const pattern = patternsOf(schema).find(({ flags }) => flags !== '')
  return pattern && `The pattern ${pattern} has flags, which JSON Schema lacks. Spell them out, as in [Aa] for /a/i.`
}

/**
 * Rejects coercion: a coerced schema accepts undocumented values, such as 0x10 for 16, and the OpenAPI document
 * describes it as nullable.
 */
const coercion: Rule = (schema) =>
  Reflect.get(schema._zod.def, 'coerce') === true
    ? 'Coercion accepts undocumented values. Use queryInteger() in a query, and the plain type in a body.'
    : undefined

/**
 * Rejects a response schema that parses values, for example with a transform or a default: the OpenAPI document would
 * describe the value before parsing.
 */
const parsedReply: Rule = (schema) =>
  parsing.has(schema._zod.def.type)
    ? `The service does not parse its replies, so a reply schema cannot contain ${schema._zod.def.type}. Declare the value as it is sent.`
    : undefined

const parsing: ReadonlySet<string> = new Set(['default', 'prefault', 'catch', 'pipe', 'transform'])

const rules: readonly Rule[] = [nullableWrapper, lostName, flaggedPattern, coercion]

/** Rejects two schemas with one name, because the generator uses the first schema for both. */
function sharedName(schema: z.core.$ZodType, owners: Map<string, z.core.$ZodType>): string | undefined {
  const name = nameOf(schema)
  if (name === undefined) return undefined
  const owner = owners.get(name) ?? schema
  owners.set(name, owner)
  return owner === schema
    ? undefined
    : `Two schemas are named ${name}. Name schemas with named(), which rejects duplicate names.`
}

export function reachable(root: z.core.$ZodType, found = new Set<z.core.$ZodType>()): ReadonlySet<z.core.$ZodType> {
  if (found.has(root)) return found
  found.add(root)
  for (const child of childrenOf(root)) reachable(child, found)
  return found
}

function childrenOf(schema: z.core.$ZodType): z.core.$ZodType[] {
  if (schema instanceof z.ZodLazy) return [schema.unwrap()].filter(isSchema)
  const { shape, ...definition } = { shape: {}, ...schema._zod.def }
  return [...Object.values(definition).flat(), ...Object.values(shape)].filter(isSchema)
}

function isSchema(value: unknown): value is z.core.$ZodType {
  return value instanceof z.core.$ZodType
}

/**
 * Returns the name that a schema has as a component of the OpenAPI document. Derived schemas inherit all metadata
 * except this name.
 */
export function nameOf(schema: z.core.$ZodType): string | undefined {
  return z.globalRegistry.get(schema)?.id
}

function ancestorName(schema: z.core.$ZodType): string | undefined {
  const { parent } = schema._zod
  return parent && (nameOf(parent) ?? ancestorName(parent))
}

function patternsOf(schema: z.core.$ZodType): RegExp[] {
  return (schema._zod.def.checks ?? [])
    .map((check): unknown => Reflect.get(check._zod.def, 'pattern'))
    .filter((pattern) => pattern instanceof RegExp)
}
