import type { EventKind } from '../kit/event.ts'
import type { ShipmentExceptionCode } from '../logistics/shipment-states.ts'
import type { NotificationKind } from '../values/notifications.ts'

/**
 * The states in which money or goods of a merchant need manual action. The guide “Exceptions” shows this table, and a
 * test produces each state.
 */

/** The sections of the start page “Needs attention” that list exceptions, with their titles. */
export const exceptionSections = {
  shipments: 'Shipments with open exceptions',
  refunds: 'Refunds that failed or await bank details',
  payments: 'Payments, refunds, returns and disputes with a problem',
} as const

export interface ExceptionState {
  readonly state: string
  /** How the service reacts to a state that needs manual action, and when the state ends. */
  readonly handling: string
  readonly notification: NotificationKind
  readonly section: keyof typeof exceptionSections
  /** Kind of the webhook event that the cause of the state emits. Null if it emits none. */
  readonly event: EventKind | null
  /** Exception code of a state that is an exception of a shipment. Left out for all other states. */
  readonly code?: ShipmentExceptionCode
}

const providerOnly =
  'Nothing changes until a member compares the refund with the provider and marks the problem as resolved.'

const priceHandling =
  'The carrier still delivers the parcel. The exception ends when the carrier reduces the price, when another carrier gets the shipment, when the ' +
  'shipment is cancelled, or when a member resolves the exception.'

