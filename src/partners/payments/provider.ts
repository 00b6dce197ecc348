import type { PaymentMethod } from '../../../registry/orders/order-states.ts'
import type { RefundStatus } from '../../../registry/refunds/refund-states.ts'
import type { PaymentProviderName } from '../../../registry/values/payment-providers.ts'
import type { OrderId, RefundId, Timestamp } from '../../../registry/values/vocabulary.ts'
import type { SafeFetch } from '../../outbound/safe-fetch.ts'

export interface PaymentAdapter extends PaymentIdentity {
  open(send: SafeFetch['fetch'], root: string): PaymentApi
}

/** A payment provider whose API can be called. */
export interface PaymentProvider extends PaymentIdentity, PaymentApi {}

export interface PaymentIdentity {
  /** The name of the provider, as it is stored with payments, refunds, keys and callbacks. */
  readonly name: PaymentProviderName
  /** The prefix of every secret key, such as `sk_`, and the prefix of a live secret key, such as `sk_live_`. */
  readonly keyPrefixes: { readonly any: string; readonly live: string }
  /** A live key moves real money. Undefined for a text that is no secret key of the provider. */
  keyModeOf(secretKey: string): 'live' | 'test' | undefined
  /**
   * Whether the signature of a callback covers its body. If it does not, anyone who saw a callback can forge another
   * one. A callback then only names a record, and the state of the record is read from the provider's API.
   */
  readonly isBodySigned: boolean
  /**
   * Whether the provider's list of payments names the order of each payment. If not, each unrecorded payment is looked
   * up to find its order.
   */
  readonly listsOrderIds: boolean
  /** Verifies the signature of a callback in constant time, with the secret of the callbacks. Never throws. */
  isSigned(callback: SignedCallback, callbackSecret: string): boolean
  /** Parses a callback whose signature was verified. Never throws. */
  readCallback(body: Uint8Array): ReadCallback
}

export interface SignedCallback {
  readonly body: Uint8Array
  readonly headers: Readonly<Record<string, string | undefined>>
}

export interface ReadCallback {
  /**
   * The kind of the callback in the provider's words, null if it cannot be parsed. The kind of a callback about a
   * refund starts with `refund.`.
   */
  readonly kind: string | null
  readonly report: CallbackReport
  /**
   * The reference of the payment. Ignored callbacks have a reference too, because anonymisation finds a callback by
   * this reference. The body of a callback may contain personal data of the payer.
   */
  readonly paymentReference: string | null
}

export type CallbackReport =
  | Charge
  | UnmatchedCharge
  | {
      readonly is: 'refund_moved'
      readonly status: Exclude<RefundStatus, 'cancelled'> | undefined
      readonly reference: string | undefined
      readonly refundId: RefundId | undefined
      /**
       * Whether another program certainly created the refund: the refund has a note without a refund id of this
       * service.
       */
      readonly isForeign: boolean
      readonly transaction: string | undefined
      readonly amountKobo: number | undefined
    }
  | ReportedDispute
  /** A callback that this service does not use. */
  | { readonly is: 'other'; readonly reason: string }

/** A charge that names an order and has an amount in kobo. It is not known whether this order exists. */
export interface Charge {
  readonly is: 'charged'
  readonly orderId: OrderId
  readonly reference: string
  readonly providerId: string | null
  readonly amountKobo: number
  readonly method: PaymentMethod
  readonly paidAt: Timestamp | undefined
}

/** A charge that cannot be recorded for any order. */
export interface UnmatchedCharge {
  readonly is: 'unmatched'
  readonly reason: 'no_order' | 'currency' | 'unreadable'
  /** The provider's reference of the payment. Null if the provider sent none. */
  readonly reference: string | null
  /** The provider's own id of the payment. Null if the provider sent none. */
  readonly providerId: string | null
  /** Null if the charge names no order. */
  readonly orderId: OrderId | null
  /** Null if the amount is unknown or in another currency. */
  readonly amountKobo: number | null
  readonly paidAt: Timestamp | null
}

export interface ReportedDispute {
  readonly is: 'dispute'
  /** Identifier of the dispute. Unique among the disputes of all providers of a merchant. */
  readonly disputeId: string
  /** The provider's reference of the disputed payment. Null if the provider sent none. */
  readonly transaction: string | null
  /** The amount of the disputed payment in kobo. Null if it is unknown or in another currency. */
  readonly amountKobo: number | null
  /** `unclear`: the dispute was resolved with a resolution that this service does not support. */
  readonly status: 'open' | 'won' | 'lost' | 'unclear'
  /** The amount in kobo that the dispute returned to the payer; undefined means the whole payment. */
  readonly lostKobo: number | undefined
  /** The provider's raw resolution of the dispute, such as `declined`. */
  readonly resolution: string | null
  /** The time until which the merchant must answer the dispute. Undefined if the provider sends none. */
  readonly dueAt: Timestamp | undefined
}

/**
 * The API of a payment provider. Each method returns one of a fixed set of outcomes. The critical outcome is `unknown`:
 * the provider may have processed the request, so it must not be treated as a failure.
 */
