import type { IncomingMessage } from 'node:http'
import { z } from 'zod'
import { bodyLimitsOf, type Endpoint } from '../../../registry/kit/endpoint.ts'
import type { Problem } from '../../../registry/kit/error-body.ts'
import { withinBounds } from '../../base/deadline.ts'
import { authorize } from './authenticate.ts'
import { parseJson, receiveJson, receiveOptionalJson } from './body.ts'
import type { Caller } from './caller.ts'
import { headerProblems } from './dry-run.ts'
import { etagProblems } from './etag.ts'
import { answerList } from './list.ts'
import type { Operation } from './operation.ts'
import { withOtherMode } from './other-mode.ts'
import { queryOf } from './query.ts'
import { answerRead } from './read.ts'
import { Refusal } from './refusal.ts'
import type { Answer, Incoming, Service, ValidRequest } from './request.ts'
import { boundsOf } from './request-bounds.ts'
import type { RequestHead } from './request-head.ts'
import { checkHead } from './request-head.ts'
import { answerStatic } from './static-document.ts'
import { textProblems, validate } from './validate.ts'
import { answerWrite } from './write.ts'

/**
 * Steps of a request:
 *
 * request id -> authenticate -> rate limit -> authorize -> receive the body -> take a concurrency slot -> validate ->
 * [write: begin -> idempotency -> handler -> audit + events -> commit] -> serialize by contract -> respond
 *
 * A request that waits for its client is not one of the requests in progress. Otherwise clients that send slowly would
 * displace the requests of other clients.
 */

export async function answer(service: Service, operation: Operation, incoming: Incoming): Promise<Answer> {
  const { endpoint } = operation
  checkHead(incoming.message)
  if (endpoint.access === 'public') return answerStatic(operation, incoming.message)
  const startMs = service.lookupStartMs(incoming.message) ?? performance.now()
  const caller = await held(service, () => service.authenticate(incoming.message))
  incoming.caller = caller
  service.clientWaits.identify(incoming.message, caller.merchantId)
  incoming.rateHeaders = await held(service, () => service.admission.takeRate(caller, endpoint))
  const spentMs = performance.now() - startMs
  authorize(caller, endpoint.access)
  const bytes = await receiveBody(service, endpoint, incoming.message)
  const slot = await held(service, async () => service.admission.enter(caller, endpoint))
  try {
    return await run(service, operation, readRequest(endpoint, incoming, { caller, slot, spentMs, bytes }))
  } finally {
    slot.leave()
  }
}

/**
 * Delays the response to a request above a limit. The early rejection before the pipeline does the same, but does not
 * recognise unusual spellings of paths and authentication schemes, with which a client could otherwise flood the
 * process.
 */
async function held<Result>({ heldResponses }: Service, run: () => Promise<Result>): Promise<Result> {
  try {
    return await run()
  } catch (error) {
    if (error instanceof Refusal && (error.status === 429 || error.status === 503)) await heldResponses.wait()
    throw error
  }
}

/** Runs the operation of a valid request. */
async function run(service: Service, operation: Operation, request: ValidRequest): Promise<Answer> {
  const bounds = boundsOf(service.requestLimits, operation.endpoint, request)
  try {
    return await withinBounds(bounds, () => answerers[operation.endpoint.kind](service, operation, request))
  } catch (error) {
    throw await withOtherMode(service, request, error)
  }
}

const answerers = { read: answerRead, list: answerList, write: answerWrite }

/** Schemas of an empty query and an empty body, for operations without query parameters or without body fields. */
const noQuery = z.strictObject({})
const noFields = z.strictObject({})

/** Returns the bytes of the body. A write without body fields accepts an empty object, which many clients send. */
async function receiveBody(
  { clientWaits }: Service,
  endpoint: Endpoint,
  message: IncomingMessage,
): Promise<Buffer | undefined> {
  const limits = bodyLimitsOf(endpoint)
  if (endpoint.body !== undefined) return receiveJson(message, limits, clientWaits)
  return endpoint.kind === 'write' ? receiveOptionalJson(message, limits, clientWaits) : undefined
}

/** A request that this process makes for an authenticated caller, such as a member in the dashboard. */
export interface InternalRequest {
  readonly caller: Caller
  readonly requestId: string
  readonly head: RequestHead
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
  readonly body?: unknown
}

/** Runs an operation like `answer`, but for a caller who is already authenticated. Throws a Refusal. */
export async function answerInternal(
  service: Service,
  operation: Operation,
  request: InternalRequest,
): Promise<Answer> {
  const { endpoint } = operation
  const { caller, requestId, head, params, query, body } = request
  if (endpoint.access === 'public')
    throw new Error(`The operation ${endpoint.id} is public, so it has no authenticated caller.`)
  authorize(caller, endpoint.access)
  const found = [...textProblems('query', query), ...textProblems('body', body), ...headProblems(endpoint, head)]
  const parts = { params, query, body, found }
  const valid = validParts(endpoint, parts)
  const slot = service.admission.admitInternal(caller, endpoint)
  try {
    return await run(service, operation, { message: head, requestId, caller, slot, spentMs: 0, ...valid })
  } finally {
    slot.leave()
  }
}

interface Received extends Pick<ValidRequest, 'caller' | 'slot' | 'spentMs'> {
  readonly bytes: Buffer | undefined
}

function readRequest(endpoint: Endpoint, incoming: Incoming, { bytes, ...admitted }: Received): ValidRequest {
  const { message, requestId } = incoming
  const query = queryOf(message.url ?? '', endpoint)
  const body = bytes && parseJson(bytes, bodyLimitsOf(endpoint))
  const found = [
    ...query.problems,
    ...(body?.isSuspect ? textProblems('body', body.value) : []),
    ...(body?.problems ?? []),
    ...headProblems(endpoint, message),
  ]
  const parts = { params: incoming.params, query: query.values, body: body?.value, found }
  return { message, requestId, ...admitted, ...validParts(endpoint, parts) }
}

function headProblems(endpoint: Endpoint, head: RequestHead): Problem[] {
  return [...headerProblems(endpoint, head), ...etagProblems(endpoint, head)]
}

interface Parts {
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
  /** The parsed request body. Undefined if the request has no body; JSON cannot express undefined. */
  readonly body: unknown
  /** Problems of the request's texts and headers, found before validation. */
  readonly found: readonly Problem[]
}

/** Validates all parts of a request together, so that the validation error lists every problem. */
function validParts(
  endpoint: Endpoint,
  { params, query, body, found }: Parts,
): Pick<ValidRequest, 'params' | 'query' | 'queryValues' | 'body' | 'rawBody'> {
  const bodySchema = body === undefined ? undefined : (endpoint.body?.schema ?? noFields)
  const [validParams, validQuery, validBody] = validate(
    [
      { root: 'path', schema: endpoint.params, input: params },
      { root: 'query', schema: endpoint.query ?? noQuery, input: query },
      { root: 'body', schema: bodySchema, input: body },
    ],
    found,
  )
  return { params: validParams, query: validQuery, queryValues: query, body: validBody, rawBody: body }
}