export const exceptionStates = {
  late_payment: {
    state: 'Payment for an order that expired or was cancelled',
    handling:
      'The payment is recorded, and the order stays cancelled. The exception ends when refunds and lost disputes have returned the payments of the order.',
    notification: 'payment.of_cancelled_order',
    section: 'payments',
    event: 'payment.recorded',
  },
  overpayment: {
    state: 'Payment through the provider, or cash on delivery, of more than was due for the order',
    handling:
      'The payment is recorded in full. The exception ends when refunds and lost disputes have returned the excess, and opens again if such a refund bounces.',
    notification: 'payment.overpaid',
    section: 'payments',
    event: 'payment.recorded',
  },
  double_charge: {
    state: 'Second payment through the provider for a paid order',
    handling:
      'Both payments are recorded. The exception ends when a refund or a lost dispute has returned one of the payments.',
    notification: 'payment.overpaid',
    section: 'payments',
    event: 'payment.recorded',
  },
  edited_below_payments: {
    state: 'Paid order that was edited to a lower total',
    handling:
      'Editing an order does not refund its payments. The exception ends when refunds and lost disputes have returned the excess, or when the order is edited to a total that covers the payments.',
    notification: 'order.paid_above_price',
    section: 'payments',
    event: 'order.edited',
  },
  part_payment: {
    state: 'Order that is paid only in part at the end of the time to pay',
    handling:
      'The units stay reserved, and the order does not expire. The exception ends when the order is fully paid or cancelled.',
    notification: 'order.partly_paid',
    section: 'payments',
    event: 'payment.recorded',
  },
  cancelled_paid_order: {
    state: 'Paid order that was cancelled',
    handling:
      'Cancelling an order does not refund its payments. The exception ends when refunds and lost disputes have returned the payments, and opens again if a refund bounces.',
    notification: 'order.cancelled_unrefunded',
    section: 'payments',
    event: 'order.status_changed',
  },
  refunded_reserved_order: {
    state: 'Order whose payments or units were all refunded, and which still has unshipped units',
    handling:
      'The service no longer ships units of the order, but the units stay reserved. A lost dispute counts like a ' +
      'refund. The exception ends when the order is cancelled, when its units are handed over, or when the refund ' +
      'or the dispute does not return the money in the end.',
    notification: 'order.refunded_unshipped',
    section: 'payments',
    event: 'order.refunded',
  },
  unpaid_refund_of_restocked_units: {
    state: 'Paid units that can no longer be sent, because of a refund that failed or was cancelled',
    handling:
      'The refund restocked or wrote off the units, or they were lost or returned, and this does not change. The amount can be refunded again. ' +
      'The exception ends when a refund of the units is paid, or when the order is cancelled.',
    notification: 'order.paid_unshippable',
    section: 'payments',
    event: 'refund.updated',
  },
  unmatched_charge: {
    state: 'Payment at the provider that matches no order or has no reference',
    handling:
      'The payment is not recorded. If its callback was lost, the daily comparison with the provider finds it. A payment of another application ' +
      'that shares the account is reported too. The exception ends when the payment is recorded for an order by its reference, or when a member resolves it. ' +
      'If the payment has no reference, only a member can resolve the exception.',
    notification: 'payment.not_recorded',
    section: 'payments',
    event: 'payment.unmatched',
  },
  differing_payment: {
    state: 'Recorded payment that the provider does not list, lists with another amount, or has returned in full',
    handling:
      'The daily comparison with the provider reports each difference once and changes nothing. The exception ends when a member resolves it.',
    notification: 'payment.differences',
    section: 'payments',
    event: null,
  },
  provider_refund: {
    state: 'Refund made in the dashboard of the provider',
    handling: 'The refund is recorded with the source `provider`, and reduces the refundable amount.',
    notification: 'refund.by_provider',
    section: 'payments',
    event: 'order.refunded',
  },
  excess_provider_refund: {
    state: 'Refund made in the dashboard of the provider above the refundable amount',
    handling: 'The refund is not recorded. The exception ends when the daily comparison can record the refund.',
    notification: 'refund.not_recorded',
    section: 'payments',
    event: null,
  },
  failed_refund: {
    state: 'Failed refund',
    handling: 'The amount can be refunded again. The failed refund is shown for 30 days.',
    notification: 'refund.failed',
    section: 'refunds',
    event: 'refund.failed',
  },
  refund_without_account: {
    state: 'Refund that needs bank details',
    handling: 'The refund waits at the provider. The exception ends when its bank details are set.',
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
    state: 'Refund whose amount at the provider differs from the requested amount',
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
  unsettled_return: {
    state: 'Return that was received, and that is neither refunded nor exchanged',
    handling:
      'The stock is changed, and the customer has no money back. The exception ends when a refund for the return or its exchange is created, or when ' +
      'the return is closed. It opens again if the refund fails or is cancelled.',
    notification: 'return.unsettled',
    section: 'payments',
    event: 'return.status_changed',
  },
  arrived_return: {
    state: 'Return whose parcel a carrier delivered to the merchant',
    handling: 'The stock does not change. The exception ends when the return is received or closed.',
    notification: 'return.arrived',
    section: 'payments',
    event: 'shipment.status_changed',
  },
  open_dispute: {
    state: 'Dispute of a payment that the merchant must answer at the provider',
    handling:
      'The payment cannot be refunded, and neither can the credits of exchanges that were taken from it. The exception ends when the dispute ends.',
    notification: 'payment.dispute_opened',
    section: 'payments',
    event: null,
  },
  unmatched_dispute: {
    state: 'Dispute of a payment that is not recorded',
    handling:
      'The dispute is stored, and applies to the payment when the payment is recorded. The notification names the reference of the payment, and later ' +
      'also its order. The exception ends when the dispute ends, or when a member resolves it. A lost or unclear dispute is reported like a dispute of a recorded payment.',
    notification: 'payment.dispute_opened',
    section: 'payments',
    event: null,
  },
  lost_dispute: {
    state: 'Dispute of a payment that the payer won',
    handling:
      'The payer has the money, and perhaps the units. The amount cannot be refunded. If exchanges moved the money to other orders, their credits lose what the ' +
      'payment no longer has, and the notification names these orders. The exception ends when a member resolves it.',
    notification: 'payment.dispute_lost',
    section: 'payments',
    event: null,
  },
  unclear_dispute: {
    state: 'Dispute that ended with an unclear result',
    handling:
      'The payment cannot be refunded. The exception ends when `commerce payments dispute` records the result of the dispute. If the report names no dispute or payment, ' +
      'only a member can resolve the exception.',
    notification: 'payment.dispute_unclear',
    section: 'payments',
    event: null,
  },
  failed_dispatch: {
    state: 'Failed dispatch of an order or of a return',
    handling:
      'The units of an order stay reserved. The exception ends when a carrier has accepted a shipment of each of its units, when the merchant sets the order ' +
      'to shipped or delivered, when the refund of the units is paid, when the order is cancelled, or when a member resolves the exception. If ' +
      'another dispatch of its units fails, the new failure replaces it. For a return, it ends when a carrier has accepted another shipment of ' +
      'the return, or when the return is received or closed.',
    notification: 'shipment.exception',
    section: 'shipments',
    event: 'shipment.exception_raised',
    code: 'dispatch_failed',
  },
  failed_delivery: {
    state: 'Parcel that the carrier could not hand over, and that is not on its way back yet',
    handling:
      'The carrier keeps the parcel. The exception ends when the carrier reports another attempt, the delivery, the return or the loss of the parcel, when the ' +
      'merchant sets the order to delivered or receives or closes the return, when the order is cancelled, or when a member resolves the exception. If another attempt fails, the ' +
      'exception is raised again.',
    notification: 'shipment.exception',
    section: 'shipments',
    event: 'shipment.exception_raised',
    code: 'delivery_failed',
  },
  returned_parcel: {
    state: 'Parcel that was returned',
    handling:
      'The exception ends when a carrier has accepted another shipment of each of its units, or when a member resolves the exception. For a return, ' +
      'whose parcel went back to the customer, it also ends when the return is received or closed. If the return was already received or closed ' +
      'before, only a member can resolve the exception.',
    notification: 'shipment.exception',
    section: 'shipments',
    event: 'shipment.exception_raised',
    code: 'parcel_returned',
  },
  lost_parcel: {
    state: 'Parcel that was lost',
    handling:
      'The units of an order are written off. The units of a return are not: the return stays in transit until it is received or closed. The ' +
      'exception ends when a member resolves it.',
    notification: 'shipment.exception',
    section: 'shipments',
    event: 'shipment.exception_raised',
    code: 'parcel_lost',
  },
  refunded_parcel: {
    state: 'Parcel with units that were refunded after a carrier had been requested',
    handling:
      'The carrier still delivers the parcel. Units refunded before a carrier is requested leave the shipment ' +
      'instead. The exception ends when the shipment is cancelled, returned, lost or failed, or when the refund ' +
      'or the dispute does not return the money in the end; after the delivery, when a member resolves the ' +
      'exception.',
    notification: 'shipment.exception',
    section: 'shipments',
    event: 'shipment.exception_raised',
    code: 'units_refunded',
  },
  unpaid_refund_of_shipment: {
    state: 'Units of a shipment that were not sent because of a refund that failed or was cancelled',
    handling:
      'The customer has paid for the units, and no shipment contains them. The exception concerns the order items that left the shipment or ended ' +
      'with it, and no other items. It ends when a carrier has accepted a shipment of each of their units, when the merchant sets the order to ' +
      'shipped or delivered, when their refund is paid, when the order is cancelled, or when a member resolves the exception.',
    notification: 'shipment.exception',
    section: 'shipments',
    event: 'shipment.exception_raised',
    code: 'units_not_shipped',
  },
  cancelled_order_parcel: {
    state: 'Parcel of an order that was cancelled after a carrier had accepted the shipment',
    handling:
      'The carrier still delivers the parcel, and its units stay reserved. The exception ends when the shipment is cancelled, returned, ' +
      'delivered or lost.',
    notification: 'shipment.exception',
    section: 'shipments',
    event: 'shipment.exception_raised',
    code: 'order_cancelled',
  },
  possible_second_rider: {
    state: 'Shipment that another carrier may also have accepted',
    handling:
      'The first carrier did not confirm whether it accepted the shipment, and the shipment went to the next carrier. The exception ends when the first carrier ' +
      'reports that its order is cancelled, or when a member resolves the exception.',
    notification: 'shipment.exception',
    section: 'shipments',
    event: 'shipment.exception_raised',
    code: 'possible_duplicate',
  },
  second_rider: {
    state: 'Shipment that two carriers have, because one of them accepted it late and rejected its cancellation',
    handling:
      'Both carriers charge. The exception ends when the carrier that accepted late reports that its order is cancelled, or when a member resolves the exception.',
    notification: 'shipment.exception',
    section: 'shipments',
    event: 'shipment.exception_raised',
    code: 'duplicate_dispatch',
  },
  price_above_ceiling: {
    state: 'Shipment for which the carrier charges more than the price ceiling',
    handling: priceHandling,
    notification: 'shipment.exception',
    section: 'shipments',
    event: 'shipment.exception_raised',
    code: 'price_above_ceiling',
  },
  price_above_offer: {
    state: 'Shipment for which the carrier charges more than the price that it guaranteed',
    handling: priceHandling,
    notification: 'shipment.exception',
    section: 'shipments',
    event: 'shipment.exception_raised',
    code: 'price_above_offer',
  },
  mismatched_cash: {
    state: 'Cash on delivery of which the rider collected less or more than the amount of the shipment',
    handling:
      'The collected cash is recorded as a payment of the order, whose amount due changes by it. The exception ends when a member resolves it.',
    notification: 'shipment.exception',
    section: 'shipments',
    event: 'shipment.exception_raised',
    code: 'cod_amount_mismatch',
  },
  parcel_cancelled_in_transit: {
    state: 'Shipment that the carrier cancelled after the pickup of its parcel',
    handling:
      'The shipment keeps its status, because the carrier has the parcel. The exception ends when a member resolves it.',
    notification: 'shipment.exception',
    section: 'shipments',
    event: 'shipment.exception_raised',
    code: 'cancelled_after_pickup',
  },
  unmoved_order: {
    state:
      'Order whose status cannot follow the status of its shipment, such as an unpaid order with a parcel in transit',
    handling:
      'The shipment continues, and the order keeps its status. The exception ends when the order gets the status ' +
      'that follows from its shipment, or when a member resolves it.',
    notification: 'shipment.exception',
    section: 'shipments',
    event: 'shipment.exception_raised',
    code: 'order_not_moved',
  },
  expensive_cancellation: {
    state: 'Cancellation whose fee is above the accepted maximum',
    handling:
      'The cancellation is not requested, and the carrier still delivers the parcel. The exception ends when the shipment ends, or a member resolves it. ' +
      'If a carrier accepts a shipment only after its cancellation, the same rule applies to the order at the carrier. A duplicate order is ' +
      'cancelled at any fee, because two riders cost more; the exception then reports the charged fee.',
    notification: 'shipment.exception',
    section: 'shipments',
    event: 'shipment.exception_raised',
    code: 'cancellation_fee_above_accepted',
  },
  late_cancellation: {
    state: 'Parcel that was delivered after its order was cancelled',
    handling:
      'The delivered units are taken out of stock, and the order stays cancelled. The exception ends when a member resolves it.',
    notification: 'shipment.exception',
    section: 'shipments',
    event: 'shipment.exception_raised',
    code: 'delivered_after_cancellation',
  },
} as const satisfies Readonly<Record<string, ExceptionState>>

export type ExceptionStateName = keyof typeof exceptionStates
