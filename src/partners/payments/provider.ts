import type { PaymentMethod } from '../../../registry/orders/order-states.ts'
import type { RefundStatus } from '../../../registry/refunds/refund-states.ts'
import type { OrderId, RefundId, Timestamp } from '../../../registry/values/vocabulary.ts'

/**
 * What this service asks of a company that holds a merchant's money. Every answer is a closed union, and the one that
 * matters most is `unknown`: the provider may have done what it was asked, so nobody may take it for a failure.
 */
export interface PaymentProvider {
  /** Asks for money to go back. It must not be asked twice for one refund: providers know no key that would stop it. */
  refund(secretKey: string, request: RefundRequest): Promise<SubmitOutcome>
  /** The refund by the provider's own name for it. */
  findRefund(secretKey: string, reference: string): Promise<FindOutcome>
  /** The refund by the note it was asked with, among all asked for since a moment. */
  searchRefund(secretKey: string, search: RefundSearch): Promise<FindOutcome>
  /** Tells where the money is to go, when the provider could not return it to where it came from. */
  giveAccount(secretKey: string, reference: string, account: BankAccount): Promise<SubmitOutcome>
  /** The payment by the provider's own name for it. */
  findPayment(secretKey: string, reference: string): Promise<PaymentOutcome>
  /** Every payment received since a moment. */
  listPayments(secretKey: string, since: Timestamp): Promise<ListOutcome<PaymentReport>>
  /** Every payment made since a moment whose money went back as a whole, by a refund or by a dispute. */
  listReversedPayments(secretKey: string, since: Timestamp): Promise<ListOutcome<PaymentReport>>
  /** Every refund made since a moment. */
  listRefunds(secretKey: string, since: Timestamp): Promise<ListOutcome<ListedRefund>>
}

/** What a provider says of a payment it has. */
export interface PaymentReport {
  readonly reference: string
  readonly isPaid: boolean
  /** Whether the money was received and went back as a whole. */
  readonly isReversed: boolean
  /** The provider's own word. */
  readonly providerStatus: string
  readonly amountKobo: number | undefined
  readonly currency: string
  readonly method: PaymentMethod
  readonly paidAt: Timestamp | undefined
  /** The order it is for, where whoever began the payment said so. */
  readonly orderId: OrderId | undefined
}

export interface ListedRefund extends RefundReport {
  /** Our id of it; undefined for one that was not made by this service. */
  readonly refundId: RefundId | undefined
}

export type PaymentOutcome =
  | { readonly is: 'found'; readonly report: PaymentReport }
  | { readonly is: 'missing' }
  /** Nothing can be concluded. */
  | { readonly is: 'unavailable'; readonly reason: string }

export type ListOutcome<Item> =
  | { readonly is: 'listed'; readonly items: readonly Item[] }
  | { readonly is: 'unavailable'; readonly reason: string }

export interface RefundRequest {
  /** The provider's name for the payment. */
  readonly transaction: string
  readonly amountKobo: number
  /** Shown to the merchant's staff by the provider, and what the refund is found by. */
  readonly note: string
}

export interface RefundSearch {
  readonly note: string
  readonly since: Timestamp
}

export interface BankAccount {
  readonly accountNumber: string
  /** The bank's code in Nigeria's interbank system, such as 058. */
  readonly bankCode: string
}

/** What a provider says of a refund it has. */
export interface RefundReport {
  readonly reference: string
  /** Undefined for a word this service does not know: the refund is there, and nothing more is sure. */
  readonly status: Exclude<RefundStatus, 'cancelled'> | undefined
  readonly amountKobo: number | undefined
  readonly expectedAt: Timestamp | null
  readonly reason: string | null
}

export type SubmitOutcome =
  | { readonly is: 'accepted'; readonly report: RefundReport }
  /** The provider understood and will not do it. */
  | { readonly is: 'refused'; readonly code: string; readonly message: string }
  /** The provider has certainly not begun: the very same may be asked again. */
  | { readonly is: 'not_begun'; readonly reason: string }
  /** Sent, and no answer to be sure of. */
  | { readonly is: 'unknown'; readonly reason: string }

export type FindOutcome =
  | { readonly is: 'found'; readonly report: RefundReport }
  | { readonly is: 'missing' }
  /** Nothing can be concluded. */
  | { readonly is: 'unavailable'; readonly reason: string }
