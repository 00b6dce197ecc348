import type { Operation, Schema } from './document.ts'
import { generateValue, uniqueNames, type Generator as Values, type Wanted } from './generate-value.ts'
import { exampleOf, makeBody } from './make-body.ts'
import { madeUpId } from './make-request.ts'

/**
 * Bodies that fit the schema and that a rule may refuse all the same: the example with one thing otherwise, such as the
 * id of nobody, more than there can be, a moment long past or a name that is taken. Which of them is refused, and with
 * which error, is the document’s to say.
 */
export function* twistedBodies(generator: Values, operation: Operation): Generator<unknown> {
  const { body } = operation
  if (body === undefined) return
  const { required = [] } = generator.schemas.follow(body.schema)
  for (const twist of twistsOf(generator, body)) {
    // Made anew each time: what the one before took is not free any more.
    const made = makeBody(generator, operation)
    const twisted = [twistedBy(made, twist)]
    // By itself, too, where the rest of a body says the same otherwise or is all that a change would be held to.
    const isAlone = twist.path.length === 1 && (operation.method === 'PATCH' || isIdName(twist.path[0] ?? ''))
    if (isAlone) twisted.push(twistedBy(pick(made, required), twist))
    yield* twisted.filter((each) => generator.schemas.faultsOf(body.schema, each).length === 0)
  }
}

/** A body with one thing otherwise, and all that is its own as it is. */
export function otherBodies(generator: Values, { body }: Operation, value: unknown): unknown[] {
  if (body === undefined) return []
  return twistsOf(generator, body)
    .filter(({ path }) => !uniqueNames.includes(path.at(-1) ?? ''))
    .map((twist) => twistedBy(value, twist))
    .filter((each) => generator.schemas.faultsOf(body.schema, each).length === 0)
}

/** Only what must be there, and two ids that one record tells of: a quote and what it offers. */
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

/** Enough that one of them is in a state for it. */
const recordsMax = 3

interface Twist {
  readonly path: readonly string[]
  /** Undefined where the member is left out. */
  readonly value: unknown
}

const isIdName = (name: string) => /(^id|Ids?)$/.test(name)

/** An id that is given takes the place of what it names: `customerId` that of `customer`. */
function twistedBy(body: unknown, { path, value }: Twist): unknown {
  const [name = ''] = path
  return withAt(isIdName(name) ? withAt(body, [name.replace(/Ids?$/, '')], undefined) : body, path, value)
}

function pick(value: unknown, names: readonly string[]): object {
  return Object.fromEntries(Object.entries(Object(value)).filter(([name]) => names.includes(name)))
}

function twistsOf(generator: Values, { schema, example, name = '' }: Wanted): Twist[] {
  const followed = generator.schemas.follow(schema)
  const alternatives = [...(followed.anyOf ?? []), ...(followed.oneOf ?? [])].filter(({ type }) => type !== 'null')
  if (alternatives.length > 0) {
    return alternatives.flatMap((each) => twistsOf(generator, { schema: each, example, name }))
  }
  if (followed.properties !== undefined) return twistsOfObject(generator, { schema: followed, example })
  if (followed.items !== undefined) return twistsOfList(generator, { schema: followed.items, example, name })
  return othersOf(generator, { schema: followed, example, name }).map((value) => ({ path: [], value }))
}

function twistsOfObject(generator: Values, { schema, example }: Wanted): Twist[] {
  const shown: object = Object(example)
  const fields = Object.entries(schema.properties ?? {})
  const twists = fields.flatMap(([name, field]) => {
    const wanted = { schema: field, name }
    if (Object.hasOwn(shown, name)) {
      const within = twistsOf(generator, { ...wanted, example: Reflect.get(shown, name) })
      const without = schema.required?.includes(name) === true ? [] : [{ path: [name], value: undefined }]
      return [...within.map(({ path, value }) => ({ path: [name, ...path], value })), ...without]
    }
    // Below what the example does not have there is nothing to be changed: it comes as a whole.
    const sample = exampleOf(generator.schemas, field) ?? generateValue(generator, wanted)
    return [...samplesOf(generator, { ...wanted, example: sample }), ...fullOf(generator, wanted)].map((value) => ({
      path: [name],
      value,
    }))
  })
  return [...twists, ...togetherOf(generator, fields).map((values) => ({ path: [], value: { ...shown, ...values } }))]
}

/** A value, and it with one thing otherwise. */
function samplesOf(generator: Values, wanted: Wanted): unknown[] {
  const within = twistsOf(generator, wanted).map(({ path, value }) => withAt(wanted.example, path, value))
  return [wanted.example, ...within]
}

/** A part with all that can be said in it, in each of its kinds, and the ids of nobody: one member may mean nothing alone. */
function fullOf({ schemas }: Values, { schema }: Wanted): object[] {
  const members = Object.entries(schemas.follow(schema).properties ?? {}).map(([name, member]) => {
    const { enum: kinds } = schemas.follow(member)
    const example = exampleOf(schemas, member) ?? kinds?.[0]
    return { name, kinds, value: /(^ids|Ids)$/.test(name) && Array.isArray(example) ? example.map(ofNobody) : example }
  })
  const said = members.filter(({ value }) => value !== undefined)
  const full = Object.fromEntries(said.map(({ name, value }) => [name, value]))
  return said.flatMap(({ name, kinds = [] }) => kinds.slice(0, valuesMax).map((kind) => ({ ...full, [name]: kind })))
}

/** An id of the same form that no record of a demo has. */
function ofNobody(id: unknown): unknown {
  return typeof id === 'string' ? id.replace(/\w{6}$/, '000000') : id
}

/** A point is a place only with both its numbers, and a span is past only when its beginning and its end are. */
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

function twistsOfList(generator: Values, { schema, example, name }: Wanted): Twist[] {
  const shown: unknown[] = Array.isArray(example) ? example : []
  const first = shown[0] ?? generateValue(generator, { schema, name })
  const within = twistsOf(generator, { schema, example: first, name })
  const lists = within.map(({ path, value }) => [withAt(first, path, value), ...shown.slice(1)])
  return [...lists, [first, ...shown.slice(1), first]].map((value) => ({ path: [], value }))
}

/** The newest, for what is older may be gone; several, for one name may be that of records of several kinds. */
const takenMax = 4

/** A list of all the states of a country says no more than a few of them. */
const valuesMax = 7

const [longPast, farAhead] = ['2020-01-01T00:00:00Z', '2040-01-01T00:00:00Z']

/** Other values of one member, each of them such as a rule may refuse. */
export function othersOf(generator: Values, { schema, example, name = '' }: Wanted): unknown[] {
  const { known, schemas } = generator
  const isFitting = (value: unknown) => value !== example && schemas.faultsOf(schema, value).length === 0
  if (schema.enum !== undefined) return schema.enum.filter(isFitting).slice(0, valuesMax)
  if (schema.pattern !== undefined && isIdName(name))
    return [madeUpId(generator, schema), ...oneOfEachState(generator, schema)]
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

/** `discountCodes` are each a `code` of something. */
const pluralOf = (name: string) => `${name.charAt(0).toUpperCase()}${name.slice(1)}s`

/** More states than these are shades of the same. */
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
