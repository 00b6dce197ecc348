import { z } from 'zod'
import { list, read, write } from '../kit/endpoint.ts'
import { orderMoveEvents } from '../kit/event.ts'
import { queryChoices } from '../kit/query.ts'
import { sampleIds, withExampleId } from '../kit/sample-ids.ts'
import { lineQuantityMax, orderLinesMax } from '../values/limits.ts'
import {
  instant,
  kobo,
  Metadata,
  named,
  nullable,
  OrderId,
  OrderItemId,
  RefundId,
  ReturnId,
} from '../values/vocabulary.ts'
import { BankDetails } from './bank-account.ts'
import { providerRefundExample, Refund, refundExample, refundNote, refundReason } from './refund.ts'
import { refundStatuses, refundTransitions } from './refund-states.ts'

const RefundInput = named(
  'RefundInput',
  z
    .strictObject({
      orderId: OrderId,
      returnId: ReturnId.optional().meta({
        description:
          'Return for which the refund is created. The return must be of the same order. Without `items` and `amountKobo`, the refund contains the received units of the return or, if the return is not received yet, its ' +
          'requested units. `items` can contain only these units, and each item only once. An amount without `items` can be any refundable amount of the order.',
      }),
      amountKobo: kobo(
        'Amount of the refund. Required without `items` and `returnId`. If the refund contains units, the default and the maximum are the amount that was charged for these ' +
          'units, after discounts and with VAT.',
        { min: 1 },
      ).optional(),
      expectedRefundableKobo: kobo(
        '`refundableKobo` of the order that you expect before the refund. The refund is rejected if the amount differs, for ' +
          'example because a second member refunded the order too.',
      ).optional(),
      reason: refundReason,
      note: refundNote.optional(),
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
                .meta({ description: 'Number of units to refund.', examples: [1] }),
              restock: z
                .boolean()
                .optional()
                .meta({
                  description:
                    'Whether to restock the refunded units. When left out, false. Units that were not sent are restocked first. Not allowed with `returnId`. Units that ' +
                    'are already returned or cancelled are not restocked by a refund. Units in an active shipment and units ' +
                    'that a carrier lost cannot be restocked. Units that are not restocked stay reserved until the order ' +
                    'is cancelled, which releases them, or shipped, which takes them out of stock.',
                  examples: [true],
                }),
            }),
          ),
        )
        .min(1)
        .max(orderLinesMax)
        .optional()
        .meta({ description: 'Order items to refund. Each item may occur only once.' }),
      destination: nullable(BankDetails).optional().meta({
        description:
          'Bank account to which the merchant pays the refund manually. When left out or null, the original payment method is refunded.',
      }),
      metadata: Metadata.optional(),
    })
    .superRefine((refund, context) => {
      if (refund.amountKobo === undefined && refund.items === undefined && refund.returnId === undefined) {
        const message = 'Is required if `items` and `returnId` are left out, for example 1500000.'
        context.addIssue({ code: 'custom', path: ['amountKobo'], message, params: { problem: 'required' } })
      }
      const seen = new Set<string>()
      refund.items?.forEach((item, index) => {
        if (refund.returnId !== undefined && item.restock === true) {
          const message = 'Must not be true with `returnId`: the units are restocked when the return is received.'
          const path = ['items', index, 'restock']
          context.addIssue({ code: 'custom', path, message, params: { example: false } })
        }
        if (seen.has(item.itemId)) {
          const message = 'Must not repeat an item. Send each item once, with its total quantity.'
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
    'Refunds an order in full or in part. An order can be refunded several times until the paid amount is used up. ' +
    'A refund of a payment recorded manually is paid out manually, and has the status `succeeded` at once. A ' +
    'refund of a payment through a provider is `pending` until the provider pays it. While the payment is ' +
    'disputed the refund stays `pending`, and the refund fails with `dispute_lost` if the payer wins. Each refund ' +
    'returns part of one payment: the newest payment with a sufficient balance. Refunded units are no longer ' +
    'shipped. If no other unit of the order is left to ship, the status of the order changes too. Send one ' +
    '`Idempotency-Key` for each intended refund, and repeat it on every retry: the first response is returned ' +
    'again, and no second refund is made.',
  access: 'refunds:write',
  rateClass: 'refund',
  priority: 'high',
  body: {
    schema: RefundInput,
    example: { orderId: sampleIds.orderToRefund, amountKobo: 1500000, reason: 'damaged' },
  },
  reply: { status: 201, body: Refund, meaning: 'The refund.', example: refundExample, location: '/refunds/{id}' },
  refusals: [
    'order_not_found',
    'return_not_found',
    'return_not_refundable',
    'item_not_found',
    'order_not_paid',
    'order_fully_refunded',
    'refundable_changed',
    'refund_exceeds_refundable',
    'refund_quantity_exceeds',
    'order_items_unavailable',
    'payment_disputed',
  ],
  idempotency: 'honoured',
  emits: ['order.refunded', 'shipment.exception_raised', ...orderMoveEvents],
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
    orderId: OrderId.optional().meta({ description: 'Returns only refunds of this order.' }),
    returnId: ReturnId.optional().meta({ description: 'Returns only refunds for this return.' }),
    status: queryChoices(refundStatuses, 'Returns only refunds with one of these statuses.').optional(),
    reason: refundReason.optional().meta({ description: 'Returns only refunds with this reason.' }),
    createdFrom: instant('Returns only refunds created at or after this time.').optional(),
    createdTo: instant('Returns only refunds created before this time.').optional(),
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
  description: 'Returns a refund. `status` is the status at the payment provider. Account numbers are masked.',
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
    'Sets the bank account for a refund with the status `needs_attention`: the payment provider could not ' +
    'return the money to the original payment method. The account is sent to the provider within seconds, and the refund continues. If the ' +
    'provider rejects the account, `account` is null again and `failureMessage` has the reason. The operation ' +
    'accepts no account if a lost dispute returned so much of the payment that the rest does not cover the ' +
    'refund. In that case, end the refund in the dashboard of the provider.',
  access: 'refunds:write',
  params: z.strictObject({ id: withExampleId(RefundId, sampleIds.refundToDirect) }),
  body: {
    schema: BankDetails,
    example: { accountNumber: '0123456789', bankCode: '058', accountName: 'Adaeze Okafor' },
  },
  reply: {
    status: 200,
    body: Refund,
    meaning: 'The refund with the bank account.',
    example: {
      ...providerRefundExample,
      id: sampleIds.refundToDirect,
      status: 'needs_attention',
      destination: 'bank_account',
      account: { accountNumber: '******6789', bankCode: '058', accountName: 'Adaeze Okafor' },
      providerReference: '3018284',
    },
  },
  refusals: ['refund_not_found', 'refund_not_awaiting_details', 'payment_disputed'],
  emits: ['refund.updated'],
  audits: { action: 'refund.update', resourceType: 'refund' },
})

export const cancelRefund = write({
  id: 'cancelRefund',
  path: '/refunds/{id}/cancel',
  tag: 'Refunds',
  summary: 'Cancel a refund',
  description:
    'Cancels a refund that has not been submitted to the payment provider. The amount can then be refunded again. ' +
    'Refunds are submitted within seconds, so in practice a refund can be cancelled only while the provider cannot be ' +
    'reached. Units that the refund restocked stay in stock, so they must be refunded again. Units that left a shipment because of the refund must be dispatched or refunded again.',
  access: 'refunds:write',
  params: z.strictObject({ id: withExampleId(RefundId, sampleIds.refundToCancel) }),
  reply: {
    status: 200,
    body: Refund,
    meaning: 'The cancelled refund.',
    example: { ...providerRefundExample, id: sampleIds.refundToCancel, status: 'cancelled' },
  },
  refusals: ['refund_not_found', 'refund_not_cancellable'],
  emits: ['refund.updated', 'shipment.exception_raised'],
  audits: { action: 'refund.cancel', resourceType: 'refund' },
})
