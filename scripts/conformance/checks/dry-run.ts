import type { Answered, Asked } from '../client.ts'
import { type Operation, parameterOf } from '../document.ts'
import { changedSince, readsOf, recordPathsOf, withExampleId } from '../effects.ts'
import { note } from '../ledger.ts'
import { makeRequest, pathsOf } from '../make-request.ts'
import { ask, dryRunHeader, expectStatus, generatorFor, isSuccess, observe, type Run } from '../observe.ts'

/** A dry run answers like the real request and changes nothing, so it can be repeated. */

/** How many records are tried before one is in a state for it. */
const triesMax = 12

/** Somebody else may have changed a record meanwhile, but not two of them. */
const changesMin = 2

export async function checkDryRun(run: Run): Promise<void> {
  for (const operation of run.operations) {
    if (parameterOf(operation, dryRunHeader) !== undefined) await checkChangesNothing(run, operation)
  }
}

async function checkChangesNothing(run: Run, operation: Operation): Promise<void> {
  let times = 0
  for (let tries = 0; tries < triesMax; tries++) {
    const asked = dryRunOf(run, operation, tries)
    if (asked === undefined) return
    const reads = readsOf(run, operation, asked)
    const before = await withExampleId(run, reads)
    const expect = (answered: Answered) => faultsOfEcho(operation, answered)
    const answered = await observe(run, { operation, check: 'dry-run', asked, expect })
    if (!isSuccess(answered)) continue
    const changed = changedSince(before, await withExampleId(run, reads))
    if (changed.length > 0 && ++times < changesMin) continue
    const reasons = changed.map((path) => `A dry run has changed what ${path} shows.`)
    note(run.ledger, { operation, check: 'dry-run', answered }, reasons)
    await checkRepeated(run, operation, answered)
    return
  }
}

function dryRunOf(run: Run, operation: Operation, tries: number): Asked | undefined {
  // A change to what a record is already would change nothing even if it were done.
  const changedPercent = operation.method === 'PATCH' ? 60 : 0
  const generator = generatorFor(run, { operation, turn: `dry run ${tries}`, changedPercent })
  const made = makeRequest(generator, operation)
  // The newest first: most of them can still be changed.
  const path = pathsOf(generator, operation)[tries] ?? made?.path
  if (made === undefined || path === undefined) return undefined
  return { ...made, path, headers: { ...made.headers, [dryRunHeader]: 'true' } }
}

async function checkRepeated(run: Run, operation: Operation, { asked, status, body }: Answered): Promise<void> {
  const expect = expectStatus([status], 'A dry run that was done before, and changed nothing')
  await observe(run, { operation, check: 'dry-run', asked, expect })
  const id: unknown = Reflect.get(Object(body), 'id')
  if (typeof id === 'string' && !asked.path.includes(id)) await checkAbsent(run, operation, id)
}

/** Whoever tried and is not told so takes it for done. */
function faultsOfEcho({ answers }: Operation, answered: Answered): string[] {
  const declared = Object.keys(answers[String(answered.status)]?.headers ?? {})
  if (!isSuccess(answered) || !declared.includes(dryRunHeader)) return []
  const said = answered.headers.get(dryRunHeader)
  return said === 'true' ? [] : [`The header ${dryRunHeader} is ${said ?? 'missing'} in the answer to a dry run.`]
}

/** What a dry run says it would create does not exist. */
async function checkAbsent(run: Run, operation: Operation, id: string): Promise<void> {
  for (const path of recordPathsOf(run, id)) {
    const answered = await ask(run, { method: 'GET', path, as: 'token' })
    const reasons = answered.status === 404 ? [] : [`A dry run has created ${id}.`]
    note(run.ledger, { operation, check: 'dry-run', answered }, reasons)
  }
}
