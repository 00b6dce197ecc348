import type { IncomingMessage } from 'node:http'
import type { Log } from '../../base/log.ts'
import type { LogisticsContext } from '../../logistics/carriers/context.ts'
import type { Subscription } from '../../logistics/tracking/shipment-subscriptions.ts'
import type { VerifyContext } from '../../payments/verify-payment.ts'
import type { KeyedQueue } from '../../store/core/keyed-queue.ts'
import type { ServiceKey } from '../../store/core/keys.ts'
import type { Context } from '../../store/core/mutation.ts'
import type { Authenticate } from './authenticate.ts'
import type { Caller } from './caller.ts'
import type { Sent } from './origin.ts'

/** What answering takes, made once for each process. */
export interface Service {
  readonly context: Context
  readonly authenticate: Authenticate
  /** The origin that a request was sent to, such as `https://api.example.com`; for links. */
  readonly originOf: (sent: Sent) => string
  readonly cursorKeys: readonly ServiceKey[]
  readonly log: Log
  /** Where writes wait for one another. */
  readonly turns: KeyedQueue
  /** Undefined where no carrier is spoken to. */
  readonly logistics: LogisticsContext | undefined
  /** Undefined where no payment provider is spoken to. */
  readonly payments: VerifyContext | undefined
  /** Tells of shipments that change. Closed by whoever opened the service. */
  readonly watch: Subscription
  /** Undefined where no carrier is spoken to. */
  readonly answerCarrierCallback: AnswerCarrierCallback | undefined
  /** Undefined where nothing is sealed, and so no provider is known. */
  readonly answerCallback: AnswerCallback | undefined
}

export interface Answer {
  readonly status: number
  readonly body: string | Uint8Array
  readonly headers?: Readonly<Record<string, string>>
}

/** Answers what a payment provider tells a merchant, by its own form of proof. */
export type AnswerCallback = (incoming: IncomingMessage, merchantId: string, requestId: string) => Promise<Answer>

/** The same for a carrier. The key in the address names the merchant's account with it. */
export type AnswerCarrierCallback = (
  incoming: IncomingMessage,
  address: { readonly carrier: string; readonly key: string },
  requestId: string,
) => Promise<Answer>

/** What came in, before anything is believed of it. */
export interface Incoming {
  readonly message: IncomingMessage
  readonly params: Readonly<Record<string, string>>
  readonly requestId: string
}

/** A request whose every part fits the contract. */
export interface ValidRequest {
  readonly message: IncomingMessage
  readonly requestId: string
  readonly caller: Caller
  readonly params: unknown
  readonly query: unknown
  /** The query as it was sent: cursors carry filters as texts. */
  readonly queryValues: Readonly<Record<string, string>>
  readonly body: unknown
  /** The body before the schema saw it: what idempotency compares. */
  readonly rawBody: unknown
}
