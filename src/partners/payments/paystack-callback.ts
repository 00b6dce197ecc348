import { createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import type { RefundStatus } from '../../../registry/refunds/refund-states.ts'
import type { RefundId } from '../../../registry/values/vocabulary.ts'
import { type Charge, chargeOf, type UnmatchedCharge } from './charge.ts'
import { paystackRefundStatus } from './paystack.ts'
import { readPaystackCharge } from './paystack-charges.ts'
import { isDisputeKind, type PaystackDispute, readPaystackDispute } from './paystack-disputes.ts'
import { PaystackAmount, PaystackId, refundIdIn } from './paystack-values.ts'

/** Parses Paystack's callbacks after their signature was verified. */

/** Verifies the hex HMAC-SHA512 of the raw body, keyed with the merchant's secret key, in constant time. */
export function isSignedByPaystack(body: Uint8Array, signature: string, secretKey: string): boolean {
  const expected = createHmac('sha512', secretKey).update(body).digest()
  const given = Buffer.from(signature, 'hex')
  return given.length === expected.length && timingSafeEqual(given, expected)
}

export type PaystackCallback =
  | Charge
  | UnmatchedCharge
  | {
      readonly is: 'refund_moved'
      readonly status: Exclude<RefundStatus, 'cancelled'> | undefined
      readonly reference: string | undefined
      readonly refundId: RefundId | undefined
      /** Whether this service certainly did not create the refund: it has a note without a refund id of ours. */
      readonly isForeign: boolean
      readonly transaction: string | undefined
      readonly amountKobo: number | undefined
    }
  | PaystackDispute
  /** An event kind that this service does not use. */
  | { readonly is: 'other'; readonly reason: string }

const Event = z.object({ event: z.string().regex(/^[\w.-]{1,100}$/), data: z.looseObject({}) })

/** Paystack's reference of a payment. Its format is undocumented, but it is printable. */
const Reference = z.string().regex(/^[\x20-\x7e]{1,100}$/)

export interface ReadCallback {
  readonly kind: string | null
  readonly callback: PaystackCallback
  /**
   * The reference of the payment, also for ignored callbacks: the body may contain personal data of the payer, and
   * anonymisation finds the callback by this reference.
   */
  readonly paymentReference: string | null
}

export function readPaystackCallback(body: Uint8Array): ReadCallback {
  const read = Event.safeParse(parsed(body))
  if (!read.success) return { kind: null, callback: { is: 'other', reason: 'unreadable' }, paymentReference: null }
  const { event, data } = read.data
  return { kind: event, callback: callbackOf(event, data), paymentReference: paymentReferenceOf(data) }
}

function parsed(body: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString('utf8'))
  } catch {
    return undefined
  }
}

function callbackOf(event: string, data: object): PaystackCallback {
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

function refundOf(data: object): PaystackCallback {
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

/** Returns the key of the record that a callback is about. All callbacks about the same record have the same key. */
export function subjectOf(callback: PaystackCallback): string | null {
  switch (callback.is) {
    case 'charged':
    case 'unmatched':
      return callback.reference === null ? null : `charge ${callback.reference}`
    case 'refund_moved':
      return callback.reference === undefined ? null : `refund ${callback.reference}`
    case 'dispute':
      return `dispute ${callback.disputeId}`
    case 'other':
      return null
  }
}

const maybeReference = Reference.nullish().catch(null)

/** The fields in which Paystack's callbacks of the different kinds contain the reference of their payment. */
const OfPayment = z.object({
  transaction_reference: maybeReference,
  transaction: z.object({ reference: maybeReference }).nullish().catch(null),
  reference: maybeReference,
})

function paymentReferenceOf(data: object): string | null {
  const { transaction_reference, transaction, reference } = OfPayment.parse(data)
  return transaction_reference ?? transaction?.reference ?? reference ?? null
}
