import { z } from 'zod'
import type { Endpoint } from '../../../registry/kit/endpoint.ts'

/** The largest body that a schema allows, if its text is ASCII and contains no white space. */
export interface Largest {
  readonly bytes: number
  readonly values: number
  readonly depth: number
}

type JsonSchema = z.core.JSONSchema.BaseSchema

/**
 * The size in bytes of an id, a timestamp or a phone number. Their schemas have a pattern instead of a maximum length.
 */
const patternBytes = 32

/** The limits of `Metadata` and `tags`, which JSON Schema cannot express. */
const entries = { count: 50, nameBytes: 40 }

const numberBytes = 20

export function largestOf(endpoint: Endpoint): Largest {
  const root = z.toJSONSchema(endpoint.body?.schema ?? z.strictObject({}), { io: 'input', unrepresentable: 'any' })
  return sizeOf(root, root)
}

function sizeOf(schema: JsonSchema, root: JsonSchema): Largest {
  const { anyOf, enum: choices } = schema
  const name = schema.$ref?.replace('#/$defs/', '')
  if (name !== undefined) return sizeOf(asSchema(root.$defs?.[name]), root)
  if (anyOf !== undefined) return largest(anyOf.map((each) => sizeOf(asSchema(each), root)))
  if (choices !== undefined) return scalar(Math.max(...choices.map((choice) => JSON.stringify(choice).length)))
  switch (schema.type) {
    case 'array':
      return arraySize(schema, root)
    case 'object':
      return objectSize(schema, root)
    case 'string':
      return scalar((schema.maxLength ?? patternBytes) + 2)
    default:
      return scalar(numberBytes)
  }
}

function arraySize({ items, maxItems = entries.count }: JsonSchema, root: JsonSchema): Largest {
  const item = sizeOf(asSchema(Array.isArray(items) ? items[0] : items), root)
  return { bytes: 2 + maxItems * (item.bytes + 1), values: maxItems * (item.values + 1), depth: item.depth + 1 }
}

function objectSize(schema: JsonSchema, root: JsonSchema): Largest {
  const { properties = {}, additionalProperties } = schema
  const members = Object.entries(properties).map(([name, each]) => ({ name, ...sizeOf(asSchema(each), root) }))
  if (typeof additionalProperties === 'object') {
    const entry = { name: 'n'.repeat(entries.nameBytes), ...sizeOf(additionalProperties, root) }
    members.push(...Array.from({ length: schema.maxProperties ?? entries.count }, () => entry))
  }
  return {
    bytes: 2 + members.reduce((sum, { name, bytes }) => sum + name.length + 4 + bytes, 0),
    values: members.reduce((sum, { values }) => sum + values + 1, 0),
    depth: 1 + Math.max(0, ...members.map(({ depth }) => depth)),
  }
}

function largest(all: readonly Largest[]): Largest {
  return {
    bytes: Math.max(...all.map(({ bytes }) => bytes)),
    values: Math.max(...all.map(({ values }) => values)),
    depth: Math.max(...all.map(({ depth }) => depth)),
  }
}

function scalar(bytes: number): Largest {
  return { bytes, values: 0, depth: 0 }
}

function asSchema(schema: unknown): JsonSchema {
  return Object(schema)
}
