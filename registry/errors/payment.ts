import { z } from 'zod'
import type { ErrorDeclaration } from '../values/error.ts'
import { nullable } from '../values/vocabulary.ts'

export const paymentErrors = {
  payment_exceeds_due: {
    status: 409,
    type: 'state_error',
    meaning: 'The payment is larger than the amount that is due for the order.',
    fix:
      'Send at most `details.dueKobo`. If the customer did pay more, send `allowOverpayment: true`, and refund the ' +
      'difference.',
    details: z.object({
      dueKobo: z.int().meta({
        description: 'Amount that is still due for the order, in kobo. 0 for a paid order.',
        examples: [3250000],
      }),
    }),
  },
  paid_at_out_of_range: {
    status: 409,
    type: 'state_error',
    meaning: 'The time of the payment is before the creation of the order, or in the future.',
    fix: 'Send a `paidAt` between `details.earliest` and `details.latest`, or leave it out if the payment was received now.',
    details: z.object({
      earliest: z.string().meta({
        description: 'Earliest `paidAt` that is accepted for this order.',
        examples: ['2026-11-21T08:30:00.000Z'],
      }),
      latest: z.string().meta({
        description: 'Latest `paidAt` that is accepted for this order.',
        examples: ['2026-11-21T09:05:00.000Z'],
      }),
    }),
  },
  payment_not_voidable: {
    status: 409,
    type: 'state_error',
    meaning:
      'The payment cannot be voided: a payment provider received it, it is already voided, a refund returned a part of it, or it is a credit that an exchange moved from ' +
      'another order.',
    fix: 'Read `details.reason`. For `provider`, refund the payment instead. For `refunded`, do nothing if a refund returned the money. If instead the payment bounced after its money was refunded or exchanged, ask the customer to pay again. Until the customer has paid, neither refund the order of the exchange nor send its units. For `credit`, refund the order.',
    details: z.object({
      reason: z
        .enum(['provider', 'voided', 'refunded', 'credit'])
        .meta({ description: 'Reason why the payment cannot be voided.', examples: ['refunded'] }),
    }),
  },
  payment_not_verified: {
    status: 409,
    type: 'state_error',
    meaning: 'The payment provider does not confirm the payment as the request describes it.',
    fix:
      'Read `details.reason`. For `other_amount`, send `details.amountKobo`. For `not_paid`, wait until the payer has ' +
      'paid. Otherwise check `reference` and the order.',
    details: z.object({
      reason: z
        .enum(['not_found', 'not_paid', 'other_amount', 'other_order', 'other_currency', 'no_order'])
        .meta({ description: 'Reason why the payment is not confirmed.', examples: ['other_amount'] }),
      amountKobo: nullable(z.int()).meta({
        description: 'Amount that the provider received, in kobo. Null if it received no payment.',
        examples: [3000000],
      }),
    }),
  },
  payment_provider_not_connected: {
    status: 409,
    type: 'state_error',
    meaning: 'The merchant has not connected an account of the payment provider, so the provider cannot be called.',
    fix: 'Connect the account with `commerce payments`, or record the payment manually, without `provider`.',
  },
  payment_provider_required: {
    status: 409,
    type: 'state_error',
    meaning: 'The merchant has connected several payment providers, and the request names none.',
    fix: 'Send one of `details.providers` as `provider`.',
    details: z.object({
      providers: z
        .array(z.string())
        .meta({ description: 'The connected payment providers.', examples: [['paystack']] }),
    }),
  },
  order_not_payable: {
    status: 409,
    type: 'state_error',
    meaning:
      'No payment link can be created for the order: it is cancelled or returned, has expired, or nothing is due.',
    fix: 'Read `details.reason`. For `cancelled`, `returned` and `expired`, create a new order. For `paid`, do nothing.',
    details: z.object({
      reason: z
        .enum(['cancelled', 'returned', 'expired', 'paid'])
        .meta({ description: 'Reason why the order cannot be paid.', examples: ['paid'] }),
    }),
  },
  payment_link_rejected: {
    status: 409,
    type: 'state_error',
    meaning: 'The payment provider rejected the request to create a payment page, for example because of the amount.',
    fix: 'Read the message of the provider in `message`, and change the order or the settings at the provider.',
    details: z.object({
      providerCode: z
        .string()
        .meta({ description: 'Error code of the payment provider.', examples: ['invalid_params'] }),
    }),
  },
  payment_link_outdated: {
    status: 409,
    type: 'conflict_error',
    meaning:
      'The order changed while the payment provider created the payment page, so the URL of this page is not returned.',
    fix: 'Repeat the request. A new link has the current amount due.',
    retryable: true,
  },
  order_not_paid: {
    status: 409,
    type: 'state_error',
    meaning: 'The order has no payment, so nothing can be refunded.',
    fix: 'Record the payment of the order first.',
  },
  order_fully_refunded: {
    status: 409,
    type: 'state_error',
    meaning: 'The whole paid amount of the order is already refunded, or is part of pending refunds.',
    fix: 'Nothing is left to refund, so no action is needed.',
  },
  refundable_changed: {
    status: 409,
    type: 'state_error',
    meaning:
      'The refundable amount of the order is not `expectedRefundableKobo`: the order was refunded or paid, or a payment was ' +
      'disputed, after the amount was read.',
    fix:
      'Read the order and its refunds. If the refund is still right, send it again with `details.refundableKobo` as ' +
      '`expectedRefundableKobo`.',
    details: z.object({
      refundableKobo: z
        .int()
        .meta({ description: 'Current refundable amount of the order, in kobo.', examples: [1000000] }),
    }),
  },
  refund_exceeds_refundable: {
    status: 409,
    type: 'state_error',
    meaning:
      'The amount exceeds the refundable amount of the order, the amount of its largest payment, or the price of the items in ' +
      'the refund.',
    fix:
      'Refund at most `details.refundableKobo`. To refund several payments, or shipping in addition to items, create several ' +
      'refunds.',
    details: z.object({
      refundableKobo: z.int().meta({
        description: 'Largest amount that a single refund of the order can have now, in kobo.',
        examples: [120000],
      }),
    }),
  },
  refund_quantity_exceeds: {
    status: 409,
    type: 'state_error',
    meaning: 'The quantity to refund is larger than the number of units of the item that are not refunded yet.',
    fix: 'Reduce the quantities of the items in `details.items`.',
    details: z.object({
      items: z
        .array(
          z.object({
            itemId: z.string().meta({ description: 'Identifier of the order item.' }),
            refundableQuantity: z
              .int()
              .meta({ description: 'Number of units of the item that are not refunded yet.', examples: [1] }),
          }),
        )
        .meta({ description: 'Items for which the request refunds too many units.' }),
    }),
  },
  payment_disputed: {
    status: 409,
    type: 'state_error',
    meaning: 'The payment is disputed, or the payer won the dispute, so the provider does not refund the payment.',
    fix: 'Wait until the dispute is resolved. If the payer wins, the dispute returns the amount to the payer.',
  },
  refund_not_cancellable: {
    status: 409,
    type: 'state_error',
    meaning: 'The refund cannot be cancelled: it was submitted to the payment provider, or has ended.',
    fix: 'Read the refund to get its status. Only a `pending` refund that has not been submitted can be cancelled.',
    details: z.object({ status: z.string().meta({ description: 'Status of the refund.', examples: ['processing'] }) }),
  },
  refund_not_awaiting_details: {
    status: 409,
    type: 'state_error',
    meaning: 'The refund accepts no bank details: it does not need them, or already has them.',
    fix: 'Send bank details only for a refund with the status `needs_attention` and no `account`.',
    details: z.object({ status: z.string().meta({ description: 'Status of the refund.', examples: ['processing'] }) }),
  },
} as const satisfies Record<string, ErrorDeclaration>
