import type { Answered, Asked } from './client.ts'
import type { Operation } from './document.ts'

/** What was checked of each operation, and what was found. */

export const checks = [
  'example',
  'valid',
  'broken',
  'auth',
  'scope',
  'tenancy',
  'pages',
  'idempotency',
  'versions',
  'location',
  'filters',
  'dry-run',
  'refusals',
  'methods',
  'http',
  'docs',
] as const

export type Check = (typeof checks)[number]

export interface Violation {
  readonly operation: string
  readonly check: Check
  readonly reason: string
  readonly curl: string
  readonly status: number | undefined
  /** The beginning of the answer. */
  readonly answer: string
}

export interface Tested {
  readonly checked: Partial<Record<Check, number>>
  readonly violated: Partial<Record<Check, number>>
  /** How often each status was answered. */
  readonly statuses: Record<string, number>
  /** The codes of the errors that were met. */
  readonly codes: Set<string>
  /** Requests its schemas allow and that were refused all the same as not fitting them. */
  refusedThoughValid: number
}

export interface Ledger {
  readonly violations: Violation[]
  readonly operations: Map<string, Tested>
  /** Every page of an error that an answer pointed to, with the answer that did. */
  readonly docUrls: Map<string, { readonly operation: Operation; readonly asked: Asked }>
  /** Members of answers that the document does not name: operation, status and path. */
  readonly undeclared: Set<string>
  readonly curl: (asked: Asked) => string
}

export function newLedger(operations: readonly Operation[], curl: (asked: Asked) => string): Ledger {
  const tested = operations.map(({ id }): [string, Tested] => [
    id,
    { checked: {}, violated: {}, statuses: {}, codes: new Set(), refusedThoughValid: 0 },
  ])
  return { violations: [], operations: new Map(tested), docUrls: new Map(), undeclared: new Set(), curl }
}

/** As much of an answer as explains it. */
const shownMax = 600

/** Notes one thing that was checked, and each reason for which it does not hold. */
export function note(
  ledger: Ledger,
  { operation, check, answered }: { operation: Operation; check: Check; answered: Answered },
  reasons: readonly string[],
): void {
  const tested = ledger.operations.get(operation.id)
  if (tested === undefined) throw new Error(`${operation.id} is in the document.`)
  tested.checked[check] = (tested.checked[check] ?? 0) + 1
  if (reasons.length > 0) tested.violated[check] = (tested.violated[check] ?? 0) + 1
  for (const reason of reasons) {
    ledger.violations.push({
      operation: operation.id,
      check,
      reason,
      curl: ledger.curl(answered.asked),
      status: answered.status,
      answer: answered.text.slice(0, shownMax),
    })
  }
}
