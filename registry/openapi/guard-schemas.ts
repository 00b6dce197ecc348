import { z } from 'zod'
import type { Part } from './guard-parts.ts'

/** Constructs the generator misreads, each with its remedy. Every rule says nothing of a schema that is fine. */

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

type Rule = (schema: z.core.$ZodType) => string | undefined

/** A named schema made nullable changes its component everywhere, or is written as one that takes no null. */
const nullableWrapper: Rule = (schema) =>
  schema instanceof z.ZodNullable ? 'Write `nullable(schema)` of vocabulary.ts instead of `.nullable()`.' : undefined

/** A check, a description or anything else added to a named schema makes another schema, which has no name. */
const lostName: Rule = (schema) => {
  const name = nameOf(schema) === undefined ? ancestorName(schema) : undefined
  return name === undefined
    ? undefined
    : `A schema was made from ${name} after it was named and is written without the name. Use ${name} as it is, or make the new one from the unnamed schema.`
}

/** The flags end up inside the pattern: `/x/i` becomes the pattern `x/i`. */
const flaggedPattern: Rule = (schema) => {
  const pattern = patternsOf(schema).find(({ flags }) => flags !== '')
  return pattern && `The pattern ${pattern} has flags, which JSON Schema has not. Spell them out, as in [Aa] for /a/i.`
}

/** Coercion takes what no document promises, such as 0x10 for 16, and is written as nullable. */
const coercion: Rule = (schema) =>
  Reflect.get(schema._zod.def, 'coerce') === true
    ? 'Coercion takes more than it says. Use queryInteger() in a query, and the plain type in a body.'
    : undefined

/** The document would describe the value before it is parsed, or promise less than is always there. */
const parsedReply: Rule = (schema) =>
  parsing.has(schema._zod.def.type)
    ? `A reply is written, not parsed, so it can hold no ${schema._zod.def.type}. Declare the value as it is sent.`
    : undefined

const parsing: ReadonlySet<string> = new Set(['default', 'prefault', 'catch', 'pipe', 'transform'])

const rules: readonly Rule[] = [nullableWrapper, lostName, flaggedPattern, coercion]

/** The generator keeps the first of two schemas with one name and uses it for both. */
function sharedName(schema: z.core.$ZodType, owners: Map<string, z.core.$ZodType>): string | undefined {
  const name = nameOf(schema)
  if (name === undefined) return undefined
  const owner = owners.get(name) ?? schema
  owners.set(name, owner)
  return owner === schema ? undefined : `Two schemas are named ${name}. Give names with named(), which refuses this.`
}

/** A schema and all it is made of. */
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

/** Zod hands everything it was told of a schema down to those made from it, except the name. */
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
