import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Caller } from '../../operations/execute/caller.ts'
import type { Refusal } from '../../operations/execute/refusal.ts'

/** A route: the requests that are answered by the same function, such as those of one operation. */
export interface Route {
  /** The id of the operation, or the name of a group of routes, in the metrics, the traces and the logs. */
  readonly operation: string
  /**
   * The method and the path with placeholders, under which requests are logged and traced. Undefined for pages, which
   * are not logged: their paths may contain the secret of a sign-in link.
   */
  readonly template?: { readonly method: string; readonly path: string }
  /** Undefined if the route has sent the response itself. Throws a Refusal if the request is rejected. */
  readonly answer: (exchange: Exchange) => Promise<Answer | undefined>
  /** Undefined for routes whose errors are JSON. */
  readonly failed?: (refusal: Refusal) => Answer
}

export interface PageRoute {
  readonly method: string
  readonly path: string
  readonly route: Route
}

/** The path of a callback identifies the carrier account or the merchant; a signature authenticates the callback. */
export type CallbackRoute = Route & Required<Pick<Route, 'template'>>

export interface Answer {
  readonly status: number
  /** Undefined for a response without a body, which has no content type either. */
  readonly body: string | Uint8Array | undefined
  readonly headers?: Readonly<Record<string, string>>
}

/** A request in progress, with the results of the steps in which it is processed. */
export interface Exchange {
  readonly message: IncomingMessage
  readonly outgoing: ServerResponse
  readonly params: Readonly<Record<string, string>>
  readonly requestId: string
  /** Undefined until the request is authenticated. */
  caller: Caller | undefined
  /**
   * Headers of every response to the request, including errors. If the response itself sets one of these headers, its
   * value takes precedence.
   */
  headers: Readonly<Record<string, string>>
  /**
   * The time of the monotonic clock at which a streamed response started. The measured duration of the request ends at
   * this time, because the transfer takes as long as the client needs. Undefined for any other response.
   */
  streamedAtMs?: number
  /** Undefined until the body is received. */
  bodyBytes?: number | undefined
  /** Undefined until the body is parsed. */
  body?: { readonly value: unknown } | undefined
}
