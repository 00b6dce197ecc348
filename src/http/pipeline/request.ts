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
import type { ShareRead } from './shared-reads.ts'

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
  /** Reports whether a request that exceeds a limit is logged: one a second of each token. See `anonymous` for those without one. */
  readonly logsRejection: (tokenId: string) => boolean
  /** The number of requests that wait because the pool of connections is in use. */
  readonly waitingForPool: () => number
  /** The responses to rejected requests that are sent a moment later. */
  readonly heldResponses: HeldResponses
  /** The requests that wait for their clients. */
  readonly clientWaits: ClientWaits
  /** Shares a read among equal requests. */
  readonly shareRead: ShareRead<Answer>
  /** Returns the origin for links in a response, such as `https://api.example.com`. */
  readonly originOf: (sent: Sent) => string
  /** The number of proxies between the clients and this process. */
  readonly trustedProxies: number
  readonly cursorKeys: readonly ServiceKey[]
  readonly log: Log
  readonly meters: Meters
  /** Undefined in a process that does not store its requests. */
  readonly requestLog: RequestLog | undefined
  /** Undefined in a server without health checks. */
  readonly health: Health | undefined
  /** Queues of concurrent writes. */
  readonly writeQueues: KeyedQueue
  /** Undefined in a process without carriers. */
  readonly logistics: LogisticsContext | undefined
  /** Undefined in a process without payment providers. */
  readonly payments: VerifyContext | undefined
  /** Notifies long polls of changed shipments. The owner of the service closes it. */
  readonly subscription: Subscription
  /** Undefined in a process without carriers. */
  readonly answerCarrierCallback: AnswerCarrierCallback | undefined
  /** Undefined in a process without a vault, which cannot read provider keys. */
  readonly answerCallback: AnswerCallback | undefined
}

export interface Answer {
  readonly status: number
  readonly body: string | Uint8Array
  readonly headers?: Readonly<Record<string, string>>
}

/** Handles a payment provider's callback for a merchant. The signature is its authentication. */
export type AnswerCallback = (incoming: IncomingMessage, merchantId: string, requestId: string) => Promise<Answer>

/** Handles a carrier's callback. The key in the URL identifies the merchant's account. */
export type AnswerCarrierCallback = (
  incoming: IncomingMessage,
  address: { readonly carrier: string; readonly key: string },
  requestId: string,
) => Promise<Answer>

/** A request before authentication and validation. */
export interface Incoming {
  readonly message: IncomingMessage
  readonly params: Readonly<Record<string, string>>
  readonly requestId: string
  /** Set by the pipeline once the caller is authenticated. The request log reads it when the response is known. */
  caller: Caller | undefined
  /** Headers of every response to the request. Set by the pipeline once the rate limits are known. */
  rateHeaders: Readonly<Record<string, string>>
}

/** An authenticated request whose parts all passed validation. */
export interface ValidRequest {
  readonly message: RequestHead
  readonly requestId: string
  readonly caller: Caller
  /** The place of the request among the concurrent ones. */
  readonly slot: Slot
  /** The time that authentication took, which counts towards the limit of the request. The wait for the body does not. */
  readonly spentMs: number
  readonly params: unknown
  readonly query: unknown
  /** The query parameters as strings, which cursors store as filters. */
  readonly queryValues: Readonly<Record<string, string>>
  readonly body: unknown
  /** The body before validation, which idempotency compares. */
  readonly rawBody: unknown
}
