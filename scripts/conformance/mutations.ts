import type { Operation, Schema } from './document.ts'
import { generateValue, uniqueNames, type Generator as Values, type Wanted } from './generate-value.ts'
import { exampleOf, makeBody } from './make-body.ts'
import { nonexistentId } from './make-request.ts'

/**
 * Generates schema-valid bodies that a business rule may reject: the example with one mutation, such as a nonexistent id,
 * an excessive quantity, a time in the past or a duplicate name. Every rejection must be an error that the document
 * declares.
 */
export function* mutatedBodies(generator: Values, operation: Operation): Generator<unknown> {
  const { body } = operation
  if (body === undefined) return
  const { required = [] } = generator.schemas.follow(body.schema)
  for (const mutation of mutationsOf(generator, body)) {
    // Each mutation gets a new body, because the previous request used up the unique values of its body.
    const made = makeBody(generator, operation)
    const mutated = [mutatedBy(made, mutation)]
    // Another member of the full body could override the mutated member. The mutated member is therefore also sent with
    // only the required members.
    const isAlone = mutation.path.length === 1 && (operation.method === 'PATCH' || isIdName(mutation.path[0] ?? ''))
    if (isAlone) mutated.push(mutatedBy(pick(made, required), mutation))
    yield* mutated.filter((each) => generator.schemas.faultsOf(body.schema, each).length === 0)
  }
}

/**
 * Returns copies of the body with one mutation each. Unique values of the body stay the same, so that every copy
 * conflicts with the original.
 */
export function otherBodies(generator: Values, { body }: Operation, value: unknown): unknown[] {
  if (body === undefined) return []
  return mutationsOf(generator, body)
    .filter(({ path }) => !uniqueNames.includes(path.at(-1) ?? ''))
    .map((mutation) => mutatedBy(value, mutation))
    .filter((each) => generator.schemas.faultsOf(body.schema, each).length === 0)
}

/**
 * Generates bodies that consist of the required members and two ids of one record, such as the ids of a quote and its
 * offer.
 */
export function* pairedBodies(generator: Values, operation: Operation): Generator<unknown> {
  const { body } = operation
  if (body === undefined) return
  const { properties = {}, required = [] } = generator.schemas.follow(body.schema)
  const ids = Object.entries(properties).filter(([name, { pattern }]) => isIdName(name) && pattern !== undefined)
  for (const [name, { pattern = '' }] of ids) {
    for (const [otherName, { pattern: otherPattern = '' }] of ids) {
      if (name === otherName) continue
      for (const [id, otherId] of generator.known.together([pattern, otherPattern]).slice(0, recordsMax)) {
        yield { ...pick(makeBody(generator, operation), required), [name]: id, [otherName]: otherId }
      }
    }
  }
}

/**
 * Number of records for which bodies are generated. With this many, one of them is likely in a state that allows the
 * operation.
 */
const recordsMax = 3

interface Mutation {
  readonly path: readonly string[]
  /** New value of the mutated member. Undefined removes the member. */
  readonly value: unknown
}

const isIdName = (name: string) => /(^id|Ids?)$/.test(name)

/**
 * Applies a mutation to a body. If the mutation sets an id, the object that stands for the same record is removed:
 * setting `customerId` removes `customer`.
 */
function mutatedBy(body: unknown, { path, value }: Mutation): unknown {
  const [name = ''] = path
  return withAt(isIdName(name) ? withAt(body, [name.replace(/Ids?$/, '')], undefined) : body, path, value)
}

function pick(value: unknown, names: readonly string[]): object {
  return Object.fromEntries(Object.entries(Object(value)).filter(([name]) => names.includes(name)))
}

function mutationsOf(generator: Values, { schema, example, name = '' }: Wanted): Mutation[] {
  const followed = generator.schemas.follow(schema)
  const alternatives = [...(followed.anyOf ?? []), ...(followed.oneOf ?? [])].filter(({ type }) => type !== 'null')
  if (alternatives.length > 0) {
    return alternatives.flatMap((each) => mutationsOf(generator, { schema: each, example, name }))
  }
  if (followed.properties !== undefined) return mutationsOfObject(generator, { schema: followed, example })
  if (followed.items !== undefined) return mutationsOfList(generator, { schema: followed.items, example, name })
  return othersOf(generator, { schema: followed, example, name }).map((value) => ({ path: [], value }))
}

function mutationsOfObject(generator: Values, { schema, example }: Wanted): Mutation[] {
  const shown: object = Object(example)
  const fields = Object.entries(schema.properties ?? {})
  const mutations = fields.flatMap(([name, field]) => {
    const wanted = { schema: field, name }
    if (Object.hasOwn(shown, name)) {
      const within = mutationsOf(generator, { ...wanted, example: Reflect.get(shown, name) })
      const without = schema.required?.includes(name) === true ? [] : [{ path: [name], value: undefined }]
      return [...within.map(({ path, value }) => ({ path: [name, ...path], value })), ...without]
    }
    // A member that the example omits is added together with all of its own members.
    const sample = exampleOf(generator.schemas, field) ?? generateValue(generator, wanted)
    return [...samplesOf(generator, { ...wanted, example: sample }), ...fullOf(generator, wanted)].map((value) => ({
      path: [name],
      value,
    }))
  })
  return [
    ...mutations,
    ...togetherOf(generator, fields).map((values) => ({ path: [], value: { ...shown, ...values } })),
  ]
}

