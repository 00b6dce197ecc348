import type { Operation } from '../document.ts'
import { codeOf } from '../judge.ts'
import { inOrder } from '../life.ts'
import { makeRequest } from '../make-request.ts'
import { generatorFor, observe, type Run } from '../observe.ts'

/** Requests the schemas allow. All operations are asked in turn, several times: what one creates is what others need. */
export async function checkValid(run: Run): Promise<void> {
  const ordered = inOrder(run.operations)
  for (let round = 0; round < run.runs; round++) {
    for (const operation of ordered) await askValid(run, operation, round)
  }
}

/** Most bodies have ten to twenty parts. */
const littlePercent = 6

async function askValid(run: Run, operation: Operation, round: number): Promise<void> {
  // In turn the example with a part or two changed, and one that is changed more and more, until it is nearly anew.
  const changedPercent = round % 2 === 0 ? littlePercent : Math.round((80 * round) / Math.max(1, run.runs - 1))
  const asked = makeRequest(generatorFor(run, { operation, turn: `valid ${round}`, changedPercent }), operation)
  if (asked === undefined) return
  const answered = await observe(run, { operation, check: 'valid', asked })
  const tested = run.ledger.operations.get(operation.id)
  // A rule between two fields is more than a schema can say, so this is told and is no violation.
  if (tested !== undefined && codeOf(answered.body) === 'validation_failed') tested.refusedThoughValid += 1
}
