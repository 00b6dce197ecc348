import { z } from 'zod'
import { list, write } from '../kit/endpoint.ts'
import { sampleIds, withExampleId } from '../kit/sample-ids.ts'
import { impersonalText } from '../values/privacy.ts'
import {
  Currency,
  instant,
  kobo,
  named,
  nullable,
  OrderId,
  PaymentId,
  signedKobo,
  text,
  timestamp,
} from '../values/vocabulary.ts'
import { OrderStatus, PaymentMethod, PaymentStatus } from './order.ts'

const paymentFields = {
  id: PaymentId,
  orderId: OrderId,
  amountKobo: kobo('Amount received.'),
  currency: Currency,
  method: PaymentMethod,
  reference: text('Reference of the payment at the bank, terminal or provider. Unique per merchant.', {
    isPersonal: false,
    max: 100,
    example: 'GTB-2026112108-00042',
  }),
  provider: impersonalText().meta({
    description: 'Payment provider; `manual` for a payment recorded manually.',
    examples: ['manual'],
  }),
  paidAt: timestamp('When the payment was received.'),
  disputedAt: nullable(timestamp('When the dispute was opened.')).meta({
    description:
      'When the dispute was opened. Set while the payment cannot be refunded because a dispute is open or was lost. Null ' +
      'otherwise.',
  }),
  disputeLostKobo: kobo('Amount that lost disputes returned to the payer. It cannot be refunded.', { example: 0 }),
  createdAt: timestamp('When the payment was recorded.'),
}

export const PaymentSummary = named('PaymentSummary', z.object(paymentFields))

export type PaymentSummary = z.output<typeof PaymentSummary>

export const Payment = named(
  'Payment',
  z.object({
    ...paymentFields,
    order: z
      .object({
        status: OrderStatus,
        paymentStatus: PaymentStatus,
        paidKobo: kobo('Sum of the payments of the order.'),
        balanceKobo: signedKobo('Amount due. Negative after an overpayment.'),
      })
      .meta({ description: 'State of the order after this payment.' }),
  }),
)

export type Payment = z.output<typeof Payment>

const paymentExample = {
  id: 'pay_01jd3f8q6hf5n8v1zr4c7e2m9k',
  orderId: 'ord_01jd3f8q6hf5n8v1zr4c7e2m9k',
  amountKobo: 3250000,
  currency: 'NGN',
  method: 'bank_transfer',
  reference: 'GTB-2026112108-00042',
  provider: 'manual',
  paidAt: '2026-11-21T09:00:00.000Z',
  disputedAt: null,
  disputeLostKobo: 0,
  createdAt: '2026-11-21T09:00:00.000Z',
} as const

export const paymentInputProviders = ['manual', 'paystack'] as const

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
    orderId: OrderId.optional().meta({ description: 'Only payments of this order.' }),
    reference: paymentFields.reference.optional().meta({ description: 'Only the payment with this reference.' }),
    createdFrom: instant('Only payments recorded at or after this time.').optional(),
    createdTo: instant('Only payments recorded before this time.').optional(),
  }),
  refusals: ['invalid_time_range'],
  item: PaymentSummary,
  pageName: 'PaymentPage',
  example: paymentExample,
})

const PaymentInput = named(
  'PaymentInput',
  z.strictObject({
    amountKobo: kobo('Amount received.', { min: 1, example: 3250000 }),
    method: PaymentMethod,
    reference: Payment.shape.reference,
    paidAt: instant('When the payment was received; now when left out.').optional(),
    provider: z
      .enum(paymentInputProviders)
      .optional()
      .meta({
        description:
          'Payment provider; `manual` when left out. With `paystack`, `reference` is the Paystack reference, and the payment ' +
          'is recorded only if Paystack confirms it with this amount. Method and time are then taken from Paystack.',
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
    '`reference` is unique per merchant: a repeated request is rejected, and the error names the first payment. ' +
    'Payments through Paystack are usually recorded by its callback. If the callback was lost, send `provider: ' +
    '"paystack"` to verify the payment with Paystack. In test mode the [simulated payment ' +
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
    location: '/orders/{orderId}',
    example: {
      ...paymentExample,
      orderId: sampleIds.orderToPay,
      order: { status: 'processing', paymentStatus: 'paid', paidKobo: 3250000, balanceKobo: 0 },
    },
  },
  refusals: [
    'order_not_found',
    'payment_reference_in_use',
    'amount_too_large',
    'payment_not_verified',
    'payment_provider_not_connected',
    'payment_provider_unavailable',
  ],
  callsPartners: true,
  emits: ['order.status_changed'],
  audits: { action: 'payment.record', resourceType: 'payment' },
})
