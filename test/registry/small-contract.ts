import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { z } from 'zod'
import type { Endpoint } from '../../registry/kit/endpoint.ts'
import { type Contract, faultsOf } from '../../registry/openapi/guard.ts'
import { at } from '../../registry/openapi/guard-parts.ts'
import { documentOf } from '../../registry/openapi/openapi.ts'

/** Creates an API contract for tests of schema constructs. It has one operation for each of the given changes. */
export function contractOf(...changes: readonly Partial<Endpoint>[]): Contract {
  return { endpoints: changes.map((change) => ({ ...createThing, ...change })), events: [] }
}

const createThing: Endpoint = {
  kind: 'write',
  method: 'POST',
  id: 'createThing',
  path: '/things',
  tag: 'Orders',
  summary: 'Create a thing.',
  description: 'Makes a thing.',
  access: 'public',
  rateClass: 'write',
  reply: { status: 201, body: z.object({}), meaning: 'The thing.', example: {} },
}

export type Place = 'body' | 'reply' | 'query'

/**
 * Creates an API contract with one operation that contains a schema in one of three parts: the body, the response or
 * the query.
 */
export function contractHolding(place: Place, field: z.ZodType): Contract {
  if (place === 'query') return contractOf({ query: z.strictObject({ field }) })
  if (place === 'body') return contractOf({ body: { schema: z.strictObject({ field }), example: {} } })
  return contractOf({ reply: { status: 201, body: z.object({ field }), meaning: 'The thing.', example: {} } })
}

const pointers: Readonly<Record<Place, readonly string[]>> = {
  query: ['parameters', '0', 'schema'],
  body: ['requestBody', 'content', 'application/json', 'schema', 'properties', 'field'],
  reply: ['responses', '201', 'content', 'application/json', 'schema', 'properties', 'field'],
}

/**
 * Returns the JSON schema that the OpenAPI generator writes for a schema at the given place of an operation, and the
 * faults that the contract guard reports.
 */
export function checkSchema(place: Place, field: z.ZodType) {
  const contract = contractHolding(place, field)
  const document = documentOf(contract)
  const written = at(document, 'paths', '/things', 'post', ...pointers[place])
  return {
    written,
    components: at(document, 'components', 'schemas'),
    faults: faultsOf(contract, document),
    takes: (value: unknown) => takes(document, written, value),
  }
}

function takes(document: object, schema: unknown, value: unknown): boolean {
  const ajv = new Ajv2020({ strict: false, logger: false })
  formats.default(ajv)
  ajv.addSchema(JSON.parse(JSON.stringify(document)), 'document')
  const within = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"document#/'))
  return ajv.compile(within)(value)
}
