/** A provider's callback that changes nothing, and why: late, repeated, out of order, or about nothing of ours. */
export interface Ignored {
  readonly is: 'ignored'
  readonly reason: string
  /** The records it is about, for the person who looks into it. */
  readonly ids: Readonly<Record<string, string>>
}

/** What became of a callback; an applied one names the record that it changed. */
export type CallbackOutcome = { readonly is: 'applied'; readonly id: string } | Ignored

export function ignored(reason: string, ids: Readonly<Record<string, string>> = {}): Ignored {
  return { is: 'ignored', reason, ids }
}

/** The record that the audit row of a callback names. */
export function changedRecordOf(outcome: CallbackOutcome): string | undefined {
  return outcome.is === 'applied' ? outcome.id : undefined
}
