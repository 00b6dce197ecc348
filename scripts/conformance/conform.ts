import { checkAuthentication, checkScopes, checkTenancy } from './checks/access.ts'
import { checkBroken } from './checks/broken.ts'
import { checkDocs } from './checks/docs.ts'
import { checkDryRun } from './checks/dry-run.ts'
import { checkExamples } from './checks/examples.ts'
import { checkFilters } from './checks/filters.ts'
import { checkHttp } from './checks/http.ts'
import { checkIdempotency } from './checks/idempotency.ts'
import { checkMethods } from './checks/methods.ts'
import { checkPages } from './checks/pages.ts'
import { checkRefusals } from './checks/refusals.ts'
import { checkValid } from './checks/valid.ts'
import { checkVersions } from './checks/versions.ts'
import { Exhausted, openClient, type TokenName, tokenNames } from './client.ts'
import { type Operation, operationsOf, readDocument } from './document.ts'
import { newKnown } from './known.ts'
import { type Check, type Ledger, newLedger } from './ledger.ts'
import type { Heard, Run } from './observe.ts'
import { schemasOf } from './schemas.ts'
import { type Unmet, unmetOf } from './unmet.ts'

/** Holds a running service to its own document, operation by operation. */

export interface Conformance {
  readonly url: URL
  readonly tokens: Readonly<Partial<Record<TokenName, string>>>
  readonly seed: number
  readonly runs: number
  readonly maxRequests: number
  readonly maxSeconds: number
  /** Where the document is served. */
  readonly documentPath: string
  /** Only these operations, where some are named. */
  readonly only: readonly string[]
  /** Only these checks, where some are named: after the examples, which make what all of them ask for. */
  readonly checks: readonly Check[]
  /** Makes keys that are new on this service. */
  readonly startedAtMs: number
  /** Is told of every answer that is held to the document. */
  readonly hear?: (heard: Heard) => void
}

export interface Outcome {
  readonly ledger: Ledger
  readonly requests: number
  readonly seconds: number
  /** Errors that the document declares and the run never met. */
  readonly unmet: readonly Unmet[]
  /** Those that were given: without one of them, some of it was not tried. */
  readonly tokens: readonly TokenName[]
  /** Why it ended before everything was checked. */
  readonly stopped: string | undefined
}

export async function conform(options: Conformance): Promise<Outcome> {
  const begunMs = performance.now()
  const { url, tokens, seed, runs, maxRequests, maxSeconds } = options
  const bounds = { tokens, maxRequests, maxSeconds }
  const served = await openClient({ root: new URL('/', url), ...bounds }).ask({
    method: 'GET',
    path: options.documentPath,
  })
  if (served.status !== 200) throw new Error(`${options.documentPath} answers ${served.status}.`)
  const document = readDocument(served.text)
  const root = new URL(document.servers?.[0]?.url ?? '/', url)
  if (root.origin !== url.origin) throw new Error(`The document is of ${root.origin}, and only ${url.origin} is asked.`)
  const client = openClient({ root, ...bounds })
  const declared = operationsOf(document)
  const operations = chosenOf(declared, options.only)
  let taken = 0
  const run: Run = {
    ...{ client, declared, operations, seed, runs, schemas: schemasOf(document), known: newKnown() },
    ledger: newLedger(operations, client.curl),
    tokens: tokenNames.filter((name) => tokens[name] !== undefined),
    mark: `conformance-${options.startedAtMs}`,
    next: () => options.startedAtMs + taken++,
    located: new Set(),
    hear: options.hear ?? (() => undefined),
  }
  const stopped = await checkAll(run, options.checks)
  const seconds = (performance.now() - begunMs) / 1000
  const { ledger } = run
  return { ledger, requests: client.requests() + 1, seconds, unmet: unmetOf(run), tokens: run.tokens, stopped }
}

/** A name that no operation has would leave nothing to be checked, and nothing to be found. */
function chosenOf(declared: readonly Operation[], only: readonly string[]): readonly Operation[] {
  const unknown = only.filter((name) => !declared.some(({ id }) => id === name))
  if (unknown.length > 0) throw new Error(`The document has no operation ${unknown.join(', ')}.`)
  return only.length === 0 ? declared : declared.filter(({ id }) => only.includes(id))
}

/** Examples and requests that fit come first: what they make and find is what all the others ask for. */
const allChecks: readonly (readonly [Check, (run: Run) => Promise<void>])[] = [
  ['example', checkExamples],
  ['dry-run', checkDryRun],
  ['valid', checkValid],
  ['auth', checkAuthentication],
  ['scope', checkScopes],
  ['tenancy', checkTenancy],
  ['pages', checkPages],
  ['filters', checkFilters],
  ['versions', checkVersions],
  ['idempotency', checkIdempotency],
  ['broken', checkBroken],
  ['refusals', checkRefusals],
  ['methods', checkMethods],
  ['http', checkHttp],
  ['docs', checkDocs],
]

async function checkAll(run: Run, names: readonly Check[]): Promise<string | undefined> {
  try {
    for (const [name, check] of allChecks) {
      if (name === 'example' || names.length === 0 || names.includes(name)) await check(run)
    }
  } catch (error) {
    if (error instanceof Exhausted) return error.message
    throw error
  }
  return undefined
}
