import type { Outcome } from './conform.ts'
import type { Ledger, Tested } from './ledger.ts'

/** What a run says of a service, and what it cannot say. */
export type Verdict =
  | { readonly is: 'kept' }
  | { readonly is: 'violated' }
  | { readonly is: 'stopped' }
  /** Operations of which nothing was asked: nothing can be told of them. */
  | { readonly is: 'untried'; readonly operations: readonly string[] }
  /** Operations that were only seen refusing: one that does nothing at all looks the same. */
  | { readonly is: 'unseen'; readonly operations: readonly string[] }

export function verdictOf({ ledger, stopped }: Outcome, allowsUnseen: boolean): Verdict {
  if (ledger.violations.length > 0) return { is: 'violated' }
  if (stopped !== undefined) return { is: 'stopped' }
  const unseen = unseenIn(ledger)
  // Where nothing at all succeeded it is not the records that lack.
  if (allowsUnseen && unseen.length < ledger.operations.size) return { is: 'kept' }
  const untried = untriedIn(ledger)
  if (untried.length > 0) return { is: 'untried', operations: untried }
  return unseen.length > 0 ? { is: 'unseen', operations: unseen } : { is: 'kept' }
}

export function exitCodeOf({ is }: Verdict): 0 | 1 | 2 {
  switch (is) {
    case 'kept':
      return 0
    case 'violated':
    case 'stopped':
    case 'unseen':
      return 1
    case 'untried':
      return 2
  }
}

/** A request about a record made up, or without a token, says nothing of what the operation does. */
export function untriedIn({ operations }: Ledger): string[] {
  return [...operations].filter(([, { checked }]) => (checked.example ?? checked.valid) === undefined).map(([id]) => id)
}

export function unseenIn({ operations }: Ledger): string[] {
  return [...operations].filter(([, tested]) => !hasSucceeded(tested)).map(([id]) => id)
}

function hasSucceeded({ statuses }: Tested): boolean {
  return Object.keys(statuses).some((status) => status.startsWith('2'))
}
