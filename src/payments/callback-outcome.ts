import type { EventPayload } from '../../registry/webhooks/webhooks.ts'
import { toKobo } from '../commerce/money.ts'
import type { UnmatchedCharge } from '../partners/payments/provider.ts'

/** An ignored provider callback with the reason: late, duplicate, out of order, or unrelated. */
export interface Ignored {
  readonly is: 'ignored'
  readonly reason: string
  /** The ids of the records that the callback concerns, for investigation. */
  readonly ids: Readonly<Record<string, string | number>>
  /** The payment that cannot be recorded, if any. It is reported to the merchant. */
  readonly unmatched?: UnmatchedPayment
  /** True for a callback about a payment that is not recorded yet. Another process may be recording it. */
  readonly awaitsPayment?: true
}

export type UnmatchedPayment = EventPayload<'payment.unmatched'>

export function unmatchedPaymentOf({ is: _, amountKobo, ...charge }: UnmatchedCharge): UnmatchedPayment {
  return { ...charge, amountKobo: amountKobo === null ? null : toKobo(amountKobo) }
}

/** `id` is the id of the changed record. */
export type CallbackOutcome = { readonly is: 'applied'; readonly id: string } | Ignored

export function ignored(reason: string, ids: Readonly<Record<string, string | number>> = {}): Ignored {
  return { is: 'ignored', reason, ids }
}
