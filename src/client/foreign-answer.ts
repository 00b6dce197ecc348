import type { Middleware } from 'openapi-fetch'
import { withBody } from './attempt.ts'
import type { ErrorBody } from './error.ts'

/**
 * Something other than the API answered, such as the page of a proxy in between. Where that is a 502, a 503 or a 504, the
 * client has sent again what cannot happen twice.
 */
export class ForeignAnswerError extends Error {
  override readonly name = 'ForeignAnswerError'
  readonly status: number
  /** How the answer begins. */
  readonly text: string
  /** What the request carried. Whoever repeats it sends this very key: the proxy may have asked the service. */
  readonly idempotencyKey: string | undefined

  constructor(request: Request, { status }: Response, text: string) {
    super(`Something other than the API answered ${request.method} ${new URL(request.url).pathname} with ${status}.`)
    this.status = status
    this.text = text.slice(0, textMaxLength)
    this.idempotencyKey = request.headers.get('Idempotency-Key') ?? undefined
  }
}

/** Enough to see in a log whose page it is. */
const textMaxLength = 500

/** Lets only through what the types of the document describe, so that whoever has a result can rely on them. */
export const withoutForeignAnswers: Middleware = {
  async onResponse({ request, response }) {
    if (response.status === 304 && request.headers.has('If-None-Match')) return withoutError(response)
    const text = await response.text()
    const body = parsed(text)
    const isOfApi = response.ok ? isRecord(body) : isErrorBody(body)
    if (!isOfApi) throw new ForeignAnswerError(request, response, text)
    return withKey(withBody(response, text), request)
  },
}

/** openapi-fetch makes an error of what is not 2xx, unless it is told that there is nothing to make it of. */
function withoutError(response: Response): Response {
  const answer = withBody(response, '')
  answer.headers.set('Content-Length', '0')
  return answer
}

/** The service repeats the key only where it has kept it. A caller who did not make it needs it for any answer. */
function withKey(answer: Response, request: Request): Response {
  const key = request.headers.get('Idempotency-Key')
  if (key !== null) answer.headers.set('Idempotency-Key', key)
  return answer
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isErrorBody(body: unknown): body is ErrorBody {
  if (!isRecord(body) || !isRecord(body.error)) return false
  // A code alone is what other APIs have in their errors as well.
  return typeof body.error.code === 'string' && typeof body.error.requestId === 'string'
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
