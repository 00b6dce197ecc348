import { z } from 'zod'
import { list, queryChoices, read, write } from '../kit/endpoint.ts'
import { sampleIds, shownBy } from '../kit/sample-ids.ts'
import { PaymentStatus } from '../orders/order.ts'
import { lineQuantityMax, orderLinesMax } from '../values/limits.ts'
import { impersonalText, personalText } from '../values/privacy.ts'
import {
  Currency,
  instant,
  kobo,
  Metadata,
  named,
  nullable,
  OrderId,
  OrderItemId,
  RefundId,
  text,
  timestamp,
} from '../values/vocabulary.ts'
import { BankDetails, RefundAccount } from './bank-account.ts'
import { refundDestinations, refundStatuses, refundTransitions } from './refund-states.ts'

/**
 * Spec 2: a free reason code, so never an enum. These are suggestions the reference shows:
 * integrators and reports meet in them without being held to them.
 */
const suggestedReasons =
  'damaged, wrong_item, wrong_size, not_as_described, not_received, late_delivery, customer_request, duplicate, fraudulent, order_cancelled, price_adjustment, other'

const reason = impersonalText()
  .min(1)
  .max(64)
  .regex(/^[A-Za-z0-9][A-Za-z0-9_-]*$/)
  .meta({ description: `Free reason code, stored as given. Suggested: ${suggestedReasons}.`, examples: ['damaged'] })

const noteBounds = { isPersonal: true, max: 500, lines: 'many', example: 'Zip was broken on arrival.' } as const
const note = text('A note among staff.', noteBounds)

const nullableMoment = (description: string) => nullable(timestamp(description)).meta({ description })

export const Refund = named(
  'Refund',
  z
    .object({
      id: RefundId,
      orderId: OrderId,
      orderNumber: impersonalText().meta({ description: 'Number of the order.', examples: ['ORD-7K2M9QX4'] }),
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
              restock: z.boolean().meta({ description: 'Whether they go back on the shelf.', examples: [false] }),
              amountKobo: kobo('The line’s share of the refund.'),
            }),
          ),
        )
        .meta({ description: 'The order lines it is for; empty for a plain amount.' }),
      destination: named(
        'RefundDestination',
        z.enum(refundDestinations).meta({
          description:
            'Where the money goes: back the way it came, into `account`, or `manual`ly as merchant and customer agree. ' +
            'More values may be added.',
        }),
      ),
      account: nullable(RefundAccount).meta({ description: 'The account it goes to, with `bank_account`.' }),
      provider: impersonalText().meta({
        description: 'Who pays it back; `manual` when the merchant does so outside this service.',
        examples: ['manual'],
      }),
      providerReference: nullable(impersonalText()).meta({ description: 'The provider’s name for it.' }),
      failureCode: nullable(impersonalText()).meta({ description: 'Why it failed, or why the account was of no use.' }),
      failureMessage: nullable(personalText()).meta({ description: 'The same in words.' }),
      metadata: Metadata,
      createdBy: z
        .object({
          type: impersonalText().meta({ description: 'What made it.', examples: ['token'] }),
          id: nullable(impersonalText()).meta({ description: 'Which of them.' }),
        })
        .meta({ description: 'Who made it.' }),
      createdAt: timestamp('When it was accepted.'),
      updatedAt: timestamp('When it last changed.'),
      expectedAt: nullableMoment('When the provider expects the money to arrive.'),
      succeededAt: nullableMoment('When the money was paid back.'),
      failedAt: nullableMoment('When it failed.'),
      order: z
        .object({
          refundedKobo: kobo('Sum of the order’s refunds that succeeded.'),
          refundableKobo: kobo('What can still be refunded. Disputed money does not count.', { example: 0 }),
          paymentStatus: PaymentStatus,
        })
        .meta({ description: 'The order’s money as of the last change of this refund.' }),
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
  destination: 'manual',
  account: null,
  provider: 'manual',
  providerReference: null,
  failureCode: null,
  failureMessage: null,
  metadata: {},
  createdBy: { type: 'token', id: 'tok_01jd3f8q6hf5n8v1zr4c7e2m9k' },
  createdAt: '2026-11-21T10:00:00.000Z',
  updatedAt: '2026-11-21T10:00:00.000Z',
  expectedAt: null,
  succeededAt: '2026-11-21T10:00:00.000Z',
  failedAt: null,
  order: { refundedKobo: 1500000, refundableKobo: 1750000, paymentStatus: 'partially_refunded' },
} as const satisfies z.input<typeof Refund>

