import type { IncomingMessage } from 'node:http'
import type { MerchantId } from '../../../registry/values/vocabulary.ts'
import type { Slot } from '../../access/limits/concurrency.ts'
import type { Log } from '../../base/log.ts'
import type { Meters } from '../../base/meters.ts'
import type { LogisticsContext } from '../../logistics/carriers/context.ts'
import type { Subscription } from '../../logistics/tracking/shipment-subscriptions.ts'
import type { Health } from '../../management/health.ts'
import type { VerifyContext } from '../../payments/verify-payment.ts'
import type { ReadDb } from '../../store/core/database.ts'
import type { KeyedQueue } from '../../store/core/keyed-queue.ts'
import type { ServiceKey } from '../../store/core/keys.ts'
import type { Context } from '../../store/core/mutation.ts'
import type { RequestLog } from '../request-log.ts'
import type { Admission } from './admission.ts'
import type { Authenticate, FindCaller, LookupStartMs, RejectionOfFailures } from './authenticate.ts'
import type { Caller } from './caller.ts'
import type { ClientWaits } from './client-waits.ts'
import type { HeldResponses } from './held-responses.ts'
import type { Sent } from './origin.ts'
import type { RequestHead } from './request-head.ts'
import type { RequestLimits } from './request-limits.ts'

/** Dependencies of request handling, created once per process. */
export interface Service {
  readonly context: Context
  /** Returns the database for a read of a merchant: the primary, or a standby that has all of the merchant’s writes. */
  readonly readDb: (merchantId: MerchantId) => Promise<ReadDb>
  readonly authenticate: Authenticate
  readonly findCaller: FindCaller
  readonly lookupStartMs: LookupStartMs
  readonly rejectionOfFailures: RejectionOfFailures
  readonly admission: Admission
  /**
   * Reports whether to log the rejection of a request above a limit. One rejection is logged per second and token.
   * Requests without a token share the id
   * `anonymous`.
   */
  readonly logsRejection: (tokenId: string) => boolean
  /** The number of requests that wait for a database connection, because all connections of the pool are in use. */
  readonly waitingForPool: () => number
  /** Delays the responses that reject requests above a limit. */
  readonly heldResponses: HeldResponses
  readonly requestLimits: RequestLimits
  /** Counts the requests that wait for their clients to send a body or read a response. */
  readonly clientWaits: ClientWaits
  /** Returns the origin for links in a response, such as `https://api.example.com`. */
  readonly originOf: (sent: Sent) => string
  /** The number of trusted proxies between the clients and this process. */
  readonly trustedProxies: number
  readonly cursorKeys: readonly ServiceKey[]
  readonly log: Log
  readonly meters: Meters
  /** The request log. Undefined in a process that does not log its requests. */
  readonly requestLog: RequestLog | undefined
  /** The health checks of the process. Undefined in a server without them. */
  readonly health: Health | undefined
  /** Queues of concurrent writes to the same record or with the same idempotency key. */
  readonly writeQueues: KeyedQueue
  /**
   * Dependencies of the work with carriers. Undefined in a process without carriers, which neither dispatches shipments
   * nor receives carrier callbacks.
   */
  readonly logistics: LogisticsContext | undefined
  /** The payment providers. Undefined in a process without payment providers. */
  readonly payments: VerifyContext | undefined
  /**
   * Subscriptions through which long polls are notified that a shipment changed. The code that opened the service also
   * closes the subscriptions.
   */
  readonly subscription: Subscription
  /** The routes of the callbacks of carriers and payment providers. */
  readonly callbackRoutes: readonly CallbackRoute[]
}

export interface Answer {
  readonly status: number
  readonly body: string | Uint8Array
  readonly headers?: Readonly<Record<string, string>>
}

/** A route of callbacks. The address in its path selects the account; a signature authenticates the callback. */
export interface CallbackRoute {
  readonly operation: string
  readonly path: string
  readonly answer: (
    incoming: IncomingMessage,
    params: Readonly<Record<string, string>>,
    requestId: string,
  ) => Promise<Answer>
}

/** A request before authentication and validation. */
export interface Incoming {
  readonly message: IncomingMessage
  readonly params: Readonly<Record<string, string>>
  readonly requestId: string
  /** The caller. The pipeline sets it after authentication; the request log reads it after the response. */
  caller: Caller | undefined
  /**
   * Rate limit headers for every response to the request. The pipeline sets them after it has checked the rate limits.
   */
  rateHeaders: Readonly<Record<string, string>>
}

/** An authenticated request whose parts all passed validation. */
export interface ValidRequest {
  readonly message: RequestHead
  readonly requestId: string
  readonly caller: Caller
  /** The slot that the request occupies among the concurrent requests. */
  readonly slot: Slot
  /**
   * Duration of the authentication in milliseconds, which counts towards the request's time limit. The time in which
   * the body arrives is not included.
   */
  readonly spentMs: number
  readonly params: unknown
  readonly query: unknown
  /** The query parameters as strings. Pagination cursors store them as the list's filters. */
  readonly queryValues: Readonly<Record<string, string>>
  readonly body: unknown
  /** The body before validation. Idempotency compares it with the body of a repeated request. */
  readonly rawBody: unknown
}
