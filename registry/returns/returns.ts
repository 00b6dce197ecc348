import { z } from 'zod'
import { list, read, write } from '../kit/endpoint.ts'
import { orderMoveEvents } from '../kit/event.ts'
import { queryChoices } from '../kit/query.ts'
import { sampleIds, withExampleId } from '../kit/sample-ids.ts'
import { lineQuantityMax, orderLinesMax } from '../values/limits.ts'
import { instant, named, OrderId, OrderItemId, ReturnId } from '../values/vocabulary.ts'
import { Return, ReturnReasonName, returnExample, returnNote } from './return.ts'
import { returnReasons, returnStatuses, returnTransitions, settableReturnStatuses } from './return-states.ts'

const units = (description: string, min: 0 | 1) =>
  z
    .int()
    .min(min)
    .max(lineQuantityMax)
    .meta({ description, examples: [1] })

function requireDistinctItems(
  { items }: { readonly items: readonly { readonly itemId: string }[] },
  context: z.RefinementCtx,
): void {
  const seen = new Set<string>()
  items.forEach(({ itemId }, index) => {
    if (seen.has(itemId)) {
      const message = 'Must not repeat an item. Send each item once, with its total quantity.'
      context.addIssue({
        code: 'custom',
        path: ['items', index, 'itemId'],
        message,
        params: { problem: 'duplicate' },
      })
    }
    seen.add(itemId)
  })
}

const ReturnInput = named(
  'ReturnInput',
  z
    .strictObject({
      items: z
        .array(
          named(
            'ReturnItemInput',
            z.strictObject({ itemId: OrderItemId, quantity: units('Number of units to return.', 1) }),
          ),
        )
        .min(1)
        .max(orderLinesMax)
        .meta({ description: 'Order items that the customer wants to return. Each item may occur only once.' }),
      reason: ReturnReasonName,
      note: returnNote.optional(),
    })
    .superRefine(requireDistinctItems),
)

export type ReturnInput = z.output<typeof ReturnInput>

export const createReturn = write({
  id: 'createReturn',
  path: '/orders/{id}/returns',
  tag: 'Returns',
  summary: 'Create a return',
  description:
    'Requests the return of units that the customer has. The status of the return is `requested`, until you approve or ' +
    'reject it. The return cannot contain units that are in another return or in an active shipment, or that were ' +
    'lost or already returned. A return does not pay the customer: create the refund with `POST /refunds` and `returnId`.',
  access: 'orders:write',
  params: z.strictObject({ id: withExampleId(OrderId, sampleIds.orderToReturn) }),
  body: {
    schema: ReturnInput,
    example: { items: [{ itemId: sampleIds.itemToReturn, quantity: 1 }], reason: 'wrong_size' },
  },
  reply: {
    status: 201,
    body: Return,
    meaning: 'The return.',
    example: { ...returnExample, orderId: sampleIds.orderToReturn },
    location: '/returns/{id}',
  },
  refusals: ['order_not_found', 'customer_anonymised', 'item_not_found', 'return_quantity_exceeds'],
  emits: [],
  audits: { action: 'return.create', resourceType: 'return' },
})

export const listReturns = list({
  id: 'listReturns',
  path: '/returns',
  tag: 'Returns',
  summary: 'List returns',
  description: 'Returns the returns of the merchant, newest first.',
  access: 'orders:read',
  filters: z.strictObject({
    orderId: OrderId.optional().meta({ description: 'Returns only returns of this order.' }),
    status: queryChoices(returnStatuses, 'Returns only returns with one of these statuses.').optional(),
    reason: queryChoices(returnReasons, 'Returns only returns with one of these reasons.').optional(),
    createdFrom: instant('Returns only returns created at or after this time.').optional(),
    createdTo: instant('Returns only returns created before this time.').optional(),
  }),
  refusals: ['invalid_time_range'],
  item: Return,
  pageName: 'ReturnPage',
  example: returnExample,
})

export const getReturn = read({
  id: 'getReturn',
  path: '/returns/{id}',
  tag: 'Returns',
  summary: 'Get a return',
  description: 'Returns a return with its items.',
  access: 'orders:read',
  params: z.strictObject({ id: ReturnId }),
  refusals: ['return_not_found'],
  stateMachine: { field: 'status', transitions: returnTransitions },
  reply: { body: Return, meaning: 'The return.', example: returnExample },
})

