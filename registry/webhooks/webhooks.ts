import { z } from 'zod'
import { type EventKind, event } from '../kit/event.ts'
import { Shipment, ShipmentStatusName } from '../logistics/shipment.ts'
import { ShipmentException } from '../logistics/shipment-exception.ts'
import { Order, OrderStatus } from '../orders/order.ts'
import { orderExample } from '../orders/order-example.ts'
import { Refund, refundExample } from '../refunds/refund.ts'
import { Return, ReturnStatusName, returnExample } from '../returns/return.ts'
import { impersonalText } from '../values/privacy.ts'
import { kobo, named, nullable, OrderId, ShipmentId, timestamp } from '../values/vocabulary.ts'
import { customerUpdated } from './customer-events.ts'
import { paymentRecorded, paymentUnmatched, paymentVoided, refundFailed, refundUpdated } from './money-events.ts'
import { inventoryBackInStock, inventoryLowStock, productUpdated } from './product-events.ts'

const orderCreated = event({
  kind: 'order.created',
  name: 'OrderCreatedEvent',
  meaning: 'An order was created.',
  data: named(
    'OrderCreatedData',
    z.object({ order: Order }).meta({ description: 'Data of the event, such as the changed record.' }),
  ),
  example: { order: orderExample },
})

const orderStatusChanged = event({
  kind: 'order.status_changed',
  name: 'OrderStatusChangedEvent',
  meaning:
    'The status of an order changed. The event is sent once for each change, but not when the order is created. A refund causes this event only if it covers the last units of the order that must still be shipped ' +
    'or delivered.',
  data: named(
    'OrderStatusChangedData',
    z
      .object({
        orderId: OrderId,
        number: Order.shape.number,
        from: OrderStatus,
        to: OrderStatus,
        reason: nullable(impersonalText()).meta({
          description: 'Reason code of the status change. Null if the change has no reason.',
        }),
        actor: z
          .object({
            type: impersonalText().meta({
              description: 'Type of the actor, such as a member or an API token.',
              examples: ['token'],
            }),
            id: nullable(impersonalText()).meta({
              description: 'Identifier of the actor. Null if the actor has no identifier.',
            }),
          })
          .meta({ description: 'Actor that made the change.' }),
        version: Order.shape.version,
        occurredAt: timestamp('When the status of the order changed.'),
      })
      .meta({ description: 'Data of the event, such as the changed record.' }),
  ),
  example: {
    orderId: 'ord_01jd3f8q6hf5n8v1zr4c7e2m9k',
    number: 'ORD-7K2M9QX4',
    from: 'pending',
    to: 'processing',
    reason: 'payment_received',
    actor: { type: 'token', id: 'tok_01jd3f8q6hf5n8v1zr4c7e2m9k' },
    version: 2,
    occurredAt: '2026-11-21T09:00:00.000Z',
  },
})

const orderRefunded = event({
  kind: 'order.refunded',
  name: 'OrderRefundedEvent',
  meaning: 'A refund of an order succeeded. The event is sent once for each refund.',
  data: named(
    'OrderRefundedData',
    z
      .object({
        refund: Refund,
        fullyRefunded: z
          .boolean()
          .meta({ description: 'Whether the whole paid amount of the order is now refunded.', examples: [false] }),
      })
      .meta({ description: 'Data of the event, such as the changed record.' }),
  ),
  example: { refund: refundExample, fullyRefunded: false },
})

const shipmentStatusChanged = event({
  kind: 'shipment.status_changed',
  name: 'ShipmentStatusChangedEvent',
  meaning:
    'The status of a shipment changed. The event is sent once for each change, but not when the shipment is created.',
  stability: 'beta',
  data: named(
    'ShipmentStatusChangedData',
    z
      .object({
        shipmentId: ShipmentId,
        reference: Shipment.shape.reference,
        orderId: Shipment.shape.orderId,
        returnId: Shipment.shape.returnId,
        items: Shipment.shape.items,
        from: ShipmentStatusName,
        to: ShipmentStatusName,
        statusReason: Shipment.shape.statusReason,
        carrier: Shipment.shape.carrier,
        attemptNumber: nullable(z.int().min(1)).meta({
          description: 'Number of the dispatch attempt that caused the change. Null if no attempt caused it.',
        }),
        trackingUrl: Shipment.shape.trackingUrl,
        version: Shipment.shape.version,
        occurredAt: timestamp('When the status of the shipment changed, according to the source of the update.'),
      })
      .meta({ description: 'Data of the event, such as the changed record.' }),
  ),
  example: {
    shipmentId: 'shp_01jd3f8q6hf5n8v1zr4c7e2m9k',
    reference: 'ORD-7K2M9QX4-1',
    orderId: 'ord_01jd3f8q6hf5n8v1zr4c7e2m9k',
    returnId: null,
    items: [{ itemId: 'itm_01jd3f8q6hf5n8v1zr4c7e2m9k', quantity: 1 }],
    from: 'at_pickup',
    to: 'picked_up',
    statusReason: null,
    carrier: { code: 'simulator-swift', name: 'Simulator Swift' },
    attemptNumber: 1,
    trackingUrl: null,
    version: 5,
    occurredAt: '2026-11-21T08:50:00.000Z',
  },
})

