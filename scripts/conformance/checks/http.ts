import type { Answered, Asked } from '../client.ts'
import { type Operation, type Parameter, parameterOf } from '../document.ts'
import { changedSince, readsOf, withExampleId } from '../effects.ts'
import { generateValue } from '../generate-value.ts'
import { faultsOfError } from '../judge.ts'
import { note } from '../ledger.ts'
import { makeBody } from '../make-body.ts'
import { makePath, makeRequest } from '../make-request.ts'
import { ask, expectStatus, generatorFor, observe, type Run } from '../observe.ts'
import type { RawHeader } from '../raw-request.ts'

/**
 * Malformed HTTP that a proxy and the service may interpret differently: repeated headers, transfer codings, control
 * characters and dot segments. HTTP libraries send none of these, so such a request is a mistake or an attack.
 */

const check = 'http'

export async function checkHttp(run: Run): Promise<void> {
  for (const operation of run.operations) {
    await checkHeads(run, operation)
    const sharing = run.operations.filter(({ template }) => template === operation.template)
    // The route is judged before the method, so one operation of each path is enough.
    if (sharing[0] === operation) await checkDotSegments(run, operation)
  }
}

interface Malformed {
  readonly rawHeaders: readonly RawHeader[]
  readonly status: 400 | 501
  readonly why: string
}

/** A change counts when it happens twice in a row: another client may have caused the first. */
const changesMin = 2

/** Every malformed head is rejected before anything is written. */
async function checkHeads(run: Run, operation: Operation): Promise<void> {
  for (let turn = 0; turn < changesMin; turn++) {
    // A new request each turn: the same creation again would be a conflict and write nothing.
    const asked = requestOf(run, operation, `http ${turn}`)
    const reads = operation.method === 'GET' ? [] : readsOf(run, operation, asked)
    const before = await withExampleId(run, reads)
    const answered = await rejectAll(run, operation, asked)
    const changed = changedSince(before, await withExampleId(run, reads))
    if (changed.length === 0) return
    if (turn < changesMin - 1) continue
    const reasons = changed.map((path) => `A request with a malformed head has changed what ${path} shows.`)
    note(run.ledger, { operation, check, answered }, reasons)
  }
}

/** A head is judged before a record is searched, so an operation without a known record gets an id that nothing has. */
function requestOf(run: Run, operation: Operation, turn: string): Asked {
  const generator = generatorFor(run, { operation, turn })
  const made = makeRequest(generator, operation)
  if (made !== undefined) return made
  const body = makeBody(generator, operation)
  const path = makePath(generator, operation, true) ?? operation.template
  return { method: operation.method, path, as: 'token', ...(body === undefined ? {} : { body }) }
}

/** Returns the last response, which stands for all of them in the report of a change. */
async function rejectAll(run: Run, operation: Operation, asked: Asked): Promise<Answered> {
  const send = ({ rawHeaders, status, why }: Malformed) =>
    observe(run, { operation, check, asked: { ...asked, rawHeaders }, expect: expectStatus([status], why) })
  for (const malformed of malformedHeads(run, operation)) await send(malformed)
  return send(transferCoding)
}

function malformedHeads(run: Run, operation: Operation): Malformed[] {
  return [
    ...repeatedHeadersOf(run, operation).map((rawHeaders): Malformed => {
      const name = rawHeaders[0]?.[0]
      return { rawHeaders, status: 400, why: `The header ${name} is sent twice` }
    }),
    {
      rawHeaders: [['X-Ignored', 'a\u0007b']],
      status: 400,
      why: 'An ignored header has a control character',
    },
  ]
}

/** The body is chunked and not compressed, so a service that ignores `gzip` would accept it. */
const transferCoding: Malformed = {
  rawHeaders: [['Transfer-Encoding', 'gzip, chunked']],
  status: 501,
  why: 'The transfer coding gzip is not supported',
}

/** The headers to repeat, one list for each: only the second value where every request has the header, else both. */
function repeatedHeadersOf(run: Run, operation: Operation): RawHeader[][] {
  const { isSecured, body, isIdempotent, parameters } = operation
  const repeated: RawHeader[][] = [[['Host', 'other.example']]]
  if (isSecured) repeated.push([['Authorization', 'Bearer nonsense']])
  if (body !== undefined) repeated.push([['Content-Type', 'text/plain']])
  // Two keys joined would fit the schema as a third key. Operations that ignore keys ignore repeated ones as well.
  const key = parameterOf(operation, 'Idempotency-Key')
  if (isIdempotent && key !== undefined) {
    repeated.push(['first', 'second'].map((which): RawHeader => [key.name, `${run.mark}-${which}-${run.next()}`]))
  }
  for (const parameter of parameters.filter((each) => each !== key)) {
    const values = singleValuesOf(run, operation, parameter)
    if (values !== undefined) repeated.push(values.map((value): RawHeader => [parameter.name, value]))
  }
  return repeated
}

/** Two values for a header that is no list: the schema allows each value and forbids both joined by a comma. */
function singleValuesOf(run: Run, operation: Operation, parameter: Parameter): string[] | undefined {
  if (parameter.in !== 'header') return undefined
  const { schema } = parameter
  const generator = generatorFor(run, { operation, turn: `repeated ${parameter.name}` })
  // `*` matches any version, so a service that drops one of the two would write.
  const candidates = [...(schema.enum ?? []), '*', generateValue(generator, parameter)].map(String)
  const [first, second = first] = candidates.filter((value) => run.schemas.faultsOf(schema, value).length === 0)
  if (first === undefined || second === undefined) return undefined
  return run.schemas.faultsOf(schema, `${first}, ${second}`).length > 0 ? [first, second] : undefined
}

/** A service that resolves dot segments responds at paths that a proxy in front of it has not checked. */
async function checkDotSegments(run: Run, operation: Operation): Promise<void> {
  const asked = requestOf(run, operation, 'dot segments')
  const other = run.declared.find(({ template }) => firstSegmentOf(template) !== firstSegmentOf(operation.template))
  const sibling = firstSegmentOf(other?.template ?? '/other')
  for (const dots of ['..', '%2e%2e']) {
    const path = `/${sibling}/${dots}${asked.path}`
    const answered = await ask(run, { ...asked, path, rawHeaders: [] })
    note(run.ledger, { operation, check, answered }, [
      ...expectStatus([404], `The path has the dot segment ${dots}`)(answered),
      ...faultsOfError(answered),
    ])
  }
}

const firstSegmentOf = (template: string) => template.split('/')[1]
