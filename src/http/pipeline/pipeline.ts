import type { IncomingMessage } from 'node:http'
import { z } from 'zod'
import { bodyLimitsOf, type Endpoint } from '../../../registry/kit/endpoint.ts'
import { withDeadline } from '../../base/deadline.ts'
import { authorize } from './authenticate.ts'
import { type JsonBody, readJson, readOptionalJson } from './body.ts'
import type { Caller } from './caller.ts'
import { headerProblems } from './dry-run.ts'
import { etagProblems } from './etag.ts'
import { answerList } from './list.ts'
import type { Operation } from './operation.ts'
import { withOtherMode } from './other-mode.ts'
import { queryOf } from './query.ts'
import { answerRead } from './read.ts'
import type { Answer, Incoming, Service, ValidRequest } from './request.ts'
import { checkHead } from './request-head.ts'
import { answerStatic } from './static-document.ts'
import { textProblems, validate } from './validate.ts'
import { answerWrite } from './write.ts'

/**
 * Steps of a request:
 *
 *   request id -> authenticate -> authorize -> read and validate -> [write: begin -> idempotency -> handler
 *   -> audit + events -> commit] -> serialize by contract -> respond
 */

export async function answer(service: Service, operation: Operation, incoming: Incoming): Promise<Answer> {
  const { endpoint } = operation
  checkHead(incoming.message)
  if (endpoint.access === 'public') return answerStatic(operation, incoming.message)
  const caller = await service.authenticate(incoming.message)
  authorize(caller, endpoint.access)
  const request = await readRequest(endpoint, incoming, caller)
  try {
    return await withDeadline(queuedMaxMs, () => answerers[endpoint.kind](service, operation, request))
  } catch (error) {
    throw await withOtherMode(service, request, error)
  }
}

/**
 * Limit for the total time a request waits in queues. With the database timeout of five seconds, every request is
 * answered within nine seconds.
 */
const queuedMaxMs = 4_000

const answerers = { read: answerRead, list: answerList, write: answerWrite }

/** Schemas of operations without query parameters or without body fields. */
const noQuery = z.strictObject({})
const noFields = z.strictObject({})

/** Reads the body. A write without body fields accepts an empty object, which many clients always send. */
function bodyOf(endpoint: Endpoint, message: IncomingMessage): Promise<JsonBody | undefined> {
  const limits = bodyLimitsOf(endpoint)
  if (endpoint.body !== undefined) return readJson(message, limits)
  return endpoint.kind === 'write' ? readOptionalJson(message, limits) : Promise.resolve(undefined)
}

async function readRequest(endpoint: Endpoint, incoming: Incoming, caller: Caller): Promise<ValidRequest> {
  const { message, requestId } = incoming
  const query = queryOf(message.url ?? '', endpoint)
  const body = await bodyOf(endpoint, message)
  const found = [
    ...query.problems,
    ...(body?.isSuspect ? textProblems('body', body.value) : []),
    ...(body?.problems ?? []),
    ...headerProblems(endpoint, message),
    ...etagProblems(endpoint, message),
  ]
  const [params, parsedQuery, parsedBody] = validate(
    [
      { root: 'path', schema: endpoint.params, input: incoming.params },
      { root: 'query', schema: endpoint.query ?? noQuery, input: query.values },
      {
        root: 'body',
        schema: body === undefined ? undefined : (endpoint.body?.schema ?? noFields),
        input: body?.value,
      },
    ],
    found,
  )
  return {
    message,
    requestId,
    caller,
    params,
    query: parsedQuery,
    queryValues: query.values,
    body: parsedBody,
    rawBody: body?.value,
  }
}
