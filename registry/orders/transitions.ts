import { z } from 'zod'
import { write } from '../kit/endpoint.ts'
import { orderMoveEvents } from '../kit/event.ts'
import { sampleIds, withExampleId } from '../kit/sample-ids.ts'
import { orderLinesMax } from '../values/limits.ts'
import { impersonalText } from '../values/privacy.ts'
import { named, OrderId, OrderItemId } from '../values/vocabulary.ts'
import { cancelNote, Order, OrderStatus } from './order.ts'
import { orderExample } from './order-example.ts'
import { cancelReasons } from './order-states.ts'

const OrderTransitionInput = named(
  'OrderTransitionInput',
  z
    .strictObject({
      to: OrderStatus,
      // The `reason` of a transition is a code instead of free text, because the immutable history must not contain
      // personal data.
      reason: impersonalText()
        .min(1)
        .max(64)
        .regex(/^[A-Za-z0-9][A-Za-z0-9_-]*$/, { error: 'Must be a reason code, such as handed_to_rider.' })
        .optional()
        .meta({
          description:
            'Your reason code for the change, which the webhook event contains. With `cancelled`, a reason that `cancelOrder` accepts becomes the ' +
            '`cancelReason`; any other reason becomes `other`.',
          examples: ['handed_to_rider'],
        }),
      restockItemIds: z
        .array(OrderItemId)
        .max(orderLinesMax)
        .optional()
        .meta({
          description:
            'Items to restock, only with `returned`. When left out, no item is restocked. Items with units in an active shipment are ' +
            'rejected. Units that a carrier lost are not restocked.',
        }),
    })
    .superRefine(({ to, restockItemIds }, context) => {
      if (restockItemIds === undefined || to === 'returned') return
      const message = 'Must be sent only with `to: "returned"`.'
      context.addIssue({ code: 'custom', path: ['restockItemIds'], message })
    }),
)

export type OrderTransitionInput = z.output<typeof OrderTransitionInput>

export const transitionOrder = write({
  id: 'transitionOrder',
  path: '/orders/{id}/transition',
  tag: 'Orders',
  summary: 'Change an order status',
  description:
    'Moves an order to another status. `allowedTransitions` of the order lists the statuses you can send. `shipped` ' +
    'and `delivered` take the units out of stock. `cancelled` releases the units and cancels shipments that no ' +
    'carrier has accepted; units in a shipment stay reserved until it ends. `on_hold` keeps all units of the order reserved: shipments that no carrier has accepted wait until the order is released, and shipments with a carrier ' +
    'continue. From `shipped` back to `processing`, the units return to stock, except units that a shipment ' +
    'delivered or lost. Moving an unpaid order to `processing` accepts it without payment. If units were handed over while the order was pending or on hold, moving the order to `processing` gives the order the status that is derived from its units, such as ' +
    '`shipped`. Sending the current status changes nothing ' +
    'and returns 200.',
  access: 'orders:write',
  params: z.strictObject({ id: withExampleId(OrderId, sampleIds.orderToShip) }),
  body: { schema: OrderTransitionInput, example: { to: 'shipped', reason: 'handed_to_rider' } },
  reply: {
    status: 200,
    body: Order,
    meaning: 'The updated order.',
    example: {
      ...orderExample,
      id: sampleIds.orderToShip,
      status: 'on_hold',
      version: 2,
      expiresAt: null,
      allowedTransitions: ['pending', 'cancelled'],
    },
  },
  refusals: [
    'order_not_found',
    'item_not_found',
    'order_items_unavailable',
    'invalid_transition',
    'insufficient_stock',
  ],
  ifMatch: 'honoured',
  emits: ['shipment.exception_raised', ...orderMoveEvents],
  audits: { action: 'order.transition', resourceType: 'order' },
})

const OrderCancelInput = named(
  'OrderCancelInput',
  z.strictObject({
    reason: z
      .enum(cancelReasons)
      .exclude(['expired'])
      .meta({ description: 'Reason for the cancellation.', examples: ['customer'] }),
    note: cancelNote.optional(),
  }),
)

export type OrderCancelInput = z.output<typeof OrderCancelInput>

export const cancelOrder = write({
  id: 'cancelOrder',
  path: '/orders/{id}/cancel',
  tag: 'Orders',
  summary: 'Cancel an order',
  description:
    'Cancels an order and releases its reserved stock. A paid order can be cancelled too. Its payment is not refunded until you ' +
    'refund it, and `refundableKobo` is the amount left to refund. Cancelling a cancelled order changes nothing and returns ' +
    '200. Shipments that no carrier has accepted are cancelled within seconds. A shipment that a carrier has accepted ' +
    'continues and gets the exception `order_cancelled`; cancel it yourself. Units in a shipment stay reserved until it ' +
    'ends: a cancelled or returned shipment puts them back into stock, and a delivered or lost one takes them out.',
  access: 'orders:write',
  params: z.strictObject({ id: withExampleId(OrderId, sampleIds.orderToCancel) }),
  body: { schema: OrderCancelInput, example: { reason: 'customer', note: 'Ordered the wrong size.' } },
  reply: {
    status: 200,
    body: Order,
    meaning: 'The updated order.',
    example: {
      ...orderExample,
      id: sampleIds.orderToCancel,
      status: 'cancelled',
      version: 2,
      expiresAt: null,
      cancelReason: 'customer',
      cancelNote: 'Ordered the wrong size.',
      cancelledAt: '2026-11-21T09:00:00.000Z',
      updatedAt: '2026-11-21T09:00:00.000Z',
      allowedTransitions: [],
    },
  },
  refusals: ['order_not_found', 'order_not_cancellable'],
  ifMatch: 'honoured',
  emits: ['shipment.exception_raised', ...orderMoveEvents],
  audits: { action: 'order.cancel', resourceType: 'order' },
})
