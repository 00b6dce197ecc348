import { z } from 'zod'
import { type EndpointId, endpoints } from '../../../registry/index.ts'
import { apiRoot, type Endpoint } from '../../../registry/kit/endpoint.ts'
import { idempotencyKeyExample } from '../../../registry/kit/headers.ts'

/** Where `npm start` serves when nothing else is said; whoever runs the samples elsewhere replaces just this. */
export const demoUrl = 'http://127.0.0.1:3000'

/** One request, made of the examples the registry gives. */
export interface SampleRequest {
  readonly method: Endpoint['method']
  /** Braces stand where an answer before it fills in an id. */
  readonly url: string
  readonly isPublic: boolean
  readonly body: object | undefined
  readonly idempotencyKey: string | undefined
}

/** What an operation needs to have been answered before it: its id is taken from there. */
export interface Preparation {
  readonly request: SampleRequest
  /** What the id is of, as a name of a variable. */
  readonly noun: string
  readonly idPrefix: string
  readonly answers: 'record' | 'page'
}

export interface SampledOperation {
  readonly request: SampleRequest
  readonly preparation: Preparation | undefined
  /** What a list lists, as a name of a variable; undefined for what is no list. */
  readonly item: string | undefined
}

/** What cannot be in the demo for long is made first: events go after 30 days, and a parcel is soon picked up. */
const preparations: { readonly [Id in EndpointId]?: Prepared } = {
  getEvent: { by: 'listEvents', answers: 'page', query: { limit: 1 } },
  cancelShipment: {
    by: 'dispatchShipment',
    answers: 'record',
    // By a carrier that can be called off.
    body: { reference: 'ORD-7K2M9QX4-3', carriers: ['simulator-swift'] },
  },
}

interface Prepared {
  readonly by: EndpointId
  readonly answers: Preparation['answers']
  readonly query?: Readonly<Record<string, number>>
  /** In place of what the example says: two samples must not make the same record. */
  readonly body?: object
}

/** The parameters of a query that a sample shows, by the registry's examples of them. */
const shownParameters: { readonly [Id in EndpointId]?: readonly string[] } = {
  getSurge: ['zone'],
  listZones: ['near'],
  listEvents: ['event'],
}

export function sampledOperation(id: EndpointId): SampledOperation {
  const endpoint: Endpoint = endpoints[id]
  const prepared = preparations[id]
  return {
    request: requestOf(endpoint, { keepsBraces: prepared !== undefined }),
    preparation: prepared && preparationOf(endpoint, prepared),
    item: endpoint.kind === 'list' ? nounOf(endpoint.path) : undefined,
  }
}

function preparationOf(endpoint: Endpoint, { by, answers, query, body }: Prepared): Preparation {
  const maker: Endpoint = endpoints[by]
  const collection = endpoint.path.replace(/\/\{.*$/, '')
  return {
    request: requestOf(maker, { query, body }),
    noun: nounOf(collection),
    idPrefix: `${exampleOf(endpoint.params?.shape.id)}`.slice(0, 4),
    answers,
  }
}

interface Wishes {
  readonly query?: Readonly<Record<string, number>> | undefined
  readonly body?: object | undefined
  readonly keepsBraces?: boolean
}

function requestOf(endpoint: Endpoint, { query, body, keepsBraces = false }: Wishes): SampleRequest {
  const filled = (_: string, name: string) => String(exampleOf(endpoint.params?.shape[name]))
  const path = keepsBraces ? endpoint.path : endpoint.path.replace(/\{(\w+)\}/g, filled)
  const parameters = Object.entries(query ?? shownQuery(endpoint)).map(([name, value]) => `${name}=${value}`)
  return {
    method: endpoint.method,
    url: `${demoUrl}${apiRoot}${path}${parameters.length === 0 ? '' : `?${parameters.join('&')}`}`,
    isPublic: endpoint.access === 'public',
    body: endpoint.body && Object({ ...Object(endpoint.body.example), ...body }),
    idempotencyKey: endpoint.idempotency === 'honoured' ? idempotencyKeyExample : undefined,
  }
}

function shownQuery(endpoint: Endpoint): Record<string, unknown> {
  const own = Object.entries(shownParameters).find(([id]) => id === endpoint.id)?.[1] ?? []
  const names = endpoint.kind === 'list' ? [...own, 'limit'] : own
  return Object.fromEntries(names.map((name) => [name, exampleOf(endpoint.query?.shape[name])]))
}

/** What wraps a schema may leave it to that to show an example. */
function exampleOf(schema: z.core.$ZodType | undefined): unknown {
  const examples = schema && z.globalRegistry.get(schema)?.examples
  if (Array.isArray(examples) && examples.length > 0) return examples[0]
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) return exampleOf(schema.unwrap())
  throw new Error('Every parameter is shown by an example.')
}

/** `orders` lists orders. */
function nounOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).replace(/s$/, '')
}
