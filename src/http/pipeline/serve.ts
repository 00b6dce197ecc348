import { type TracedWork, traced } from '../../base/trace.ts'
import type { Refusal } from '../../operations/execute/refusal.ts'
import { refusalOf } from '../../operations/execute/refusal-of.ts'
import type { LoggedRequest } from '../../store/requests/request-log.ts'
import type { Answer, Exchange, Route } from './exchange.ts'
import { redactBody } from './redact-body.ts'
import type { Service } from './request.ts'
import { failure, send } from './respond.ts'

/**
 * Answers a request with the function of its route, and records the request in the metrics, the traces and the logs. If
 * the request is rejected because of a limit, its response is delayed. Only one such rejection a second is logged for
 * each token.
 */
export async function serve(service: Service, route: Route, exchange: Exchange): Promise<void> {
  const startedAt = performance.now()
  service.meters.requestStarted()
  const { answer, refusal } = await traced(
    () => requestSpan(route, exchange),
    () => outcomeOf(service, route, exchange),
  )
  const endedAt = performance.now()
  const durationMs = endedAt - startedAt
  const status = answer?.status ?? exchange.outgoing.statusCode
  const answeredMs = (exchange.streamedAtMs ?? endedAt) - startedAt
  service.meters.requestEnded({ operation: route.operation, status, durationMs: answeredMs })
  const isOverLimit = refusal?.more.isOverLimit === true
  if (!isOverLimit || service.logsRejection(exchange.caller?.by.id)) {
    const errorCode = refusal?.code ?? null
    const problems = refusal === undefined ? null : loggedProblems(refusal)
    const body = loggedBody(exchange, status)
    const ended = { status, errorCode, durationMs: Math.round(durationMs), problems }
    logRequest(service, route, exchange, body === undefined ? ended : { ...ended, body })
  }
  if (isOverLimit) await service.heldResponses.wait()
  if (answer !== undefined) send(exchange, answer)
  service.clientWaits.awaitReading(exchange)
}

interface Outcome {
  /** Undefined if the route has sent the response itself. */
  readonly answer: Answer | undefined
  /** Undefined for a successful request. */
  readonly refusal?: Refusal
}

async function outcomeOf(service: Service, route: Route, exchange: Exchange): Promise<Outcome> {
  try {
    return { answer: await route.answer(exchange) }
  } catch (error) {
    const { requestId, message } = exchange
    const refusal = refusalOf(service, error, requestId)
    if (refusal.code === 'rate_limited') service.meters.rateLimited(String(Reflect.get(refusal.details, 'policy')))
    return { answer: route.failed?.(refusal) ?? failure(refusal, requestId, service.originOf(message)), refusal }
  }
}

interface Ended {
  readonly status: number
  readonly errorCode: string | null
  readonly durationMs: number
  readonly problems: LoggedRequest['problems']
  readonly body?: string
}

/** Maximum number of invalid values that the request log stores for a request. The first ones show the mistake. */
const problemsMax = 10

/** Maximum length of the path of an invalid value in the request log, longer than the path of any field. */
const pathMaxLength = 200

function loggedProblems({ problems = [] }: Refusal): LoggedRequest['problems'] {
  if (problems.length === 0) return null
  return problems.slice(0, problemsMax).map(({ path, code }) => ({ path: path.slice(0, pathMaxLength), code }))
}

/**
 * Returns the redacted body of a rejected request as JSON. Undefined if the request has no body, or if its merchant
 * does not record bodies.
 */
function loggedBody({ caller, message, body, bodyBytes }: Exchange, status: number): string | undefined {
  if (caller?.recordsBodies !== true || status < 400 || status > 499) return undefined
  if (body !== undefined) return redactBody(body.value)
  if (bodyBytes !== undefined) return JSON.stringify(`‹not JSON, ${bodyBytes} bytes›`)
  const announced = Number(message.headers['content-length'] ?? 0)
  return announced > 0 ? JSON.stringify(`‹not read, ${announced} bytes›`) : undefined
}

/** Only requests with a token are stored in the request log. Pages are not logged. */
function logRequest(service: Service, { operation, template }: Route, exchange: Exchange, ended: Ended): void {
  if (template === undefined) return
  const { requestId, caller } = exchange
  const { status, errorCode, durationMs } = ended
  const sender = caller && { merchantId: caller.merchantId, tokenId: caller.by.id }
  const failed = errorCode === null ? {} : { errorCode }
  const route = `${template.method} ${template.path}`
  service.log.info({ requestId, ...sender, operation, route, status, ...failed, durationMs }, 'request')
  if (caller === undefined || sender === undefined) return
  service.requestLog?.add({ ...sender, id: requestId, operation, ...ended, sourceIp: caller.sourceIp })
}

function requestSpan({ operation, template }: Route, exchange: Exchange): TracedWork<Outcome> {
  const { message, outgoing, requestId } = exchange
  const method = template?.method ?? message.method ?? ''
  const { traceparent } = message.headers
  return {
    name: `${method} ${template?.path ?? operation}`,
    kind: 'server',
    attributes: {
      'http.request.method': method,
      ...(template === undefined ? {} : { 'http.route': template.path }),
      'commerce.operation': operation,
      'commerce.request_id': requestId,
    },
    parent: { is: 'header', value: typeof traceparent === 'string' ? traceparent : undefined },
    endOf: ({ answer, refusal }) => {
      const status = answer?.status ?? outgoing.statusCode
      const { caller } = exchange
      return {
        attributes: {
          'http.response.status_code': status,
          ...(refusal === undefined ? {} : { 'error.type': refusal.code }),
          ...(caller && { 'commerce.merchant_id': caller.merchantId, 'commerce.token_id': caller.by.id }),
        },
        isFailure: status >= 500,
      }
    },
  }
}