function samplesOf(generator: Values, wanted: Wanted): unknown[] {
  const within = mutationsOf(generator, wanted).map(({ path, value }) => withAt(wanted.example, path, value))
  return [wanted.example, ...within]
}

/**
 * Returns one object for each value of each enum member. Each object also contains all other members that have an
 * example, because some members have an effect only together with others. Lists of ids contain only nonexistent ids.
 */
function fullOf({ schemas }: Values, { schema }: Wanted): object[] {
  const members = Object.entries(schemas.follow(schema).properties ?? {}).map(([name, member]) => {
    const { enum: kinds } = schemas.follow(member)
    const example = exampleOf(schemas, member) ?? kinds?.[0]
    return {
      name,
      kinds,
      value: /(^ids|Ids)$/.test(name) && Array.isArray(example) ? example.map(nonexistent) : example,
    }
  })
  const given = members.filter(({ value }) => value !== undefined)
  const full = Object.fromEntries(given.map(({ name, value }) => [name, value]))
  return given.flatMap(({ name, kinds = [] }) => kinds.slice(0, valuesMax).map((kind) => ({ ...full, [name]: kind })))
}

/** Returns an id of the same form that belongs to no record. */
function nonexistent(id: unknown): unknown {
  return typeof id === 'string' ? id.replace(/\w{6}$/, '000000') : id
}

/**
 * Returns sets of fields that must change together, such as both coordinates of a point, or the start and the end of a
 * period.
 */
function togetherOf({ schemas }: Values, fields: readonly (readonly [string, Schema])[]): object[] {
  const followed = fields.map(([name, field]) => ({ name, schema: schemas.follow(field) }))
  const numbers = followed.filter(({ schema }) => schema.type === 'number' && schema.minimum !== undefined)
  const moments = followed.filter(({ schema }) => schema.format === 'date-time')
  return [
    numbers.map(({ name, schema }) => [name, schema.minimum]),
    moments.map(({ name }, at) => [name, longPast.replace('T00', `T0${at}`)]),
  ]
    .filter((each) => each.length > 1)
    .map((each) => Object.fromEntries(each))
}

function mutationsOfList(generator: Values, { schema, example, name }: Wanted): Mutation[] {
  const shown: unknown[] = Array.isArray(example) ? example : []
  const first = shown[0] ?? generateValue(generator, { schema, name })
  const within = mutationsOf(generator, { schema, example: first, name })
  const lists = within.map(({ path, value }) => [withAt(first, path, value), ...shown.slice(1)])
  return [...lists, [first, ...shown.slice(1), first]].map((value) => ({ path: [], value }))
}

/**
 * Number of existing values to try for a field whose value must be unique. More than one is needed, because records of
 * different kinds have fields of the same name.
 */
const takenMax = 4

/**
 * Maximum number of values of an enum that are sent in mutations. If an enum has more values, sending them finds no
 * further defects.
 */
const valuesMax = 7

const [longPast, farAhead] = ['2020-01-01T00:00:00Z', '2040-01-01T00:00:00Z']

/** Returns values for a member, other than its example, that the schema allows and that a business rule may reject. */
export function othersOf(generator: Values, { schema, example, name = '' }: Wanted): unknown[] {
  const { known, schemas } = generator
  const isFitting = (value: unknown) => value !== example && schemas.faultsOf(schema, value).length === 0
  if (schema.enum !== undefined) return schema.enum.filter(isFitting).slice(0, valuesMax)
  if (schema.pattern !== undefined && isIdName(name))
    return [nonexistentId(generator, schema), ...oneOfEachState(generator, schema)]
  if (schema.format === 'date-time') return [longPast, farAhead]
  const taken = uniqueNames.find((unique) => name === unique || name.endsWith(pluralOf(unique)))
  if (taken !== undefined) return known.named(taken).filter(isFitting).slice(-takenMax)
  switch (schema.type) {
    case 'integer':
    case 'number':
      return [schema.maximum, schema.minimum].filter((value) => value !== undefined).filter(isFitting)
    case 'boolean':
      return [example !== true]
    default:
      return []
  }
}

/** Returns the ending of a list's name for a field name: `Codes` for `code`, as in `discountCodes`. */
const pluralOf = (name: string) => `${name.charAt(0).toUpperCase()}${name.slice(1)}s`

/** Maximum number of record ids that a mutation uses. Each id is that of a record in a different state. */
const statesMax = 8

function oneOfEachState({ known }: Values, { pattern = '' }: Schema): string[] {
  const byState = new Map<string, string>()
  for (const id of known.ids(pattern)) if (!byState.has(known.stateOf(id))) byState.set(known.stateOf(id), id)
  return [...byState.values()].slice(0, statesMax)
}

function withAt(value: unknown, [name, ...rest]: readonly string[], replacement: unknown): unknown {
  if (name === undefined) return replacement
  const below = withAt(Reflect.get(Object(value), name), rest, replacement)
  if (Array.isArray(value)) return value.map((each: unknown, at) => (String(at) === name ? below : each))
  const { [name]: _, ...others }: Record<string, unknown> = { ...Object(value) }
  return below === undefined ? others : { ...others, [name]: below }
}
