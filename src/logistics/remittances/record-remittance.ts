import {
  type Remittance,
  type RemittanceInput,
  receivedAtAheadMinutes,
} from '../../../registry/logistics/remittances.ts'
import type { Timestamp } from '../../../registry/values/vocabulary.ts'
import { normaliseInstant, toMs, toTimestamp } from '../../base/clock.ts'
import { newRemittanceId } from '../../base/records.ts'
import { toKobo } from '../../commerce/money.ts'
import { findMerchant } from '../../store/access/merchants.ts'
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
  | { readonly is: 'received_at_out_of_range'; readonly earliest: Timestamp; readonly latest: Timestamp }

const minuteMs = 60_000

/**
 * A carrier cannot transfer more cash than it has collected. A larger amount is therefore rejected: it was mistyped, or
 * the carrier transferred it for another reason.
 */
export async function recordRemittance(work: Work, input: RemittanceInput): Promise<RecordRemittanceOutcome> {
  const { trx, merchantId, now } = work
  const { carrier, reference } = input
  const amountKobo = toKobo(input.amountKobo)
  const [sums, existing, range] = await Promise.all([
    lockCarrierCash(trx, { merchantId, carrier }),
    findRemittanceByReference(trx, { merchantId, reference }),
    receivedAtRange(work),
  ])
  if (sums === undefined && !isCarrierCode(carrier)) return { is: 'carrier_unknown' }
  if (existing !== undefined) return { is: 'reference_in_use', existingId: existing.id }
  const before = sumsOf(sums ?? { collectedKobo: 0, remittedKobo: 0 })
  if (amountKobo > before.outstandingKobo) {
    return { is: 'exceeds_outstanding', outstandingKobo: before.outstandingKobo }
  }
  const receivedAt = input.receivedAt === undefined ? now : normaliseInstant(input.receivedAt)
  if (receivedAt < range.earliest || receivedAt > range.latest) return { is: 'received_at_out_of_range', ...range }
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

/**
 * Returns the times that a person may enter as the time of a remittance. The first collection of the cash is not the
 * lower bound, because a carrier may report a delivery after it has transferred its cash.
 */
async function receivedAtRange({ trx, merchantId, nowMs }: Work) {
  const merchant = await findMerchant(trx, { id: merchantId })
  if (merchant === undefined) throw new Error(`The merchant ${merchantId} does not exist.`)
  // Times are entered in whole minutes, so a time may be up to a minute before the creation of the merchant.
  const earliestMs = Math.floor(toMs(merchant.createdAt) / minuteMs) * minuteMs
  return { earliest: toTimestamp(earliestMs), latest: toTimestamp(nowMs + receivedAtAheadMinutes * minuteMs) }
}

export function sumsOf({ collectedKobo, remittedKobo }: CashSums) {
  return { collectedKobo, remittedKobo, outstandingKobo: collectedKobo - remittedKobo }
}
