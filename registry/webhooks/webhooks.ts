import { z } from 'zod'
import { type EventKind, event } from '../kit/event.ts'
import { Shipment, ShipmentStatusName } from '../logistics/shipment.ts'
import { Order, OrderStatus } from '../orders/order.ts'
import { orderExample } from '../orders/order-example.ts'
import { Refund, refundExample } from '../refunds/refunds.ts'
import { impersonalText } from '../values/privacy.ts'
import { named, nullable, OrderId, ProductId, ShipmentId, timestamp, VariantId } from '../values/vocabulary.ts'

const orderCreated = event({
  kind: 'order.created',
  name: 'OrderCreatedEvent',
  meaning: 'An order was created.',
  data: named('OrderCreatedData', z.object({ order: Order }).meta({ description: 'The order as it was created.' })),
  example: { order: orderExample },
})

const orderStatusChanged = event({
  kind: 'order.status_changed',
  name: 'OrderStatusChangedEvent',
  meaning: 'An order’s status changed. Sent once for each change, never on creation and never for a refund.',
  data: named(
    'OrderStatusChangedData',
    z
      .object({
        orderId: OrderId,
        number: Order.shape.number,
        from: OrderStatus,
        to: OrderStatus,
        reason: nullable(impersonalText()).meta({ description: 'Why, where there is something to say.' }),
        actor: z
          .object({
            type: impersonalText().meta({ description: 'Who made the change.', examples: ['token'] }),
            id: nullable(impersonalText()).meta({ description: 'Which of them.' }),
          })
          .meta({ description: 'Who made the change.' }),
        version: Order.shape.version,
        occurredAt: timestamp('When the status changed.'),
      })
      .meta({ description: 'The change.' }),
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
  meaning: 'A refund of an order succeeded. Sent once for each refund.',
  data: named(
    'OrderRefundedData',
    z
      .object({
        refund: Refund,
        fullyRefunded: z.boolean().meta({ description: 'Whether all that was paid has gone back.', examples: [false] }),
      })
      .meta({ description: 'The refund that succeeded.' }),
  ),
  example: { refund: refundExample, fullyRefunded: false },
})

const inventoryLowStock = event({
  kind: 'inventory.low_stock',
  name: 'InventoryLowStockEvent',
  meaning: 'The available stock of a variant fell to its threshold or below. Sent once for each crossing.',
  data: named(
    'InventoryLowStockData',
    z
      .object({
        productId: ProductId,
        variantId: VariantId,
        sku: impersonalText().meta({ description: 'Stock keeping unit.', examples: ['ANK-MAX-M-IND'] }),
        title: impersonalText().meta({
          description: 'Product and variant.',
          examples: ['Ankara maxi dress, M / Indigo'],
        }),
        available: z.int().meta({ description: 'Pieces that can be sold now: on hand less reserved.', examples: [4] }),
        onHand: z
          .int()
          .min(0)
          .meta({ description: 'Pieces in the shop.', examples: [6] }),
        reserved: z
          .int()
          .min(0)
          .meta({ description: 'Pieces promised to orders.', examples: [2] }),
        threshold: z
          .int()
          .min(0)
          .meta({ description: 'At this or fewer available pieces stock is low.', examples: [5] }),
        cause: z
          .object({
            type: impersonalText().meta({ description: 'What took the stock.', examples: ['order'] }),
            orderId: nullable(OrderId).meta({ description: 'The order, if one did.' }),
          })
          .meta({ description: 'What took the stock.' }),
        occurredAt: timestamp('When it fell.'),
      })
      .meta({ description: 'The variant and its stock.' }),
  ),
  example: {
    productId: 'prd_01jd3f8q6hf5n8v1zr4c7e2m9k',
    variantId: 'var_01jd3f8q6hf5n8v1zr4c7e2m9k',
    sku: 'ANK-MAX-M-IND',
    title: 'Ankara maxi dress, M / Indigo',
    available: 4,
    onHand: 6,
    reserved: 2,
    threshold: 5,
    cause: { type: 'order', orderId: 'ord_01jd3f8q6hf5n8v1zr4c7e2m9k' },
    occurredAt: '2026-11-21T08:30:00.000Z',
  },
})

const shipmentStatusChanged = event({
  kind: 'shipment.status_changed',
  name: 'ShipmentStatusChangedEvent',
  meaning: 'A shipment’s status changed. Sent once for each change, not when it is made.',
  stability: 'beta',
  data: named(
    'ShipmentStatusChangedData',
    z
      .object({
        shipmentId: ShipmentId,
        reference: Shipment.shape.reference,
        orderId: Shipment.shape.orderId,
        items: Shipment.shape.items,
        from: ShipmentStatusName,
        to: ShipmentStatusName,
        statusReason: Shipment.shape.statusReason,
        carrier: Shipment.shape.carrier,
        attemptNumber: nullable(z.int().min(1)).meta({ description: 'The asking of a carrier it comes from.' }),
        trackingUrl: Shipment.shape.trackingUrl,
        version: Shipment.shape.version,
        occurredAt: timestamp('When it happened, by the clock of whoever told.'),
      })
      .meta({ description: 'The change.' }),
  ),
  example: {
    shipmentId: 'shp_01jd3f8q6hf5n8v1zr4c7e2m9k',
    reference: 'ORD-7K2M9QX4-1',
    orderId: 'ord_01jd3f8q6hf5n8v1zr4c7e2m9k',
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

/** Every kind with its payload; a kind without one is a compile error. */
export const events = {
  'order.created': orderCreated,
  'order.status_changed': orderStatusChanged,
  'order.refunded': orderRefunded,
  'inventory.low_stock': inventoryLowStock,
  'shipment.status_changed': shipmentStatusChanged,
} as const satisfies { readonly [Kind in EventKind]: { readonly kind: Kind } }

export type EventPayload<Kind extends EventKind> = z.output<(typeof events)[Kind]['data']>

/** The documented example of a kind, as the data of a sample. */
export function examplePayload(kind: EventKind): EventPayload<EventKind> {
  return events[kind].data.parse(events[kind].example)
}
