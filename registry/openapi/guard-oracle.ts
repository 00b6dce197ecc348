import { z } from 'zod'
import { at, type Part } from './guard-parts.ts'
import { reachable } from './guard-schemas.ts'

/**
 * Compares the OpenAPI document with the JSON Schema that Zod itself generates. Both are normalised before the
 * comparison. A keyword that the OpenAPI document loses, adds or changes is a fault, regardless of the schema construct
 * that caused it.
 */
export function oracleFaults(parts: readonly Part[], document: object): string[] {
  const faults = new Set<string>()
  for (const io of ['input', 'output'] as const) {
    const { places, components } = asZodMeans(parts.filter((part) => part.io === io))
    for (const part of parts) {
      if (part.io !== io) continue
      for (const fault of differences(part.place, at(places, part.place), normalise(part.written))) faults.add(fault)
    }
    for (const [name, meant] of Object.entries(components)) {
      const written = normalise(at(document, 'components', 'schemas', name))
      for (const fault of differences(name, meant, written)) faults.add(fault)
    }
  }
  return [...faults]
}

/**
 * Returns the normalised JSON Schemas that Zod generates for all parts of the contract. They are generated together, so
 * that shared components occur once.
 */
function asZodMeans(parts: readonly Part[]): { places: object; components: object } {
  const everything = z.object(Object.fromEntries(parts.map(({ place, schema }) => [place, schema])))
  const [first] = parts
  const described = z.toJSONSchema(everything, {
    target: 'draft-2020-12',
    io: first?.io ?? 'output',
    unrepresentable: 'any',
    metadata: metadataOf(everything),
    override: ({ zodSchema, jsonSchema }) => {
      // The OpenAPI document allows additional properties in responses, so that responses can gain fields. Zod forbids
      // them in z.object() outputs.
      const { def } = zodSchema._zod
      if (def.type === 'object' && def.catchall === undefined) delete jsonSchema.additionalProperties
    },
  })
  return { places: normaliseEach(described.properties), components: normaliseEach(described.$defs) }
}

/** Metadata that overrides the type of a schema is left out, so that the comparison verifies the override. */
function metadataOf(everything: z.ZodObject): z.core.$ZodRegistry<z.core.GlobalMeta> {
  const registry = z.registry<z.core.GlobalMeta>()
  for (const schema of reachable(everything)) {
    const metadata = z.globalRegistry.get(schema)
    if (metadata !== undefined && metadata.type === undefined) registry.add(schema, metadata)
  }
  return registry
}

/** JSON Schema keywords that do not affect validation. */
const annotations: ReadonlySet<string> = new Set([
  'id',
  'title',
  'description',
  'examples',
  'deprecated',
  'readOnly',
  'param',
  'discriminator',
])

/** Formats that every OpenAPI tool supports. The pattern that Zod adds to schemas with these formats may be omitted. */
const knownFormats: ReadonlySet<unknown> = new Set(['email', 'uuid', 'date'])

/**
 * Formats of integers in the OpenAPI document, which the comparison ignores. They follow from the minimum and maximum,
 * and do not affect validation.
 */
const integerFormats: ReadonlySet<unknown> = new Set(['int32', 'int64'])

const holdsSchemasByName: ReadonlySet<string> = new Set(['properties', 'patternProperties'])
const holdsSchemas: ReadonlySet<string> = new Set([
  'items',
  'prefixItems',
  'additionalProperties',
  'propertyNames',
  'anyOf',
  'oneOf',
  'allOf',
  'not',
])

/** Returns the schema in a normalised form, in which equivalent schemas are equal. */
function normalise(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(normalise)
  if (typeof schema !== 'object' || schema === null) return schema
  const types = at(schema, 'type')
  if (Array.isArray(types)) return normalise({ anyOf: types.map((type: unknown) => ({ ...schema, type })) })
  const format = at(schema, 'format')
  const keywords = Object.entries(schema)
    .filter(([keyword, value]) => !annotations.has(keyword) && !isSafeIntegerBound(value) && !isAnyKey(keyword, value))
    .filter(([keyword]) => !(keyword === 'pattern' && knownFormats.has(format)))
    .filter(([keyword, value]) => !(keyword === 'format' && integerFormats.has(value)))
    .map(([keyword, value]) => normaliseKeyword(keyword, value))
  return Object.fromEntries(keywords)
}

function normaliseKeyword(keyword: string, value: unknown): [string, unknown] {
  if (keyword === 'const') return ['enum', [value]]
  if (keyword === '$ref') return ['$ref', String(value).replace(/^.*\//, '')]
  if (keyword === 'required' && Array.isArray(value)) return ['required', value.toSorted()]
  if (holdsSchemas.has(keyword)) return [keyword, normalise(value)]
  if (holdsSchemasByName.has(keyword)) return [keyword, normaliseEach(value)]
  return [keyword, value]
}

function normaliseEach(schemas: unknown): object {
  const entries = Object.entries(Object(schemas)).map(([name, schema]): [string, unknown] => [name, normalise(schema)])
  return Object.fromEntries(entries)
}

/** Reports whether the value is the minimum or maximum that Zod adds to every integer. */
function isSafeIntegerBound(value: unknown): boolean {
  return value === Number.MAX_SAFE_INTEGER || value === Number.MIN_SAFE_INTEGER
}

/** Reports whether a JSON Schema keyword only states that the keys of an object are strings, which is always true. */
function isAnyKey(keyword: string, value: unknown): boolean {
  return keyword === 'propertyNames' && JSON.stringify(value) === '{"type":"string"}'
}

/** Returns a line for each JSON Schema keyword whose value differs between two schemas, with its path. */
function differences(place: string, meant: unknown, written: unknown): string[] {
  if (JSON.stringify(sorted(meant)) === JSON.stringify(sorted(written))) return []
  if (!isObject(meant) || !isObject(written)) return [`${place}: ${sentence(place, meant, written)}`]
  const keys = [...new Set([...Object.keys(meant), ...Object.keys(written)])]
  return keys.flatMap((key) => differences(`${place}/${key}`, at(meant, key), at(written, key)))
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !(Array.isArray(value) && !value.every(isObject))
}

function sorted(value: unknown): unknown {
  if (!isObject(value) || Array.isArray(value)) return value
  const entries = Object.entries(value).map(([key, content]): [string, unknown] => [key, sorted(content)])
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

function sentence(place: string, meant: unknown, written: unknown): string {
  const keyword = place.slice(place.lastIndexOf('/') + 1)
  const [zodSays, documentSays] = [JSON.stringify(meant), JSON.stringify(written)]
  if (meant === undefined)
    return `the OpenAPI document contains ${documentSays}, but the Zod schema does not. Use another construct.`
  if (keyword === '$ref')
    return `the OpenAPI document lacks the schema name ${meant}. Use the named schema unchanged, or wrapped only in optional().`
  const mend = `Use another construct, or state the rule in .meta({ ${keyword}: ${zodSays} }).`
  if (written === undefined) return `the OpenAPI document leaves out ${zodSays}. ${mend}`
  return `the OpenAPI document says ${documentSays} where Zod means ${zodSays}. ${mend}`
}
