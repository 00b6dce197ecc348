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
  readonly heldResponses: HeldResponses
  readonly clientWaits: ClientWaits
  readonly streams: Streams
  /** Returns the origin for links in a response, such as `https://api.example.com`. */
  readonly originOf: (sent: Sent) => string
  readonly trustedProxies: number
  readonly meters: Meters
  /** Undefined in a process that does not log its requests. */
  readonly requestLog: RequestLog | undefined
  /** Undefined in a server without health checks. */
  readonly health: Health | undefined
  readonly callbackRoutes: readonly CallbackRoute[]
  readonly buyerPageRoutes: readonly PageRoute[]
}
