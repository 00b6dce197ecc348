import type { ApiResponse } from '../conformance/client.ts'
import { type Conformance, conform } from '../conformance/conform.ts'
import type { Violation } from '../conformance/ledger.ts'
import { codeOf } from '../conformance/validate-response.ts'

export interface FuzzOptions {
  readonly url: URL
  readonly seed: number
  readonly requests: number
  /** Creates the merchant of one pass of the fuzz run and returns its tokens. */
  readonly open: () => Promise<Conformance['tokens']>
}

export interface FuzzCount {
  readonly requests: number
  /** Number of responses by status. Responses with a 5xx status are counted by status and error code. */
  readonly statuses: ReadonlyMap<string, number>
  readonly violations: readonly Violation[]
  /** Members of responses that the document does not declare. */
  readonly undeclared: ReadonlySet<string>
}

/**
 * Number of requests of each kind for an operation in one pass. More requests would only make lists longer, without
 * revealing further defects.
 */
const runs = 60

/** Maximum number of violations to report. Further violations usually have the same cause. */
const violationsMax = 20

/**
 * Number of characters of a violating request that are printed: enough to recognise it. `npm run conformance` with the
 * seed prints whole requests.
 */
const shownMax = 400

/** Time limit of a pass. It is not reached, because a pass ends earlier, after its number of requests. */
const passMaxSeconds = 24 * 3_600

/**
 * Sends generated requests in several passes. Each pass has its own merchant and seed, so that neither the lists of the
 * merchant nor the memory of this process grow with the number of requests.
 */
export async function fuzz({ url, seed, requests, open }: FuzzOptions): Promise<FuzzCount> {
  const statuses = new Map<string, number>()
  const violations: Violation[] = []
  const undeclared = new Set<string>()
  let sent = 0
  for (let pass = 0; sent < requests && violations.length < violationsMax; pass++) {
    const outcome = await conform({
      ...{ url, tokens: await open(), seed: seed * 1_000 + pass, runs, only: [], checks: [] },
      ...{ maxRequests: requests - sent, maxSeconds: passMaxSeconds, documentPath: '/api/v1/openapi.json' },
      startedAtMs: Date.now(),
      onResponse: (response) => {
        const status = labelOf(response)
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
      },
    })
    sent += outcome.requests
    const { ledger } = outcome
    for (const { operation, check, reason, curl } of ledger.violations)
      console.log(`${operation} ${check}: ${reason}\n  ${curl.slice(0, shownMax)}`)
    for (const member of ledger.undeclared) undeclared.add(member)
    violations.push(...ledger.violations)
    console.log(`client ${seed}, pass ${pass}: ${outcome.requests} requests in ${Math.round(outcome.seconds)} s`)
  }
  return { requests: sent, statuses, violations, undeclared }
}

function labelOf({ status, body }: ApiResponse): string {
  return status < 500 ? String(status) : `${status} ${codeOf(body) ?? 'without a code'}`
}
