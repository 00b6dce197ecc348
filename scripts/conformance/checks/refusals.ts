import type { ApiRequest } from '../client.ts'
import { type Operation, type Parameter, parameterOf } from '../document.ts'
import type { Generator as Values } from '../generate-value.ts'
import { isCreation } from '../lifecycle.ts'
import { makePath, makeRequest, nonexistentId, pairOf, pathParametersOf, pathsOf, pathWith } from '../make-request.ts'
import { mutatedBodies, otherBodies, othersOf, pairedBodies } from '../mutations.ts'
import { expectStatus, generatorFor, isSuccess, observe, type Run } from '../observe.ts'

/**
 * Sends schema-valid requests that business rules may reject. The service decides which ones it rejects; each rejection
 * must be an error that the document declares. The report lists the declared errors that no request provoked.
 */
export async function checkRefusals(run: Run): Promise<void> {
  for (const operation of run.operations) {
    if (operation.method === 'GET') {
      await checkRanges(run, operation)
      if (!operation.isList) await checkQueries(run, operation)
    } else {
      await checkStates(run, operation)
    }
    await checkMissing(run, operation)
    await checkMutations(run, operation)
    if (isCreation(operation)) await checkDuplicates(run, operation)
    if (operation.method === 'DELETE') await checkLastOfRecord(run, operation)
  }
}

/** Text after the date in a bound of a time range, by the format of the parameter. */
const timesOfFormat: Readonly<Record<string, string>> = { 'date-time': 'T00:00:00Z', date: '' }

/** Checks that a time range that ends before its start is rejected. */
async function checkRanges(run: Run, operation: Operation): Promise<void> {
  const path = makePath(generatorFor(run, { operation, purpose: 'range' }), operation)
  if (path === undefined) return
  for (const from of operation.parameters) {
    const time = timesOfFormat[from.schema.format ?? '']
    const to = parameterOf(operation, from.name.replace(/From$/, 'To').replace(/^from$/, 'to'))
    if (from.in !== 'query' || time === undefined || to === undefined || to === from) continue
    const query = `${pairOf(from, `2026-01-02${time}`)}&${pairOf(to, `2026-01-01${time}`)}`
    await observe(run, {
      operation,
      check: 'refusals',
      request: { method: 'GET', path: `${path}?${query}`, as: 'token' },
      expect: expectStatus([400], `${to.name} is before ${from.name}`),
    })
  }
}

/**
 * For each state in which the run has found a record, sends one request of the operation for a record in this state.
 */
async function checkStates(run: Run, operation: Operation): Promise<void> {
  const generator = generatorFor(run, { operation, purpose: 'states' })
  const parameters = pathParametersOf(operation)
  if (parameters.length === 0) return
  const byState = new Map<string, string>()
  for (const ids of run.known.together(parameters.map(({ schema }) => schema.pattern ?? ''))) {
    const state = run.known.stateOf(ids.at(-1) ?? '')
    if (!byState.has(state)) byState.set(state, pathWith(operation, ids))
  }
  for (const path of byState.values()) {
    const request = makeRequest(generator, operation)
    if (request !== undefined) await observe(run, { operation, check: 'refusals', request: { ...request, path } })
  }
}

/** Checks that a path in which one id does not exist returns 404. */
async function checkMissing(run: Run, operation: Operation): Promise<void> {
  const generator = generatorFor(run, { operation, purpose: 'nonexistent' })
  const [path, missing] = [makePath(generator, operation), makePath(generator, operation, true)]
  const request = makeRequest(generator, operation)
  if (path === undefined || missing === undefined || request === undefined) return
  const [parts, others] = [path.split('/'), missing.split('/')]
  for (const at of parts.keys()) {
    if (parts[at] === others[at]) continue
    await observe(run, {
      operation,
      check: 'refusals',
      request: { ...request, path: parts.map((part, index) => (index === at ? others[at] : part)).join('/') },
      expect: expectStatus([404], 'The path contains a nonexistent id'),
    })
  }
}

