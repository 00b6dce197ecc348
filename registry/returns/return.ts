import { z } from 'zod'
import { shipmentStatuses } from '../logistics/shipment-states.ts'
import { impersonalText } from '../values/privacy.ts'
import {
  kobo,
  named,
  nullable,
  OrderId,
  OrderItemId,
  ReturnId,
  ShipmentId,
  text,
  timestamp,
} from '../values/vocabulary.ts'
import { returnReasons, returnStatuses } from './return-states.ts'

export const returnNote = text('Internal note about the return.', {
  isPersonal: true,
  max: 500,
  lines: 'many',
  example: 'The customer sends the dress back by GIG.',
})

export const ReturnStatusName = named(
  'ReturnStatus',
  z.enum(returnStatuses).meta({ description: 'Status of the return. More values may be added.' }),
)

export const ReturnReasonName = named(
  'ReturnReason',
  z.enum(returnReasons).meta({ description: 'Why the customer returns the units. More values may be added.' }),
)

const units = (description: string, example: number) =>
  z
    .int()
    .min(0)
    .meta({ description, examples: [example] })

const nullableTime = (description: string) => nullable(timestamp(description)).meta({ description })

const ReturnItem = named(
  'ReturnItem',
  z
    .object({
      itemId: OrderItemId.meta({ description: 'Identifier of the order item.' }),
      quantity: units('Number of units that the customer wants to return.', 2),
      restockedQuantity: units('Number of units that came back and were put into stock again.', 1),
      writtenOffQuantity: units('Number of units that came back and cannot be sold again.', 0),
      refundedQuantity: units('Number of units in refunds for the return, without failed and cancelled refunds.', 0),
    })
    .meta({ description: 'Units of one order item in a return.' }),
)

export const Return = named(
  'Return',
  z
    .object({
      id: ReturnId,
      orderId: OrderId,
      orderNumber: impersonalText().meta({ description: 'Number of the order.', examples: ['ORD-7K2M9QX4'] }),
      status: ReturnStatusName,
      reason: ReturnReasonName,
      note: nullable(returnNote).meta({ description: 'Internal note about the return. Null without a note.' }),
      items: z.array(ReturnItem).meta({ description: 'Units of the return, by order item.' }),
      refundedKobo: kobo(
        'Sum of the refunds for the return, without failed and cancelled refunds. `GET /refunds?returnId=` lists them.',
        { example: 0 },
      ),
      exchangeOrderId: nullable(OrderId).meta({
        description: 'Identifier of the order that replaces the units of the return. Null without an exchange.',
      }),
      shipments: z
        .array(
          named(
            'ReturnShipment',
            z
              .object({
                id: ShipmentId,
                status: z
                  .enum(shipmentStatuses)
                  .meta({ description: 'Status of the shipment. More values may be added.', examples: ['in_transit'] }),
              })
              .meta({ description: 'Return shipment: a shipment from the customer to the merchant.' }),
          ),
        )
        .meta({
          description:
            'Shipments that transport the units of the return to the merchant, oldest first. Empty if the return has no shipment.',
          examples: [[]],
        }),
      allowedTransitions: z.array(ReturnStatusName).meta({
        description: 'Statuses to which the return can change now. They depend on its shipments too.',
        examples: [['approved', 'rejected']],
      }),
      version: z
        .int()
        .min(1)
        .meta({
          description: 'Version of the return, incremented with each change. The version is part of the ETag.',
          examples: [1],
        }),
      createdAt: timestamp('When the return was created.'),
      updatedAt: timestamp('When the return last changed.'),
      receivedAt: nullableTime('When the units were received. Null until then.'),
      endedAt: nullableTime('When the return was closed or rejected. Null until then.'),
    })
    .meta({ description: 'Return: units of an order that the customer sends back to the shop.' }),
)

export type Return = z.output<typeof Return>

export const returnExample = {
  id: 'ret_01jd3f8q6hf5n8v1zr4c7e2m9k',
  orderId: 'ord_01jd3f8q6hf5n8v1zr4c7e2m9k',
  orderNumber: 'ORD-7K2M9QX4',
  status: 'requested',
  reason: 'wrong_size',
  note: null,
  items: [
    {
      itemId: 'itm_01jd3f8q6hf5n8v1zr4c7e2m9k',
      quantity: 1,
      restockedQuantity: 0,
      writtenOffQuantity: 0,
      refundedQuantity: 0,
    },
  ],
  refundedKobo: 0,
  exchangeOrderId: null,
  shipments: [],
  allowedTransitions: ['approved', 'rejected'],
  version: 1,
  createdAt: '2026-11-21T12:00:00.000Z',
  updatedAt: '2026-11-21T12:00:00.000Z',
  receivedAt: null,
  endedAt: null,
} as const satisfies z.input<typeof Return>
