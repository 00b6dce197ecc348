import { z } from 'zod'
import { FlutterwaveAmount, FlutterwaveId, FlutterwaveReference } from './flutterwave-values.ts'
import { providerMoment } from './moment.ts'
import type { ReportedDispute } from './provider.ts'

/** Chargebacks in naira, as Flutterwave lists them. */

const Chargeback = z.object({
  id: FlutterwaveId,
  status: z
    .string()
    .regex(/^[\x20-\x7e]{1,100}$/)
    .nullish()
    .catch(null),
  amount: FlutterwaveAmount,
  tx_ref: FlutterwaveReference.nullish().catch(null),
  due_date: z.string().nullish().catch(null),
})

/**
 * The merchant accepts or declines an initiated chargeback. If the merchant accepts, the payer gets the money back. If
 * the merchant declines, the chargeback stays open until the banks decide whether the merchant has won or lost.
 */
const states: Readonly<Record<string, ReportedDispute['status']>> = {
  initiated: 'open',
  pending: 'open',
  declined: 'open',
  won: 'won',
  accepted: 'lost',
  lost: 'lost',
}

/** Returns undefined if the id of the chargeback cannot be parsed. */
export function readFlutterwaveChargeback(data: object): ReportedDispute | undefined {
  const read = Chargeback.safeParse(data).data
  if (read === undefined) return undefined
  const word = read.status ?? ''
  const status = Object.hasOwn(states, word) ? (states[word] ?? 'unclear') : 'unclear'
  return {
    is: 'dispute',
    // The prefix makes the ids of Flutterwave's chargebacks different from the dispute ids of other providers.
    disputeId: `flw_${read.id}`,
    transaction: read.tx_ref ?? null,
    // The amount of the payment is unknown: Flutterwave reports only the amount of the chargeback, which may be a part
    // of the payment.
    amountKobo: null,
    status,
    lostKobo: status === 'lost' ? read.amount : undefined,
    resolution: status === 'open' ? null : (read.status ?? null),
    dueAt: providerMoment(read.due_date),
  }
}
