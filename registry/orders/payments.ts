import { z } from 'zod'
import { list, read, write } from '../kit/endpoint.ts'
import { orderMoveEvents } from '../kit/event.ts'
import { sampleIds, withExampleId } from '../kit/sample-ids.ts'
import { paymentProviderNames } from '../values/payment-providers.ts'
import { impersonalText } from '../values/privacy.ts'
import {
  Currency,
  instant,
  kobo,
  named,
  nullable,
  OrderId,
  PaymentId,
  RefundId,
  signedKobo,
  text,
  timestamp,
} from '../values/vocabulary.ts'
import { OrderStatus, PaymentMethod, PaymentStatus } from './order.ts'
import { voidReasons } from './order-states.ts'

const paymentFields = {
  id: PaymentId,
  orderId: OrderId,
  amountKobo: kobo('Amount received.'),
  currency: Currency,
  method: PaymentMethod,
  reference: text('Reference that the bank, terminal or provider gave the payment. Unique per merchant.', {
    isPersonal: false,
    max: 100,
    example: 'GTB-2026112108-00042',
  }),
  provider: impersonalText().meta({
    description: 'Payment provider, or `manual` for a payment that was recorded manually.',
    examples: ['manual'],
  }),
  refundId: nullable(RefundId).meta({
    description:
      'Identifier of the refund that was credited to this order as a payment, instead of being paid out. ' +
      'The refund is of another order. Null for a payment that the customer made.',
  }),
  paidAt: timestamp('When the payment was received.'),
  disputedAt: nullable(timestamp('When the dispute of the payment was opened.')).meta({
    description:
      'When the dispute that prevents a refund of the payment was opened. Such a dispute is open, ended with an unclear result, or returned the whole payment to the payer. For a credit, the ' +
      'dispute of the payment from which the credit was taken. Null otherwise.',
  }),
  disputeLostKobo: kobo(
    'Amount that lost disputes of the payment returned to the payer. This amount cannot be refunded. For a credit, the part of the loss that the disputed payment could not cover, because this money had ' +
      'been moved to the credit.',
    { example: 0 },
  ),
  voidedAt: nullable(timestamp('When the payment was voided.')).meta({
    description:
      'When the payment was voided; null if it was not voided. A voided payment is not part of the paid amount of the order.',
  }),
  voidReason: nullable(z.enum(voidReasons)).meta({
    description: 'Reason code of the void. Null unless the payment is voided. More values may be added.',
  }),
  createdAt: timestamp('When the payment was recorded.'),
}

export const PaymentSummary = named('PaymentSummary', z.object(paymentFields))

export type PaymentSummary = z.output<typeof PaymentSummary>

export const Payment = named(
  'Payment',
  z
    .object({
      ...paymentFields,
      order: z
        .object({
          status: OrderStatus,
          paymentStatus: PaymentStatus,
          paidKobo: kobo('Sum of the payments of the order, without voided payments.'),
          balanceKobo: signedKobo('Amount that is still due for the order. Negative after an overpayment.'),
        })
        .meta({ description: 'State of the order after this payment.' }),
    })
    .meta({ description: 'Payment of an order.' }),
)

export type Payment = z.output<typeof Payment>

const summaryExample = {
  id: 'pay_01jd3f8q6hf5n8v1zr4c7e2m9k',
  orderId: 'ord_01jd3f8q6hf5n8v1zr4c7e2m9k',
  amountKobo: 3250000,
  currency: 'NGN',
  method: 'bank_transfer',
  reference: 'GTB-2026112108-00042',
  provider: 'manual',
  refundId: null,
  paidAt: '2026-11-21T09:00:00.000Z',
  disputedAt: null,
  disputeLostKobo: 0,
  voidedAt: null,
  voidReason: null,
  createdAt: '2026-11-21T09:00:00.000Z',
} as const

export const paymentExample = {
  ...summaryExample,
  order: { status: 'processing', paymentStatus: 'paid', paidKobo: 3250000, balanceKobo: 0 },
} as const satisfies z.input<typeof Payment>

/**
 * Minutes by which `paidAt` may be in the future, because the clocks of banks, terminals and shops differ by a few
 * minutes.
 */
export const paidAtAheadMinutes = 5

export const paymentInputProviders = ['manual', ...paymentProviderNames] as const

export const listPayments = list({
  id: 'listPayments',
  path: '/payments',
  tag: 'Payments',
  summary: 'List payments',
  description:
    'Returns payments, newest first, whether recorded manually or by the payment provider. Filter by order with ' +
    '`orderId`.',
  access: 'orders:read',
  filters: z.strictObject({
    orderId: OrderId.optional().meta({ description: 'Returns only payments of this order.' }),
    reference: paymentFields.reference
      .optional()
      .meta({ description: 'Returns only the payment with this reference.' }),
    createdFrom: instant('Returns only payments that were recorded at or after this time.').optional(),
    createdTo: instant('Returns only payments that were recorded before this time.').optional(),
  }),
  refusals: ['invalid_time_range'],
  item: PaymentSummary,
  pageName: 'PaymentPage',
  example: summaryExample,
})

