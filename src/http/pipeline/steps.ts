import { bodyLimitsOf } from '../../../registry/kit/endpoint.ts'
import type { Call } from '../../operations/execute/call.ts'
import { authorize } from '../../operations/execute/caller.ts'
import { execute } from '../../operations/execute/execute.ts'
import type { Operation } from '../../operations/execute/operation.ts'
import { textProblems } from '../../operations/execute/validate.ts'
import { parseJson, receiveJson } from './body.ts'
import { isListed, tagOf } from './etag.ts'
import type { Answer, Exchange } from './exchange.ts'
import { queryOf } from './query.ts'
import type { Service } from './request.ts'
import { checkHead, onDisconnectOf } from './request-head.ts'
import { answerOf, commonHeaders } from './respond.ts'
import { sendStream } from './send-stream.ts'
import { userAgentOf } from './sender.ts'
import { answerStatic } from './static-document.ts'
import type { Stream } from './streams.ts'
import { writeHeadersOf } from './write-headers.ts'

/**
 * Runs the steps of a request to an operation. A step that rejects the request throws a Refusal, which ends the steps:
 *
 * head -> authenticate -> rate limits and load -> authorize -> receive the body -> concurrency slot -> execute -> answer
 *
 * A request that waits for its client is not counted as in progress. Otherwise clients that send slowly would displace
 * the requests of other clients.
 */
export async function answer(service: Service, operation: Operation, exchange: Exchange): Promise<Answer | undefined> {
  const { endpoint } = operation
  const { message } = exchange
  exchange.headers = commonHeaders(endpoint, message)
  checkHead(message)
  if (endpoint.access === 'public') return answerStatic(operation, message)
  const startMs = performance.now()
  const caller = await service.authenticate(message)
  exchange.caller = caller
  exchange.headers = { ...exchange.headers, ...(await service.admission.admit(caller, endpoint)) }
  const spentMs = performance.now() - startMs
  // The scope is checked before the body is received, so that a client without the scope need not send the body.
  authorize(caller, endpoint.access)
  const bytes = await receiveJson(exchange, endpoint, service.clientWaits)
  exchange.bodyBytes = bytes?.length
  const slot = service.admission.enter(caller, endpoint)
  let stream: Stream
  try {
    const sent = callOf(service, operation, exchange, bytes)
    const reply = await execute(service, operation, { ...sent, caller, slot, spentMs })
    if (reply.is !== 'stream') return answerOf(operation, reply, message)
    stream = reply
  } finally {
    slot.leave()
  }
  // A streamed response waits for its client, so its request is no longer counted as in progress.
  return sendStream(service.streams, exchange, stream)
}

function callOf(
  service: Service,
  { endpoint, serialize }: Operation,
  exchange: Exchange,
  bytes: Buffer | undefined,
): Omit<Call, 'caller' | 'slot' | 'spentMs'> {
  const { message, params, requestId } = exchange
  const query = queryOf(message.url ?? '', endpoint)
  const body = bytes && parseJson(bytes, bodyLimitsOf(endpoint))
  exchange.body = body
  const headers = writeHeadersOf(endpoint, message)
  const problems = [
    ...query.problems,
    ...(body?.isSuspect ? textProblems('body', body.value) : []),
    ...(body?.problems ?? []),
    ...headers.problems,
  ]
  return {
    ...headers,
    ...{ requestId, params, query: query.values, body: body?.value, problems },
    userAgent: userAgentOf(message),
    isHead: message.method === 'HEAD',
    isUnmodified: (reply) => isListed(tagOf(endpoint, reply, serialize(reply)), message),
    onDisconnect: onDisconnectOf(message),
    origin: () => service.originOf(message),
  }
}
