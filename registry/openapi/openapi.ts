import { OpenAPIRegistry, OpenApiGeneratorV31 } from '@asteasolutions/zod-to-openapi'
import { z } from 'zod'
import { type ErrorCode, errors } from '../errors/index.ts'
import { endpoints, events } from '../index.ts'
import { apiRoot, bodyLimitsOf, type Endpoint, mayBeUnmodified } from '../kit/endpoint.ts'
import { errorBodies } from '../kit/error-body.ts'
import { exportFormats } from '../kit/export-format.ts'
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
 * Returns the registry as an OpenAPI 3.1 document. Throws if guard.ts finds a construct that the OpenAPI generator
 * writes incorrectly. No other file imports the generator.
 */
export function openApiDocument(): OpenApiDocument {
  const contract: Contract = { endpoints: Object.values(endpoints), events: Object.values(events) }
  const document = documentOf(contract)
  const faults = faultsOf(contract, document)
  if (faults.length > 0) throw new Error(`The contract cannot be written as OpenAPI:\n${faults.join('\n')}`)
  return document
}

/** Returns the OpenAPI document of a contract, without the checks of guard.ts. */
export function documentOf(contract: Contract): OpenApiDocument {
  const registry = new OpenAPIRegistry()
  registry.registerComponent('securitySchemes', 'apiToken', {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'svc_live_… or svc_test_…',
    description: 'API token. Each operation requires the scope in its `x-required-scope`.',
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
    servers: [{ url: apiRoot, description: 'Root of all paths, with the version of the API.' }],
    tags: tagsOf(contract.endpoints),
  })
  // Removes the shared `parameters` of the OpenAPI document, which the generator always writes and no path of this API
  // uses.
  delete document.components?.parameters
  addBounds(document)
  return document
}

export type OpenApiDocument = ReturnType<OpenApiGeneratorV31['generateDocument']>

const about = [
  'Requests and responses are JSON. Exports can also be NDJSON or CSV. Amounts are integers in kobo, NGN throughout. Lists use cursor pagination, newest records first.',
  'Request bodies are strict: unknown fields are rejected. Responses may gain fields, enum values and error codes. Ignore unknown fields, and handle unknown values.',
  'Every response has the header `Request-Id`, and every error the header `Service-Should-Retry`.',
  'A write with `Service-Dry-Run: true` runs the whole operation and then rolls it back.',
].join('\n\n')

const tagDescriptions: Record<string, string> = {
  Orders: 'Orders, their price previews and their status transitions.',
  Payments: 'Payments of orders.',
  Products: 'Products with their variants, prices and inventory.',
  Customers: 'Customers and their addresses.',
  Discounts: 'Discounts, which are applied to orders by a discount code, and their redemptions.',
  Refunds: 'Refunds of orders.',
  Returns: 'Returns: units that customers send back, which are restocked or written off.',
  Reports: 'Sales reports: sums over the orders and refunds of the merchant.',
  Exports: 'Exports: all records of a time range, as JSON, NDJSON or CSV.',
  Logistics: 'Quotes, shipments, tracking, delivery zones and surge.',
  Events: 'Events of the last 30 days, as delivered by webhooks.',
  'Test mode':
    'Triggers of events and exceptional states, and the test clock, which advances the time of a merchant in test mode.',
  Description: 'The OpenAPI document and the changelog.',
  Webhooks: 'Events that are delivered to the webhook endpoints of the merchant.',
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
    ...(isPublic ? {} : { 'x-rate-limit-class': endpoint.rateClass }),
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

/** OpenAPI extension that tells client generators how lists are paginated. */
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

/** States the size limits of the request body, which a schema cannot express. */
function bodyDescription({ bytes, values }: BodyLimits): string {
  const limits = `${bytes / 1024} KiB, ${values.toLocaleString('en')} values and ${bodyMaxDepth} nesting levels`
  return `Request body, with at most ${limits}.`
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
    content: contentOf(endpoint, example),
  }
}

/**
 * An export also has formats other than JSON. OpenAPI cannot describe all lines of an NDJSON export, so the schema of
 * NDJSON describes one line.
 */
function contentOf(endpoint: Endpoint, example: unknown) {
  const json = { [exportFormats.json.mediaType]: { schema: endpoint.reply.body, example } }
  if (endpoint.kind !== 'export' || endpoint.item === undefined) return json
  return {
    ...json,
    [exportFormats.ndjson.mediaType]: { schema: endpoint.item },
    [exportFormats.csv.mediaType]: { schema: { type: 'string' as const } },
  }
}

function unmodifiedOf(endpoint: Endpoint): PathConfig['responses'] {
  if (!mayBeUnmodified(endpoint)) return {}
  const description = 'Not modified: the ETag equals the one in `If-None-Match`. There is no body.'
  return { 304: { description, headers: unmodifiedHeaders(endpoint) } }
}

/** Returns one OpenAPI response for each error status, with exactly the error codes that the operation can return. */
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
  if (body === undefined) throw new Error(`No error body is declared for the code ${code}.`)
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
      'Verify the signature over the raw request body, respond with any 2xx status within 10 seconds, and deduplicate by ' +
      '`id`. Delivery is at least once, and events can arrive out of order.',
    security: [],
    'x-stability': event.stability ?? 'stable',
    request: {
      headers: signatureParameters,
      body: {
        required: true,
        description: 'Event.',
        content: { 'application/json': { schema: event.envelope, example: event.envelopeExample } },
      },
    },
    responses: {
      '2XX': {
        description:
          'The receiver has acknowledged the delivery. Any other status, or no response within 10 seconds, is a failure, and the delivery is retried.',
      },
    },
  }
}
