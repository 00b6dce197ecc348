import { z } from 'zod'
import { event } from '../kit/event.ts'
import { Payment, paymentExample } from '../orders/payments.ts'
import { Refund, RefundStatusName, refundExample } from '../refunds/refund.ts'
import { impersonalText } from '../values/privacy.ts'
import { kobo, named, nullable, OrderId, timestamp } from '../values/vocabulary.ts'

/** Events of payments and refunds, in beta. A refund that succeeds emits the event `order.refunded` of spec 6. */

export const paymentRecorded = event({
  kind: 'payment.recorded',
  name: 'PaymentRecordedEvent',
  meaning: 'A payment was recorded for an order, manually or by the payment provider.',
  stability: 'beta',
  data: named(
    'PaymentRecordedData',
    z
      .object({
        payment: Payment,
        excessKobo: kobo('Part of the payment above the amount due of the order.', { example: 0 }),
      })
      .meta({ description: 'Data of the event, such as the changed record.' }),
  ),
  example: { payment: paymentExample, excessKobo: 0 },
})

export const paymentVoided = event({
  kind: 'payment.voided',
  name: 'PaymentVoidedEvent',
  meaning: 'A payment that was recorded manually was voided.',
  stability: 'beta',
  data: named(
    'PaymentVoidedData',
    z.object({ payment: Payment }).meta({ description: 'Data of the event, such as the changed record.' }),
  ),
  example: {
    payment: {
      ...paymentExample,
      voidedAt: '2026-11-21T09:30:00.000Z',
      voidReason: 'wrong_amount',
      order: { status: 'processing', paymentStatus: 'unpaid', paidKobo: 0, balanceKobo: 3250000 },
    },
  },
})

export const unmatchedReasons = [
  'no_order',
  'order_unknown',
  'currency',
  'too_large',
  'unreadable',
  'reference_in_use',
] as const

export const paymentUnmatched = event({
  kind: 'payment.unmatched',
  name: 'PaymentUnmatchedEvent',
  meaning: 'The payment provider received a payment that could not be recorded for an order.',
  stability: 'beta',
  data: named(
    'PaymentUnmatchedData',
    z
      .object({
        reference: nullable(impersonalText()).meta({
          description: 'Reference of the payment at the provider. Null if the provider sent none.',
          examples: ['T123456789'],
        }),
        providerId: nullable(impersonalText()).meta({
          description: 'Identifier of the payment at the provider. Null if the provider sent none.',
          examples: ['4099260516'],
        }),
        reason: z.enum(unmatchedReasons).meta({
          description:
            'Reason why the payment is not recorded: it names no order or an unknown order, its currency is not NGN, it is ' +
            'too large for its order, its data is unreadable, or another payment has its reference. ' +
            'More values may be added.',
          examples: ['no_order'],
        }),
        orderId: nullable(OrderId).meta({
          description: 'Identifier of the order that the payment names. Null if the payment names none.',
        }),
        amountKobo: nullable(kobo('Amount received.')).meta({
          description: 'Amount received in kobo. Null if it is unknown or in another currency.',
        }),
        paidAt: nullable(timestamp('When the payment was received.')).meta({
          description: 'When the payment was received. Null if unknown.',
        }),
      })
      .meta({ description: 'Data of the event, such as the changed record.' }),
  ),
  example: {
    reference: 'T123456789',
    providerId: '4099260516',
    reason: 'no_order',
    orderId: null,
    amountKobo: 3250000,
    paidAt: '2026-11-21T09:00:00.000Z',
  },
})

export const refundUpdated = event({
  kind: 'refund.updated',
  name: 'RefundUpdatedEvent',
  meaning:
    'The status of a refund changed, or its bank details were set. The event is not sent when the refund is created, except for a refund that ' +
    'was made at the payment provider and has not succeeded yet: the previous status is then `pending`.',
  stability: 'beta',
  data: named(
    'RefundUpdatedData',
    z
      .object({
        refund: Refund,
        previousStatus: RefundStatusName,
      })
      .meta({ description: 'Data of the event, such as the changed record.' }),
  ),
  example: {
    refund: {
      ...refundExample,
      status: 'needs_attention',
      destination: 'original_payment',
      provider: 'paystack',
      providerReference: '3018284',
      succeededAt: null,
      order: { refundedKobo: 0, refundableKobo: 1750000, paymentStatus: 'paid' },
    },
    previousStatus: 'processing',
  },
})

export const refundFailed = event({
  kind: 'refund.failed',
  name: 'RefundFailedEvent',
  meaning: 'A refund failed, so the customer does not get the money. The amount can be refunded again.',
  stability: 'beta',
  data: named(
    'RefundFailedData',
    z.object({ refund: Refund }).meta({ description: 'Data of the event, such as the changed record.' }),
  ),
  example: {
    refund: {
      ...refundExample,
      status: 'failed',
      destination: 'original_payment',
      provider: 'paystack',
      providerReference: '3018284',
      failureCode: 'provider_failed',
      failureMessage: 'The provider failed.',
      succeededAt: null,
      failedAt: '2026-11-21T10:30:00.000Z',
      order: { refundedKobo: 0, refundableKobo: 3250000, paymentStatus: 'paid' },
    },
  },
})
