import { z } from 'zod'
import { providerMoment } from './moment.ts'
import { PaystackAmount, PaystackId } from './paystack-values.ts'
import type { ReportedDispute } from './provider.ts'

/**
 * Disputes as Paystack's callbacks report them. The merchant keeps the money only with the resolution `declined`. The
 * API reference also has the resolution `merchant-accepted`, and its sample of a resolved dispute has `auto-accepted`
 * and a reversed transaction.
 */

const Reference = z.string().regex(/^[\x20-\x7e]{1,100}$/)
const maybeText = z
  .string()
  .regex(/^[\x20-\x7e]{1,100}$/)
  .nullish()
  .catch(null)

const Dispute = z.object({
  id: PaystackId,
  transaction: z
    .looseObject({ reference: Reference.nullish().catch(null), status: maybeText, amount: PaystackAmount })
    .nullish()
    .catch(null),
  transaction_reference: Reference.nullish().catch(null),
  resolution: maybeText,
  refund_amount: PaystackAmount,
  currency: maybeText,
  dueAt: maybeText,
})

/** Paystack's event kinds of disputes. A reminder also opens the dispute, in case the first callback was lost. */
const kinds: Readonly<Record<string, 'opened' | 'resolved'>> = {
  'charge.dispute.create': 'opened',
  'charge.dispute.remind': 'opened',
  'charge.dispute.resolve': 'resolved',
}

export function isDisputeKind(event: string): boolean {
  return Object.hasOwn(kinds, event)
}

/** Returns undefined if the id of the dispute cannot be parsed. */
export function readPaystackDispute(event: string, data: object): ReportedDispute | undefined {
  const read = Dispute.safeParse(data).data
  if (read === undefined) return undefined
  const transaction = read.transaction?.reference ?? read.transaction_reference ?? null
  const resolution = read.resolution ?? null
  const dueAt = providerMoment(read.dueAt)
  const isInNaira = (read.currency ?? 'NGN') === 'NGN'
  const { amount = 0 } = read.transaction ?? {}
  const amountKobo = isInNaira && amount > 0 ? amount : null
  const named = { is: 'dispute', disputeId: read.id, transaction, amountKobo, resolution, dueAt } as const
  if (kinds[event] === 'opened') return { ...named, status: 'open', lostKobo: undefined }
  const isReversed = read.transaction?.status === 'reversed'
  const status = resolvedStatus(resolution, isReversed)
  // If the disputed transaction was reversed, the whole payment was returned, so no partial amount applies. An amount
  // in another currency is ignored.
  return { ...named, status, lostKobo: isReversed || !isInNaira ? undefined : read.refund_amount }
}

function resolvedStatus(resolution: string | null, isReversed: boolean): ReportedDispute['status'] {
  switch (resolution) {
    case 'declined':
      return isReversed ? 'unclear' : 'won'
    case 'merchant-accepted':
    case 'auto-accepted':
      return 'lost'
    default:
      return isReversed ? 'lost' : 'unclear'
  }
}
