import { z } from 'zod'
import { type EndpointId, endpoints } from '../../../registry/index.ts'
import { apiRoot, type Endpoint } from '../../../registry/kit/endpoint.ts'
import { idempotencyKeyExample } from '../../../registry/kit/headers.ts'

/**
 * The default address of `npm start`. The reference site replaces this address with the address at which the reader
 * opened it.
 */
export const demoUrl = 'http://127.0.0.1:3000'

/** One request of a code sample, made from the examples in the registry. */
export interface SampleRequest {
  readonly method: Endpoint['method']
  /** A placeholder in braces stands for the id in the response to the preceding request. */
  readonly url: string
  /** The ids in the path. */
  readonly ids: readonly string[]
  readonly query: Readonly<Record<string, unknown>>
  readonly isPublic: boolean
  readonly body: object | undefined
  readonly idempotencyKey: string | undefined
}

/** A preceding request of the sample, whose response contains the id for the main request. */
export interface Preparation {
  readonly endpoint: Endpoint
  readonly request: SampleRequest
  /** Name of the record in the response to the preceding request, which the sample uses as a variable name. */
  readonly noun: string
  readonly idPrefix: string
  readonly response: 'record' | 'page'
}

export interface SampledOperation {
  readonly endpoint: Endpoint
  readonly request: SampleRequest
  readonly preparation: Preparation | undefined
  /**
   * Name of the records in a list response, which the sample uses as a variable name. Undefined for other operations.
   */
  readonly item: string | undefined
  /** Whether the response is an export, which the sample reads as it arrives. */
  readonly isExport: boolean
}

/**
 * Operations whose code sample first sends another request, because an id from the demo data would soon be unusable:
 * events expire, and riders collect parcels.
 */
const preparations: { readonly [Id in EndpointId]?: Prepared } = {
  getEvent: { by: 'listEvents', response: 'page', query: { limit: 1 } },
  cancelShipment: {
    by: 'dispatchShipment',
    response: 'record',
    // The sample uses `simulator-swift`, because this simulated carrier accepts cancellations.
    body: { reference: 'ORD-7K2M9QX4-3', carriers: ['simulator-swift'] },
  },
}

interface Prepared {
  readonly by: EndpointId
  readonly response: Preparation['response']
  readonly query?: Readonly<Record<string, number>>
  /**
   * Fields that replace those of the example request, because two samples must not create records with the same unique
   * values.
   */
  readonly body?: object
}

/** The query parameters that the code sample contains, with the registry's examples as values. */
const shownParameters: { readonly [Id in EndpointId]?: readonly string[] } = {
  getSurge: ['zone'],
  listZones: ['near'],
  listEvents: ['event'],
}

export function sampledOperation(id: EndpointId): SampledOperation {
  const endpoint: Endpoint = endpoints[id]
  const prepared = preparations[id]
  return {
    endpoint,
    request: requestOf(endpoint, { keepsBraces: prepared !== undefined }),
    preparation: prepared && preparationOf(endpoint, prepared),
    item: endpoint.kind === 'list' ? nounOf(endpoint.path) : undefined,
    isExport: endpoint.kind === 'export',
  }
}

function preparationOf(endpoint: Endpoint, { by, response, query, body }: Prepared): Preparation {
  const maker: Endpoint = endpoints[by]
  const collection = endpoint.path.replace(/\/\{.*$/, '')
  return {
    endpoint: maker,
    request: requestOf(maker, { query, body }),
    noun: nounOf(collection),
    idPrefix: `${exampleOf(endpoint.params?.shape.id)}`.slice(0, 4),
    response,
  }
}

interface RequestOptions {
  readonly query?: Readonly<Record<string, number>> | undefined
  readonly body?: object | undefined
  readonly keepsBraces?: boolean
}

function requestOf(endpoint: Endpoint, { query, body, keepsBraces = false }: RequestOptions): SampleRequest {
  const filled = (_: string, name: string) => String(exampleOf(endpoint.params?.shape[name]))
  const path = keepsBraces ? endpoint.path : endpoint.path.replace(/\{(\w+)\}/g, filled)
  const shown = query ?? shownQuery(endpoint)
  const parameters = Object.entries(shown).map(([name, value]) => `${name}=${value}`)
  return {
    method: endpoint.method,
    url: `${demoUrl}${apiRoot}${path}${parameters.length === 0 ? '' : `?${parameters.join('&')}`}`,
    ids: [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) =>
      String(exampleOf(endpoint.params?.shape[name])),
    ),
    query: shown,
    isPublic: endpoint.access === 'public',
    body: endpoint.body && Object({ ...Object(endpoint.body.example), ...body }),
    idempotencyKey: endpoint.idempotency === 'honoured' ? idempotencyKeyExample : undefined,
  }
}

function shownQuery(endpoint: Endpoint): Record<string, unknown> {
  const own = Object.entries(shownParameters).find(([id]) => id === endpoint.id)?.[1] ?? []
  // The samples read an export line by line, because a JSON document may be larger than the memory.
  const names = endpoint.kind === 'list' ? [...own, 'limit'] : endpoint.kind === 'export' ? [...own, 'format'] : own
  return Object.fromEntries(names.map((name) => [name, exampleOf(endpoint.query?.shape[name])]))
}

/**
 * Returns the example of a schema. If the schema is a wrapper for an optional field or a default, returns that of the
 * wrapped schema.
 */
function exampleOf(schema: z.core.$ZodType | undefined): unknown {
  const examples = schema && z.globalRegistry.get(schema)?.examples
  if (Array.isArray(examples) && examples.length > 0) return examples[0]
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) return exampleOf(schema.unwrap())
  throw new Error('Every parameter must have an example.')
}

/**
 * Returns the singular of the last segment of a path: `order` for `/orders`. A keyword of TypeScript and Python gets an
 * underscore: `return_` for `/returns`.
 */
function nounOf(path: string): string {
  const noun = path.slice(path.lastIndexOf('/') + 1).replace(/s$/, '')
  return noun === 'return' ? `${noun}_` : noun
}
