import { cancelled, paid, paidByHand, priceKobo, refund } from '../../../registry/service/triggers/step.ts'
import type { ErrorCases } from './case.ts'
import { unpaid } from './states.ts'

const ofOrder = { id: '{order.id}' }
const ofRefund = { id: '{refund.id}' }
const refunded = (more: object) => ({
  operation: 'createRefund' as const,
  body: { orderId: '{order.id}', reason: 'customer_request', ...more },
})
const recorded = (more: object) => ({
  ...{ operation: 'recordPayment' as const, params: ofOrder },
  body: { amountKobo: priceKobo, method: 'bank_transfer', reference: 'other-{run}', ...more },
})

const paidOrder = [...unpaid, paidByHand()]

export const paymentCases = {
  payment_exceeds_due: { needs: paidOrder, request: recorded({}) },
  paid_at_out_of_range: { needs: unpaid, request: recorded({ paidAt: '2020-01-01T00:00:00Z' }) },
  payment_reference_in_use: { needs: paidOrder, request: recorded({ reference: 'trigger-{run}' }) },
  payment_not_voidable: {
    needs: [...unpaid, paid()],
    request: { operation: 'voidPayment', params: { id: '{payment.id}' }, body: { reason: 'bounced' } },
  },
  payment_not_verified: {
    needs: unpaid,
    request: recorded({ provider: 'paystack', reference: `sim-${priceKobo}-abandoned-{run}` }),
  },
  payment_provider_not_connected: { needs: unpaid, request: recorded({ provider: 'flutterwave' }) },
  order_not_payable: {
    needs: [...unpaid, cancelled],
    request: { operation: 'createPaymentLink', params: ofOrder, body: {} },
  },
  payment_link_rejected: {
    needs: unpaid,
    request: {
      ...{ operation: 'createPaymentLink', params: ofOrder },
      body: { callbackUrl: `https://shop.example.com/${'x'.repeat(1_250)}` },
      shown: 'a `callbackUrl` of more than 1,200 characters',
    },
  },
  order_not_paid: { needs: unpaid, request: refunded({ amountKobo: 1_000 }) },
  order_fully_refunded: { needs: [...paidOrder, refund()], request: refunded({ amountKobo: 1_000 }) },
  refundable_changed: {
    needs: paidOrder,
    request: refunded({ amountKobo: 1_000, expectedRefundableKobo: 1_000 }),
  },
  refund_exceeds_refundable: { needs: paidOrder, request: refunded({ amountKobo: priceKobo + 1 }) },
  refund_quantity_exceeds: {
    needs: paidOrder,
    request: refunded({ items: [{ itemId: '{order.items.0.id}', quantity: 2 }] }),
  },
  payment_disputed: {
    needs: [...unpaid, paid('disputed'), { waitSeconds: 60 }],
    request: refunded({ amountKobo: 1_000 }),
  },
  refund_not_cancellable: {
    needs: [...paidOrder, refund()],
    request: { operation: 'cancelRefund', params: ofRefund },
  },
  refund_not_awaiting_details: {
    needs: [...paidOrder, refund()],
    request: {
      ...{ operation: 'setRefundBankDetails', params: ofRefund },
      body: { accountNumber: '0123456789', bankCode: '058', accountName: 'Adaeze Okafor' },
    },
  },
  idempotency_conflict: {
    needs: [...paidOrder, { ...refund({ amountKobo: 1_000 }), headers: { 'Idempotency-Key': 'refund-{run}' } }],
    request: { ...refunded({ amountKobo: 2_000 }), headers: { 'Idempotency-Key': 'refund-{run}' } },
  },
} as const satisfies ErrorCases
