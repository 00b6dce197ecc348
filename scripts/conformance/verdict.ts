import type { Outcome } from './conform.ts'
import type { Ledger, Tested } from './ledger.ts'

export type Verdict =
  | { readonly is: 'passed' }
  | { readonly is: 'violated' }
  | { readonly is: 'stopped' }
  /** Operations that were never requested. */
  | { readonly is: 'untried'; readonly operations: readonly string[] }
  /** Operations that never succeeded, for example because they are not implemented. */
  | { readonly is: 'unseen'; readonly operations: readonly string[] }

export function verdictOf({ ledger, stopped }: Outcome, allowsUnseen: boolean): Verdict {
  if (ledger.violations.length > 0) return { is: 'violated' }
  if (stopped !== undefined) return { is: 'stopped' }
  const unseen = unseenIn(ledger)
  // The option `allowsUnseen` permits operations that never succeeded because records were missing. A run in which no
  // operation succeeded still fails.
  if (allowsUnseen && unseen.length < ledger.operations.size) return { is: 'passed' }
  const untried = untriedIn(ledger)
  if (untried.length > 0) return { is: 'untried', operations: untried }
  return unseen.length > 0 ? { is: 'unseen', operations: unseen } : { is: 'passed' }
}

export function exitCodeOf({ is }: Verdict): 0 | 1 | 2 {
  switch (is) {
    case 'passed':
      return 0
    case 'violated':
    case 'stopped':
    case 'unseen':
      return 1
    case 'untried':
      return 2
  }
}

/**
 * Returns the operations to which the run sent no valid request. Requests for nonexistent records, or without a token,
 * are ignored.
 */
export function untriedIn({ operations }: Ledger): string[] {
  return [...operations].filter(([, { checked }]) => (checked.example ?? checked.valid) === undefined).map(([id]) => id)
}

export function unseenIn({ operations }: Ledger): string[] {
  return [...operations].filter(([, tested]) => !hasSucceeded(tested)).map(([id]) => id)
}

function hasSucceeded({ statuses }: Tested): boolean {
  return Object.keys(statuses).some((status) => status.startsWith('2'))
}
