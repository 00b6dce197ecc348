import { z } from 'zod'
import { errors } from '../errors/index.ts'
import type { Endpoint } from '../kit/endpoint.ts'
import { errorBodies } from '../kit/error-body.ts'
import { headerParameters, signatureParameters } from '../kit/headers.ts'
import { refusalsOf } from '../kit/refusals.ts'

export interface Contract {
  readonly endpoints: readonly Endpoint[]
  readonly events: readonly EventContract[]
}

export interface EventContract {
  readonly kind: string
  readonly name: string
  readonly meaning: string
  readonly stability?: 'beta'
  readonly envelope: z.ZodObject
  readonly envelopeExample: unknown
}

/** A Zod schema of the registry, and the corresponding schema of the OpenAPI document. */
export interface Part {
  /** The place of the schema in the contract, such as `createOrder body`, for error messages. */
  readonly place: string
  readonly schema: z.core.$ZodType
  /**
   * `input` for a request body: the OpenAPI document describes its values before Zod parses them. `output` for any
   * other part: the document describes the values after Zod has parsed them.
   */
  readonly io: 'input' | 'output'
  /** Whether the schema is that of a response, which is serialized without parsing. */
  readonly isReply: boolean
  readonly written: unknown
}

export function partsOf(contract: Contract, document: object): Part[] {
  return [
    ...contract.endpoints.flatMap((endpoint) => endpointParts(endpoint, document)),
    ...contract.events.flatMap((event) => eventParts(event, document)),
  ]
}

function endpointParts(endpoint: Endpoint, document: object): Part[] {
  const operation = at(document, 'paths', endpoint.path, endpoint.method.toLowerCase())
  const { id, body, reply } = endpoint
  return [
    ...fieldParts(id, operation, 'path', endpoint.params),
    ...fieldParts(id, operation, 'query', endpoint.query),
    ...headerParts(id, operation, headerParameters(endpoint)),
    ...(body === undefined ? [] : [bodyPart(id, operation, body.schema, 'input')]),
    ...statusesOf(reply).map((status) => replyPart(id, operation, status, reply.body)),
    ...errorParts(endpoint, operation),
  ]
}

function statusesOf({ status = 200, further = [] }: Endpoint['reply']): number[] {
  return [status, ...further.map((other) => other.status)]
}

function errorParts(endpoint: Endpoint, operation: unknown): Part[] {
  const byStatus = Map.groupBy(refusalsOf(endpoint), (code) => errors[code].status)
  return [...byStatus].map(([status, codes]) => {
    const bodies = codes.flatMap((code) => errorBodies.get(code) ?? [])
    return replyPart(endpoint.id, operation, status, bodies.length === 1 ? (bodies[0] ?? z.never()) : z.union(bodies))
  })
}

function eventParts(event: EventContract, document: object): Part[] {
  const operation = at(document, 'webhooks', event.kind, 'post')
  return [
    ...headerParts(event.kind, operation, signatureParameters),
    { ...bodyPart(event.kind, operation, event.envelope, 'output'), isReply: true },
  ]
}

function fieldParts(id: string, operation: unknown, location: string, fields: z.ZodObject | undefined): Part[] {
  return Object.entries(fields?.shape ?? {}).map(([name, schema]) =>
    parameterPart(id, operation, location, name, schema),
  )
}

function headerParts(id: string, operation: unknown, schemas: readonly z.ZodType[]): Part[] {
  return schemas.map((schema) => {
    const name = at(schema.meta(), 'param', 'name')
    return parameterPart(id, operation, 'header', String(name), schema)
  })
}

function parameterPart(id: string, operation: unknown, location: string, name: string, schema: z.core.$ZodType): Part {
  const parameters = at(operation, 'parameters')
  const found = Array.isArray(parameters)
    ? parameters.find((parameter) => at(parameter, 'in') === location && at(parameter, 'name') === name)
    : undefined
  const place = `${id} ${location} parameter ${name}`
  return { place, schema, io: 'output', isReply: false, written: at(found, 'schema') }
}

function bodyPart(id: string, operation: unknown, schema: z.ZodType, io: 'input' | 'output'): Part {
  const written = at(operation, 'requestBody', 'content', 'application/json', 'schema')
  return { place: `${id} body`, schema, io, isReply: false, written }
}

function replyPart(id: string, operation: unknown, status: number, schema: z.ZodType): Part {
  const written = at(operation, 'responses', String(status), 'content', 'application/json', 'schema')
  return { place: `${id} reply ${status}`, schema, io: 'output', isReply: true, written }
}

/** Undefined if the path does not exist. */
export function at(value: unknown, ...path: readonly string[]): unknown {
  let found = value
  for (const key of path) {
    if (typeof found !== 'object' || found === null) return undefined
    found = Reflect.get(found, key)
  }
  return found
}
