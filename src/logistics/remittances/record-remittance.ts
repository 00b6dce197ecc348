import type { Remittance, RemittanceInput } from '../../../registry/logistics/remittances.ts'
import { normaliseInstant } from '../../base/clock.ts'
import { newRemittanceId } from '../../base/records.ts'
import { toKobo } from '../../commerce/money.ts'
import type { Work } from '../../store/core/mutation.ts'
import {
  addRemittedCash,
  type CashSums,
  findRemittanceByReference,
  insertRemittance,
  lockCarrierCash,
} from '../../store/logistics/shipments/carrier-cash.ts'
import { isCarrierCode } from '../carriers/carrier-names.ts'

export type RecordRemittanceOutcome =
  | { readonly is: 'recorded'; readonly remittance: Remittance }
  | { readonly is: 'carrier_unknown' }
  | { readonly is: 'reference_in_use'; readonly existingId: string }
  | { readonly is: 'exceeds_outstanding'; readonly outstandingKobo: number }

/**
 * Records that a carrier has transferred collected cash. A carrier cannot transfer more cash than it has collected. A
 * larger amount is therefore rejected: it was mistyped, or the carrier transferred it for another reason.
 */
export async function recordRemittance(work: Work, input: RemittanceInput): Promise<RecordRemittanceOutcome> {
  const { trx, merchantId, now } = work
  const { carrier, reference } = input
  const amountKobo = toKobo(input.amountKobo)
  const [sums, existing] = await Promise.all([
    lockCarrierCash(trx, { merchantId, carrier }),
    findRemittanceByReference(trx, { merchantId, reference }),
  ])
  if (sums === undefined && !isCarrierCode(carrier)) return { is: 'carrier_unknown' }
  if (existing !== undefined) return { is: 'reference_in_use', existingId: existing.id }
  const before = sumsOf(sums ?? { collectedKobo: 0, remittedKobo: 0 })
  if (amountKobo > before.outstandingKobo) {
    return { is: 'exceeds_outstanding', outstandingKobo: before.outstandingKobo }
  }
  const receivedAt = input.receivedAt === undefined ? now : normaliseInstant(input.receivedAt)
  const remittance = { id: newRemittanceId(work.nowMs), carrier, amountKobo, reference, receivedAt, createdAt: now }
  insertRemittance(trx, { merchantId, ...remittance })
  addRemittedCash(trx, { merchantId, carrier, amountKobo })
  const cash = sumsOf({ ...before, remittedKobo: before.remittedKobo + amountKobo })
  work.note({
    carrier: [null, carrier],
    amountKobo: [null, amountKobo],
    reference: [null, reference],
    outstandingKobo: [before.outstandingKobo, cash.outstandingKobo],
  })
  return { is: 'recorded', remittance: { ...remittance, currency: 'NGN', voidedAt: null, voidReason: null, cash } }
}

/** Returns the cash that a carrier has collected and transferred, and the rest that the carrier still owes. */
export function sumsOf({ collectedKobo, remittedKobo }: CashSums) {
  return { collectedKobo, remittedKobo, outstandingKobo: collectedKobo - remittedKobo }
}
