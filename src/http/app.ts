import type { IncomingMessage } from 'node:http'
import { Hono } from 'hono'
import type { ErrorCode } from '../../registry/errors/index.ts'
import { apiRoot } from '../../registry/kit/endpoint.ts'
import { deprecationHeaders } from '../../registry/values/deprecation.ts'
import { newId } from '../base/ids.ts'
import { openReferenceSite } from '../reference/thread.ts'
import { implementations } from './implementations.ts'
import type { Bindings } from './pipeline/bindings.ts'
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
export function createApp<Env extends Bindings>(
  service: Service,
  operations: readonly Operation[] = allOperations(),
  dashboard?: Hono<Env>,
): Hono<Bindings> {
  const app = new Hono<Bindings>()
  for (const operation of operations) {
    const { method, path } = operation.endpoint
    app.on(method, apiRoot + path.replace(/\{(\w+)\}/g, ':$1'), (c) => {
      return respond(service, operation, c.env.incoming, c.req.param())
    })
  }
  const reference = openReferenceSite()
  const readerOrigins = openReaderOrigins()
  for (const route of referenceRoutes) {
    app.get(route, (c) => {
      checkHead(c.env.incoming)
      const { socket } = c.env.incoming
      const origin = readerOrigins.choose(service.originOf(c.env.incoming), service.originOf({ headers: {}, socket }))
      return answerReference(reference, c.req.raw, { requestId: newRequestId(service), origin })
    })
    app.all(route, (c) => {
      const headers = { Allow: 'GET, HEAD' }
      const refusal = new Refusal('method_not_allowed', `The reference does not support ${c.req.method}.`, { headers })
      return failure(refusal, newRequestId(service), service.originOf(c.env.incoming))
    })
  }
  if (dashboard !== undefined) app.route('/', dashboard)
  app.post('/callbacks/paystack/:merchantId', (c) => {
    const requestId = newRequestId(service)
    const { answerCallback } = service
    if (answerCallback === undefined) return c.notFound()
    const answering = answerCallback(c.env.incoming, c.req.param('merchantId'), requestId)
    return respondAndLog(
      service,
      'paystack callback',
      { message: c.env.incoming, requestId, caller: undefined },
      answering,
    )
  })
  app.post('/callbacks/carriers/:carrier/:key', (c) => {
    const requestId = newRequestId(service)
    const { answerCarrierCallback } = service
    if (answerCarrierCallback === undefined) return c.notFound()
    const { carrier, key } = c.req.param()
    const answering = answerCarrierCallback(c.env.incoming, { carrier, key }, requestId)
    return respondAndLog(
      service,
      'carrier callback',
      { message: c.env.incoming, requestId, caller: undefined },
      answering,
    )
  })
  app.notFound((c) => {
    const refusal = routeRefusal(operations, c.req.method, c.req.path)
    return failure(refusal, newRequestId(service), service.originOf(c.env.incoming))
  })
  app.onError((error, c) => {
    const origin = service.originOf(c.env.incoming)
    if (error instanceof Refusal) return failure(error, newRequestId(service), origin)
    service.log.error({ err: error, path: c.req.path }, 'request failed outside the pipeline')
    return failure(new Refusal('internal_error', 'The service failed.'), newRequestId(service), origin)
  })
  return app
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
  const { id, stability } = endpoint
  const repeated = endpoint.kind === 'write' ? repeatedHeadersOf(message) : {}
  const incoming: Incoming = { message, params, requestId, caller: undefined }
  const response = await respondAndLog(service, id, incoming, answer(service, operation, incoming), repeated)
  // Spec 9: every response of a beta operation is marked.
  if (stability === 'beta') response.headers.set('Beta', 'true')
  for (const [name, value] of Object.entries(deprecationHeaders(endpoint))) response.headers.set(name, value)
  return response
}

/** Returns the response once the handler has finished. Logs one line, and the request of a token in its request log. */
async function respondAndLog(
  service: Service,
  operation: string,
  incoming: Omit<Incoming, 'params'>,
  answering: Promise<Answer>,
  headersOfFailure: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const { message, requestId } = incoming
  const startedAt = performance.now()
  let errorCode: ErrorCode | null = null
  const response = await answering.then(
    (answered) => success(answered, requestId),
    (error: unknown) => {
      const refusal = refusalOf(service, error, requestId)
      errorCode = refusal.code
      return failure(refusal, requestId, service.originOf(message), headersOfFailure)
    },
  )
  const durationMs = Math.round(performance.now() - startedAt)
  const { status } = response
  service.log.info({ requestId, operation, status, durationMs }, 'request')
  if (incoming.caller !== undefined) {
    const { merchantId, by, sourceIp } = incoming.caller
    const tokenId = by.id
    service.requestLog?.add({ merchantId, id: requestId, operation, status, errorCode, durationMs, tokenId, sourceIp })
  }
  return response
}
