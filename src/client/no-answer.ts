/**
 * No answer came, or not the whole of one: nobody knows whether the service did what it was asked. The client has sent
 * again what cannot happen twice. `cause` says what went wrong, or is the reason of the signal that gave it up.
 */
export class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError'
  /** What the request carried. Whoever repeats it sends this very key: under another one it may happen twice. */
  readonly idempotencyKey: string | undefined

  constructor(request: Request, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    // The query is left out, which may name a customer.
    super(`${request.method} ${new URL(request.url).pathname} had no answer: ${reason}`, { cause })
    this.idempotencyKey = request.headers.get('Idempotency-Key') ?? undefined
  }
}