/** One that its payment's provider is to give back. */
const providerExample = {
  ...refundExample,
  status: 'pending',
  destination: 'original_payment',
  provider: 'paystack',
  succeededAt: null,
  order: { refundedKobo: 0, refundableKobo: 1750000, paymentStatus: 'paid' },
} as const

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
              restock: z
                .boolean()
                .optional()
                .meta({
                  description:
                    'Whether they go back on the shelf; false when left out. Pieces that are back already are not ' +
                    'counted twice. Pieces that an active shipment has cannot go back.',
                  examples: [true],
                }),
            }),
          ),
        )
        .min(1)
        .max(orderLinesMax)
        .optional()
        .meta({ description: 'The order lines it is for; each at most once.' }),
      destination: nullable(BankDetails).optional().meta({
        description:
          'An account into which the merchant pays by hand. Left out or null, the money goes back the way it came.',
      }),
      metadata: Metadata.optional(),
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
  summary: 'Create a refund',
  description:
    'Refunds an order in full or in part. An order can be refunded several times until the paid amount is used up. A ' +
    'refund of a payment recorded manually is paid out manually, and has the status `succeeded` at once. A refund of ' +
    'a payment through a provider is `pending` until the provider pays it. While the payment is disputed the refund ' +
    'stays `pending`, and it fails with `dispute_lost` if the payer wins. Each refund returns part of one payment: ' +
    'the newest payment with a sufficient balance. Send one `Idempotency-Key` for each intended refund, and repeat it ' +
    'on every retry: the first response is returned again, and no second refund is made.',
  access: 'refunds:write',
  body: {
    schema: RefundInput,
    example: { orderId: sampleIds.orderToRefund, amountKobo: 1500000, reason: 'damaged' },
  },
  reply: { status: 201, body: Refund, meaning: 'The refund.', example: refundExample, location: '/refunds/{id}' },
  refusals: [
    'order_not_found',
    'item_not_found',
    'order_not_paid',
    'order_fully_refunded',
    'refund_exceeds_refundable',
    'refund_quantity_exceeds',
    'order_items_unavailable',
    'payment_disputed',
  ],
  idempotency: 'honoured',
  emits: ['order.refunded'],
  audits: { action: 'refund.create', resourceType: 'refund' },
})

export const listRefunds = list({
  id: 'listRefunds',
  path: '/refunds',
  tag: 'Refunds',
  summary: 'List refunds',
  description: 'Returns refunds, newest first. Filter by order with `orderId` and by status with `status`.',
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
  summary: 'Get a refund',
  description: 'Returns a refund. `status` follows the payment provider. Account numbers are masked.',
  access: 'refunds:read',
  params: z.strictObject({ id: RefundId }),
  refusals: ['refund_not_found'],
  reply: { body: Refund, meaning: 'The refund.', example: refundExample },
  stateMachine: { field: 'status', transitions: refundTransitions },
})

export const setRefundBankDetails = write({
  id: 'setRefundBankDetails',
  path: '/refunds/{id}/bank-details',
  tag: 'Refunds',
  summary: 'Set refund bank details',
  description:
    'Sets the account for a refund in `needs_attention`, whose provider could not return the money to the original ' +
    'payment method. The account is sent to the provider within seconds, and the refund continues. If the provider ' +
    'rejects the account, `account` is null again and `failureMessage` has the reason. No account is accepted where a ' +
    'lost dispute left too little of the payment: end such a refund at the provider.',
  access: 'refunds:write',
  params: z.strictObject({ id: shownBy(RefundId, sampleIds.refundToDirect) }),
  body: {
    schema: BankDetails,
    example: { accountNumber: '0123456789', bankCode: '058', accountName: 'Adaeze Okafor' },
  },
  reply: {
    status: 200,
    body: Refund,
    meaning: 'The refund, with its new destination.',
    example: {
      ...providerExample,
      id: sampleIds.refundToDirect,
      status: 'needs_attention',
      destination: 'bank_account',
      account: { accountNumber: '******6789', bankCode: '058', accountName: 'Adaeze Okafor' },
      providerReference: '3018284',
    },
  },
  refusals: ['refund_not_found', 'refund_not_awaiting_details', 'payment_disputed'],
  emits: [],
  audits: { action: 'refund.update', resourceType: 'refund' },
})

export const cancelRefund = write({
  id: 'cancelRefund',
  path: '/refunds/{id}/cancel',
  tag: 'Refunds',
  summary: 'Cancel a refund',
  description:
    'Only while the refund has not been submitted to the payment provider. The amount can then be refunded again. ' +
    'Refunds are submitted within seconds, so cancelling is for a refund that waits because the provider cannot be ' +
    'reached. Restocked units stay in stock.',
  access: 'refunds:write',
  params: z.strictObject({ id: shownBy(RefundId, sampleIds.refundToCancel) }),
  reply: {
    status: 200,
    body: Refund,
    meaning: 'The cancelled refund.',
    example: { ...providerExample, id: sampleIds.refundToCancel, status: 'cancelled' },
  },
  refusals: ['refund_not_found', 'refund_not_cancellable'],
  emits: [],
  audits: { action: 'refund.cancel', resourceType: 'refund' },
})
