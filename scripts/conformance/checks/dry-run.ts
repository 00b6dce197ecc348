import type { ApiRequest, ApiResponse } from '../client.ts'
import { type Operation, parameterOf } from '../document.ts'
import { changedSince, readAll, readsOf, recordPathsOf } from '../effects.ts'
import { note } from '../ledger.ts'
import { makeUpdate } from '../make-body.ts'
import { makeRequest, pathsOf } from '../make-request.ts'
import { dryRunHeader, expectStatus, generatorFor, isSuccess, observe, type Run, send } from '../observe.ts'

/** Checks that a dry run returns the response of the real request and changes nothing. */

/**
 * Maximum number of records with which a check tries an operation, because not every record is in a state that allows
 * the operation.
 */
const triesMax = 12

/**
 * Number of dry runs that must appear to change a record before the service counts as faulty. One change may come from
 * another client.
 */
const changesMin = 2

export async function checkDryRun(run: Run): Promise<void> {
  for (const operation of run.operations) {
    if (parameterOf(operation, dryRunHeader) !== undefined) await checkChangesNothing(run, operation)
  }
}

async function checkChangesNothing(run: Run, operation: Operation): Promise<void> {
  let times = 0
  for (let tries = 0; tries < triesMax; tries++) {
    const request = dryRunOf(run, operation, tries)
    if (request === undefined) return
    const reads = readsOf(run, operation, request)
    const before = await readAll(run, reads)
    const expect = (response: ApiResponse) => faultsOfEcho(operation, response)
    const response = await observe(run, { operation, check: 'dry-run', request, expect })
    if (!isSuccess(response)) continue
    const changed = changedSince(before, await readAll(run, reads))
    if (changed.length > 0 && ++times < changesMin) continue
    const reasons = changed.map((path) => `A dry run changed GET ${path}.`)
    note(run.ledger, { operation, check: 'dry-run', response }, reasons)
    await checkRepeated(run, operation, response)
    return
  }
}

function dryRunOf(run: Run, operation: Operation, tries: number): ApiRequest | undefined {
  const generator = generatorFor(run, { operation, purpose: `dry run ${tries}` })
  const made = makeRequest(generator, operation)
  // The newest records are tried first, because most of them are still in a state that allows changes.
  const path = pathsOf(generator, operation)[tries] ?? made?.path
  if (made === undefined || path === undefined) return undefined
  const update = operation.method === 'PATCH' ? { body: makeUpdate(generator, operation) } : {}
  return { ...made, ...update, path, headers: { ...made.headers, [dryRunHeader]: 'true' } }
}

async function checkRepeated(run: Run, operation: Operation, { request, status, body }: ApiResponse): Promise<void> {
  const expect = expectStatus([status], 'The same dry run repeated')
  await observe(run, { operation, check: 'dry-run', request, expect })
  const id: unknown = Reflect.get(Object(body), 'id')
  if (typeof id === 'string' && !request.path.includes(id)) await checkAbsent(run, operation, id)
}

/**
 * Checks that the response to a dry run repeats the dry run header. If the response lacked this header, a client would
 * assume that the write happened.
 */
function faultsOfEcho({ responses }: Operation, response: ApiResponse): string[] {
  const declared = Object.keys(responses[String(response.status)]?.headers ?? {})
  if (!isSuccess(response) || !declared.includes(dryRunHeader)) return []
  const value = response.headers.get(dryRunHeader)
  return value === 'true' ? [] : [`The header ${dryRunHeader} is ${value ?? 'missing'} in the response to a dry run.`]
}

async function checkAbsent(run: Run, operation: Operation, id: string): Promise<void> {
  for (const path of recordPathsOf(run, id)) {
    const response = await send(run, { method: 'GET', path, as: 'token' })
    const reasons = response.status === 404 ? [] : [`A dry run created ${id}.`]
    note(run.ledger, { operation, check: 'dry-run', response }, reasons)
  }
}
