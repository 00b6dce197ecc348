import type { ApiRequest, ApiResponse } from './client.ts'
import type { Operation } from './document.ts'

/** The results of a conformance run: the checks of each operation and the violations found. */

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
  /** The first 600 characters of the response body. */
  readonly responseText: string
}

export interface Tested {
  readonly checked: Partial<Record<Check, number>>
  readonly violated: Partial<Record<Check, number>>
  /** Number of responses of the operation by status. */
  readonly statuses: Record<string, number>
  readonly codes: Set<string>
  /** Number of requests that the schemas allow but that the service rejected with `validation_failed`. */
  rejectedThoughValid: number
}

export interface Ledger {
  readonly violations: Violation[]
  readonly operations: Map<string, Tested>
  /** `docUrl` of every error in a response, with the first request whose response contained it. */
  readonly docUrls: Map<string, { readonly operation: Operation; readonly request: ApiRequest }>
  /**
   * Members of responses that the OpenAPI document does not declare. Each entry names the operation, the response
   * status and the path of the member.
   */
  readonly undeclared: Set<string>
  readonly curl: (request: ApiRequest) => string
}

export function newLedger(operations: readonly Operation[], curl: (request: ApiRequest) => string): Ledger {
  const tested = operations.map(({ id }): [string, Tested] => [
    id,
    { checked: {}, violated: {}, statuses: {}, codes: new Set(), rejectedThoughValid: 0 },
  ])
  return { violations: [], operations: new Map(tested), docUrls: new Map(), undeclared: new Set(), curl }
}

/** Maximum number of characters of a response body that a violation includes. */
const shownMax = 600

/** Stores the execution of one check, and a violation for each of the given reasons. */
export function note(
  ledger: Ledger,
  { operation, check, response }: { operation: Operation; check: Check; response: ApiResponse },
  reasons: readonly string[],
): void {
  const tested = ledger.operations.get(operation.id)
  if (tested === undefined) throw new Error(`The ledger has no operation ${operation.id}.`)
  tested.checked[check] = (tested.checked[check] ?? 0) + 1
  if (reasons.length > 0) tested.violated[check] = (tested.violated[check] ?? 0) + 1
  for (const reason of reasons) {
    ledger.violations.push({
      operation: operation.id,
      check,
      reason,
      curl: ledger.curl(response.request),
      status: response.status,
      responseText: response.text.slice(0, shownMax),
    })
  }
}
