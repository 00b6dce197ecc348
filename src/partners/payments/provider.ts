import type { PaymentMethod } from '../../../registry/orders/order-states.ts'
import type { RefundStatus } from '../../../registry/refunds/refund-states.ts'
import type { OrderId, RefundId, Timestamp } from '../../../registry/values/vocabulary.ts'

/**
 * The interface of a payment provider. Every outcome is a closed union. The critical outcome is `unknown`: the provider
 * may have processed the request, so it must not be treated as a failure.
 */
export interface PaymentProvider {
  /**
   * Submits a refund. This is not idempotent: providers have no idempotency key, so a refund must be submitted only
   * once.
   */
  refund(secretKey: string, request: RefundRequest): Promise<SubmitOutcome>
  /** Finds a refund by the provider's reference of the refund. */
  findRefund(secretKey: string, reference: string): Promise<FindOutcome>
  /** Finds a refund by its note among all refunds created since a time. */
  searchRefund(secretKey: string, search: RefundSearch): Promise<FindOutcome>
  /** Sets the bank account of a refund that the provider could not return to the original payment method. */
  setBankDetails(secretKey: string, reference: string, account: BankAccount): Promise<SubmitOutcome>
  /** Finds a payment by the provider's reference of the payment. */
  findPayment(secretKey: string, reference: string): Promise<PaymentOutcome>
  /** Lists every payment that the provider received since a time. */
  listPayments(secretKey: string, since: Timestamp): Promise<ListOutcome<PaymentReport>>
  /** Lists every payment made since a time that was returned in full, by a refund or a dispute. */
  listReversedPayments(secretKey: string, since: Timestamp): Promise<ListOutcome<PaymentReport>>
  /** Lists every refund that was created at the provider since a time. */
  listRefunds(secretKey: string, since: Timestamp): Promise<ListOutcome<ListedRefund>>
}

/** A payment as its provider reports it. */
export interface PaymentReport {
  /** The provider's reference of the payment. Null if the provider sent none, or one that cannot be parsed. */
  readonly reference: string | null
  /** The provider's own id of the payment. Null if the provider sent none. */
  readonly providerId: string | null
  readonly isPaid: boolean
  /** Whether the payment was received and later returned in full to the payer. */
  readonly isReversed: boolean
  /** The raw status of the payment from the provider. */
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

export type PaymentOutcome =
  | { readonly is: 'found'; readonly report: PaymentReport }
  | { readonly is: 'missing' }
  /** Inconclusive. */
  | { readonly is: 'unavailable'; readonly reason: string }

export type ListOutcome<Item> =
  | { readonly is: 'listed'; readonly items: readonly Item[] }
  | { readonly is: 'unavailable'; readonly reason: string }

export interface RefundRequest {
  /** The provider's reference of the refunded payment. */
  readonly transaction: string
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

/** A refund as its provider reports it. */
export interface RefundReport {
  readonly reference: string
  /** Status of the refund. Undefined for an unknown status: the refund exists, but nothing else is certain. */
  readonly status: Exclude<RefundStatus, 'cancelled'> | undefined
  readonly amountKobo: number | undefined
  readonly expectedAt: Timestamp | null
  readonly reason: string | null
}

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
  /** Inconclusive. */
  | { readonly is: 'unavailable'; readonly reason: string }
