import type { ApiRequest } from '../client.ts'
import type { Operation } from '../document.ts'
import { inLifecycleOrder, isCreation } from '../lifecycle.ts'
import { variationsOf } from '../make-body.ts'
import { makeRequest, pairOf, pathsOf } from '../make-request.ts'
import { generatorFor, isSuccess, observe, type Run } from '../observe.ts'
import { checkLocation } from './location.ts'

/**
 * Sends the documented example of each operation with the ids of existing records. The example is repeated with further
 * records until a request succeeds, because the document does not say which states allow the operation. The other
 * checks use the records that these requests create.
 */
export async function checkExamples(run: Run): Promise<void> {
  const ordered = inLifecycleOrder(run.operations)
  const succeeded = new Set<Operation>()
  for (let round = 0; round < rounds; round++) {
    for (const operation of ordered) {
      // Lists are requested again in every round, because they then return the records created since the last round.
      if (succeeded.has(operation) && !operation.isList) continue
      if (await reach(run, operation, round)) succeeded.add(operation)
    }
  }
}

/**
 * Number of rounds in which all examples are sent. An operation may need a record that a later operation creates. Three
 * rounds suffice for all operations of this service.
 */
const rounds = 3

/**
 * Maximum number of records with which a check tries an operation, because not every record is in a state that allows
 * the operation.
 */
const triesMax = 40

/** Number of records to create of each kind: several, because later checks delete or complete some of them. */
const creations = 4

async function reach(run: Run, operation: Operation, turn: number): Promise<boolean> {
  const isReached = await repeat(run, operation, turn)
  if (isReached && isCreation(operation)) await vary(run, operation)
  return isReached
}

async function repeat(run: Run, operation: Operation, turn: number): Promise<boolean> {
  let successes = 0
  for (const request of examplesOf(run, operation, turn)) {
    const response = await observe(run, { operation, check: 'example', request })
    if (isSuccess(response)) {
      successes += 1
      await checkLocation(run, operation, response)
    }
    if (successes >= (isCreation(operation) ? creations : 1)) return true
  }
  return successes > 0
}

/**
 * Creates records through requests that differ from the example, such as drafts or shipments of each carrier, for the
 * other checks.
 */
async function vary(run: Run, operation: Operation): Promise<void> {
  const generator = generatorFor(run, { operation, purpose: 'variation' })
  for (const body of variationsOf(generator, operation)) {
    const request = makeRequest(generator, operation)
    if (request !== undefined) await observe(run, { operation, check: 'example', request: { ...request, body } })
  }
}

/** Generates requests lazily, so that each request can use the records in the previous responses. */
function* examplesOf(run: Run, operation: Operation, turn: number): Generator<ApiRequest> {
  const tried = new Set<string>()
  for (let tries = 0; tries < triesMax; tries++) {
    const generator = generatorFor(run, { operation, purpose: `example ${turn} ${tries}` })
    const path = pathsOf(generator, operation).find((each) => !tried.has(each))
    const isSame = !operation.template.includes('{') && operation.body === undefined
    if (path === undefined || (isSame && tries > 0)) break
    if (operation.template.includes('{')) tried.add(path)
    const request = makeRequest(generator, operation, path)
    if (request !== undefined) yield request
  }
  // An operation that requires at least one of several query parameters declares all of them as optional. Therefore
  // each of them is sent alone.
  for (const parameter of operation.parameters) {
    const [example] = parameter.schema.examples ?? []
    const request = makeRequest(generatorFor(run, { operation, purpose: 'example' }), operation)
    if (parameter.in !== 'query' || example === undefined || request === undefined) continue
    yield { ...request, path: `${request.path.replace(/\?.*/s, '')}?${pairOf(parameter, example)}` }
  }
}
