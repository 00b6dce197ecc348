import type { IncomingMessage } from 'node:http'
import { Hono } from 'hono'
import type { ErrorCode } from '../../registry/errors/index.ts'
import { apiRoot } from '../../registry/kit/endpoint.ts'
import { deprecationHeaders } from '../../registry/values/deprecation.ts'
import { newId } from '../base/ids.ts'
import { type TracedWork, traced } from '../base/trace.ts'
import { openReferenceSite } from '../reference/entities.ts'
import { implementations } from './implementations.ts'
import type { Bindings } from './pipeline/bindings.ts'
import { dashboardRoot, type LoadDashboard } from './pipeline/dashboard.ts'
import { anonymous } from './pipeline/early-rejection.ts'
import { measure } from './pipeline/measure.ts'
import { type Operation, operationsOf } from './pipeline/operation.ts'
import { answer } from './pipeline/pipeline.ts'
import { openReaderOrigins } from './pipeline/reader-origins.ts'
import { Refusal } from './pipeline/refusal.ts'
import { refusalOf } from './pipeline/refusal-of.ts'
import type { Answer, Incoming, Service } from './pipeline/request.ts'
import { checkHead } from './pipeline/request-head.ts'
import { failure, success } from './pipeline/respond.ts'
import { routeRefusal } from './pipeline/route-refusal.ts'
import { repeatedHeadersOf } from './pipeline/write.ts'
import { answerReference, referenceRoutes } from './reference.ts'

/** The operations of the API with their handlers. */
export function allOperations(): readonly Operation[] {
  return operationsOf(implementations)
}

/**
 * Returns the Hono app with the operations, the reference site, the dashboard and the callbacks. Unknown paths get an API
 * error.
 */
export function createApp(
  service: Service,
  operations: readonly Operation[] = allOperations(),
  loadDashboard?: LoadDashboard,
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
  if (loadDashboard !== undefined) {
    app.all(`${dashboardRoot}/*`, async (c) => (await loadDashboard()).fetch(c.req.raw, c.env))
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
  const requestId = newRequestId(service)
  const { endpoint } = operation
  const { id: operationId, method, path, stability } = endpoint
  const repeated = endpoint.kind === 'write' ? repeatedHeadersOf(message) : {}
  const incoming: Incoming = { message, params, requestId, caller: undefined, rateHeaders: {} }
  return respondAndLog(
    service,
    {
      operation: operationId,
      method,
      path: `${apiRoot}${path}`,
      run: () => answer(service, operation, incoming),
      headersOfFailure: repeated,
      // Responses of beta operations have the `Beta` header (spec 9). A response that rejects a request for its rate
      // limit has rate limit headers of its own, which replace the ones from `incoming`.
      headers: () => ({
        ...(stability === 'beta' ? { Beta: 'true' } : {}),
        ...deprecationHeaders(endpoint),
        ...incoming.rateHeaders,
      }),
    },
    incoming,
  )
}

/** The parts of a request that its log line and its trace contain. */
type Received = Pick<Incoming, 'message' | 'requestId' | 'caller'>

interface RequestedOperation {
  readonly operation: string
  readonly method: string
  /** The path of the operation, with placeholders instead of ids. */
  readonly path: string
  readonly run: () => Promise<Answer>
  readonly headersOfFailure?: Readonly<Record<string, string>>
  /** The headers of every response to the request, which are known once the operation has run. */
  readonly headers?: () => Readonly<Record<string, string>>
}

/**
 * Returns the response when the handler has finished. Logs one line, and stores a request with a token in the request
 * log.
 */
async function respondAndLog(service: Service, requested: RequestedOperation, incoming: Received): Promise<Response> {
  const { operation, method, path } = requested
  const { requestId } = incoming
  const startedAt = performance.now()
  service.meters.requestStarted()
  const { response, errorCode } = await traced(
    () => requestSpan(requested, incoming),
    () => respondTo(service, requested, incoming),
  )
  const elapsedMs = performance.now() - startedAt
  const durationMs = Math.round(elapsedMs)
  const { status } = response
  const { merchantId, by, sourceIp } = incoming.caller ?? {}
  const tokenId = by?.id
  service.meters.requestEnded({ operation, status, durationMs: elapsedMs })
  if (errorCode === 'rate_limited' && !service.logsRejection(tokenId ?? anonymous)) return response
  const route = `${method} ${path}`
  const failed = errorCode === null ? {} : { errorCode }
  service.log.info({ requestId, merchantId, tokenId, operation, route, status, ...failed, durationMs }, 'request')
  if (merchantId !== undefined && tokenId !== undefined && sourceIp !== undefined) {
    service.requestLog?.add({ merchantId, id: requestId, operation, status, errorCode, durationMs, tokenId, sourceIp })
  }
  return response
}

interface Responded {
  readonly response: Response
  readonly errorCode: ErrorCode | null
}

async function respondTo(
  service: Service,
  { run, headersOfFailure = {}, headers = () => ({}) }: RequestedOperation,
  { message, requestId }: Received,
): Promise<Responded> {
  try {
    const answered = await run()
    const response = success({ ...answered, headers: { ...answered.headers, ...headers() } }, requestId)
    return { response, errorCode: null }
  } catch (error) {
    const refusal = refusalOf(service, error, requestId)
    if (refusal.code === 'rate_limited') service.meters.rateLimited(String(Reflect.get(refusal.details, 'policy')))
    const more = { ...headersOfFailure, ...headers() }
    const response = failure(refusal, requestId, service.originOf(message), more)
    return { response, errorCode: refusal.code }
  }
}

function requestSpan({ operation, method, path }: RequestedOperation, incoming: Received): TracedWork<Responded> {
  const { traceparent } = incoming.message.headers
  return {
    name: `${method} ${path}`,
    kind: 'server',
    attributes: {
      'http.request.method': method,
      'http.route': path,
      'commerce.operation': operation,
      'commerce.request_id': incoming.requestId,
    },
    parent: { is: 'header', value: typeof traceparent === 'string' ? traceparent : undefined },
    endOf: ({ response: { status }, errorCode }) => ({
      attributes: {
        'http.response.status_code': status,
        ...(errorCode === null ? {} : { 'error.type': errorCode }),
        ...(incoming.caller === undefined
          ? {}
          : { 'commerce.merchant_id': incoming.caller.merchantId, 'commerce.token_id': incoming.caller.by.id }),
      },
      isFailure: status >= 500,
    }),
  }
}
