import { createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import type { PaymentMethod } from '../../../registry/order-states.ts'
import type { RefundStatus } from '../../../registry/refund-states.ts'
import { OrderId, RefundId, type Timestamp } from '../../../registry/vocabulary.ts'
import { toTimestamp } from '../../clock.ts'
import { PaystackAmount, PaystackId, paystackRefundStatus } from './paystack.ts'

/** What Paystack tells by itself, read from its bytes once their signature is sure. */

/** HMAC-SHA512 of the raw bytes, keyed with the merchant's secret key, in hex. Compared in constant time. */
export function isSignedByPaystack(body: Uint8Array, signature: string, secretKey: string): boolean {
  const expected = createHmac('sha512', secretKey).update(body).digest()
  const given = Buffer.from(signature, 'hex')
  return given.length === expected.length && timingSafeEqual(given, expected)
}

export type PaystackCallback =
  | {
      readonly is: 'charged'
      readonly orderId: OrderId
      readonly reference: string
      readonly amountKobo: number
      readonly method: PaymentMethod
      readonly paidAt: Timestamp | undefined
    }
  | {
      readonly is: 'refund_moved'
      readonly status: Exclude<RefundStatus, 'cancelled'> | undefined
      readonly reference: string | undefined
      readonly refundId: RefundId | undefined
      readonly transaction: string | undefined
      readonly amountKobo: number | undefined
    }
  | { readonly is: 'disputed' | 'dispute_resolved'; readonly disputeId: string; readonly transaction: string }
  /** Nothing this service has a use for. */
  | { readonly is: 'other'; readonly reason: string }

const Event = z.object({ event: z.string().regex(/^[\w.-]{1,100}$/), data: z.looseObject({}) })

/** Paystack's name for a payment; whatever else it may be, it is printable. */
const Reference = z.string().regex(/^[\x20-\x7e]{1,100}$/)

export interface ReadCallback {
  readonly kind: string | null
  readonly callback: PaystackCallback
}

export function readPaystackCallback(body: Uint8Array): ReadCallback {
  const read = Event.safeParse(parsed(body))
  if (!read.success) return { kind: null, callback: { is: 'other', reason: 'unreadable' } }
  const { event, data } = read.data
  return { kind: event, callback: callbackOf(event, data) }
}

function parsed(body: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString('utf8'))
  } catch {
    return undefined
  }
}

function callbackOf(event: string, data: object): PaystackCallback {
  if (event === 'charge.success') return chargeOf(data)
  if (event === 'charge.dispute.create') return disputeOf('disputed', data)
  if (event === 'charge.dispute.resolve') return disputeOf('dispute_resolved', data)
  if (event.startsWith('refund.')) return refundOf(data)
  return { is: 'other', reason: 'kind_not_used' }
}

/** Metadata comes as an object, or as the text of one. */
const Metadata = z
  .preprocess((value) => (typeof value === 'string' ? parsed(Buffer.from(value)) : value), z.looseObject({}))
  .catch({})

const Charge = z.object({
  reference: Reference,
  amount: PaystackAmount,
  currency: z.string(),
  channel: z.string().catch(''),
  paid_at: z.string().nullish().catch(null),
  metadata: Metadata.optional(),
})

const methods: Readonly<Record<string, PaymentMethod>> = {
  card: 'card',
  bank: 'bank_transfer',
  bank_transfer: 'bank_transfer',
  ussd: 'ussd',
}

function chargeOf(data: object): PaystackCallback {
  const read = Charge.safeParse(data)
  if (!read.success) return { is: 'other', reason: 'unreadable' }
  const { reference, amount, currency, channel, paid_at, metadata } = read.data
  const orderId = OrderId.safeParse(metadata?.orderId)
  if (!orderId.success) return { is: 'other', reason: 'no_order' }
  if (currency !== 'NGN') return { is: 'other', reason: 'currency' }
  if (amount === undefined || amount <= 0) return { is: 'other', reason: 'unreadable' }
  const paidMs = Date.parse(paid_at ?? '')
  return {
    is: 'charged',
    orderId: orderId.data,
    reference,
    amountKobo: amount,
    method: methods[channel] ?? 'other',
    paidAt: Number.isNaN(paidMs) ? undefined : toTimestamp(paidMs),
  }
}

const MovedRefund = z.object({
  status: z.string().catch(''),
  id: PaystackId.optional().catch(undefined),
  merchant_note: z.string().nullish().catch(null),
  transaction_reference: Reference.nullish().catch(null),
  amount: PaystackAmount,
})

/** Our id of the refund, wherever it stands in a note the provider may have added to. */
const refundIdInNote = /rfd_[0-9a-z]{26}/

function refundOf(data: object): PaystackCallback {
  const { status, id, merchant_note, transaction_reference, amount } = MovedRefund.parse(data)
  const named = RefundId.safeParse(refundIdInNote.exec(merchant_note ?? '')?.[0])
  return {
    is: 'refund_moved',
    status: paystackRefundStatus(status),
    reference: id,
    refundId: named.data,
    transaction: transaction_reference ?? undefined,
    amountKobo: amount,
  }
}

const Dispute = z.object({ id: PaystackId, transaction: z.object({ reference: Reference }) })

function disputeOf(is: 'disputed' | 'dispute_resolved', data: object): PaystackCallback {
  const read = Dispute.safeParse(data)
  if (!read.success) return { is: 'other', reason: 'unreadable' }
  return { is, disputeId: read.data.id, transaction: read.data.transaction.reference }
}

/** What a callback is about, by which another about the same can be found. */
export function subjectOf(callback: PaystackCallback): string | null {
  switch (callback.is) {
    case 'charged':
      return `charge ${callback.reference}`
    case 'refund_moved':
      return callback.reference === undefined ? null : `refund ${callback.reference}`
    case 'disputed':
    case 'dispute_resolved':
      return `dispute ${callback.disputeId}`
    case 'other':
      return null
  }
}

/** The payment a callback is of. */
export function paymentReferenceOf(callback: PaystackCallback): string | null {
  switch (callback.is) {
    case 'charged':
      return callback.reference
    case 'refund_moved':
    case 'disputed':
    case 'dispute_resolved':
      return callback.transaction ?? null
    case 'other':
      return null
  }
}
