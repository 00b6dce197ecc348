import type { EndpointId } from '../../../registry/index.ts'
import type { Endpoint } from '../../../registry/kit/endpoint.ts'
import type { Problem } from '../../../registry/kit/error-body.ts'
import type { MerchantId } from '../../../registry/values/vocabulary.ts'
import type { Log } from '../../base/log.ts'
import type { SigningKey } from '../../base/signed-text.ts'
import type { LogisticsContext } from '../../logistics/carriers/context.ts'
import type { OnDisconnect, Subscription } from '../../logistics/tracking/shipment-subscriptions.ts'
import type { PaymentContext } from '../../payments/open-key.ts'
import type { Checkout } from '../../simulator/checkout.ts'
import type { ReadDb } from '../../store/core/database.ts'
import type { StoredResponse } from '../../store/core/idempotency.ts'
import type { KeyedQueue } from '../../store/core/keyed-queue.ts'
import type { Context } from '../../store/core/mutation.ts'
import type { Caller } from './caller.ts'
import type { ExportQueues } from './export-queues.ts'
import type { Operation } from './operation.ts'
import type { RequestLimits } from './request-limits.ts'
import type { UsedKeys } from './used-keys.ts'

/** Dependencies of the operations, created once per process. */
export interface OperationContext {
  readonly context: Context
  /** Returns the database for a read of a merchant: the primary, or a standby that has all of the merchant’s writes. */
  readonly readDb: (merchantId: MerchantId) => Promise<ReadDb>
  readonly requestLimits: RequestLimits
  readonly cursorKeys: readonly SigningKey[]
  readonly buyerLinkKeys: readonly SigningKey[]
  readonly log: Log
  /** Used by operations that run other operations. */
  readonly operationOf: (id: EndpointId) => Operation
  /** The checkout pages of test mode. Undefined in a process without the simulated payment provider. */
  readonly checkout: Checkout | undefined
  /** Queues of concurrent writes to the same record or with the same idempotency key. */
  readonly writeQueues: KeyedQueue
  /** Queues of exports, which a process runs one batch at a time. */
  readonly exports: ExportQueues
  /** The idempotency keys that clients have used, as far as this process knows. */
  readonly usedKeys: UsedKeys
  /**
   * Admits a call of a member and returns the call's concurrency slot. A member has no token and therefore no rate
   * limit. Throws a Refusal if the call cannot be admitted.
   */
  readonly admitMember: (caller: Caller, endpoint: Endpoint) => Slot
  /**
   * Dependencies of the work with carriers. Undefined in a process without carriers, which neither dispatches shipments
   * nor receives carrier callbacks.
   */
  readonly logistics: LogisticsContext | undefined
  /** Undefined in a process without payment providers. */
  readonly payments: PaymentContext | undefined
  /**
   * Subscriptions through which long polls are notified that a shipment changed. The code that opened the context also
   * closes the subscriptions.
   */
  readonly subscription: Subscription
}

/**
 * The slot that a call occupies while it is counted against the maximum number of concurrent requests of its token and
 * its merchant.
 */
export interface Slot {
  /** Stops counting the call as a concurrent request. Must be called exactly once, when the call ends. */
  leave(): void
  /**
   * Runs `wait`, which waits, for example in a long poll. During the wait, the call is not counted as a concurrent
   * request. Afterwards the call is counted again, even if the limit is then exceeded.
   */
  whileIdle<Result>(wait: () => Promise<Result>): Promise<Result>
}

/** A call of an operation by an authenticated caller, from an HTTP request or from a page of the dashboard. */
export interface Call extends CallValues {
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
  /** Undefined if the call has no body. */
  readonly body: unknown
  /**
   * Problems that were found before the values were validated: in the raw query, in the raw body and in the headers.
   */
  readonly problems: readonly Problem[]
}

interface CallValues {
  readonly caller: Caller
  readonly requestId: string
  readonly userAgent: string | null
  /** More than one key is an error if the operation uses idempotency keys. */
  readonly idempotencyKeys: readonly string[]
  /**
   * The version that the record must have so that a write may change it. If undefined, the write changes the record
   * regardless of its version.
   */
  readonly expectedVersion: number | undefined
  /** Whether the whole operation runs and is then rolled back. */
  readonly isDryRun: boolean
  readonly isHead: boolean
  /** Reports whether the caller already has this reply. If so, a long poll waits for a different reply. */
  readonly isUnmodified: (reply: object) => boolean
  readonly onDisconnect: OnDisconnect
  /** Returns the origin for links to pages of the service, such as `https://api.example.com`. */
  readonly origin: () => string
  readonly slot: Slot
  /**
   * Duration of the authentication in milliseconds, which counts towards the time limit of the call. The time in which
   * the body arrives is not included.
   */
  readonly spentMs: number
}

/** The input of an operation that another operation runs. */
export type InnerInput = Pick<Call, 'params' | 'body'>

export interface ValidCall extends CallValues {
  /** Runs another operation for the same caller, as a request of its own. Throws a Refusal. */
  readonly run: (id: EndpointId, input: InnerInput) => Promise<Reply>
  readonly params: unknown
  readonly query: unknown
  /** Pagination cursors store the query parameters as the list's filters. */
  readonly queryValues: Readonly<Record<string, string>>
  readonly body: unknown
  /** The body before validation. Idempotency compares it with the body of a repeated request. */
  readonly rawBody: unknown
}

export type Reply =
  | {
      readonly is: 'record'
      readonly status: number
      readonly record: unknown
      /**
       * The reply as JSON. Only writes set it. A write serializes its reply within its transaction, so that the
       * transaction rolls back if the reply cannot be serialized.
       */
      readonly text?: string
      /** The path of the created record. */
      readonly location: string | null
      /** The idempotency key with which the response was stored. */
      readonly idempotencyKey: string | undefined
    }
  /** An export. The consumer must read the parts to their end or call `return`, which ends the export. */
  | {
      readonly is: 'stream'
      readonly mediaType: string
      readonly fileName: string
      readonly parts: AsyncIterableIterator<string>
    }
  /** The response to an earlier request with the same idempotency key. */
  | { readonly is: 'replayed'; readonly stored: StoredResponse; readonly idempotencyKey: string | undefined }
