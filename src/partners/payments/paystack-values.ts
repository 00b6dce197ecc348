import { z } from 'zod'
import { RefundId, type Timestamp } from '../../../registry/values/vocabulary.ts'
import { toTimestamp } from '../../base/clock.ts'

/** Values as Paystack writes them. */

/** Amounts come as numbers and as texts, whichever the moment. */
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

/** Ids too. */
export const PaystackId = z.union([z.int().transform(String), z.string().regex(/^\d{1,20}$/)])

/** A moment as it writes them. One the calendar does not know is left out: it must not keep the money from being noted. */
export function paystackMoment(text: string | null | undefined): Timestamp | undefined {
  const ms = Date.parse(text ?? '')
  const year = new Date(ms).getUTCFullYear()
  return year >= 1 && year <= 9999 ? toTimestamp(ms) : undefined
}

/** Our id of a refund, wherever it stands in a note the provider may have added to. */
const refundIdInNote = /rfd_[0-9a-z]{26}/

export function refundIdIn(note: string | null | undefined): RefundId | undefined {
  return RefundId.safeParse(refundIdInNote.exec(note ?? '')?.[0]).data
}
