import { OpenAPIRegistry, OpenApiGeneratorV31 } from '@asteasolutions/zod-to-openapi'
import { z } from 'zod'
import { type ErrorCode, errors } from '../errors/index.ts'
import { endpoints, events } from '../index.ts'
import { apiRoot, bodyLimitsOf, type Endpoint, mayBeUnmodified } from '../kit/endpoint.ts'
import { errorBodies } from '../kit/error-body.ts'
import {
  errorHeaders,
  headerParameters,
  signatureParameters,
  successHeaders,
  unmodifiedHeaders,
} from '../kit/headers.ts'
import { refusalsOf } from '../kit/refusals.ts'
import { type BodyLimits, bodyMaxDepth } from '../values/limits.ts'
import { scopes } from '../values/scopes.ts'
import { contractVersion } from '../values/version.ts'
import { addBounds } from './bounds.ts'
import { type Contract, faultsOf } from './guard.ts'

/**
 * The registry as an OpenAPI 3.1 document. This is the only importer of the generator, whose known wrong outputs
 * guard.ts refuses.
 */
export function openApiDocument(): OpenApiDocument {
  const contract: Contract = { endpoints: Object.values(endpoints), events: Object.values(events) }
  const document = documentOf(contract)
  const faults = faultsOf(contract, document)
  if (faults.length > 0) throw new Error(`The contract cannot be written as OpenAPI:\n${faults.join('\n')}`)
  return document
}

/** What the generator makes of a contract, right or wrong. */
export function documentOf(contract: Contract): OpenApiDocument {
  const registry = new OpenAPIRegistry()
  registry.registerComponent('securitySchemes', 'apiToken', {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'svc_live_… or svc_test_…',
    description: 'An API token. Each operation needs the scope in its `x-required-scope`.',
  })
  for (const endpoint of contract.endpoints) registry.registerPath(pathOf(endpoint))
  for (const event of contract.events) registry.registerWebhook(webhookOf(event))
  const generator = new OpenApiGeneratorV31(registry.definitions, { sortComponents: 'alphabetically' })
  const document = generator.generateDocument({
    openapi: '3.1.0',
    info: {
      title: 'Commerce Service',
      version: contractVersion,
      description: about,
      contact: { name: 'Commerce Service' },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: apiRoot, description: 'The versioned root; every path is relative to it.' }],
    tags: tagsOf(contract.endpoints),
  })
  // The generator always writes `parameters`, which no path here shares.
  delete document.components?.parameters
  addBounds(document)
  return document
}

export type OpenApiDocument = ReturnType<OpenApiGeneratorV31['generateDocument']>

const about = [
  'Requests and responses are JSON. Money is integer kobo, NGN throughout. Lists are paged by cursor, newest first.',
  'Request bodies are strict: an unknown field is refused. Responses may gain fields, values and error codes; ignore fields and expect values you do not know.',
  'Every response carries `Request-Id`; every error carries `Service-Should-Retry`.',
  'A write with `Service-Dry-Run: true` answers what would happen and changes nothing.',
].join('\n\n')

const tagDescriptions: Record<string, string> = {
  Orders: 'Orders and the money received for them.',
  Products: 'Products, their variants and prices, and the stock of each.',
  Customers: 'The people who buy, and where they want things sent.',
  Discounts: 'Price cuts that orders get by a code.',
  Refunds: 'Money going back to customers.',
  Logistics: 'Parcels: what carriers would charge, who takes them, and where they are.',
  Events: 'What happened in the last 30 days, as it was pushed.',
  Description: 'This document, and how it has changed.',
  Webhooks: 'What is pushed to the merchant’s endpoints.',
}

function tagsOf(all: readonly Endpoint[]) {
  const names = [...new Set([...all.map((endpoint) => endpoint.tag), 'Webhooks'])]
  return names.map((name) => {
    const description = tagDescriptions[name]
    if (description === undefined) throw new Error(`The tag ${name} has no description in registry/openapi/openapi.ts.`)
    return { name, description }
  })
}

type PathConfig = Parameters<OpenAPIRegistry['registerPath']>[0]

function pathOf(endpoint: Endpoint): PathConfig {
  const isPublic = endpoint.access === 'public'
  return {
    method: methods[endpoint.method],
    path: endpoint.path,
    operationId: endpoint.id,
    tags: [endpoint.tag],
    summary: endpoint.summary,
    ...(endpoint.description === undefined ? {} : { description: endpoint.description }),
    security: isPublic ? [] : [{ apiToken: [] }],
    ...(endpoint.access === 'public'
      ? {}
      : { 'x-required-scope': endpoint.access, 'x-required-scope-allows': scopes[endpoint.access] }),
    ...(endpoint.kind === 'list' ? { 'x-redoclyPagination': pagination } : {}),
    ...(endpoint.emits === undefined ? {} : { 'x-emits': [...endpoint.emits] }),
    ...(endpoint.kind === 'write' ? { 'x-idempotency': endpoint.idempotency ?? 'ignored' } : {}),
    ...(endpoint.body === undefined ? {} : { 'x-body-limits': { ...bodyLimitsOf(endpoint), depth: bodyMaxDepth } }),
    ...(endpoint.stateMachine === undefined ? {} : { 'x-state-machine': endpoint.stateMachine }),
    'x-stability': endpoint.stability ?? 'stable',
    ...(endpoint.deprecated === undefined ? {} : { deprecated: true, 'x-deprecation': endpoint.deprecated }),
    request: requestOf(endpoint),
    responses: { ...successesOf(endpoint), ...unmodifiedOf(endpoint), ...failuresOf(endpoint) },
  }
}

