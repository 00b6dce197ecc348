import { type DetailsOf, type ErrorCode, errors } from '../../../registry/errors/index.ts'
import type { Problem } from '../../../registry/kit/error-body.ts'

/**
 * An error response of the API's error catalogue. It is thrown, so that an open transaction rolls back. `message` is
 * for the caller.
 */
export class Refusal extends Error {
  readonly code: ErrorCode
  readonly more: RefusalDetails

  constructor(code: ErrorCode, message: string, more: RefusalDetails = {}) {
    const { stackTraceLimit } = Error
    // Refusals have no stack trace. Clients cause thousands a second under overload, and the stack shows no defect.
    Error.stackTraceLimit = 0
    super(message)
    Error.stackTraceLimit = stackTraceLimit
    this.code = code
    this.more = more
  }

  /** A header that the refusal already has is not replaced. */
  with(more: RefusalDetails): Refusal {
    const headers = { ...more.headers, ...this.more.headers }
    return new Refusal(this.code, this.message, { ...this.more, ...more, headers })
  }

  get status(): number {
    return errors[this.code].status
  }

  get details(): object {
    return this.more.details ?? {}
  }

  get problems(): readonly Problem[] | undefined {
    return this.more.problems
  }
}

export interface RefusalDetails {
  readonly details?: object
  readonly problems?: readonly Problem[]
  readonly headers?: Readonly<Record<string, string>>
  readonly idempotencyKey?: string
  /** Whether the change may be stored despite the error, because the database connection was lost during the commit. */
  readonly isOutcomeUnknown?: boolean
  /** Whether the request was rejected because of a limit or the load of the process, before it had any effect. */
  readonly isOverLimit?: boolean
}

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