const shipmentExceptionRaised = event({
  kind: 'shipment.exception_raised',
  name: 'ShipmentExceptionRaisedEvent',
  meaning:
    'A shipment has a new exception: a condition that needs manual action, such as a returned parcel. The event is sent once for each ' +
    'exception. Its resolution sends no event.',
  stability: 'beta',
  data: named(
    'ShipmentExceptionRaisedData',
    z
      .object({
        shipmentId: ShipmentId,
        reference: Shipment.shape.reference,
        orderId: Shipment.shape.orderId,
        returnId: Shipment.shape.returnId,
        code: ShipmentException.shape.code,
        carrier: ShipmentException.shape.carrier,
        attemptNumber: ShipmentException.shape.attemptNumber,
        amounts: ShipmentException.shape.amounts,
        occurredAt: timestamp('When the reported condition started.'),
      })
      .meta({ description: 'Data of the event, such as the changed record.' }),
  ),
  example: {
    shipmentId: 'shp_01jd3f8q6hf5n8v1zr4c7e2m9k',
    reference: 'ORD-7K2M9QX4-1',
    orderId: 'ord_01jd3f8q6hf5n8v1zr4c7e2m9k',
    returnId: null,
    code: 'parcel_returned',
    carrier: 'simulator-swift',
    attemptNumber: null,
    amounts: null,
    occurredAt: '2026-11-21T10:20:00.000Z',
  },
})

const returnStatusChanged = event({
  kind: 'return.status_changed',
  name: 'ReturnStatusChangedEvent',
  meaning: 'The status of a return changed, for example because its units were received.',
  stability: 'beta',
  data: named(
    'ReturnStatusChangedData',
    z
      .object({
        return: Return,
        from: ReturnStatusName,
        to: ReturnStatusName,
        occurredAt: timestamp('When the status changed.'),
      })
      .meta({ description: 'Data of the event, such as the changed record.' }),
  ),
  example: {
    return: {
      ...returnExample,
      status: 'approved',
      version: 2,
      allowedTransitions: ['in_transit', 'received', 'closed'],
    },
    from: 'requested',
    to: 'approved',
    occurredAt: '2026-11-21T12:30:00.000Z',
  },
})

const orderEdited = event({
  kind: 'order.edited',
  name: 'OrderEditedEvent',
  meaning: 'The items, the discounts or the shipping price of an order changed.',
  stability: 'beta',
  data: named(
    'OrderEditedData',
    z
      .object({ order: Order, previousTotalKobo: kobo('Total of the order before the change.', { example: 1750000 }) })
      .meta({ description: 'Data of the event, such as the changed record.' }),
  ),
  example: { order: orderExample, previousTotalKobo: 1750000 },
})

/** The compiler reports a missing kind. */
export const events = {
  'order.created': orderCreated,
  'order.status_changed': orderStatusChanged,
  'order.refunded': orderRefunded,
  'inventory.low_stock': inventoryLowStock,
  'shipment.status_changed': shipmentStatusChanged,
  'payment.recorded': paymentRecorded,
  'payment.voided': paymentVoided,
  'payment.unmatched': paymentUnmatched,
  'refund.updated': refundUpdated,
  'refund.failed': refundFailed,
  'shipment.exception_raised': shipmentExceptionRaised,
  'return.status_changed': returnStatusChanged,
  'order.edited': orderEdited,
  'inventory.back_in_stock': inventoryBackInStock,
  'product.updated': productUpdated,
  'customer.updated': customerUpdated,
} as const satisfies { readonly [Kind in EventKind]: { readonly kind: Kind } }

export type EventPayload<Kind extends EventKind> = z.output<(typeof events)[Kind]['data']>

/** Returns the documented example of an event kind, for test deliveries. */
export function examplePayload(kind: EventKind): EventPayload<EventKind> {
  return events[kind].data.parse(events[kind].example)
}