const ReturnTransitionInput = named(
  'ReturnTransitionInput',
  z.strictObject({
    to: z.enum(settableReturnStatuses).meta({ description: 'New status of the return.', examples: ['approved'] }),
  }),
)

export type ReturnTransitionInput = z.output<typeof ReturnTransitionInput>

export const transitionReturn = write({
  id: 'transitionReturn',
  path: '/returns/{id}/transition',
  tag: 'Returns',
  summary: 'Change a return status',
  description:
    'Moves a return to another status. `allowedTransitions` of the return lists the possible statuses. `in_transit` means ' +
    'that the customer has sent the units. `closed` ends a return, even if its units never arrived. While a shipment brings the ' +
    'units back, the status follows the shipment. To change the status yourself, cancel the shipment first, or receive the return when you have the parcel. A return becomes ' +
    '`received` with `POST /returns/{id}/receive`. Sending the current status changes nothing and returns 200.',
  access: 'orders:write',
  params: z.strictObject({ id: withExampleId(ReturnId, sampleIds.returnToApprove) }),
  body: { schema: ReturnTransitionInput, example: { to: 'approved' } },
  reply: {
    status: 200,
    body: Return,
    meaning: 'The return.',
    example: {
      ...returnExample,
      id: sampleIds.returnToApprove,
      status: 'approved',
      version: 2,
      allowedTransitions: ['in_transit', 'received', 'closed'],
    },
  },
  refusals: ['return_not_found', 'invalid_transition'],
  ifMatch: 'honoured',
  emits: ['return.status_changed'],
  audits: { action: 'return.transition', resourceType: 'return' },
})

const ReceivedItemInput = named(
  'ReceivedItemInput',
  z
    .strictObject({
      itemId: OrderItemId,
      restockQuantity: units('Number of received units to put into stock again. When left out, 0.', 0).default(0),
      writeOffQuantity: units('Number of received units that cannot be sold again. When left out, 0.', 0).default(0),
    })
    .superRefine(({ restockQuantity, writeOffQuantity }, context) => {
      if (restockQuantity + writeOffQuantity > 0) return
      const message =
        'Must be at least 1, unless `writeOffQuantity` is at least 1. Leave out an item without received units.'
      context.addIssue({ code: 'custom', path: ['restockQuantity'], message })
    }),
)

const ReturnReceiptInput = named(
  'ReturnReceiptInput',
  z
    .strictObject({
      items: z
        .array(ReceivedItemInput)
        .min(1)
        .max(orderLinesMax)
        .meta({ description: 'Units that came back. Each item may occur only once.' }),
    })
    .superRefine(requireDistinctItems),
)

export type ReturnReceiptInput = z.output<typeof ReturnReceiptInput>

export const receiveReturn = write({
  id: 'receiveReturn',
  path: '/returns/{id}/receive',
  tag: 'Returns',
  summary: 'Receive a return',
  description:
    'Records which units of an approved return came back, and moves the return to `received`. Each unit is put into ' +
    'stock again or written off. The units count as returned in the order, whose status changes to `returned` when no ' +
    'unit is left with the customer. Units of the return that did not arrive can be part of a new return. To pay the ' +
    'customer, create a refund with `returnId`, which does not change the stock. The return needs attention until a refund or an exchange of the return is created, or the return is closed.',
  access: 'orders:write',
  params: z.strictObject({ id: withExampleId(ReturnId, sampleIds.returnToReceive) }),
  body: {
    schema: ReturnReceiptInput,
    example: { items: [{ itemId: sampleIds.itemToReceive, restockQuantity: 1 }] },
  },
  reply: {
    status: 200,
    body: Return,
    meaning: 'The return.',
    example: {
      ...returnExample,
      id: sampleIds.returnToReceive,
      status: 'received',
      version: 3,
      items: [
        {
          itemId: sampleIds.itemToReceive,
          quantity: 1,
          restockedQuantity: 1,
          writtenOffQuantity: 0,
          refundedQuantity: 0,
        },
      ],
      allowedTransitions: ['closed'],
      updatedAt: '2026-11-22T10:00:00.000Z',
      receivedAt: '2026-11-22T10:00:00.000Z',
    },
  },
  refusals: [
    'return_not_found',
    'invalid_transition',
    'item_not_found',
    'return_quantity_exceeds',
    'order_items_unavailable',
  ],
  ifMatch: 'honoured',
  emits: ['return.status_changed', ...orderMoveEvents],
  audits: { action: 'return.receive', resourceType: 'return' },
})
