import { createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { chargeOf } from './charge.ts'
import { readPaystackCharge } from './paystack-charges.ts'
import { isDisputeKind, readPaystackDispute } from './paystack-disputes.ts'
import { PaystackAmount, PaystackId, paystackRefundStatus } from './paystack-values.ts'
import type { CallbackReport, ReadCallback, SignedCallback } from './provider.ts'
import { refundIdIn } from './refund-note.ts'

/** Parses Paystack's callbacks after their signature was verified. */

/** Verifies the hex HMAC-SHA512 of the raw body, keyed with the merchant's secret key, in constant time. */
export function isSignedByPaystack({ body, headers }: SignedCallback, secretKey: string): boolean {
  const expected = createHmac('sha512', secretKey).update(body).digest()
  const given = Buffer.from(headers['x-paystack-signature'] ?? '', 'hex')
  return given.length === expected.length && timingSafeEqual(given, expected)
}

const Event = z.object({ event: z.string().regex(/^[\w.-]{1,100}$/), data: z.looseObject({}) })

/** Paystack's reference of a payment. The format of the reference is undocumented, but its characters are printable. */
const Reference = z.string().regex(/^[\x20-\x7e]{1,100}$/)

export function readPaystackCallback(body: Uint8Array): ReadCallback {
  const read = Event.safeParse(parsed(body))
  if (!read.success) return { kind: null, report: { is: 'other', reason: 'unreadable' }, paymentReference: null }
  const { event, data } = read.data
  return { kind: event, report: reportOf(event, data), paymentReference: paymentReferenceOf(data) }
}

function parsed(body: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString('utf8'))
  } catch {
    return undefined
  }
}

function reportOf(event: string, data: object): CallbackReport {
  if (event === 'charge.success') return chargeOf(readPaystackCharge(data))
  if (isDisputeKind(event)) return readPaystackDispute(event, data) ?? { is: 'other', reason: 'dispute_unreadable' }
  if (event.startsWith('refund.')) return refundOf(data)
  return { is: 'other', reason: 'kind_not_used' }
}

const RefundEvent = z.object({
  status: z.string().catch(''),
  id: PaystackId.optional().catch(undefined),
  merchant_note: z.string().nullish().catch(null),
  transaction_reference: Reference.nullish().catch(null),
  amount: PaystackAmount,
})

function refundOf(data: object): CallbackReport {
  const { status, id, merchant_note, transaction_reference, amount } = RefundEvent.parse(data)
  return {
    is: 'refund_moved',
    status: paystackRefundStatus(status),
    reference: id,
    refundId: refundIdIn(merchant_note),
    isForeign: (merchant_note ?? '') !== '' && refundIdIn(merchant_note) === undefined,
    transaction: transaction_reference ?? undefined,
    amountKobo: amount,
  }
}

const maybeReference = Reference.nullish().catch(null)

/**
 * The fields that can contain the reference of the payment. The kind of the callback decides which of these fields is
 * set.
 */
const OfPayment = z.object({
  transaction_reference: maybeReference,
  transaction: z.object({ reference: maybeReference }).nullish().catch(null),
  reference: maybeReference,
})

function paymentReferenceOf(data: object): string | null {
  const { transaction_reference, transaction, reference } = OfPayment.parse(data)
  return transaction_reference ?? transaction?.reference ?? reference ?? null
}
