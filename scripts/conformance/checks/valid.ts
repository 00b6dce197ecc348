import type { Operation } from '../document.ts'
import { inLifecycleOrder } from '../lifecycle.ts'
import { makeRequest } from '../make-request.ts'
import { generatorFor, observe, type Run } from '../observe.ts'
import { codeOf } from '../validate-response.ts'

/**
 * Sends valid requests to all operations in rounds, because an operation may need records that other operations create.
 */
export async function checkValid(run: Run): Promise<void> {
  const ordered = inLifecycleOrder(run.operations)
  for (let round = 0; round < run.runs; round++) {
    for (const operation of ordered) await checkValidRequest(run, operation, round)
  }
}

/**
 * Percentage of a body's parts that change in a request with small changes. Most bodies have ten to twenty parts, so
 * about one of them changes.
 */
const littlePercent = 6

async function checkValidRequest(run: Run, operation: Operation, round: number): Promise<void> {
  // In even rounds, one or two parts of the example change. In odd rounds, more parts change each time, up to 80
  // percent.
  const changedPercent = round % 2 === 0 ? littlePercent : Math.round((80 * round) / Math.max(1, run.runs - 1))
  const request = makeRequest(generatorFor(run, { operation, purpose: `valid ${round}`, changedPercent }), operation)
  if (request === undefined) return
  const response = await observe(run, { operation, check: 'valid', request })
  const tested = run.ledger.operations.get(operation.id)
  // A schema cannot express a rule about two fields. If the service rejects a body that the schema allows, the
  // rejection is therefore counted, but it is no violation.
  if (tested !== undefined && codeOf(response.body) === 'validation_failed') tested.rejectedThoughValid += 1
}
