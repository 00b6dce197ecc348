import { z } from 'zod'
import type { RefundReport } from './provider.ts'

/**
 * An amount in naira: at most 13 digits and two decimals. An amount with more decimals is not a whole number of kobo.
 */
const naira = /^(\d{1,13})(?:\.(\d{1,2}))?$/

/**
 * An amount in Flutterwave's API, in naira with decimals, as kobo. The decimal text of the amount is converted, because
 * a multiplication of binary fractions is not exact.
 */
export const FlutterwaveAmount = z
  .union([z.number(), z.string()])
  .transform((amount) => koboIn(String(amount)))
  .optional()
  .catch(undefined)

function koboIn(text: string): number | undefined {
  const [, whole, decimals = ''] = naira.exec(text) ?? []
  return whole === undefined ? undefined : Number(whole + decimals.padEnd(2, '0'))
}

/** Returns an amount in kobo as a number of naira, whose JSON text is exact. */
export function nairaOf(amountKobo: number): number {
  const digits = String(amountKobo).padStart(3, '0')
  return Number(`${digits.slice(0, -2)}.${digits.slice(-2)}`)
}

export const FlutterwaveId = z.union([z.int().positive().transform(String), z.string().regex(/^\d{1,20}$/)])

/**
 * A payment reference that the merchant chose. The format of the reference is undocumented, but its characters are
 * printable.
 */
export const FlutterwaveReference = z.string().regex(/^[\x20-\x7e]{1,100}$/)

/**
 * The statuses of Flutterwave's refunds. `completed` means only that the refund was initiated: until Flutterwave
 * reports the result of its payout, the refund is processing.
 */
const statuses: Readonly<Record<string, RefundReport['status']>> = {
  new: 'pending',
  pending: 'pending',
  processing: 'processing',
  completed: 'processing',
  'pending-momo': 'processing',
  successful: 'succeeded',
  'completed-bank-transfer': 'succeeded',
  'completed-momo': 'succeeded',
  'completed-mpgs': 'succeeded',
  'completed-offline': 'succeeded',
  'completed-preauth': 'succeeded',
  failed: 'failed',
}

export function flutterwaveRefundStatus(word: string, payout?: string): RefundReport['status'] {
  if (word === 'completed' && payout === 'successful') return 'succeeded'
  if (word === 'completed' && payout === 'failed') return 'failed'
  return Object.hasOwn(statuses, word) ? statuses[word] : undefined
}
