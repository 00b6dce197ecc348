import { at } from '../../registry/openapi/guard-parts.ts'
import { referenceOf, resolved } from './contract.ts'
import { limitsOf } from './limits.ts'
import { code, listed, table } from './markdown.ts'

/** One field of a JSON body, named by its path from the body's root. */
export interface Field {
  readonly path: string
  readonly type: string
  readonly isRequired: boolean
  readonly meaning: string
  /** The constraints of the field's value, each as a sentence. */
  readonly limits: readonly string[]
  readonly example: unknown
}

/** Returns the fields of a body. The path of a nested field has the form `items[].quantity`. */
export function fieldsOf(schema: unknown): Field[] {
  const seen = new Set<string>()
  // Options of a union may have fields in common. Such a field has the description of the first option.
  return below(schema, '', []).filter(({ path }) => !seen.has(path) && seen.add(path))
}

export function requestTable(fields: readonly Field[], name = 'Field'): string {
  return table(
    [name, 'Type', 'Required', 'Meaning'],
    fields.map((field) => [
      code(field.path),
      field.type,
      needOf(field, fields),
      sentences([field.meaning, ...field.limits, ...exampleWords(field)]),
    ]),
  )
}

/**
 * Returns whether a field is required. A required field of an optional object is required only if the object is
 * present.
 */
function needOf({ path, isRequired }: Field, fields: readonly Field[]): string {
  if (!isRequired) return 'no'
  const around = fields.filter((other) => !other.isRequired && isInside(path, other.path))
  const [outer] = around.toSorted((a, b) => b.path.length - a.path.length)
  return outer === undefined ? 'yes' : `with ${code(outer.path)}`
}

function isInside(path: string, outer: string): boolean {
  return path.startsWith(`${outer}.`) || path.startsWith(`${outer}[]`)
}

/** Omits limits such as lengths, which a reader of a response does not need. */
export function responseTable(fields: readonly Field[]): string {
  return table(
    ['Field', 'Type', 'Meaning'],
    fields.map((field) => [
      code(field.path),
      field.type,
      sentences([
        field.meaning,
        ...field.limits.filter(isForReaders),
        ...(field.isRequired ? [] : ['Not always present.']),
      ]),
    ]),
  )
}

function isForReaders(limit: string): boolean {
  return /^(One of|Any of|Always|Starts with) /.test(limit)
}

function exampleWords({ example, limits, type }: Field): string[] {
  // The example is omitted for an enum, which already lists its values, and for lists and objects, which the example of
  // the whole body shows.
  if (example === undefined || typeof example === 'object' || type === 'boolean') return []
  if (limits.some((limit) => /^(One of|Any of|Always) |such as/.test(limit))) return []
  if (limits.includes(`Default: ${code(String(example))}.`)) return []
  return [`Example: ${code(String(example))}.`]
}

function sentences(parts: readonly string[]): string {
  return parts.filter(Boolean).join(' ')
}

function below(given: unknown, prefix: string, within: readonly string[]): Field[] {
  const name = referenceOf(given)
  // A recursive schema is not followed again, because its fields would never end.
  if (name !== undefined && within.includes(name)) return []
  const schema = resolved(given)
  const inside = name === undefined ? within : [...within, name]
  if (at(schema, 'discriminator') !== undefined) return sharedFields(schema, prefix)
  const asked = at(schema, 'required')
  const required: readonly unknown[] = Array.isArray(asked) ? asked : []
  const own = Object.entries(Object(at(schema, 'properties'))).flatMap(([key, field]) => {
    const path = prefix + key
    return [fieldOf(path, field, required.includes(key)), ...inner(field, path, inside)]
  })
  return [...own, ...optionsOf(schema).flatMap((option) => below(option, prefix, inside))]
}

/**
 * Returns the fields that all options of a discriminated union have in common. For the other fields, the table refers
 * to the discriminator.
 */
