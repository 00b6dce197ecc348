import { checkAuthentication, checkScopes, checkTenancy } from './checks/access.ts'
import { checkBroken } from './checks/broken.ts'
import { checkDocs } from './checks/docs.ts'
import { checkExamples } from './checks/examples.ts'
import { checkIdempotency } from './checks/idempotency.ts'
import { checkMethods } from './checks/methods.ts'
import { checkPages } from './checks/pages.ts'
import { checkValid } from './checks/valid.ts'
import { checkVersions } from './checks/versions.ts'
import { Exhausted, openClient, type TokenName } from './client.ts'
import { operationsOf, readDocument } from './document.ts'
import { newKnown } from './known.ts'
import { type Ledger, newLedger } from './ledger.ts'
import type { Heard, Run } from './observe.ts'
import { schemasOf } from './schemas.ts'

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
  /** Makes keys that are new on this service. */
  readonly startedAtMs: number
  /** Is told of every answer that is held to the document. */
  readonly hear?: (heard: Heard) => void
}

export interface Outcome {
  readonly ledger: Ledger
  readonly requests: number
  readonly seconds: number
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
  const operations = declared.filter(({ id }) => options.only.length === 0 || options.only.includes(id))
  let taken = 0
  const run: Run = {
    ...{ client, declared, operations, seed, runs, schemas: schemasOf(document), known: newKnown() },
    ledger: newLedger(operations, client.curl),
    tokens: (['token', 'other-token', 'narrow-token'] as const).filter((name) => tokens[name] !== undefined),
    mark: `conformance-${options.startedAtMs}`,
    next: () => options.startedAtMs + taken++,
    hear: options.hear ?? (() => undefined),
  }
  const stopped = await checkAll(run)
  const seconds = (performance.now() - begunMs) / 1000
  return { ledger: run.ledger, requests: client.requests() + 1, seconds, tokens: run.tokens, stopped }
}

/** Examples and requests that fit come first: what they make and find is what all the others ask for. */
async function checkAll(run: Run): Promise<string | undefined> {
  const all = [
    ...[checkExamples, checkValid, checkAuthentication, checkScopes, checkTenancy, checkPages, checkVersions],
    ...[checkIdempotency, checkBroken, checkMethods, checkDocs],
  ]
  try {
    for (const check of all) await check(run)
  } catch (error) {
    if (error instanceof Exhausted) return error.message
    throw error
  }
  return undefined
}
