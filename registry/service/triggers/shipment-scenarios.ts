import type { ShipmentExceptionName } from '../shipment-exceptions.ts'
import { callbackPhonePrefix, cashPhonePrefix, deliveryPhonePrefix, dispatchPhonePrefix } from '../test-phones.ts'
import {
  cancelled,
  dispatched,
  order,
  paid,
  paidByHand,
  priceKobo,
  product,
  refund,
  type Scenario,
  transitioned,
} from './step.ts'

const minute = 60

const toPhone = (phone?: string) => [product(), order(phone === undefined ? {} : { phone }), paidByHand()]

const started = ['order.created', 'payment.recorded', 'order.status_changed', 'shipment.status_changed'] as const
const raised = [...started, 'shipment.exception_raised'] as const

export const shipmentScenarios: Readonly<Record<ShipmentExceptionName, Scenario>> = {
  failed_dispatch: {
    steps: [...toPhone(`${dispatchPhonePrefix}100`), { ...dispatched(), fails: 'no_carrier_available' }],
    events: raised,
    seconds: 0,
  },
  failed_delivery: {
    steps: [...toPhone(`${dispatchPhonePrefix}800`), dispatched()],
    events: raised,
    seconds: 4 * minute,
  },
  returned_parcel: {
    steps: [...toPhone(`${dispatchPhonePrefix}800`), dispatched()],
    events: raised,
    seconds: 6 * minute,
  },
  lost_parcel: {
    steps: [...toPhone(`${deliveryPhonePrefix}1`), dispatched()],
    events: raised,
    seconds: 4 * minute,
  },
  refunded_parcel: { steps: [...toPhone(), dispatched(), refund()], events: [...raised, 'order.refunded'], seconds: 0 },
  unpaid_refund_of_shipment: {
    steps: [
      product(),
      order({ phone: `${dispatchPhonePrefix}330` }),
      paid('refund_fails'),
      dispatched(['simulator-swift', 'simulator-steady']),
      refund(),
    ],
    events: [...raised, 'refund.updated', 'refund.failed'],
    seconds: 5 * minute,
  },
  cancelled_order_parcel: {
    steps: [...toPhone(), dispatched(), cancelled],
    events: raised,
    seconds: 0,
  },
  possible_second_rider: {
    steps: [
      ...toPhone(`${dispatchPhonePrefix}300`),
      dispatched(['simulator-saver', 'simulator-steady'], { failover: { onUnknown: 'proceed_guarded' } }),
    ],
    events: raised,
    seconds: 20 * minute,
  },
  second_rider: {
    steps: [
      ...toPhone(`${deliveryPhonePrefix}4`),
      // The second carrier rejects cancellations too, so the service can cancel neither of the two carrier orders.
      dispatched(['simulator-swift', 'simulator-saver']),
    ],
    events: raised,
    seconds: 3 * minute,
  },
  price_above_ceiling: {
    steps: [
      ...toPhone(`${deliveryPhonePrefix}3`),
      dispatched(['simulator-swift'], { failover: { maxPriceKobo: 350_000 } }),
    ],
    events: raised,
    seconds: 0,
  },
  price_above_offer: {
    steps: [...toPhone(`${deliveryPhonePrefix}3`), dispatched()],
    events: raised,
    seconds: 0,
  },
  mismatched_cash: {
    steps: [
      product(),
      order({ phone: `${cashPhonePrefix}1`, paymentMethod: 'pay_on_delivery' }),
      dispatched(['simulator-swift'], { codAmountKobo: priceKobo }),
    ],
    events: raised,
    seconds: 5 * minute,
  },
  parcel_cancelled_in_transit: {
    steps: [...toPhone(`${deliveryPhonePrefix}2`), dispatched()],
    events: raised,
    seconds: 4 * minute,
  },
  unmoved_order: {
    steps: [...toPhone(), dispatched(), transitioned('on_hold')],
    events: raised,
    seconds: 3 * minute,
  },
  expensive_cancellation: {
    steps: [
      ...toPhone(`${dispatchPhonePrefix}900`),
      // The first callback of the simulated carrier reports the assigned rider. From then on, a cancellation has a fee.
      dispatched(['simulator-swift'], { pickup: { phone: `${callbackPhonePrefix}100` } }),
      { operation: 'cancelShipment', params: { id: '{shipment.id}' }, body: { reason: 'customer_request' } },
    ],
    events: raised,
    seconds: 5 * minute,
  },
  late_cancellation: {
    steps: [...toPhone(), dispatched(), cancelled],
    events: raised,
    seconds: 5 * minute,
  },
}
