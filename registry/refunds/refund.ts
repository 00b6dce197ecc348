import { z } from 'zod'
import { PaymentStatus } from '../orders/order.ts'
import { refundReasonMaxLength } from '../values/limits.ts'
import { impersonalText, personalText } from '../values/privacy.ts'
import {
  Currency,
  kobo,
  Metadata,
  named,
  nullable,
  OrderId,
  OrderItemId,
  RefundId,
  ReturnId,
  text,
  timestamp,
} from '../values/vocabulary.ts'
import { RefundAccount } from './bank-account.ts'
import { refundDestinations, refundStatuses } from './refund-states.ts'

/** Suggested reason codes, shown in the reference. `reason` is a free code, never an enum (spec 2). */
export const suggestedRefundReasons = [
  ...['damaged', 'wrong_item', 'wrong_size', 'not_as_described', 'not_received', 'late_delivery', 'customer_request'],
  ...['duplicate', 'fraudulent', 'order_cancelled', 'price_adjustment', 'exchange', 'other'],
]

export const refundReason = text(
  `Reason code of the refund: any printable text, stored as sent. Suggested codes: ${suggestedRefundReasons.join(', ')}. Put personal data into \`note\` instead.`,
  { isPersonal: false, max: refundReasonMaxLength, example: 'damaged' },
)

const noteBounds = { isPersonal: true, max: 500, lines: 'many', example: 'The zip was broken on arrival.' } as const
export const refundNote = text('Internal note.', noteBounds)

const nullableTime = (description: string) => nullable(timestamp(description)).meta({ description })

export const RefundStatusName = named(
  'RefundStatus',
  z.enum(refundStatuses).meta({ description: 'Status of the refund. More values may be added.' }),
)

/** Where a refund was made: with this service, or in the dashboard of the payment provider. */
export const refundSources = ['service', 'provider'] as const

export const Refund = named(
  'Refund',
  z
    .object({
      id: RefundId,
      orderId: OrderId,
      orderNumber: impersonalText().meta({
        description: 'Number of the order that is refunded.',
        examples: ['ORD-7K2M9QX4'],
      }),
      returnId: nullable(ReturnId).meta({
        description: 'Identifier of the return that the refund is for. Null if the refund names no return.',
      }),
      amountKobo: kobo('Amount of the refund.'),
      taxKobo: kobo('VAT that the refunded amount includes.', { example: 0 }),
      currency: Currency,
      reason: refundReason,
      note: nullable(refundNote).meta({ description: 'Internal note about the refund. Null without a note.' }),
      status: RefundStatusName,
      source: z.enum(refundSources).meta({
        description:
          'Where the refund was created: in this service, or by the merchant in the dashboard of the payment `provider`. More ' +
          'values may be added.',
        examples: ['service'],
      }),
      items: z
        .array(
          named(
            'RefundItem',
            z.object({
              itemId: OrderItemId,
              quantity: z
                .int()
                .min(1)
                .meta({ description: 'Refunded units.', examples: [1] }),
              restock: z
                .boolean()
                .meta({ description: 'Whether the refunded units are restocked.', examples: [false] }),
              amountKobo: kobo('Part of the refunded amount that belongs to the item.'),
            }),
          ),
        )
        .meta({ description: 'Refunded order items. Empty for a refund that has only an amount.' }),
      destination: named(
        'RefundDestination',
        z.enum(refundDestinations).meta({
          description:
            'Destination of the refund: the `original_payment` method, the bank account in `account`, or `manual` as agreed ' +
            'between merchant and customer. More values may be added.',
        }),
      ),
      account: nullable(RefundAccount).meta({
        description: 'Bank account of the refund. Null unless `destination` is `bank_account`.',
      }),
      creditedOrderId: nullable(OrderId).meta({
        description:
          'Identifier of the exchange order of the return, to which the refund is credited as a payment. Such a refund is not paid to the customer. Null for other refunds.',
      }),
      provider: impersonalText().meta({
        description: 'Payment provider of the refund; `manual` if the merchant pays it outside this service.',
        examples: ['manual'],
      }),
      providerReference: nullable(impersonalText()).meta({
        description: 'Identifier of the refund at the provider. Null until the provider has assigned one.',
      }),
      failureCode: nullable(impersonalText()).meta({
        description:
          'Code of the reason why the refund failed or the provider rejected the bank account. Null otherwise.',
      }),
      failureMessage: nullable(personalText()).meta({
        description: 'Description of the failure in `failureCode`. Null without a failure code.',
      }),
      metadata: Metadata,
      createdBy: z
        .object({
          type: impersonalText().meta({
            description: 'Type of the actor, such as a member or an API token.',
            examples: ['token'],
          }),
          id: nullable(impersonalText()).meta({
            description: 'Identifier of the actor. Null if the actor has no identifier.',
          }),
        })
        .meta({ description: 'Actor that created the refund.' }),
      createdAt: timestamp('When the refund was created.'),
      updatedAt: timestamp('When the refund last changed.'),
      expectedAt: nullableTime('When the provider expects the refund to reach the customer. Null if unknown.'),
      succeededAt: nullableTime('When the refund succeeded. Null until then.'),
      failedAt: nullableTime('When the refund failed. Null unless it failed.'),
      order: z
        .object({
          refundedKobo: kobo('Sum of the successful refunds of the order.'),
          refundableKobo: kobo('Amount of the order that can still be refunded, excluding disputed payments.', {
            example: 0,
          }),
          paymentStatus: PaymentStatus,
        })
        .meta({ description: 'State of the order when the refund last changed.' }),
    })
    .meta({ description: 'Refund of an order.' }),
)

export type Refund = z.output<typeof Refund>

export const refundExample = {
  id: 'rfd_01jd3f8q6hf5n8v1zr4c7e2m9k',
  orderId: 'ord_01jd3f8q6hf5n8v1zr4c7e2m9k',
  orderNumber: 'ORD-7K2M9QX4',
  returnId: null,
  amountKobo: 1500000,
  taxKobo: 0,
  currency: 'NGN',
  reason: 'damaged',
  note: null,
  status: 'succeeded',
  source: 'service',
  items: [],
  destination: 'manual',
  account: null,
  creditedOrderId: null,
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

export const providerRefundExample = {
  ...refundExample,
  status: 'pending',
  destination: 'original_payment',
  provider: 'paystack',
  succeededAt: null,
  order: { refundedKobo: 0, refundableKobo: 1750000, paymentStatus: 'paid' },
} as const
