import { z } from 'zod'

/**
 * Changes the OpenAPI document for generators whose clients validate each response while they parse the response. With
 * the unchanged document, such a client would fail on a new value of an enumeration, and nested objects would have no
 * type.
 */

const schemaShape = z.looseObject({
  enum: z.array(z.union([z.string(), z.number(), z.boolean()])).optional(),
  description: z.string().optional(),
  required: z.array(z.string()).optional(),
  get properties() {
    return z.record(z.string(), schemaShape).optional()
  },
  get anyOf() {
    return z.array(schemaShape).optional()
  },
})

type Schema = z.infer<typeof schemaShape>

const documentShape = z.looseObject({
  components: z.looseObject({ schemas: z.record(z.string(), schemaShape) }),
  paths: z.record(z.string(), z.record(z.string(), z.looseObject({ responses: z.record(z.string(), z.unknown()) }))),
})

/** Name of the schema of all webhook events, which receivers use although no operation returns it. */
const receivedSchema = 'WebhookEvent'

/**
 * Returns the JSON text of the document with four changes: named enumerations become strings, nested objects become
 * named schemas, nullable objects become optional, and operations lose their error responses. Error schemas are not
 * needed, because the generated clients return the body of an error unchanged.
 */
export function documentForClients(text: string): string {
  const document = documentShape.parse(JSON.parse(text))
  const schemas = new Map<string, Schema>()
  for (const [name, schema] of Object.entries(document.components.schemas)) addSchema(name, schema, schemas)
  const paths = mapValues(document.paths, (path) => mapValues(path, withoutErrors))
  const roots = [JSON.stringify(paths), JSON.stringify({ $ref: referenceTo(receivedSchema) })]
  const components = { ...document.components, schemas: Object.fromEntries(reached(roots, schemas)) }
  return JSON.stringify({ ...document, webhooks: undefined, paths, components })
}

/**
 * Adds a schema under its name. An object in its properties gets a schema of its own, named after the schema and the
 * property.
 */
function addSchema(name: string, schema: Schema, schemas: Map<string, Schema>): void {
  if (schemas.has(name)) throw new Error(`Two schemas would have the name ${name}.`)
  const { enum: values, properties, ...rest } = schema
  if (values !== undefined) {
    const list = values.map((value) => `\`${value}\``).join(', ')
    schemas.set(name, { ...rest, description: `${schema.description ?? ''} Values: ${list}.`.trim() })
    return
  }
  if (properties === undefined) {
    schemas.set(name, schema)
    return
  }
  const changed = Object.entries(properties).map(([property, value]) => {
    const nameOfObject = `${name}${property.charAt(0).toUpperCase()}${property.slice(1)}`
    return [property, withNamedObject(value, nameOfObject, schemas)]
  })
  // The generated PHP code does not check a required object for null. Nullable objects are therefore not listed as
  // required.
  const nullable = Object.keys(properties).filter((property) => isNullableObject(properties[property]))
  const required = schema.required?.filter((property) => !nullable.includes(property))
  schemas.set(name, {
    ...rest,
    properties: Object.fromEntries(changed),
    ...(required === undefined ? {} : { required }),
  })
}

function isNullableObject(schema: Schema | undefined): boolean {
  return schema?.anyOf?.some((each) => each.properties !== undefined || '$ref' in each) ?? false
}

/** Replaces an object, or the object of a nullable property, with a reference to a new schema. */
function withNamedObject(schema: Schema, name: string, schemas: Map<string, Schema>): Schema {
  const { anyOf, ...rest } = schema
  if (anyOf !== undefined) return { ...rest, anyOf: anyOf.map((each) => withNamedObject(each, name, schemas)) }
  if (schema.properties === undefined) return schema
  addSchema(name, schema, schemas)
  return { $ref: referenceTo(name) }
}

function withoutErrors<Operation extends { responses: Record<string, unknown> }>(operation: Operation): Operation {
  const successes = Object.entries(operation.responses).filter(([status]) => status < '4')
  return { ...operation, responses: Object.fromEntries(successes) }
}

/** Returns the schemas that the texts reference, directly or through other schemas, in the order of their names. */
function reached(texts: readonly string[], schemas: ReadonlyMap<string, Schema>): [string, Schema][] {
  const found = new Map<string, Schema>()
  const waiting = [...texts]
  for (let text = waiting.pop(); text !== undefined; text = waiting.pop()) {
    for (const [, name = ''] of text.matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      const schema = schemas.get(name)
      if (schema === undefined || found.has(name)) continue
      found.set(name, schema)
      waiting.push(JSON.stringify(schema))
    }
  }
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1))
}

function referenceTo(name: string): string {
  return `#/components/schemas/${name}`
}

function mapValues<Value, Result>(
  record: Readonly<Record<string, Value>>,
  change: (value: Value) => Result,
): Record<string, Result> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]))
}
