import { z } from 'zod'
import { RefundId, type Timestamp } from '../../../registry/values/vocabulary.ts'
import { toTimestamp } from '../../base/clock.ts'
import type { RefundReport } from './provider.ts'

/** Formats of values in Paystack's API. */

/** An amount in Paystack's API, in kobo, as a number or a string. */
export const PaystackAmount = z
  .union([
    z.int(),
    z
      .string()
      .regex(/^\d{1,15}$/)
      .transform(Number),
  ])
  .optional()
  .catch(undefined)

/** An id in Paystack's API, as a number or a string. */
export const PaystackId = z.union([z.int().transform(String), z.string().regex(/^\d{1,20}$/)])

/** Parses a timestamp. An invalid timestamp is ignored, because it must not prevent the payment from being recorded. */
export function paystackMoment(text: string | null | undefined): Timestamp | undefined {
  const ms = Date.parse(text ?? '')
  const year = new Date(ms).getUTCFullYear()
  return year >= 1 && year <= 9999 ? toTimestamp(ms) : undefined
}

/** Pattern of our refund id anywhere in a note, because the provider may have added text. */
const refundIdInNote = /rfd_[0-9a-z]{26}/

export function refundIdIn(note: string | null | undefined): RefundId | undefined {
  return RefundId.safeParse(refundIdInNote.exec(note ?? '')?.[0]).data
}

const statuses: Readonly<Record<string, RefundReport['status']>> = {
  pending: 'pending',
  processing: 'processing',
  'needs-attention': 'needs_attention',
  processed: 'succeeded',
  failed: 'failed',
  // The status `reversed` means that Paystack paid the refund out, but the payout was returned.
  reversed: 'failed',
}

export function paystackRefundStatus(word: string): RefundReport['status'] {
  return statuses[word]
}
