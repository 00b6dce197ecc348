import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Meters } from '../../base/meters.ts'
import type { Health } from '../../management/health.ts'
import type { OperationContext } from '../../operations/execute/call.ts'
import type { Caller } from '../../operations/execute/caller.ts'
import type { RequestLog } from '../request-log.ts'
import type { Admission } from './admission.ts'
import type { Authenticate } from './authenticate.ts'
import type { ClientWaits } from './client-waits.ts'
import type { HeldResponses } from './held-responses.ts'
import type { Sent } from './origin.ts'
import type { RejectionLog } from './rejection-log.ts'

/** Dependencies of request handling, created once per process. */
export interface Service extends OperationContext {
  readonly authenticate: Authenticate
  readonly admission: Admission
  readonly logsRejection: RejectionLog
  /** The number of requests that wait for a database connection, because all connections of the pool are in use. */
  readonly waitingForPool: () => number
  /** Delays the responses that reject requests above a limit. */
  readonly heldResponses: HeldResponses
  /** Counts the requests that wait for their clients to send a body or read a response. */
  readonly clientWaits: ClientWaits
  /** Returns the origin for links in a response, such as `https://api.example.com`. */
  readonly originOf: (sent: Sent) => string
  /** The number of trusted proxies between the clients and this process. */
  readonly trustedProxies: number
  readonly meters: Meters
  /** The request log. Undefined in a process that does not log its requests. */
  readonly requestLog: RequestLog | undefined
  /** The health checks of the process. Undefined in a server without them. */
  readonly health: Health | undefined
  /** The routes of the callbacks of carriers and payment providers. */
  readonly callbackRoutes: readonly CallbackRoute[]
}

/** Requests that are answered in the same way, such as those of one operation. */
export interface Route {
  /** The id of the operation, or the name of a group of routes, in the metrics, the traces and the logs. */
  readonly operation: string
  /**
   * The method and the path with placeholders, under which requests are logged and traced. Undefined for pages, which are
   * not logged: their paths may contain the secret of a sign-in link.
   */
  readonly template?: { readonly method: string; readonly path: string }
  /** Returns the response, or undefined if it has sent it. Throws a Refusal if it rejects the request. */
  readonly answer: (exchange: Exchange) => Promise<Answer | undefined>
}

/** A route of callbacks. The address in its path selects the account; a signature authenticates the callback. */
export type CallbackRoute = Required<Route>

export interface Answer {
  readonly status: number
  /** The body. Undefined for a response without a body, which has no content type. */
  readonly body: string | Uint8Array | undefined
  readonly headers?: Readonly<Record<string, string>>
}

/** A request and what its steps have found out about it. */
export interface Exchange {
  readonly message: IncomingMessage
  readonly outgoing: ServerResponse
  /** The parameters in the path. */
  readonly params: Readonly<Record<string, string>>
  readonly requestId: string
  /** The caller. Undefined until the request is authenticated. */
  caller: Caller | undefined
  /** Headers of every response to the request, including errors. Those of the answer take precedence. */
  headers: Readonly<Record<string, string>>
}
