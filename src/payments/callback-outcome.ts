import type { EventPayload } from '../../registry/webhooks/webhooks.ts'

/** An ignored provider callback with the reason: late, duplicate, out of order, or unrelated. */
export interface Ignored {
  readonly is: 'ignored'
  readonly reason: string
  /** The ids of the affected records, for investigation. */
  readonly ids: Readonly<Record<string, string | number>>
  /** A payment that cannot be recorded, which is reported to the merchant. */
  readonly unmatched?: UnmatchedPayment
}

export type UnmatchedPayment = EventPayload<'payment.unmatched'>

/** The outcome of a callback; `id` is the changed record. */
export type CallbackOutcome = { readonly is: 'applied'; readonly id: string } | Ignored

export function ignored(reason: string, ids: Readonly<Record<string, string | number>> = {}): Ignored {
  return { is: 'ignored', reason, ids }
}

/** Returns the record that a callback's audit row names. */
export function changedRecordOf(outcome: CallbackOutcome): string | undefined {
  return outcome.is === 'applied' ? outcome.id : undefined
}
