import type { ApiRequest, ApiResponse } from '../client.ts'
import { type Operation, parameterOf } from '../document.ts'
import { changesBy, readsOf } from '../effects.ts'
import { note } from '../ledger.ts'
import { makeRequest } from '../make-request.ts'
import { dryRunHeader, expectStatus, generatorFor, isSuccess, observe, type Run } from '../observe.ts'
import { codeOf } from '../validate-response.ts'

/**
 * Checks that a repeated request with the same key and body returns the first response, and that operations without
 * idempotency accept a key and ignore it.
 */

const header = 'Idempotency-Key'

/**
 * Maximum number of requests that are sent until one succeeds, because a randomly chosen record may be in an unsuitable
 * state.
 */
const triesMax = 30

/**
 * Maximum number of rounds. Each round sends a successful request again with another key. The rounds end when the
 * repeated request succeeds. This is usually the first round, because most orders allow more than one refund.
 */
const roundsMax = 6

/**
 * Number of concurrent requests with one idempotency key: enough to overlap, and few enough not to wait for a database
 * connection.
 */
const atOnce = 4

export async function checkIdempotency(run: Run): Promise<void> {
  for (const operation of run.operations) {
    if (parameterOf(operation, header) === undefined) continue
    if (operation.isIdempotent) await checkHonoured(run, operation)
    else await checkIgnored(run, operation)
  }
}

async function checkIgnored(run: Run, operation: Operation): Promise<void> {
  const request = makeRequest(generatorFor(run, { operation, purpose: 'ignored key', changedPercent: 10 }), operation)
  if (request === undefined) return
  const keyed = withKey(request, 'x'.repeat(300))
  await observe(run, {
    operation,
    check: 'idempotency',
    request: keyed,
    expect: (response) => {
      const value = response.headers.get('idempotency-status')
      return isSuccess(response) && value !== 'ignored'
        ? [`Idempotency-Status is ${value} although the operation ignores keys.`]
        : []
    },
  })
}

async function checkHonoured(run: Run, operation: Operation): Promise<void> {
  for (let round = 0; round < roundsMax; round++) {
    const first = await firstSuccess(run, operation, `one ${round}`)
    if (first === undefined) return
    await checkReplayed(run, operation, first)
    if (round === 0) await checkConflict(run, operation, first)
    // Some operations cannot succeed twice for the same record, even with another key. For these operations, a replay
    // that changes nothing proves nothing, so the loop tries another request.
    const request = withKey(first.request, `${run.keyPrefix}-repeated-${round}`)
    const repeated = await observe(run, { operation, check: 'idempotency', request })
    if (isSuccess(repeated)) break
  }
  await checkParallel(run, operation)
}

async function checkReplayed(run: Run, operation: Operation, first: ApiResponse): Promise<void> {
  let replayed = first
  const changes = await changesBy(run, readsOf(run, operation, first.request), async () => {
    const expect = (response: ApiResponse) => faultsOfReplay(first, response)
    replayed = await observe(run, { operation, check: 'idempotency', request: first.request, expect })
  })
  const reasons = changes.map((path) => `The same key and body changed GET ${path}: the request was executed twice.`)
  note(run.ledger, { operation, check: 'idempotency', response: replayed }, reasons)
}

async function checkConflict(run: Run, operation: Operation, { request }: ApiResponse): Promise<void> {
  await observe(run, {
    operation,
    check: 'idempotency',
    request: { ...request, body: { ...Object(request.body), ...changed(request.body) } },
    expect: (response) => [
      ...expectStatus([409], 'The same key with another body')(response),
      ...(codeOf(response.body)?.startsWith('idempotency_')
        ? []
        : ['The error code does not start with `idempotency_`.']),
    ],
  })
}

/**
 * Sends several concurrent requests with one idempotency key. Checks that only one is executed, and that the others
 * replay its response or fail.
 */
async function checkParallel(run: Run, operation: Operation): Promise<void> {
  for (let tries = 0; tries < triesMax; tries++) {
    const request = keyedRequest(run, operation, `parallel ${tries}`)
    if (request === undefined) return
    const all = await Promise.all(
      Array.from({ length: atOnce }, () => observe(run, { operation, check: 'idempotency', request })),
    )
    const [first, ...others] = all.filter(isSuccess)
    if (first === undefined) continue
    const reasons = others.flatMap((other) => faultsOfReplay(first, other))
    await observe(run, { operation, check: 'idempotency', request, expect: () => reasons })
    return
  }
}

async function firstSuccess(run: Run, operation: Operation, purpose: string): Promise<ApiResponse | undefined> {
  for (let tries = 0; tries < triesMax; tries++) {
    const request = keyedRequest(run, operation, `${purpose} ${tries}`)
    if (request === undefined) return undefined
    const response = await observe(run, { operation, check: 'idempotency', request })
    if (isSuccess(response)) return response
  }
  return undefined
}

/**
 * Returns a request with a new idempotency key. The dry run header is removed, because the service does not store the
 * key of a dry run.
 */
function keyedRequest(run: Run, operation: Operation, purpose: string): ApiRequest | undefined {
  const made = makeRequest(generatorFor(run, { operation, purpose, changedPercent: 30 }), operation)
  if (made === undefined) return undefined
  const { [dryRunHeader]: _, ...headers } = { ...made.headers }
  return withKey({ ...made, headers }, `${run.keyPrefix}-${purpose.replaceAll(' ', '-')}`)
}

function faultsOfReplay(first: ApiResponse, again: ApiResponse): string[] {
  if (first.status === again.status && first.text === again.text) return []
  return [`The same key and body returned ${again.status} after ${first.status}, or the two response bodies differ.`]
}

function withKey(request: ApiRequest, key: string): ApiRequest {
  return { ...request, headers: { ...request.headers, [header]: key } }
}

/** Returns the body with one change: another value for its first number or, if it has no number, for its first text. */
function changed(body: unknown): object {
  const fields = Object.entries(Object(body))
  for (const [name, value] of fields) if (typeof value === 'number') return { [name]: value + 1 }
  for (const [name, value] of fields) if (typeof value === 'string') return { [name]: `${value}x` }
  return {}
}
