import type { Asked } from '../client.ts'
import { type Operation, type Parameter, parameterOf } from '../document.ts'
import type { Generator as Values } from '../generate-value.ts'
import { isCreation } from '../life.ts'
import { madeUpId, makePath, makeRequest, pairOf, pathParametersOf, pathsOf, pathWith } from '../make-request.ts'
import { expectStatus, generatorFor, isSuccess, observe, type Run } from '../observe.ts'
import { otherBodies, othersOf, pairedBodies, twistedBodies } from '../twists.ts'

/**
 * Requests that fit their schemas and that a rule refuses: an error that is declared and never met may be declared in
 * vain, and one that is met and not declared is drift. What is refused is for the service to say, and how it may be
 * refused for the document.
 */
export async function checkRefusals(run: Run): Promise<void> {
  for (const operation of run.operations) {
    if (operation.method === 'GET') {
      await checkRanges(run, operation)
      if (!operation.isList) await askQueries(run, operation)
    } else {
      await askStates(run, operation)
    }
    await askMissing(run, operation)
    await askTwists(run, operation)
    if (isCreation(operation)) await askTwice(run, operation)
    if (operation.method === 'DELETE') await askAll(run, operation)
  }
}

/** A time that ends before it begins holds nothing, and was not meant. */
async function checkRanges(run: Run, operation: Operation): Promise<void> {
  const path = makePath(generatorFor(run, { operation, turn: 'range' }), operation)
  if (path === undefined) return
  for (const from of operation.parameters) {
    if (from.in !== 'query' || from.schema.format !== 'date-time' || !from.name.endsWith('From')) continue
    const to = parameterOf(operation, from.name.replace(/From$/, 'To'))
    if (to === undefined) continue
    const query = `${pairOf(from, '2026-01-02T00:00:00Z')}&${pairOf(to, '2026-01-01T00:00:00Z')}`
    await observe(run, {
      operation,
      check: 'refusals',
      asked: { method: 'GET', path: `${path}?${query}`, as: 'token' },
      expect: expectStatus([400], `${to.name} is before ${from.name}`),
    })
  }
}

/** One record of each state there is. */
async function askStates(run: Run, operation: Operation): Promise<void> {
  const generator = generatorFor(run, { operation, turn: 'states' })
  const parameters = pathParametersOf(operation)
  if (parameters.length === 0) return
  const byState = new Map<string, string>()
  for (const ids of run.known.together(parameters.map(({ schema }) => schema.pattern ?? ''))) {
    const state = run.known.stateOf(ids.at(-1) ?? '')
    if (!byState.has(state)) byState.set(state, pathWith(operation, ids))
  }
  for (const path of byState.values()) {
    const asked = makeRequest(generator, operation)
    if (asked !== undefined) await observe(run, { operation, check: 'refusals', asked: { ...asked, path } })
  }
}

/** The path with one id of nobody, the others of records that exist. */
async function askMissing(run: Run, operation: Operation): Promise<void> {
  const generator = generatorFor(run, { operation, turn: 'made up' })
  const [path, missing] = [makePath(generator, operation), makePath(generator, operation, true)]
  const asked = makeRequest(generator, operation)
  if (path === undefined || missing === undefined || asked === undefined) return
  const [parts, others] = [path.split('/'), missing.split('/')]
  for (const at of parts.keys()) {
    if (parts[at] === others[at]) continue
    await observe(run, {
      operation,
      check: 'refusals',
      asked: { ...asked, path: parts.map((part, index) => (index === at ? others[at] : part)).join('/') },
      expect: expectStatus([404], 'The path names what does not exist'),
    })
  }
}

