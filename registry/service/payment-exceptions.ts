import type { ExceptionState } from './exception-state.ts'

const providerOnly =
  'The service does not change the stored refund. A member must compare it with the refund at the provider, and mark the problem as resolved.'

/** Includes the exceptional states of refunds, returns and disputes. */
export const paymentExceptions = {
  late_payment: {
    state: 'Payment for an order that expired or was cancelled',
    handling:
      'The payment is recorded, and the order stays cancelled. The exception ends when refunds and lost disputes have returned the payments of the order.',
    notification: 'payment.of_cancelled_order',
    section: 'payments',
    event: 'payment.recorded',
  },
  overpayment: {
    state: 'Payment through the provider, or cash on delivery, that exceeds the amount due of the order',
    handling:
      'The payment is recorded in full. Through the provider, nothing is due for a returned order. The exception ends when refunds and lost disputes have returned the excess, and opens again if such a refund bounces.',
    notification: 'payment.overpaid',
    section: 'payments',
    event: 'payment.recorded',
  },
  double_charge: {
    state: 'Second payment through the provider for a paid order',
    handling:
      'The first and the second payment of the order are both recorded. The exception ends when a refund or a lost dispute has returned one of the payments.',
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
    state: 'Order that is paid only in part when the time to pay it has ended',
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
    state: 'Order with unshipped units, although all of its payments or all of its units were refunded',
    handling:
      'The service no longer ships units of the order, but the units stay reserved. A lost dispute has the same effect as a refund. The exception ends when the order is cancelled, when its units are handed over, when the refund fails or is cancelled, or when the merchant wins the dispute.',
    notification: 'order.refunded_unshipped',
    section: 'payments',
    event: 'order.refunded',
  },
  unpaid_refund_of_restocked_units: {
    state:
      'Paid units that can no longer be sent: a refund restocked them or wrote them off, and later failed or was cancelled',
    handling:
      'The units stay restocked, written off, lost or returned, although the customer did not get the money. The amount can be refunded again. ' +
      'The exception ends when a refund of the units is paid, or when the order is cancelled.',
    notification: 'order.paid_unshippable',
    section: 'payments',
    event: 'refund.updated',
  },
  unmatched_charge: {
    state: 'Payment that the provider reports, and that matches no order or has no reference',
    handling:
      'The payment is not recorded. If its callback was lost, the daily comparison with the provider finds the payment. A payment of another application ' +
      'that shares the account is reported too. The exception ends when the payment is recorded for an order by its reference, or when a member resolves it. ' +
      'If the payment has no reference, only a member can resolve the exception.',
    notification: 'payment.not_recorded',
    section: 'payments',
    event: 'payment.unmatched',
  },
  differing_payment: {
    state:
      'Recorded payment that the provider does not list, lists with another amount, or lists as returned in full to the payer',
    handling:
      'The daily comparison with the provider reports each differing payment once and changes nothing. The payment is listed as an exception until a member marks the exception as resolved.',
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
    state:
      'Refund that was made in the dashboard of the provider, with an amount above the refundable amount of the order',
    handling:
      'The refund is not recorded. The exception ends when the daily comparison with the provider can record the refund.',
    notification: 'refund.not_recorded',
    section: 'payments',
    event: null,
  },
  failed_refund: {
    state: 'Failed refund',
    handling: 'The amount can be refunded again. The exception ends 30 days after the refund failed.',
    notification: 'refund.failed',
    section: 'refunds',
    event: 'refund.failed',
  },
  refund_without_account: {
    state: 'Refund that needs bank details',
    handling: 'The refund waits at the provider. The exception ends when the bank details of the refund are set.',
    notification: 'refund.needs_bank_details',
    section: 'refunds',
    event: 'refund.updated',
  },
  contradicted_refund: {
    state: 'Refund that is stored as failed, but succeeded at the provider',
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
      'The stock is changed, but the customer has not got the money back. The exception ends when a refund for the return or its exchange is created, or when ' +
      'the return is closed. It opens again if the refund fails or is cancelled.',
    notification: 'return.unsettled',
    section: 'payments',
    event: 'return.status_changed',
  },
  arrived_return: {
    state: 'Return whose parcel a carrier delivered to the merchant',
    handling: 'The delivery does not change the stock. The exception ends when the return is received or closed.',
    notification: 'return.arrived',
    section: 'payments',
    event: 'shipment.status_changed',
  },
  open_dispute: {
    state: 'Open dispute of a payment: the merchant must answer the dispute at the provider',
    handling:
      'The disputed payment cannot be refunded. If exchanges moved money of the payment to other orders as credits, the credits cannot be refunded either. The exception ends when the dispute ends.',
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
    state: 'Lost dispute of a payment: the payer gets the money back',
    handling:
      'The payer has the money, and perhaps the units. The amount cannot be refunded. If exchanges moved money of the payment to other orders, the part of the loss that the payment no ' +
      'longer covers is taken from the credits of these orders, and the notification names these orders. The exception ends when a member resolves it.',
    notification: 'payment.dispute_lost',
    section: 'payments',
    event: null,
  },
  unclear_dispute: {
    state: 'Dispute that ended with an unclear result',
    handling:
      'The payment cannot be refunded. The exception ends when `commerce payments dispute` records the result of the dispute. If the report of the provider names no dispute or no payment, only a member can resolve the ' +
      'exception.',
    notification: 'payment.dispute_unclear',
    section: 'payments',
    event: null,
  },
} as const satisfies Readonly<Record<string, ExceptionState>>

export type PaymentExceptionName = keyof typeof paymentExceptions