const methods = { GET: 'get', POST: 'post', PATCH: 'patch', DELETE: 'delete' } as const

/** Read by client generators that page by themselves. */
const pagination = {
  style: 'cursor',
  cursorParam: 'cursor',
  limitParam: 'limit',
  nextCursor: '/pagination/cursor',
  hasMore: '/pagination/hasMore',
  items: '/data',
}

function requestOf(endpoint: Endpoint): NonNullable<PathConfig['request']> {
  const headers = headerParameters(endpoint)
  return {
    ...(endpoint.params === undefined ? {} : { params: endpoint.params }),
    ...(endpoint.query === undefined ? {} : { query: endpoint.query }),
    ...(headers.length === 0 ? {} : { headers }),
    ...(endpoint.body === undefined
      ? {}
      : {
          body: {
            required: true,
            description: bodyDescription(bodyLimitsOf(endpoint)),
            content: { 'application/json': { schema: endpoint.body.schema, example: endpoint.body.example } },
          },
        }),
  }
}

/** A body's limits are no matter of its schema, so they are said beside it. */
function bodyDescription({ bytes, values }: BodyLimits): string {
  return `The request: at most ${bytes / 1024} KiB, ${values.toLocaleString('en')} values and ${bodyMaxDepth} levels.`
}

function successesOf(endpoint: Endpoint): PathConfig['responses'] {
  const { status = 200, meaning, further = [] } = endpoint.reply
  const all = [{ status, meaning }, ...further].sort((a, b) => a.status - b.status)
  return Object.fromEntries(all.map((success) => [success.status, successOf(endpoint, success)]))
}

function successOf(endpoint: Endpoint, { status, meaning }: { readonly status: number; readonly meaning: string }) {
  const example =
    endpoint.kind === 'list'
      ? { data: [endpoint.example], pagination: { cursor: null, limit: 25, hasMore: false } }
      : endpoint.reply.example
  return {
    description: meaning,
    headers: successHeaders(endpoint, status),
    content: { 'application/json': { schema: endpoint.reply.body, example } },
  }
}

function unmodifiedOf(endpoint: Endpoint): PathConfig['responses'] {
  if (!mayBeUnmodified(endpoint)) return {}
  const description = 'It is as you have it: the answer would carry the ETag sent in `If-None-Match`. There is no body.'
  return { 304: { description, headers: unmodifiedHeaders(endpoint) } }
}

/** One response for each status, naming exactly the codes the operation can give with it. */
function failuresOf(endpoint: Endpoint): PathConfig['responses'] {
  const byStatus = Map.groupBy(refusalsOf(endpoint), (code) => errors[code].status)
  const responses: PathConfig['responses'] = {}
  for (const [status, codes] of [...byStatus].sort(([a], [b]) => a - b)) {
    const [first, ...others] = codes.map(bodyOf)
    if (first === undefined) continue
    responses[status] = {
      description: codes.map((code) => `\`${code}\`: ${errors[code].meaning}`).join('\n\n'),
      headers: errorHeaders(endpoint, status),
      content: { 'application/json': { schema: others.length === 0 ? first : z.union([first, ...others]) } },
    }
  }
  return responses
}

function bodyOf(code: ErrorCode) {
  const body = errorBodies.get(code)
  if (body === undefined) throw new Error(`No error body for ${code}.`)
  return body
}

function webhookOf(event: Contract['events'][number]): PathConfig {
  return {
    method: 'post',
    path: event.kind,
    operationId: `on${event.name.replace(/Event$/, '')}`,
    tags: ['Webhooks'],
    summary: event.meaning,
    description:
      'Verify the signature over the raw bytes, answer with any 2xx within 10 seconds, and deduplicate by `id`: the ' +
      'same event may arrive more than once and in any order.',
    security: [],
    'x-stability': event.stability ?? 'stable',
    request: {
      headers: signatureParameters,
      body: {
        required: true,
        description: 'The event.',
        content: { 'application/json': { schema: event.envelope, example: event.envelopeExample } },
      },
    },
    responses: {
      '2XX': { description: 'Acknowledged. Any other answer, or none within 10 seconds, is a failure and is retried.' },
    },
  }
}
