import type { EventKind } from '../kit/event.ts'
import type { ShipmentExceptionCode } from '../logistics/shipment-states.ts'
import type { NotificationKind } from '../values/notifications.ts'

/**
 * The states in which money or goods of a merchant need manual action. The guide “Exceptions” shows this table, and a test
 * produces each state.
 */

/** The sections of “Needs attention” that show exceptions, with their titles. */
export const exceptionSections = {
  shipments: 'Shipments with open exceptions',
  refunds: 'Refunds that failed or await bank details',
  payments: 'Payments and refunds that do not match',
} as const

export interface ExceptionState {
  readonly state: string
  /** The reaction of the service, and the end of the state. */
  readonly handling: string
  readonly notification: NotificationKind
  readonly section: keyof typeof exceptionSections
  /** Null if the cause has no event of its own. */
  readonly event: EventKind | null
  /** The code of an exception of a shipment. */
  readonly code?: ShipmentExceptionCode
}

const providerOnly =
  'Nothing changes until a member compares the refund with the provider and marks the problem as resolved.'

export const exceptionStates = {
  late_payment: {
    state: 'Payment for an order that expired or was cancelled',
    handling: 'The payment is recorded, and the order stays cancelled. Ends when the payment is refunded.',
    notification: 'payment.of_cancelled_order',
    section: 'payments',
    event: 'payment.recorded',
  },
  overpayment: {
    state: 'Payment of the provider above the amount due',
    handling: 'The payment is recorded in full. Ends when the excess is refunded.',
    notification: 'payment.overpaid',
    section: 'payments',
    event: 'payment.recorded',
  },
  double_charge: {
    state: 'Second payment of the provider for a paid order',
    handling: 'Both payments are recorded. Ends when one is refunded.',
    notification: 'payment.overpaid',
    section: 'payments',
    event: 'payment.recorded',
  },
  part_payment: {
    state: 'Order paid in part when its time to pay ends',
    handling: 'The order keeps its units and does not expire. Ends when the order is paid, or cancelled.',
    notification: 'order.partly_paid',
    section: 'payments',
    event: 'payment.recorded',
  },
  cancelled_paid_order: {
    state: 'Paid order that was cancelled',
    handling: 'Cancelling does not refund. Ends when the order is refunded.',
    notification: 'order.cancelled_unrefunded',
    section: 'payments',
    event: 'order.status_changed',
  },
  refunded_reserved_order: {
    state: 'Order with unshipped units that was refunded in full',
    handling:
      'No unit is shipped any more, and a lost dispute counts like a refund. The units stay reserved. Ends when the order is ' +
      'cancelled, or when the money is not returned after all.',
    notification: 'order.refunded_unshipped',
    section: 'payments',
    event: 'order.refunded',
  },
  unmatched_charge: {
    state: 'Charge of the provider that matches no order',
    handling: 'The charge is not recorded. Ends when the payment is recorded for an order by its reference.',
    notification: 'payment.not_recorded',
    section: 'payments',
    event: 'payment.unmatched',
  },
  missed_charge: {
    state: 'Payment that only the provider or only this service has',
    handling:
      'The daily comparison with the provider records a charge that names an order, as its callback would. It lists every other ' +
      'payment and changes nothing.',
    notification: 'payment.differences',
    section: 'payments',
    event: null,
  },
  provider_refund: {
    state: 'Refund made in the dashboard of the provider',
    handling: 'The refund is recorded with the source `provider`, and the refundable amount falls.',
    notification: 'refund.by_provider',
    section: 'payments',
    event: 'order.refunded',
  },
  excess_provider_refund: {
    state: 'Refund made in the dashboard of the provider above the refundable amount',
    handling: 'The refund is not recorded. Ends when the daily comparison can record the refund.',
    notification: 'refund.not_recorded',
    section: 'payments',
    event: null,
  },
  failed_refund: {
    state: 'Failed refund',
    handling: 'The amount can be refunded again. The refund is shown for 30 days.',
    notification: 'refund.failed',
    section: 'refunds',
    event: 'refund.failed',
  },
  refund_without_account: {
    state: 'Refund that needs bank details',
    handling: 'The refund waits. Ends when bank details are set.',
    notification: 'refund.needs_bank_details',
    section: 'refunds',
    event: 'refund.updated',
  },
  contradicted_refund: {
    state: 'Failed refund that succeeded at the provider',
    handling: providerOnly,
    notification: 'refund.contradicted',
    section: 'payments',
    event: null,
  },
  differing_refund: {
    state: 'Refund of another amount at the provider',
    handling: providerOnly,
    notification: 'refund.amount_differs',
    section: 'payments',
    event: null,
  },
  refund_after_dispute: {
    state: 'Refund that waits at the provider although a lost dispute returned the money',
    handling: 'The refund accepts no bank details. A member must end the refund at the provider.',
    notification: 'refund.dispute_lost',
    section: 'payments',
    event: null,
  },
  unclear_dispute: {
    state: 'Dispute that ended with an unclear result',
    handling: 'The payment stays locked. Ends when `commerce payments dispute` records the result.',
    notification: 'payment.dispute_unclear',
    section: 'payments',
    event: null,
  },
  failed_dispatch: {
    state: 'Dispatch of an order that failed',
    handling: 'The units stay reserved. Ends when the order has another shipment.',
    notification: 'shipment.exception',
    section: 'shipments',
    event: 'shipment.exception_raised',
    code: 'dispatch_failed',
  },
  returned_parcel: {
    state: 'Parcel that was returned',
    handling: 'Ends when the order has another shipment, or a member resolves the exception.',
    notification: 'shipment.exception',
    section: 'shipments',
    event: 'shipment.exception_raised',
    code: 'parcel_returned',
  },
  lost_parcel: {
    state: 'Parcel that was lost',
    handling: 'The units are written off. Ends when a member resolves the exception.',
    notification: 'shipment.exception',
    section: 'shipments',
    event: 'shipment.exception_raised',
    code: 'parcel_lost',
  },
  refunded_parcel: {
    state: 'Parcel with units that were refunded after a carrier had been requested',
    handling:
      'The parcel continues. Before a carrier is requested, refunded units leave the shipment instead. Ends when the shipment is ' +
      'cancelled or returned; after the delivery, when a member resolves the exception.',
    notification: 'shipment.exception',
    section: 'shipments',
    event: 'shipment.exception_raised',
    code: 'units_refunded',
  },
  cancelled_order_parcel: {
    state: 'Parcel of an order that was cancelled after a carrier had accepted the shipment',
    handling:
      'The parcel continues, and its units stay reserved. Ends when the shipment ends, because it is cancelled, returned, ' +
      'delivered or lost.',
    notification: 'shipment.exception',
    section: 'shipments',
    event: 'shipment.exception_raised',
    code: 'order_cancelled',
  },
  expensive_cancellation: {
    state: 'Cancellation whose fee is above the accepted maximum',
    handling:
      'The cancellation is not requested, and the parcel continues. Ends when the shipment ends, or a member resolves the exception.',
    notification: 'shipment.exception',
    section: 'shipments',
    event: 'shipment.exception_raised',
    code: 'cancellation_fee_above_accepted',
  },
  late_cancellation: {
    state: 'Parcel that was delivered after its order was cancelled',
    handling: 'The units leave the stock, and the order stays cancelled. Ends when a member resolves the exception.',
    notification: 'shipment.exception',
    section: 'shipments',
    event: 'shipment.exception_raised',
    code: 'delivered_after_cancellation',
  },
} as const satisfies Readonly<Record<string, ExceptionState>>

export type ExceptionStateName = keyof typeof exceptionStates
