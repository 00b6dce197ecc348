import type { PaymentExceptionName } from '../payment-exceptions.ts'
import {
  cancelled,
  link,
  order,
  paid,
  paidByHand,
  pays,
  priceKobo,
  product,
  received,
  refund,
  returnDispatched,
  returned,
  type Scenario,
  transitioned,
} from './step.ts'
import type { UntriggeredName } from './untriggered.ts'

/** Seconds of simulated time until a refund or a dispute ends. */
const refundSeconds = 120
const disputeSeconds = 120

const minute = 60
const day = 24 * 60 * minute

const unpaid = [product(), order()]
const linked = [...unpaid, link]
const delivered = [...unpaid, paidByHand(), transitioned('delivered')]

export const paymentScenarios: Readonly<Record<Exclude<PaymentExceptionName, UntriggeredName>, Scenario>> = {
  late_payment: {
    steps: [...linked, cancelled, pays()],
    events: ['order.created', 'order.status_changed', 'payment.recorded'],
    seconds: 0,
  },
  overpayment: {
    steps: [...linked, pays({ amountKobo: priceKobo + 50_000 })],
    events: ['order.created', 'payment.recorded', 'order.status_changed'],
    seconds: 0,
  },
  double_charge: {
    steps: [...linked, pays({ payments: 2 })],
    events: ['order.created', 'payment.recorded', 'order.status_changed'],
    seconds: 0,
  },
  edited_below_payments: {
    steps: [
      product(),
      order({ shippingKobo: 50_000 }),
      paidByHand(priceKobo + 50_000),
      { operation: 'updateOrder', params: { id: '{order.id}' }, body: { shippingKobo: 0 } },
    ],
    events: ['order.created', 'payment.recorded', 'order.status_changed', 'order.edited'],
    seconds: 0,
  },
  part_payment: {
    steps: [...linked, pays({ amountKobo: priceKobo - 100_000 })],
    events: ['order.created', 'payment.recorded'],
    seconds: day,
  },
  cancelled_paid_order: {
    steps: [...unpaid, paidByHand(), cancelled],
    events: ['order.created', 'payment.recorded', 'order.status_changed'],
    seconds: 0,
  },
  refunded_reserved_order: {
    steps: [...unpaid, paidByHand(), refund()],
    events: ['order.created', 'payment.recorded', 'order.status_changed', 'order.refunded'],
    seconds: 0,
  },
  unpaid_refund_of_restocked_units: {
    steps: [
      ...unpaid,
      paid('refund_fails'),
      refund({ items: [{ itemId: '{order.items.0.id}', quantity: 1, restock: true }] }),
    ],
    events: ['order.created', 'payment.recorded', 'order.status_changed', 'refund.updated', 'refund.failed'],
    seconds: refundSeconds,
  },
  unmatched_charge: {
    steps: [...linked, pays({ behaviour: 'unmatched' })],
    events: ['order.created', 'payment.unmatched'],
    seconds: 0,
  },
  provider_refund: {
    steps: [...unpaid, paid('refunded_by_provider')],
    events: ['order.created', 'payment.recorded', 'order.status_changed', 'order.refunded'],
    seconds: refundSeconds,
  },
  excess_provider_refund: {
    steps: [...unpaid, paid('refunded_by_provider'), refund()],
    events: ['order.created', 'payment.recorded', 'order.status_changed'],
    seconds: refundSeconds,
  },
  failed_refund: {
    steps: [...unpaid, paid('refund_fails'), refund()],
    events: ['order.created', 'payment.recorded', 'order.status_changed', 'refund.updated', 'refund.failed'],
    seconds: refundSeconds,
  },
  refund_without_account: {
    steps: [...unpaid, paid('refund_needs_attention'), refund()],
    events: ['order.created', 'payment.recorded', 'order.status_changed', 'refund.updated'],
    seconds: refundSeconds,
  },
  contradicted_refund: {
    steps: [...unpaid, paid('refund_contradicted'), refund()],
    events: ['order.created', 'payment.recorded', 'order.status_changed', 'refund.failed'],
    seconds: refundSeconds,
  },
  differing_refund: {
    steps: [...unpaid, paid('refund_differs'), refund()],
    events: ['order.created', 'payment.recorded', 'order.status_changed', 'refund.updated'],
    seconds: refundSeconds,
  },
  refund_after_dispute: {
    steps: [...unpaid, paid('dispute_lost_during_refund'), refund({ amountKobo: 400_000 })],
    events: ['order.created', 'payment.recorded', 'order.status_changed', 'refund.updated'],
    seconds: disputeSeconds,
  },
  unsettled_return: {
    steps: [...delivered, ...returned, received],
    events: ['order.created', 'payment.recorded', 'order.status_changed', 'return.status_changed'],
    seconds: 0,
  },
  arrived_return: {
    steps: [...delivered, ...returned, returnDispatched],
    events: [
      'order.created',
      'payment.recorded',
      'order.status_changed',
      'return.status_changed',
      'shipment.status_changed',
    ],
    seconds: 5 * minute,
  },
  open_dispute: {
    steps: [...unpaid, paid('disputed')],
    events: ['order.created', 'payment.recorded', 'order.status_changed'],
    seconds: minute,
  },
  unmatched_dispute: {
    steps: [...linked, pays({ behaviour: 'disputed', callbackDelayMinutes: 60 })],
    events: ['order.created'],
    seconds: minute,
  },
  lost_dispute: {
    steps: [...unpaid, paid('dispute_lost')],
    events: ['order.created', 'payment.recorded', 'order.status_changed'],
    seconds: disputeSeconds,
  },
  unclear_dispute: {
    steps: [...unpaid, paid('dispute_unclear')],
    events: ['order.created', 'payment.recorded', 'order.status_changed'],
    seconds: disputeSeconds,
  },
}
