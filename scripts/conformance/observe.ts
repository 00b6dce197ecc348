import type { ApiRequest, ApiResponse, Client, TokenName } from './client.ts'
import { isAt, type Operation } from './document.ts'
import { drawing } from './draw.ts'
import type { Generator } from './generate-value.ts'
import type { Known } from './known.ts'
import { type Check, type Ledger, note, type Tested } from './ledger.ts'
import type { Schemas } from './schemas.ts'
import { undeclaredMembers } from './undeclared.ts'
import { codeOf, faultsOfResponse } from './validate-response.ts'

/** The state of one conformance run against one service. */
export interface Run {
  readonly client: Client
  readonly schemas: Schemas
  readonly known: Known
  readonly ledger: Ledger
  /** All operations of the OpenAPI document. `operations` are those that the run checks. */
  readonly declared: readonly Operation[]
  readonly operations: readonly Operation[]
  readonly seed: number
  /**
   * Number of valid requests that the run sends to each operation. The run sends the same number of invalid requests.
   */
  readonly runs: number
  readonly tokens: readonly TokenName[]
  /** Prefix of every idempotency key of the run. No other run has the same prefix. */
  readonly keyPrefix: string
  /** Returns a number that makes a generated value unique. No earlier value on this service contains this number. */
  readonly next: () => number
  /** Operations whose `Location` header the run has already checked. */
  readonly located: Set<Operation>
  /** Callback that gets each request and its response if the response is validated against the document. */
  readonly onExchange: (exchange: Exchange) => void
}

export interface Exchange {
  readonly operation: Operation
  readonly response: ApiResponse
}

export interface Observed {
  readonly operation: Operation
  readonly check: Check
  readonly request: ApiRequest
  /** Returns the violations of this check's own expectations of the response, which the document does not express. */
  readonly expect?: (response: ApiResponse) => readonly string[]
}

/** Sends one request, validates the response, and stores the ids and values of the response for later requests. */
export async function observe(run: Run, { operation, check, request, expect }: Observed): Promise<ApiResponse> {
  const { client, schemas, ledger, known } = run
  const response = await client.send(request).catch((error: unknown) => noResponse(request, error))
  const tested = ledger.operations.get(operation.id)
  if (tested !== undefined) count(tested, response)
  run.onExchange({ operation, response })
  const faults = response.status === 0 ? [response.text] : faultsOfResponse(schemas, operation, response)
  note(ledger, { operation, check, response }, [...faults, ...(expect?.(response) ?? [])])
  noteUndeclared(run, operation, response)
  // Records of another merchant and records in the response to a dry run are not stored, because the merchant of the
  // run does not have them. Records in exports are not stored, because the lists contain the same records.
  const isKnown = request.as === 'other-token' || isDryRun(request) || !isJson(response)
  if (response.status < 300 && !isKnown) known.learn(response.body)
  if (response.status === 404 && request.as === 'token') known.remove(lastIdOf(operation, request))
  const docUrl: unknown = Reflect.get(Object(Reflect.get(Object(response.body), 'error')), 'docUrl')
  if (typeof docUrl === 'string' && !ledger.docUrls.has(docUrl)) ledger.docUrls.set(docUrl, { operation, request })
  return response
}

/**
 * Sends a request that only prepares a check or reads the effect of another request. The response is validated only if
 * its status is 400: it must match a response that the operation declares.
 */
export async function send({ client, declared, schemas, ledger }: Run, request: ApiRequest): Promise<ApiResponse> {
  const response = await client.send(request).catch((error: unknown) => noResponse(request, error))
  if (response.status !== 400) return response
  const path = request.path.replace(/\?.*/s, '')
  const operation = declared.find(({ method, template }) => method === request.method && isAt(template, path))
  if (operation === undefined || !ledger.operations.has(operation.id)) return response
  note(ledger, { operation, check: 'refusals', response }, faultsOfResponse(schemas, operation, response))
  return response
}

function count({ statuses, codes }: Tested, { status, body }: ApiResponse): void {
  statuses[status] = (statuses[status] ?? 0) + 1
  const code = codeOf(body)
  if (code !== undefined) codes.add(code)
}

function noteUndeclared({ schemas, ledger }: Run, { id, responses }: Operation, { status, body }: ApiResponse): void {
  const schema = responses[String(status)]?.content?.['application/json']?.schema
  if (schema === undefined) return
  for (const path of undeclaredMembers(schemas, schema, body)) ledger.undeclared.add(`${id} ${status} ${path}`)
}

export const dryRunHeader = 'Service-Dry-Run'

export function isDryRun({ headers = {} }: ApiRequest): boolean {
  return headers[dryRunHeader] === 'true'
}

function isJson({ headers }: ApiResponse): boolean {
  return headers.get('content-type')?.startsWith('application/json') ?? false
}

/** Returns the last id in the path of the request, which is that of the requested record. */
function lastIdOf({ template }: Operation, { path }: ApiRequest): string {
  const at = template.split('/').findLastIndex((part) => part.startsWith('{'))
  return decodeURIComponent(path.replace(/\?.*/s, '').split('/')[at] ?? '')
}

/** Returns a response with status 0 for a failed connection or a timeout. Both count as violations by the service. */
function noResponse(request: ApiRequest, error: unknown): ApiResponse {
  if (!(error instanceof TypeError) && !(error instanceof DOMException)) throw error
  const cause = error instanceof TypeError ? error.cause : undefined
  const text = `There was no response: ${error.message}${cause === undefined ? '' : `: ${String(cause)}`}`
  return { request, status: 0, headers: new Headers(), text, body: undefined }
}

interface Draws {
  readonly operation: Operation
  /** Name of a sequence of random values. Each use of random values in a run has its own sequence. */
  readonly purpose: string
  readonly changedPercent?: number
}

/** Returns a generator of random choices that depend only on the seed, the operation and the purpose. */
export function generatorFor(run: Run, { operation, purpose, changedPercent = 0 }: Draws): Generator {
  const { schemas, known, next } = run
  return { schemas, known, next, draw: drawing(seedOf(`${run.seed} ${operation.id} ${purpose}`)), changedPercent }
}

/** Returns the 32-bit FNV-1a hash of a text. */
function seedOf(text: string): number {
  let hash = 0x811c9dc5
  for (const character of text) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193)
  return hash | 0
}

/** Returns a function that reports a violation unless a response has one of the given statuses. */
export function expectStatus(statuses: readonly number[], why: string): (response: ApiResponse) => string[] {
  return ({ status, body }) => {
    const code = codeOf(body)
    const found = code === undefined ? String(status) : `${status} ${code}`
    return statuses.includes(status) ? [] : [`${why}: expected ${statuses.join(' or ')}, found ${found}.`]
  }
}

export function isSuccess({ status }: ApiResponse): boolean {
  return status >= 200 && status < 300
}
