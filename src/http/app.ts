import type { IncomingMessage } from 'node:http'
import { Hono } from 'hono'
import { apiRoot } from '../../registry/kit/endpoint.ts'
import { newId } from '../base/ids.ts'
import { type TracedWork, traced } from '../base/trace.ts'
import type { Operation } from '../operations/execute/operation.ts'
import { Refusal } from '../operations/execute/refusal.ts'
import { refusalOf } from '../operations/execute/refusal-of.ts'
import { allOperations } from '../operations/implementations.ts'
import { openReferenceSite } from '../reference/entities.ts'
import type { Bindings } from './pipeline/bindings.ts'
import { browserOf, type Dashboard } from './pipeline/dashboard.ts'
import { measure } from './pipeline/measure.ts'
import { openReaderOrigins } from './pipeline/reader-origins.ts'
import type { Answer, Exchange, Service } from './pipeline/request.ts'
import { checkHead } from './pipeline/request-head.ts'
import { commonHeaders, failure, success } from './pipeline/respond.ts'
import { routeRefusal } from './pipeline/route-refusal.ts'
import { answer } from './pipeline/steps.ts'
import { answerReference, referenceRoutes } from './reference.ts'

/**
 * Returns the Hono app with the operations, the reference site, the dashboard and the callbacks. Unknown paths get an API
 * error.
 */
export function createApp(
  service: Service,
  operations: readonly Operation[] = allOperations(),
  dashboard?: Dashboard,
): Hono<Bindings> {
  const app = new Hono<Bindings>()
  for (const operation of operations) {
    const { method, path } = operation.endpoint
    app.on(method, pattern(apiRoot + path), (c) => {
      return respond(service, operation, c.env.incoming, c.req.param())
    })
  }
  const measureReference = measure(service.meters, 'reference')
  const reference = openReferenceSite()
  const readerOrigins = openReaderOrigins()
  for (const route of referenceRoutes) {
    app.get(route, measureReference, (c) => {
      checkHead(c.env.incoming)
      const { socket } = c.env.incoming
      const origin = readerOrigins.choose(service.originOf(c.env.incoming), service.originOf({ headers: {}, socket }))
      return answerReference(reference, c.req.raw, { requestId: newRequestId(service), origin })
    })
    app.all(route, measureReference, (c) => {
      const headers = { Allow: 'GET, HEAD' }
      const refusal = new Refusal(
        'method_not_allowed',
        `The pages of the API reference do not support the method ${c.req.method}.`,
        { headers },
      )
      return failure(refusal, newRequestId(service), service.originOf(c.env.incoming))
    })
  }
  if (dashboard !== undefined) {
    app.all(`${dashboard.root}/*`, measure(service.meters, 'dashboard'), async (c) =>
      (await dashboard.load()).fetch(c.req.raw, browserOf(service, c.env.incoming)),
    )
  }
  for (const { operation, path, answer: answerCallback } of service.callbackRoutes) {
    app.post(pattern(path), (c) => {
      const requestId = newRequestId(service)
      const run = () => answerCallback(c.env.incoming, c.req.param(), requestId)
      const received = { message: c.env.incoming, requestId, caller: undefined }
      return respondAndLog(service, { operation, method: 'POST', path, run }, received)
    })
  }
  app.notFound((c) => {
    service.meters.requestStarted()
    const refusal = routeRefusal(operations, c.req.method, c.req.path)
    service.meters.requestEnded({ operation: 'none', status: refusal.status, durationMs: 0 })
    return failure(refusal, newRequestId(service), service.originOf(c.env.incoming))
  })
  app.onError((error, c) => {
    const requestId = newRequestId(service)
    // The log line does not contain the URL path, because clients may send personal data and keys in it.
    return failure(refusalOf(service, error, requestId), requestId, service.originOf(c.env.incoming))
  })
  return app
}

/** Returns the path in the syntax of the router. */
function pattern(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1')
}

function newRequestId(service: Service): string {
  return newId('req', service.context.clock.nowMs())
}

