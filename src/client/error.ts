import type { components } from '../../generated/api.d.ts'

type Schemas = components['schemas']

/** The bodies of all errors; which of them an operation answers is known from its own type. */
export type ErrorBody = {
  [Name in keyof Schemas]: Schemas[Name] extends { error: { code: string; requestId: string } } ? Schemas[Name] : never
}[keyof Schemas]

export type ErrorCode = ErrorBody['error']['code']

/** A refusal, for programs that would rather throw than look. `details` narrows with `code`: `error.body.error`. */
export class CommerceError extends Error {
  override readonly name = 'CommerceError'
  readonly body: ErrorBody
  /** What the request carried. Where the outcome is unknown, whoever repeats it sends this very key. */
  readonly idempotencyKey: string | undefined

  constructor(body: ErrorBody, idempotencyKey?: string) {
    const { code, message, requestId } = body.error
    super(`${code}: ${message} (${requestId})`)
    this.body = body
    this.idempotencyKey = idempotencyKey
  }

  get code(): ErrorCode {
    return this.body.error.code
  }

  get status(): number {
    return this.body.error.status
  }

  /** Name it when asking for help. */
  get requestId(): string {
    return this.body.error.requestId
  }

  /**
   * Whether the same request may succeed later. The client has sent it again already, as often as it does that, unless the
   * service asked for more patience than a minute.
   */
  get isRetryable(): boolean {
    return this.body.error.retryable
  }
}
