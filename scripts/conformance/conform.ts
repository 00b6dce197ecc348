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
import { type ApiResponse, Exhausted, openClient, type TokenName, tokenNames } from './client.ts'
import { type OpenApi, type Operation, operationsOf, readDocument } from './document.ts'
import { newKnown } from './known.ts'
import { type Check, type Ledger, newLedger } from './ledger.ts'
import type { Exchange, Run } from './observe.ts'
import { type Schemas, schemasOf } from './schemas.ts'
import { type UnobservedError, unobservedErrors } from './unobserved-errors.ts'

/** Checks a running service against its own OpenAPI document, operation by operation. */

export interface Conformance {
  readonly url: URL
  readonly tokens: Readonly<Partial<Record<TokenName, string>>>
  readonly seed: number
  readonly runs: number
  readonly maxRequests: number
  readonly maxSeconds: number
  readonly documentPath: string
  /** Names of the operations to check. An empty list means all operations. */
  readonly only: readonly string[]
  /**
   * Names of the checks to run. An empty list means all checks. The examples always run first, because they create the
   * records for the other checks.
   */
  readonly checks: readonly Check[]
  /**
   * Start time of the run in epoch milliseconds. It makes the generated keys differ from the keys of all other runs.
   */
  readonly startedAtMs: number
  /** Callback that gets each request and its response if the response is validated against the document. */
  readonly onExchange?: (exchange: Exchange) => void
  /** Callback that gets each response of the API, validated or not. */
  readonly onResponse?: (response: ApiResponse) => void
}

export interface Outcome {
  readonly ledger: Ledger
  readonly requests: number
  readonly seconds: number
  /** Errors that the document declares and that no response of the run contained. */
  readonly unobserved: readonly UnobservedError[]
  /** Names of the configured tokens. The run skips some checks without `other-token` or `narrow-token`. */
  readonly tokens: readonly TokenName[]
  /** Why the run ended early. Undefined when every check completed. */
  readonly stopped: string | undefined
}

export async function conform(options: Conformance): Promise<Outcome> {
  const begunMs = performance.now()
  const { url, tokens, seed, runs, maxRequests, maxSeconds } = options
  const bounds = { tokens, maxRequests, maxSeconds }
  const served = await openClient({ root: new URL('/', url), ...bounds }).send({
    method: 'GET',
    path: options.documentPath,
  })
  if (served.status !== 200) throw new Error(`GET ${options.documentPath} returned ${served.status}, expected 200.`)
  const { document, schemas } = compiledOf(served.text)
  const root = new URL(document.servers?.[0]?.url ?? '/', url)
  if (root.origin !== url.origin)
    throw new Error(`The server URL of the document is ${root.origin}, but the run may contact only ${url.origin}.`)
  const client = openClient({ root, ...bounds, onResponse: options.onResponse })
  const declared = operationsOf(document)
  const operations = chosenOf(declared, options.only)
  let lastNumber = 0
  const run: Run = {
    ...{ client, declared, operations, seed, runs, schemas, known: newKnown() },
    ledger: newLedger(operations, client.curl),
    tokens: tokenNames.filter((name) => tokens[name] !== undefined),
    keyPrefix: `conformance-${options.startedAtMs}`,
    next: () => options.startedAtMs + lastNumber++,
    located: new Set(),
    onExchange: options.onExchange ?? (() => undefined),
  }
  const stopped = await checkAll(run, options.checks)
  const seconds = (performance.now() - begunMs) / 1000
  const { ledger } = run
  return {
    ledger,
    requests: client.requests() + 1,
    seconds,
    unobserved: unobservedErrors(run),
    tokens: run.tokens,
    stopped,
  }
}

interface Compiled {
  readonly text: string
  readonly document: OpenApi
  readonly schemas: Schemas
}

/**
 * The last checked document with its compiled validators. All passes of a fuzz run check the same document, and
 * compiling its validators takes seconds.
 */
let latest: Compiled | undefined

function compiledOf(text: string): Compiled {
  if (latest?.text === text) return latest
  const document = readDocument(text)
  latest = { text, document, schemas: schemasOf(document) }
  return latest
}

/**
 * Returns the operations to check. Throws for an unknown name, because a run that checks no operation would always
 * pass.
 */
function chosenOf(declared: readonly Operation[], only: readonly string[]): readonly Operation[] {
  const unknown = only.filter((name) => !declared.some(({ id }) => id === name))
  if (unknown.length > 0) throw new Error(`The document has no operation ${unknown.join(', ')}.`)
  return only.length === 0 ? declared : declared.filter(({ id }) => only.includes(id))
}

/**
 * The checks in the order in which they run. Examples and valid requests come first, because the other checks use the
 * records that they create.
 */
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