function sharedFields(schema: unknown, prefix: string): Field[] {
  const name = String(at(schema, 'discriminator', 'propertyName'))
  const values = Object.keys(Object(at(schema, 'discriminator', 'mapping')))
  const [first = [], ...others] = optionsOf(schema).map((option) => below(option, prefix, []))
  const direct = first.filter(({ path }) => !/[.[]/.test(path.slice(prefix.length)))
  return direct.map((field) => {
    const isShared = others.every((fields) =>
      fields.some(({ path, meaning }) => path === field.path && meaning === field.meaning),
    )
    if (field.path === prefix + name) return { ...field, limits: [`One of ${listed(values.map(code), 'or')}.`] }
    return isShared ? field : { ...field, meaning: dependsOn(name) }
  })
}

export function dependsOn(name: string): string {
  return `Depends on \`${name}\`.`
}

/** Returns the fields of a nested object, or of the objects in an array. */
function inner(given: unknown, path: string, within: readonly string[]): Field[] {
  const schema = resolved(given)
  if (at(schema, 'discriminator') !== undefined) return sharedFields(schema, `${path}.`)
  const options = optionsOf(schema)
  if (options.length > 0) return options.flatMap((option) => inner(option, path, within))
  const items = at(schema, 'items')
  if (items !== undefined) return inner(items, `${path}[]`, within)
  return below(given, `${path}.`, within)
}

function fieldOf(path: string, given: unknown, isRequired: boolean): Field {
  const schema = resolved(given)
  const main = mainOption(schema)
  const description = at(given, 'description') ?? at(schema, 'description') ?? at(main, 'description') ?? ''
  const meaning = withUnit(path, String(description))
  return {
    path,
    type: typeOf(given),
    isRequired,
    meaning,
    limits: limitsOf(main).filter((limit) => !isIncluded(limit, meaning)),
    example: exampleOf(given) ?? exampleOf(main),
  }
}

/** Reports whether the description of a field already states one of its limits. */
function isIncluded(limit: string, meaning: string): boolean {
  return bare(meaning).includes(bare(limit).replace(/\.$/, ''))
}

function bare(text: string): string {
  return text.replaceAll('`', '').toLowerCase().replace(/^an? /, '').replaceAll('up to', 'at most')
}

function exampleOf(schema: unknown): unknown {
  const examples = at(resolved(schema), 'examples')
  return Array.isArray(examples) ? examples[0] : undefined
}

/** Returns the non-null option of a nullable schema. Its limits are those of the field. */
function mainOption(schema: unknown): unknown {
  const options = optionsOf(schema).filter((option) => at(option, 'type') !== 'null')
  const [first, ...others] = options
  return first !== undefined && others.length === 0 ? resolved(first) : schema
}

export function typeOf(given: unknown): string {
  const schema = resolved(given)
  if (at(schema, 'discriminator') !== undefined) return 'object'
  const options = optionsOf(schema)
  if (options.length > 0) return [...new Set(options.map(typeOf))].join(' or ')
  const type = at(schema, 'type')
  if (Array.isArray(type)) return type.join(' or ')
  if (type === 'array')
    return at(schema, 'items') === undefined ? 'list' : `list of ${plural(typeOf(at(schema, 'items')))}`
  const values = at(schema, 'additionalProperties')
  if (type === 'object' && typeof values === 'object') return `object of ${plural(typeOf(values))}`
  if (at(schema, 'format') === 'date-time') return 'date-time'
  return typeof type === 'string' ? type : 'any value'
}

function plural(type: string): string {
  return type.includes(' ') || type === 'any value' ? type : `${type}s`
}

/**
 * Sentences that state a unit, by the suffix of the field name. A sentence is added if the description does not mention
 * the unit.
 */
const units: readonly (readonly [suffix: RegExp, mention: RegExp, sentence: string])[] = [
  [/Kobo$/, /kobo/i, 'In kobo.'],
  [/Bps$/, /basis points|bps|per cent|%/i, 'In basis points: 100 is 1 %.'],
  [/Grams$/, /gram/i, 'In grams.'],
  [/Meters$/, /met(er|re)s/i, 'In metres.'],
  [/Cm$/, /cent/i, 'In centimetres.'],
  [/Seconds$/, /second/i, 'In seconds.'],
  [/Minutes$/, /minute/i, 'In minutes.'],
  [/Ms$/, /millisecond/i, 'In milliseconds.'],
  [/Kmh$/, /hour/i, 'In kilometres per hour.'],
  [/Degrees$/, /degree/i, 'In degrees.'],
]

function withUnit(path: string, meaning: string): string {
  const found = units.find(([suffix]) => suffix.test(path))
  if (found === undefined) return meaning
  const [, mention, sentence] = found
  return mention.test(meaning) ? meaning : `${meaning} ${sentence}`.trim()
}

function optionsOf(schema: unknown): readonly unknown[] {
  const options = at(schema, 'anyOf') ?? at(schema, 'oneOf') ?? at(schema, 'allOf')
  return Array.isArray(options) ? options : []
}
