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
 * Percentage of the parts of a body that a small change affects. Most bodies have ten to twenty parts, so this changes
 * about one of them.
 */
const littlePercent = 6

async function checkValidRequest(run: Run, operation: Operation, round: number): Promise<void> {
  // Even rounds change a part or two of the example; odd rounds change more each time, up to 80 percent.
  const changedPercent = round % 2 === 0 ? littlePercent : Math.round((80 * round) / Math.max(1, run.runs - 1))
  const request = makeRequest(generatorFor(run, { operation, purpose: `valid ${round}`, changedPercent }), operation)
  if (request === undefined) return
  const response = await observe(run, { operation, check: 'valid', request })
  const tested = run.ledger.operations.get(operation.id)
  // A schema cannot express a rule between two fields, so the rejection of a body that its schema allows is counted and
  // is no violation.
  if (tested !== undefined && codeOf(response.body) === 'validation_failed') tested.rejectedThoughValid += 1
}
