import type { Remittance, RemittanceVoidReason } from '../../../registry/logistics/remittances.ts'
import type { RemittanceId, Timestamp } from '../../../registry/values/vocabulary.ts'
import type { Work } from '../../store/core/mutation.ts'
import {
  addRemittedCash,
  findRemittance,
  lockCarrierCash,
  markRemittanceVoided,
} from '../../store/logistics/shipments/carrier-cash.ts'
import { sumsOf } from './record-remittance.ts'

export type VoidRemittanceOutcome =
  | { readonly is: 'voided'; readonly remittance: Remittance }
  | { readonly is: 'remittance_unknown' }
  | { readonly is: 'already_voided'; readonly voidedAt: Timestamp }

/** The carrier owes the amount of a voided remittance again. */
export async function voidRemittance(
  { trx, merchantId, now, note }: Work,
  id: RemittanceId,
  reason: RemittanceVoidReason,
): Promise<VoidRemittanceOutcome> {
  const found = await findRemittance(trx, { merchantId, id })
  if (found === undefined) return { is: 'remittance_unknown' }
  const { carrier, amountKobo } = found
  const [sums, remittance] = await Promise.all([
    lockCarrierCash(trx, { merchantId, carrier }),
    // The remittance is read again after the carrier's cash sums are locked, because this lock also guards the
    // remittances.
    findRemittance(trx, { merchantId, id }),
  ])
  if (sums === undefined || remittance === undefined) return { is: 'remittance_unknown' }
  if (remittance.voidedAt !== null) return { is: 'already_voided', voidedAt: remittance.voidedAt }
  markRemittanceVoided(trx, { merchantId, id, reason, now })
  addRemittedCash(trx, { merchantId, carrier, amountKobo: -amountKobo })
  const before = sumsOf(sums)
  const cash = sumsOf({ ...sums, remittedKobo: sums.remittedKobo - amountKobo })
  note({ voidReason: [null, reason], outstandingKobo: [before.outstandingKobo, cash.outstandingKobo] })
  return { is: 'voided', remittance: { ...remittance, currency: 'NGN', voidedAt: now, voidReason: reason, cash } }
}
