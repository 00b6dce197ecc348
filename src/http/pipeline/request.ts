import type { Meters } from '../../base/meters.ts'
import type { Health } from '../../management/health.ts'
import type { OperationContext } from '../../operations/execute/call.ts'
import type { RequestLog } from '../request-log.ts'
import type { Admission } from './admission.ts'
import type { Authenticate } from './authenticate.ts'
import type { ClientWaits } from './client-waits.ts'
import type { CallbackRoute, PageRoute } from './exchange.ts'
import type { HeldResponses } from './held-responses.ts'
import type { Sent } from './origin.ts'
import type { RejectionLog } from './rejection-log.ts'
import type { Streams } from './streams.ts'

/** Dependencies of request handling, created once per process. */
export interface Service extends OperationContext {
  readonly authenticate: Authenticate
  readonly admission: Admission
  readonly logsRejection: RejectionLog
  /** The number of requests that wait for a database connection, because all connections of the pool are in use. */
  readonly waitingForPool: () => number
  /** Delays the responses to rejected requests, to slow down clients that retry. */
  readonly heldResponses: HeldResponses
  /** Counts the requests that wait for their clients to send a body or read a response. */
  readonly clientWaits: ClientWaits
  /** Supervises the responses that are generated while they are sent. */
  readonly streams: Streams
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
  /** The routes of the pages for buyers. */
  readonly buyerPageRoutes: readonly PageRoute[]
}