export const getPayment = read({
  id: 'getPayment',
  path: '/payments/{id}',
  tag: 'Payments',
  summary: 'Get a payment',
  description: 'Returns a payment, whether recorded manually or by the payment provider.',
  access: 'orders:read',
  params: z.strictObject({ id: withExampleId(PaymentId, sampleIds.paymentToVoid) }),
  refusals: ['payment_not_found'],
  reply: {
    body: PaymentSummary,
    meaning: 'The payment.',
    example: { ...summaryExample, id: sampleIds.paymentToVoid },
  },
})

const PaymentInput = named(
  'PaymentInput',
  z.strictObject({
    amountKobo: kobo('Amount received.', { min: 1, example: 3250000 }),
    method: PaymentMethod,
    reference: Payment.shape.reference,
    paidAt: instant(
      `When the payment was received. When left out, the time of the request. Must not be before the minute in which the order was created, or more than ${paidAtAheadMinutes} minutes in the future.`,
    ).optional(),
    allowOverpayment: z
      .boolean()
      .optional()
      .meta({
        description:
          'Whether to record an amount above the amount due of the order, for example for a tip or a payment in advance; ' +
          'false when left out. A payment through a provider is recorded in any case, because the money has arrived.',
        examples: [false],
      }),
    provider: z
      .enum(paymentInputProviders)
      .optional()
      .meta({
        description:
          'Payment provider. When left out, `manual`. Otherwise, `reference` is the reference of the payment at the provider, ' +
          'such as Paystack’s `reference` or Flutterwave’s `tx_ref`, and the payment is recorded only if the provider confirms a payment with this reference and the ' +
          'amount of the request. The method and the time of the payment are taken from the provider.',
        examples: ['paystack'],
      }),
  }),
)

export type PaymentInput = z.output<typeof PaymentInput>

export const recordPayment = write({
  id: 'recordPayment',
  path: '/orders/{id}/payments',
  tag: 'Payments',
  summary: 'Record a payment',
  description:
    'Records a payment received for an order. A pending order becomes `processing` when its payments reach its total. ' +
    'An amount above the amount due is rejected with `payment_exceeds_due`, unless `allowOverpayment` is true. ' +
    '`reference` is unique per merchant: a repeated request is rejected, and the error contains the id of the recorded payment. ' +
    'Payments through a payment provider are usually recorded by its callback. If the callback was lost, send `provider`, ' +
    'such as `"paystack"`, to verify the payment with the provider. In test mode the [simulated payment ' +
    'provider](../../guides/test-mode.md) responds.',
  access: 'orders:write',
  params: z.strictObject({ id: withExampleId(OrderId, sampleIds.orderToPay) }),
  body: {
    schema: PaymentInput,
    example: { amountKobo: 3250000, method: 'bank_transfer', reference: 'GTB-2026112108-00042' },
  },
  reply: {
    status: 201,
    body: Payment,
    meaning: 'The payment.',
    location: '/payments/{id}',
    example: {
      ...paymentExample,
      orderId: sampleIds.orderToPay,
    },
  },
  refusals: [
    'order_not_found',
    'payment_reference_in_use',
    'payment_exceeds_due',
    'paid_at_out_of_range',
    'amount_too_large',
    'payment_not_verified',
    'payment_provider_not_connected',
    'payment_provider_unavailable',
  ],
  callsPartners: true,
  emits: ['payment.recorded', 'shipment.exception_raised', ...orderMoveEvents],
  audits: { action: 'payment.record', resourceType: 'payment' },
})

const PaymentVoidInput = named(
  'PaymentVoidInput',
  z.strictObject({
    reason: z.enum(voidReasons).meta({
      description: 'Reason code of the void.',
      examples: ['wrong_amount'],
    }),
  }),
)

export type PaymentVoidInput = z.output<typeof PaymentVoidInput>

export const voidPayment = write({
  id: 'voidPayment',
  path: '/payments/{id}/void',
  tag: 'Payments',
  summary: 'Void a payment',
  description:
    'Voids a payment that was recorded manually by mistake, such as with a wrong amount, for a wrong order or twice, or ' +
    'whose money did not arrive. The ' +
    'payment stays in the list, but the paid amount of its order excludes it. The status of the order does not change: an order ' +
    'that its payment moved to `processing` stays there. The reference of the payment can be recorded again. A payment through a provider ' +
    'cannot be voided, because the money has arrived: refund it.',
  access: 'orders:write',
  params: z.strictObject({ id: withExampleId(PaymentId, sampleIds.paymentToVoid) }),
  body: { schema: PaymentVoidInput, example: { reason: 'wrong_amount' } },
  reply: {
    status: 200,
    body: Payment,
    meaning: 'The voided payment.',
    example: {
      ...paymentExample,
      id: sampleIds.paymentToVoid,
      voidedAt: '2026-11-21T09:30:00.000Z',
      voidReason: 'wrong_amount',
      order: { status: 'processing', paymentStatus: 'unpaid', paidKobo: 0, balanceKobo: 3250000 },
    },
  },
  refusals: ['payment_not_found', 'payment_not_voidable'],
  emits: ['payment.voided', 'shipment.exception_raised'],
  audits: { action: 'payment.void', resourceType: 'payment' },
})