async function checkMutations(run: Run, operation: Operation): Promise<void> {
  const generator = generatorFor(run, { operation, purpose: 'mutations' })
  let at = 0
  for (const body of mutatedBodies(generator, operation)) {
    const paths = pathsOf(generator, operation)
    const made = makeRequest(generator, operation)
    if (made === undefined) return
    // The mutated requests are sent to different records, because a mutated request may change the state of its record
    // and so affect the next request.
    const request: ApiRequest = { ...made, body, path: paths[at++ % Math.min(paths.length, recordsMax)] ?? made.path }
    await observe(run, { operation, check: 'refusals', request })
  }
  // The requests are sent twice with different unique values, because a record may allow the operation only once.
  for (const round of ['first', 'second']) {
    const again = generatorFor(run, { operation, purpose: `paired ${round}` })
    for (const body of pairedBodies(again, operation)) {
      const made = makeRequest(again, operation)
      if (made !== undefined) await observe(run, { operation, check: 'refusals', request: { ...made, body } })
    }
  }
}

/** Number of records to which the mutated requests are sent in turn. */
const recordsMax = 5

/**
 * Maximum number of records with which a check tries an operation, because not every record is in a state that allows
 * the operation.
 */
const triesMax = 10

/** Maximum number of further bodies that have the same unique values as the first body, such as its SKU. */
const othersMax = 3

/**
 * Repeats a request that creates a record: first unchanged, then with other bodies that have the same unique values,
 * such as the SKU.
 */
async function checkDuplicates(run: Run, operation: Operation): Promise<void> {
  for (let tries = 0; tries < triesMax; tries++) {
    const generator = generatorFor(run, { operation, purpose: `twice ${tries}` })
    const request = makeRequest(generator, operation)
    if (request === undefined) return
    const path = pathsOf(generator, operation)[tries] ?? request.path
    const first = await observe(run, { operation, check: 'refusals', request: { ...request, path } })
    if (!isSuccess(first)) continue
    const others = otherBodies(generator, operation, request.body).slice(0, othersMax)
    for (const body of [request.body, ...others]) {
      await observe(run, { operation, check: 'refusals', request: { ...request, path, body } })
    }
    return
  }
}

/** Deletes all nested records of one record, because an operation may reject the deletion of the last nested record. */
async function checkLastOfRecord(run: Run, operation: Operation): Promise<void> {
  const paths = pathsOf(generatorFor(run, { operation, purpose: 'all' }), operation)
  const [first] = paths
  const parent = first?.slice(0, first.lastIndexOf('/') + 1)
  if (parent === undefined || pathParametersOf(operation).length < 2) return
  for (const path of paths.filter((each) => each.startsWith(parent)).slice(0, triesMax)) {
    await observe(run, { operation, check: 'refusals', request: { method: operation.method, path, as: 'token' } })
  }
}

/** Sends mutated values of each query parameter, alone and together with the example of each other parameter. */
async function checkQueries(run: Run, operation: Operation): Promise<void> {
  const generator = generatorFor(run, { operation, purpose: 'queries' })
  const path = makePath(generator, operation)
  const parameters = operation.parameters.filter((each) => each.in === 'query')
  if (path === undefined) return
  const isNumber = ({ schema }: Parameter) => schema.type === 'number' && schema.minimum !== undefined
  const lowest = parameters.filter(isNumber).map((each) => pairOf(each, each.schema.minimum))
  const queries = [lowest.join('&'), ...parameters.flatMap((each) => queriesOf(generator, each, parameters))]
  for (const query of queries.filter((each) => each !== '')) {
    const request: ApiRequest = { method: 'GET', path: `${path}?${query}`, as: 'token' }
    await observe(run, { operation, check: 'refusals', request })
  }
}

function queriesOf(generator: Values, mutated: Parameter, all: readonly Parameter[]): string[] {
  const { schema, name } = mutated
  const values = [...othersOf(generator, { schema, name }), ...unknownOf(generator, mutated)]
  const beside = all.flatMap((each) => {
    const [example] = each.schema.examples ?? []
    return each === mutated || example === undefined ? [] : [`&${pairOf(each, example)}`]
  })
  return values.flatMap((value) => ['', ...beside].map((other) => pairOf(mutated, value) + other))
}

/** Returns a value that matches the parameter's pattern but identifies no existing record. */
function unknownOf(generator: Values, { schema }: Parameter): string[] {
  return schema.type === 'string' && schema.pattern !== undefined && schema.format === undefined
    ? [nonexistentId(generator, schema)]
    : []
}
