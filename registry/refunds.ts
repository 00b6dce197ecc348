import { z } from 'zod'
import { list, queryChoices, read, write } from './endpoint.ts'
import { lineQuantityMax, orderLinesMax } from './limits.ts'
import { PaymentStatus } from './order.ts'
import { refundStatuses } from './refund-states.ts'
import {
  Currency,
  instant,
  kobo,
  named,
  nullable,
  OrderId,
  OrderItemId,
  RefundId,
  text,
  timestamp,
} from './vocabulary.ts'

/**
 * Spec 2: a free reason code, so never an enum. These are suggestions the reference shows:
 * integrators and reports meet in them without being held to them.
 */
const suggestedReasons =
  'damaged, wrong_item, wrong_size, not_as_described, not_received, late_delivery, ' +
  'customer_request, duplicate, fraudulent, order_cancelled, price_adjustment, other'

const reason = z
  .string()
  .min(1)
  .max(64)
  .regex(/^[A-Za-z0-9][A-Za-z0-9_-]*$/)
  .meta({ description: `Free reason code, stored as given. Suggested: ${suggestedReasons}.`, examples: ['damaged'] })

const note = text('A note among staff.', { max: 500, example: 'Zip was broken on arrival.' })

const nullableMoment = (description: string) => nullable(timestamp(description)).meta({ description })

export const Refund = named(
  'Refund',
  z
    .object({
      id: RefundId,
      orderId: OrderId,
      orderNumber: z.string().meta({ description: 'Number of the order.', examples: ['ORD-7K2M9QX4'] }),
      amountKobo: kobo('What goes back to the customer.'),
      taxKobo: kobo('The VAT contained in it.', { example: 0 }),
      currency: Currency,
      reason,
      note: nullable(note).meta({ description: 'A note among staff.' }),
      status: named(
        'RefundStatus',
        z.enum(refundStatuses).meta({ description: 'Where the refund is. More values may be added.' }),
      ),
      items: z
        .array(
          named(
            'RefundItem',
            z.object({
              itemId: OrderItemId,
              quantity: z
                .int()
                .min(1)
                .meta({ description: 'Pieces refunded.', examples: [1] }),
              amountKobo: kobo('The line’s share of the refund.'),
            }),
          ),
        )
        .meta({ description: 'The order lines it is for; empty for a plain amount.' }),
      provider: z.string().meta({
        description: 'Who pays it back; `manual` when the merchant does so outside this service.',
        examples: ['manual'],
      }),
      providerReference: nullable(z.string()).meta({ description: 'The provider’s name for it.' }),
      failureCode: nullable(z.string()).meta({ description: 'Why it failed.' }),
      failureMessage: nullable(z.string()).meta({ description: 'Why it failed, in words.' }),
      createdAt: timestamp('When it was accepted.'),
      updatedAt: timestamp('When it last changed.'),
      succeededAt: nullableMoment('When the money was paid back.'),
      failedAt: nullableMoment('When it failed.'),
      order: z
        .object({
          refundedKobo: kobo('Sum of the order’s refunds that succeeded.'),
          refundableKobo: kobo('What can still be refunded.', { example: 0 }),
          paymentStatus: PaymentStatus,
        })
        .meta({ description: 'The order’s money as of the creation of this refund.' }),
    })
    .meta({ description: 'Money that goes back to a customer.' }),
)

export type Refund = z.output<typeof Refund>

export const refundExample = {
  id: 'rfd_01jd3f8q6hf5n8v1zr4c7e2m9k',
  orderId: 'ord_01jd3f8q6hf5n8v1zr4c7e2m9k',
  orderNumber: 'ORD-7K2M9QX4',
  amountKobo: 1500000,
  taxKobo: 0,
  currency: 'NGN',
  reason: 'damaged',
  note: null,
  status: 'succeeded',
  items: [],
  provider: 'manual',
  providerReference: null,
  failureCode: null,
  failureMessage: null,
  createdAt: '2026-11-21T10:00:00.000Z',
  updatedAt: '2026-11-21T10:00:00.000Z',
  succeededAt: '2026-11-21T10:00:00.000Z',
  failedAt: null,
  order: { refundedKobo: 1500000, refundableKobo: 1750000, paymentStatus: 'partially_refunded' },
} as const satisfies z.input<typeof Refund>

const RefundInput = named(
  'RefundInput',
  z
    .strictObject({
      orderId: OrderId,
      amountKobo: kobo('What goes back to the customer.', { min: 1 }),
      reason,
      note: note.optional(),
      items: z
        .array(
          named(
            'RefundItemInput',
            z.strictObject({
              itemId: OrderItemId,
              quantity: z
                .int()
                .min(1)
                .max(lineQuantityMax)
                .meta({ description: 'Pieces refunded.', examples: [1] }),
            }),
          ),
        )
        .min(1)
        .max(orderLinesMax)
        .optional()
        .meta({ description: 'The order lines it is for; each at most once.' }),
    })
    .superRefine((refund, context) => {
      const seen = new Set<string>()
      refund.items?.forEach((item, index) => {
        if (seen.has(item.itemId)) {
          const message = 'This line is already named; add the quantities.'
          const path = ['items', index, 'itemId']
          context.addIssue({ code: 'custom', path, message, params: { problem: 'duplicate' } })
        }
        seen.add(item.itemId)
      })
    }),
)

export type RefundInput = z.output<typeof RefundInput>

export const createRefund = write({
  id: 'createRefund',
  path: '/refunds',
  tag: 'Refunds',
  summary: 'Refund an order, in whole or in part.',
  description:
    'An order can be refunded many times until nothing is left of what was paid. Send one `Idempotency-Key` for each ' +
    'refund you intend and repeat it on every retry of that refund: the first answer is given again and no second ' +
    'refund is made.',
  access: 'refunds:write',
  body: {
    schema: RefundInput,
    example: { orderId: 'ord_01jd3f8q6hf5n8v1zr4c7e2m9k', amountKobo: 1500000, reason: 'damaged' },
  },
  reply: { status: 201, body: Refund, meaning: 'The refund.', example: refundExample, location: '/refunds/{id}' },
  refusals: [
    'order_not_found',
    'item_not_found',
    'order_not_paid',
    'order_fully_refunded',
    'refund_exceeds_refundable',
    'refund_quantity_exceeds',
  ],
  idempotency: 'honoured',
  emits: ['order.refunded'],
  audits: { action: 'refund.create', resourceType: 'refund' },
})

export const listRefunds = list({
  id: 'listRefunds',
  path: '/refunds',
  tag: 'Refunds',
  summary: 'List refunds, newest first.',
  access: 'refunds:read',
  filters: z.strictObject({
    orderId: OrderId.optional(),
    status: queryChoices(refundStatuses, 'Only refunds in one of these states.').optional(),
    reason: reason.optional(),
    createdFrom: instant('Only refunds created at this moment or later.').optional(),
    createdTo: instant('Only refunds created before this moment.').optional(),
  }),
  refusals: ['invalid_time_range'],
  item: Refund,
  pageName: 'RefundPage',
  example: refundExample,
})

export const getRefund = read({
  id: 'getRefund',
  path: '/refunds/{id}',
  tag: 'Refunds',
  summary: 'Get a refund.',
  access: 'refunds:read',
  params: z.strictObject({ id: RefundId }),
  refusals: ['refund_not_found'],
  reply: { body: Refund, meaning: 'The refund.', example: refundExample },
})