async function respond(
  service: Service,
  operation: Operation,
  message: IncomingMessage,
  params: Readonly<Record<string, string>>,
): Promise<Response> {
  const { endpoint } = operation
  const requestId = newRequestId(service)
  const exchange: Exchange = { message, params, requestId, caller: undefined, rateHeaders: {} }
  return respondAndLog(
    service,
    {
      ...{ operation: endpoint.id, method: endpoint.method, path: `${apiRoot}${endpoint.path}` },
      run: () => answer(service, operation, exchange),
      headers: () => ({ ...commonHeaders(endpoint, message), ...exchange.rateHeaders }),
    },
    exchange,
  )
}

/** The parts of a request that its log line and its trace contain. */
type Received = Pick<Exchange, 'message' | 'requestId' | 'caller'>

interface RequestedOperation {
  readonly operation: string
  readonly method: string
  /** The path of the operation, with placeholders instead of ids. */
  readonly path: string
  readonly run: () => Promise<Answer>
  /** The headers of every response to the request, which are known once the operation has run. */
  readonly headers?: () => Readonly<Record<string, string>>
}

/**
 * Returns the response when the handler has finished. Logs one line, and stores a request with a token in the request
 * log. The response to a request above a limit is delayed, and of these requests of a token only one a second is logged.
 */
async function respondAndLog(service: Service, requested: RequestedOperation, exchange: Received): Promise<Response> {
  const { operation, method, path } = requested
  const { requestId } = exchange
  const startedAt = performance.now()
  service.meters.requestStarted()
  const { response, refusal } = await traced(
    () => requestSpan(requested, exchange),
    () => respondTo(service, requested, exchange),
  )
  const elapsedMs = performance.now() - startedAt
  const durationMs = Math.round(elapsedMs)
  const { status } = response
  const { merchantId, by, sourceIp } = exchange.caller ?? {}
  const tokenId = by?.id
  const errorCode = refusal?.code ?? null
  const isOverLimit = refusal?.more.isOverLimit === true
  service.meters.requestEnded({ operation, status, durationMs: elapsedMs })
  if (!isOverLimit || service.logsRejection(tokenId)) {
    const route = `${method} ${path}`
    const failed = errorCode === null ? {} : { errorCode }
    service.log.info({ requestId, merchantId, tokenId, operation, route, status, ...failed, durationMs }, 'request')
    if (merchantId !== undefined && tokenId !== undefined && sourceIp !== undefined)
      service.requestLog?.add({
        merchantId,
        id: requestId,
        operation,
        status,
        errorCode,
        durationMs,
        tokenId,
        sourceIp,
      })
  }
  if (isOverLimit) await service.heldResponses.wait()
  return response
}

interface Responded {
  readonly response: Response
  /** The refusal that the response reports. Undefined for a successful request. */
  readonly refusal: Refusal | undefined
}

async function respondTo(
  service: Service,
  { run, headers = () => ({}) }: RequestedOperation,
  { message, requestId }: Received,
): Promise<Responded> {
  try {
    const answered = await run()
    // The headers of the answer come first, and take precedence.
    const all = { ...answered.headers, ...headers(), ...answered.headers }
    const response = success({ ...answered, headers: all }, requestId)
    return { response, refusal: undefined }
  } catch (error) {
    const refusal = refusalOf(service, error, requestId)
    if (refusal.code === 'rate_limited') service.meters.rateLimited(String(Reflect.get(refusal.details, 'policy')))
    return { response: failure(refusal, requestId, service.originOf(message), headers()), refusal }
  }
}

function requestSpan({ operation, method, path }: RequestedOperation, exchange: Received): TracedWork<Responded> {
  const { traceparent } = exchange.message.headers
  return {
    name: `${method} ${path}`,
    kind: 'server',
    attributes: {
      'http.request.method': method,
      'http.route': path,
      'commerce.operation': operation,
      'commerce.request_id': exchange.requestId,
    },
    parent: { is: 'header', value: typeof traceparent === 'string' ? traceparent : undefined },
    endOf: ({ response: { status }, refusal }) => ({
      attributes: {
        'http.response.status_code': status,
        ...(refusal === undefined ? {} : { 'error.type': refusal.code }),
        ...(exchange.caller === undefined
          ? {}
          : { 'commerce.merchant_id': exchange.caller.merchantId, 'commerce.token_id': exchange.caller.by.id }),
      },
      isFailure: status >= 500,
    }),
  }
}
