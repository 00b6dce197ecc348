import { z } from 'zod'
import type { RefundReport } from './provider.ts'

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

export const PaystackId = z.union([z.int().transform(String), z.string().regex(/^\d{1,20}$/)])

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
