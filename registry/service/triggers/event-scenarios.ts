import type { EventKind } from '../../kit/event.ts'
import { paymentScenarios } from './payment-scenarios.ts'
import { shipmentScenarios } from './shipment-scenarios.ts'
import { order, paid, paidByHand, product, refund, type Scenario } from './step.ts'

const unpaid = [product(), order()]

export const eventScenarios: Readonly<Record<EventKind, Scenario>> = {
  'order.created': { steps: unpaid, events: ['order.created'], seconds: 0 },
  'order.status_changed': {
    steps: [...unpaid, paidByHand()],
    events: ['order.created', 'payment.recorded', 'order.status_changed'],
    seconds: 0,
  },
  'order.refunded': {
    steps: [...unpaid, paid(), refund()],
    events: ['order.created', 'payment.recorded', 'order.status_changed', 'order.refunded'],
    seconds: 120,
  },
  'inventory.low_stock': {
    steps: [product({ onHand: 3, lowStockThreshold: 2 }), order()],
    events: ['order.created', 'inventory.low_stock'],
    seconds: 0,
  },
  'shipment.status_changed': shipmentScenarios.cancelled_order_parcel,
  'payment.recorded': {
    steps: [...unpaid, paid()],
    events: ['order.created', 'payment.recorded', 'order.status_changed'],
    seconds: 0,
  },
  'payment.voided': {
    steps: [
      ...unpaid,
      paidByHand(),
      { operation: 'voidPayment', params: { id: '{payment.id}' }, body: { reason: 'bounced' } },
    ],
    events: ['order.created', 'payment.recorded', 'order.status_changed', 'payment.voided'],
    seconds: 0,
  },
  'payment.unmatched': paymentScenarios.unmatched_charge,
  'refund.updated': paymentScenarios.refund_without_account,
  'refund.failed': paymentScenarios.failed_refund,
  'shipment.exception_raised': shipmentScenarios.failed_delivery,
  'return.status_changed': paymentScenarios.unsettled_return,
  'order.edited': {
    steps: [...unpaid, { operation: 'updateOrder', params: { id: '{order.id}' }, body: { shippingKobo: 50_000 } }],
    events: ['order.created', 'order.edited'],
    seconds: 0,
  },
  'inventory.back_in_stock': {
    steps: [
      product({ onHand: 0 }),
      {
        operation: 'adjustInventory',
        params: { id: '{product.id}', variantId: '{product.variants.0.id}' },
        body: { delta: 5, reason: 'restock' },
      },
    ],
    events: ['inventory.back_in_stock'],
    seconds: 0,
  },
  'product.updated': {
    steps: [
      product(),
      { operation: 'updateProduct', params: { id: '{product.id}' }, body: { title: 'Changed {run}' } },
    ],
    events: ['product.updated'],
    seconds: 0,
  },
  'customer.updated': {
    steps: [
      {
        operation: 'createCustomer',
        as: 'customer',
        body: { name: 'Adaeze Okafor', email: 'adaeze.{run}@example.com' },
      },
      { operation: 'updateCustomer', params: { id: '{customer.id}' }, body: { name: 'Adaeze Okafor-Bello' } },
    ],
    events: ['customer.updated'],
    seconds: 0,
  },
}
