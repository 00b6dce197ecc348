import type { ShipmentExceptionCode } from '../../../registry/logistics/shipment-states.ts'
import type { Kobo, OrderItemId, Timestamp } from '../../../registry/values/vocabulary.ts'

/** The stored form of the exceptions of shipments. They are stored as JSON in the row of their shipment. */

export type ExceptionCause =
  | 'never_answered'
  | 'cancellation_unconfirmed'
  | 'order_kept'
  | 'no_carrier_left'
  | 'not_released'
  | 'not_requested'
  | 'out_of_stock'
  | 'not_allowed'
  | 'not_counted'
  | 'return_shipment'
  /** The shipment belongs to a return that was received or closed before the exception was raised. */
  | 'return_ended'
  /** The carrier reported an end of the parcel after it had reported another one. */
  | 'other_end'
  /** The collected cash could not be recorded as a payment of the order. */
  | 'not_recorded'

type ExceptionFact =
  | 'reference'
  | 'carrierReference'
  | 'carrierStatus'
  | 'dueAt'
  | 'holder'
  | 'refusal'
  | 'orderStatus'
  | 'wanted'
  | 'dueKobo'
  | 'collectedKobo'
  | 'firstEnd'
  | 'laterEnd'

/** A condition of a shipment that needs manual action, or needed it before it was resolved. */
export interface StoredException {
  readonly code: ShipmentExceptionCode
  /** The cause of the exception, for an exception code that has several causes. */
  readonly cause?: ExceptionCause
  readonly carrier?: string
  readonly attemptNumber?: number
  /** Additional values for the message of the exception. */
  readonly facts?: Readonly<Partial<Record<ExceptionFact, string>>>
  /**
   * The order items whose units the exception `units_not_shipped` concerns. An exception of an earlier release lists
   * none and concerns the whole order.
   */
  readonly itemIds?: readonly OrderItemId[]
  /**
   * The message of an exception that an earlier release stored, or a redacted message. Newer releases build the message
   * when the exception is read.
   */
  readonly message?: string
  readonly at: Timestamp
  /**
   * Whether the event and the notification of the exception were created. Undefined for an exception that is older than
   * the release that introduced these events and notifications.
   */
  readonly isReported?: true
  /** Undefined while the exception is open. */
  readonly resolvedAt?: Timestamp
  /** The accepted amount and the charged amount, for exceptions about a price or a fee. */
  readonly amounts?: { readonly allowedKobo: Kobo; readonly chargedKobo: Kobo }
}
