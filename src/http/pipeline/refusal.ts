import { type DetailsOf, type ErrorCode, errors } from '../../../registry/errors/index.ts'
import type { Problem } from '../../../registry/kit/error-body.ts'

/**
 * An error response of the API's error catalogue. It is thrown, so that an open transaction rolls back. `message` is
 * for the caller.
 */
export class Refusal extends Error {
  readonly code: ErrorCode
  readonly details: object
  readonly problems: readonly Problem[] | undefined
  readonly headers: Readonly<Record<string, string>>
  /** Whether the change may be stored despite the error, because the database connection was lost during the commit. */
  readonly isOutcomeUnknown: boolean

  constructor(code: ErrorCode, message: string, more: RefusalDetails = {}) {
    const { stackTraceLimit } = Error
    // Refusals have no stack trace. Clients cause thousands a second under overload, and the stack shows no defect.
    Error.stackTraceLimit = 0
    super(message)
    Error.stackTraceLimit = stackTraceLimit
    this.code = code
    this.details = more.details ?? {}
    this.problems = more.problems
    this.headers = more.headers ?? {}
    this.isOutcomeUnknown = more.isOutcomeUnknown ?? false
  }

  /** Returns a copy with additional response headers. The refusal's own headers take precedence. */
  with(headers: Readonly<Record<string, string>>): Refusal {
    const { code, message, details, problems, isOutcomeUnknown } = this
    const all = { ...headers, ...this.headers }
    const more = { details, headers: all, isOutcomeUnknown }
    return new Refusal(code, message, { ...more, ...(problems === undefined ? {} : { problems }) })
  }

  get status(): number {
    return errors[this.code].status
  }
}

export interface RefusalDetails {
  readonly details?: object
  readonly problems?: readonly Problem[]
  readonly headers?: Readonly<Record<string, string>>
  readonly isOutcomeUnknown?: boolean
}

/** Throws a refusal with a code that the operation declares and the details that the code requires. */
export type Refuse<Code extends ErrorCode> = <Chosen extends Code>(
  code: Chosen,
  message: string,
  ...details: DetailsOf<Chosen> extends undefined ? [] : [DetailsOf<Chosen>]
) => never

export const refuse: Refuse<ErrorCode> = (code, message, ...[details]) => {
  throw new Refusal(code, message, typeof details === 'object' && details !== null ? { details } : {})
}

/** Returns the response body of an error (spec 7). */
export function refusalBody(refusal: Refusal, requestId: string, origin: string): string {
  const declared = errors[refusal.code]
  return JSON.stringify({
    error: {
      type: declared.type,
      code: refusal.code,
      status: declared.status,
      message: refusal.message,
      fix: declared.fix,
      ...(refusal.problems === undefined ? {} : { errors: refusal.problems }),
      details: refusal.details,
      retryable: declared.retryable ?? false,
      requestId,
      docUrl: `${origin}/docs/errors/${refusal.code}`,
    },
  })
}

/**
 * Default `Retry-After` of retryable errors in seconds. Most are lock conflicts, and locks are held for milliseconds.
 */
const retryAfterSeconds = '1'

export function refusalHeaders(refusal: Refusal): Record<string, string> {
  const declared = errors[refusal.code]
  const isRetryable = declared.retryable ?? false
  return {
    'Service-Should-Retry': String(isRetryable),
    ...(isRetryable && (declared.status === 409 || declared.status === 503)
      ? { 'Retry-After': retryAfterSeconds }
      : {}),
    ...(declared.retryAfterSeconds === undefined ? {} : { 'Retry-After': String(declared.retryAfterSeconds) }),
    ...(declared.status === 401 ? { 'WWW-Authenticate': 'Bearer' } : {}),
    ...refusal.headers,
  }
}
