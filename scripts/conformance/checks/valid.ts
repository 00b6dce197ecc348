import type { Operation } from '../document.ts'
import { codeOf } from '../judge.ts'
import { makeRequest } from '../make-request.ts'
import { generatorFor, observe, type Run } from '../observe.ts'

/**
 * Requests the schemas allow. All operations are asked in turn, several times: what one creates is what the next needs,
 * and what ends a record’s life comes last.
 */
export async function checkValid(run: Run): Promise<void> {
  const ordered = [...run.operations].sort((a, b) => rankOf(a) - rankOf(b))
  for (let round = 0; round < run.runs; round++) {
    for (const operation of ordered) await askValid(run, operation, round)
  }
}

async function askValid(run: Run, operation: Operation, round: number): Promise<void> {
  // The example as it is, then changed more and more, then nearly anew.
  const changedPercent = Math.round((80 * round) / Math.max(1, run.runs - 1))
  const asked = makeRequest(generatorFor(run, operation, `valid ${round}`, changedPercent), operation)
  if (asked === undefined) return
  const answered = await observe(run, { operation, check: 'valid', asked })
  const tested = run.ledger.operations.get(operation.id)
  // A rule between two fields is more than a schema can say, so this is told and is no violation.
  if (tested !== undefined && codeOf(answered.body) === 'validation_failed') tested.refusedThoughValid += 1
}

/** Lists, creations, creations below a record, reads, changes, actions, ends. */
function rankOf({ method, template, answers }: Operation): number {
  const isBelow = template.includes('{')
  const isCreation = Object.hasOwn(answers, '201')
  if (method === 'GET') return isBelow ? 4 : 1
  if (method === 'POST' && isCreation) return isBelow ? 3 : 2
  if (method === 'DELETE') return 7
  return method === 'PATCH' ? 5 : 6
}
