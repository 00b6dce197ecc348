import type { Asked } from '../client.ts'
import type { Operation } from '../document.ts'
import { inOrder, isCreation } from '../life.ts'
import { variationsOf } from '../make-body.ts'
import { makeRequest, pairOf, pathsOf } from '../make-request.ts'
import { generatorFor, isSuccess, observe, type Run } from '../observe.ts'
import { checkLocation } from './location.ts'

/**
 * The example of each operation as the document has it, with records that exist in the place of those it names. It is
 * tried with one record after another until it succeeds: only some are in a state for it, and which is not the
 * document’s to say. What is created here is what all the other checks ask for.
 */
export async function checkExamples(run: Run): Promise<void> {
  const ordered = inOrder(run.operations)
  const succeeded = new Set<Operation>()
  for (let turn = 0; turn < turns; turn++) {
    for (const operation of ordered) {
      // A list is asked again, for it tells of what was created since.
      if (succeeded.has(operation) && !operation.isList) continue
      if (await reach(run, operation, turn)) succeeded.add(operation)
    }
  }
}

/** What the last operation makes is what the first one may need; twice over is enough for all there are. */
const turns = 3

/** As many records as are tried for one that is in a state for it. */
const triesMax = 40

/** Enough that what is ended later is not the only one of its kind. */
const creations = 4

async function reach(run: Run, operation: Operation, turn: number): Promise<boolean> {
  const isReached = await repeat(run, operation, turn)
  if (isReached && isCreation(operation)) await vary(run, operation)
  return isReached
}

async function repeat(run: Run, operation: Operation, turn: number): Promise<boolean> {
  let successes = 0
  for (const asked of examplesOf(run, operation, turn)) {
    const answered = await observe(run, { operation, check: 'example', asked })
    if (isSuccess(answered)) {
      successes += 1
      await checkLocation(run, operation, answered)
    }
    if (successes >= (isCreation(operation) ? creations : 1)) return true
  }
  return successes > 0
}

/** Records of each kind there is: what comes later needs one that is a draft, or that a certain carrier has. */
async function vary(run: Run, operation: Operation): Promise<void> {
  const generator = generatorFor(run, { operation, turn: 'variation' })
  for (const body of variationsOf(generator, operation)) {
    const asked = makeRequest(generator, operation)
    if (asked !== undefined) await observe(run, { operation, check: 'example', asked: { ...asked, body } })
  }
}

/** One request after another, each made when it is asked for: by then more is known. */
function* examplesOf(run: Run, operation: Operation, turn: number): Generator<Asked> {
  const tried = new Set<string>()
  for (let tries = 0; tries < triesMax; tries++) {
    const generator = generatorFor(run, { operation, turn: `example ${turn} ${tries}` })
    const path = pathsOf(generator, operation).find((each) => !tried.has(each))
    const isSame = !operation.template.includes('{') && operation.body === undefined
    if (path === undefined || (isSame && tries > 0)) break
    if (operation.template.includes('{')) tried.add(path)
    const asked = makeRequest(generator, operation)
    if (asked !== undefined) yield { ...asked, path: path + queryOf(asked.path) }
  }
  // What needs one of several parameters, and none in particular, declares them all as optional.
  for (const parameter of operation.parameters) {
    const [example] = parameter.schema.examples ?? []
    const asked = makeRequest(generatorFor(run, { operation, turn: 'example' }), operation)
    if (parameter.in !== 'query' || example === undefined || asked === undefined) continue
    yield { ...asked, path: `${asked.path.replace(/\?.*/s, '')}?${pairOf(parameter, example)}` }
  }
}

function queryOf(path: string): string {
  return path.includes('?') ? path.slice(path.indexOf('?')) : ''
}