export interface PaymentApi {
  /** Not idempotent: providers have no idempotency key, so a refund must be submitted only once. */
  refund(secretKey: string, request: RefundRequest): Promise<SubmitOutcome>
  /** Finds a refund by the reference that the provider gave to the refund. */
  findRefund(secretKey: string, reference: string): Promise<FindOutcome>
  /** Finds a refund by its note among all refunds created since a time. */
  searchRefund(secretKey: string, search: RefundSearch): Promise<FindOutcome>
  /** Sets the bank account of a refund that the provider could not return to the original payment method. */
  setBankDetails(secretKey: string, reference: string, account: BankAccount): Promise<SubmitOutcome>
  /**
   * Creates a page on which a buyer pays. A reference creates at most one page. After an unknown outcome the page may
   * exist, but its URL is lost, so a new attempt needs a new reference.
   */
  createCheckout(secretKey: string, request: CheckoutRequest): Promise<CheckoutOutcome>
  findPayment(secretKey: string, reference: string): Promise<PaymentOutcome>
  /**
   * Undefined for a provider that signs the bodies of its callbacks, because such callbacks need no confirmation by the
   * API.
   */
  readonly findPaymentById?: ((secretKey: string, providerId: string) => Promise<PaymentOutcome>) | undefined
  listPayments(secretKey: string, since: Timestamp): Promise<ListOutcome<PaymentReport>>
  /**
   * Lists the payments that the provider received since a time and that were returned in full, by a refund or by a
   * dispute.
   */
  listReversedPayments(secretKey: string, since: Timestamp): Promise<ListOutcome<PaymentReport>>
  listRefunds(secretKey: string, since: Timestamp): Promise<ListOutcome<ListedRefund>>
  /** Undefined if callbacks report every state of a dispute. */
  readonly listDisputes?: ((secretKey: string, since: Timestamp) => Promise<ListOutcome<ReportedDispute>>) | undefined
}

export interface CheckoutRequest {
  /** Our reference of the payment: at most 50 letters, digits and hyphens, some of which are random. */
  readonly reference: string
  readonly amountKobo: number
  readonly orderId: OrderId
  /** The e-mail address of the buyer. */
  readonly email: string
  /**
   * The URL to which the provider sends the buyer after the payment. If undefined, the URL in the settings of the
   * provider account is used.
   */
  readonly callbackUrl: string | undefined
}

export type CheckoutOutcome =
  | { readonly is: 'created'; readonly url: string }
  | Exclude<SubmitOutcome, { is: 'accepted' }>

export interface PaymentReport {
  /** The provider's reference of the payment. Null if the provider sent none, or one that cannot be parsed. */
  readonly reference: string | null
  /** The provider's own id of the payment. Null if the provider sent none. */
  readonly providerId: string | null
  readonly isPaid: boolean
  /** Whether the payment was received and later returned in full to the payer. */
  readonly isReversed: boolean
  readonly providerStatus: string
  readonly amountKobo: number | undefined
  /** ISO 4217 code of the currency. Undefined if the provider sent none. */
  readonly currency: string | undefined
  readonly method: PaymentMethod
  readonly paidAt: Timestamp | undefined
  /** The id of the order in the payment's metadata, if any. */
  readonly orderId: OrderId | undefined
}

export interface ListedRefund extends RefundReport {
  /** Our refund id; undefined for a refund that this service did not create. */
  readonly refundId: RefundId | undefined
  /** The provider's reference of the refunded payment. */
  readonly transaction: string | undefined
}

/** The payment provider did not respond, or responded with an error that a retry may resolve. */
export interface Unavailable {
  readonly is: 'unavailable'
  readonly reason: string
  /** Whether the provider rejected the request, so that a repetition would probably be rejected too. */
  readonly isRefused?: boolean
}

export type PaymentOutcome =
  | { readonly is: 'found'; readonly report: PaymentReport }
  | { readonly is: 'missing' }
  | Unavailable

export type ListOutcome<Item> = { readonly is: 'listed'; readonly items: readonly Item[] } | Unavailable

export interface RefundRequest {
  /** The provider's reference of the refunded payment. */
  readonly transaction: string
  /** The provider's own id of the refunded payment. Without it, the provider finds the payment by its reference. */
  readonly transactionId?: string | null
  readonly amountKobo: number
  /** Note of the refund, which the provider shows to the merchant's staff. It identifies the refund in searches. */
  readonly note: string
}

export interface RefundSearch {
  readonly note: string
  readonly since: Timestamp
}

export interface BankAccount {
  readonly accountNumber: string
  /** The bank's Nigerian interbank code, such as 058. */
  readonly bankCode: string
}

export interface RefundReport {
  readonly reference: string
  /** Undefined for an unknown status: the refund exists, but nothing else is certain. */
  readonly status: Exclude<RefundStatus, 'cancelled'> | undefined
  readonly amountKobo: number | undefined
  readonly expectedAt: Timestamp | null
  readonly reason: string | null
}

/** The outcome of a request that submits a refund, or the bank details of a refund, to the provider. */
export type SubmitOutcome =
  | { readonly is: 'accepted'; readonly report: RefundReport }
  /** The provider rejected the request. */
  | { readonly is: 'refused'; readonly code: string; readonly message: string }
  /** The provider did not process the request, so it can be repeated. */
  | { readonly is: 'not_submitted'; readonly reason: string }
  /** The request was sent, without a conclusive response. */
  | { readonly is: 'unknown'; readonly reason: string }

export type FindOutcome =
  | { readonly is: 'found'; readonly report: RefundReport }
  | { readonly is: 'missing' }
  | Unavailable