async function askTwists(run: Run, operation: Operation): Promise<void> {
  const generator = generatorFor(run, { operation, turn: 'twists' })
  let at = 0
  for (const body of twistedBodies(generator, operation)) {
    const paths = pathsOf(generator, operation)
    const made = makeRequest(generator, operation)
    if (made === undefined) return
    // Not always the same record: what one twist did to it would be all that the next one meets.
    const asked: Asked = { ...made, body, path: paths[at++ % Math.min(paths.length, recordsMax)] ?? made.path }
    await observe(run, { operation, check: 'refusals', asked })
  }
  // Twice over, the second time with a name of its own: what a record is good for once it may not be good for again.
  for (const turn of ['first', 'second']) {
    const again = generatorFor(run, { operation, turn: `paired ${turn}` })
    for (const body of pairedBodies(again, operation)) {
      const made = makeRequest(again, operation)
      if (made !== undefined) await observe(run, { operation, check: 'refusals', asked: { ...made, body } })
    }
  }
}

/** Enough that a record is not spoilt for all that follow. */
const recordsMax = 5

/** How many records are tried before one is in a state for it. */
const triesMax = 10

/** How many other bodies are sent under a name that is taken. */
const othersMax = 3

/** What names one thing of a shop names no second one: the very same creation again, and another of the same name. */
async function askTwice(run: Run, operation: Operation): Promise<void> {
  for (let tries = 0; tries < triesMax; tries++) {
    const generator = generatorFor(run, { operation, turn: `twice ${tries}` })
    const asked = makeRequest(generator, operation)
    if (asked === undefined) return
    const path = pathsOf(generator, operation)[tries] ?? asked.path
    const first = await observe(run, { operation, check: 'refusals', asked: { ...asked, path } })
    if (!isSuccess(first)) continue
    const others = otherBodies(generator, operation, asked.body).slice(0, othersMax)
    for (const body of [asked.body, ...others]) {
      await observe(run, { operation, check: 'refusals', asked: { ...asked, path, body } })
    }
    return
  }
}

/** All that one record holds, one after another: the last of them may have to stay. */
async function askAll(run: Run, operation: Operation): Promise<void> {
  const paths = pathsOf(generatorFor(run, { operation, turn: 'all' }), operation)
  const [first] = paths
  const parent = first?.slice(0, first.lastIndexOf('/') + 1)
  if (parent === undefined || pathParametersOf(operation).length < 2) return
  for (const path of paths.filter((each) => each.startsWith(parent)).slice(0, triesMax)) {
    await observe(run, { operation, check: 'refusals', asked: { method: operation.method, path, as: 'token' } })
  }
}

/** Each parameter otherwise, alone and beside each that makes the request one that is answered. */
async function askQueries(run: Run, operation: Operation): Promise<void> {
  const generator = generatorFor(run, { operation, turn: 'queries' })
  const path = makePath(generator, operation)
  const parameters = operation.parameters.filter((each) => each.in === 'query')
  if (path === undefined) return
  const isNumber = ({ schema }: Parameter) => schema.type === 'number' && schema.minimum !== undefined
  const lowest = parameters.filter(isNumber).map((each) => pairOf(each, each.schema.minimum))
  const queries = [lowest.join('&'), ...parameters.flatMap((each) => queriesOf(generator, each, parameters))]
  for (const query of queries.filter((each) => each !== '')) {
    const asked: Asked = { method: 'GET', path: `${path}?${query}`, as: 'token' }
    await observe(run, { operation, check: 'refusals', asked })
  }
}

function queriesOf(generator: Values, twisted: Parameter, all: readonly Parameter[]): string[] {
  const { schema, name } = twisted
  const values = [...othersOf(generator, { schema, name }), ...unknownOf(generator, twisted)]
  const beside = all.flatMap((each) => {
    const [example] = each.schema.examples ?? []
    return each === twisted || example === undefined ? [] : [`&${pairOf(each, example)}`]
  })
  return values.flatMap((value) => ['', ...beside].map((other) => pairOf(twisted, value) + other))
}

/** A name that fits and that nothing has. */
function unknownOf(generator: Values, { schema }: Parameter): string[] {
  return schema.type === 'string' && schema.pattern !== undefined && schema.format === undefined
    ? [madeUpId(generator, schema)]
    : []
}
