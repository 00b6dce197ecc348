import type { ApiRequest, ApiResponse } from '../client.ts'
import { type Operation, type Parameter, parameterOf } from '../document.ts'
import { changedSince, readAll, readsOf } from '../effects.ts'
import { generateValue } from '../generate-value.ts'
import { note } from '../ledger.ts'
import { makeBody } from '../make-body.ts'
import { makePath, makeRequest } from '../make-request.ts'
import { expectStatus, generatorFor, observe, type Run, send } from '../observe.ts'
import type { RawHeader } from '../raw-request.ts'
import { faultsOfError } from '../validate-response.ts'

/**
 * Malformed HTTP that a proxy and the service may interpret differently: repeated headers, transfer codings, control
 * characters and dot segments. HTTP libraries send none of these, so such a request is a mistake or an attack.
 */

const check = 'http'

export async function checkHttp(run: Run): Promise<void> {
  for (const operation of run.operations) {
    await checkHeads(run, operation)
    const sharing = run.operations.filter(({ template }) => template === operation.template)
    // The service matches the path before the method, so checking one operation of each path is enough.
    if (sharing[0] === operation) await checkDotSegments(run, operation)
  }
}

interface Malformed {
  readonly rawHeaders: readonly RawHeader[]
  readonly status: 400 | 501
  readonly why: string
}

/**
 * A malformed request counts as a violation only if a record seems to change this many times in a row, because another
 * client may have caused a single change.
 */
const changesMin = 2

/** Checks that the service rejects every request with a malformed head, and that it has written nothing. */
async function checkHeads(run: Run, operation: Operation): Promise<void> {
  for (let attempt = 0; attempt < changesMin; attempt++) {
    // Each attempt builds a new request, because a repeated creation would be a conflict and write nothing.
    const request = requestOf(run, operation, `http ${attempt}`)
    const reads = operation.method === 'GET' ? [] : readsOf(run, operation, request)
    const before = await readAll(run, reads)
    const response = await rejectAll(run, operation, request)
    const changed = changedSince(before, await readAll(run, reads))
    if (changed.length === 0) return
    if (attempt < changesMin - 1) continue
    const reasons = changed.map((path) => `A request with a malformed head changed GET ${path}.`)
    note(run.ledger, { operation, check, response }, reasons)
  }
}

/**
 * Returns a valid request. When no record exists, the request has a nonexistent id, because the service validates the
 * request head before it looks up the id.
 */
function requestOf(run: Run, operation: Operation, purpose: string): ApiRequest {
  const generator = generatorFor(run, { operation, purpose })
  const made = makeRequest(generator, operation)
  if (made !== undefined) return made
  const body = makeBody(generator, operation)
  const path = makePath(generator, operation, true) ?? operation.template
  return { method: operation.method, path, as: 'token', ...(body === undefined ? {} : { body }) }
}

/**
 * Sends the request once with each malformed request head. Returns the last response, which the report shows if one of
 * these requests changed a record.
 */
async function rejectAll(run: Run, operation: Operation, request: ApiRequest): Promise<ApiResponse> {
  const sendMalformed = ({ rawHeaders, status, why }: Malformed) =>
    observe(run, { operation, check, request: { ...request, rawHeaders }, expect: expectStatus([status], why) })
  for (const malformed of malformedHeads(run, operation)) await sendMalformed(malformed)
  return sendMalformed(transferCoding)
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

/**
 * The request declares `gzip, chunked`, but its body is chunked without compression: a service that ignores `gzip`
 * would accept the body.
 */
const transferCoding: Malformed = {
  rawHeaders: [['Transfer-Encoding', 'gzip, chunked']],
  status: 501,
  why: 'The transfer coding gzip is not supported',
}

/**
 * Returns the additions to a request that each repeat one header: one value if the request already has the header,
 * otherwise two values.
 */
function repeatedHeadersOf(run: Run, operation: Operation): RawHeader[][] {
  const { isSecured, body, isIdempotent, parameters } = operation
  const repeated: RawHeader[][] = [[['Host', 'other.example']]]
  if (isSecured) repeated.push([['Authorization', 'Bearer nonsense']])
  if (body !== undefined) repeated.push([['Content-Type', 'text/plain']])
  // `Idempotency-Key` is handled separately, because two keys joined by a comma match the schema of one key. Operations
  // that ignore the header also accept it twice.
  const key = parameterOf(operation, 'Idempotency-Key')
  if (isIdempotent && key !== undefined) {
    repeated.push(['first', 'second'].map((which): RawHeader => [key.name, `${run.keyPrefix}-${which}-${run.next()}`]))
  }
  for (const parameter of parameters.filter((each) => each !== key)) {
    const values = singleValuesOf(run, operation, parameter)
    if (values !== undefined) repeated.push(values.map((value): RawHeader => [parameter.name, value]))
  }
  return repeated
}

/**
 * Returns two values for a header that allows only one. The schema of the header allows each value, but not both values
 * joined by a comma.
 */
function singleValuesOf(run: Run, operation: Operation, parameter: Parameter): string[] | undefined {
  if (parameter.in !== 'header') return undefined
  const { schema } = parameter
  const generator = generatorFor(run, { operation, purpose: `repeated ${parameter.name}` })
  // `If-Match: *` matches any version. If a header contains `*` and another value, a service that ignores the other
  // value would execute the write.
  const candidates = [...(schema.enum ?? []), '*', generateValue(generator, parameter)].map(String)
  const [first, second = first] = candidates.filter((value) => run.schemas.faultsOf(schema, value).length === 0)
  if (first === undefined || second === undefined) return undefined
  return run.schemas.faultsOf(schema, `${first}, ${second}`).length > 0 ? [first, second] : undefined
}

/**
 * Checks that the service does not resolve dot segments, because a proxy in front of it may not have checked the
 * resolved path.
 */
async function checkDotSegments(run: Run, operation: Operation): Promise<void> {
  const request = requestOf(run, operation, 'dot segments')
  const other = run.declared.find(({ template }) => firstSegmentOf(template) !== firstSegmentOf(operation.template))
  const sibling = firstSegmentOf(other?.template ?? '/other')
  for (const dots of ['..', '%2e%2e']) {
    const path = `/${sibling}/${dots}${request.path}`
    const response = await send(run, { ...request, path, rawHeaders: [] })
    note(run.ledger, { operation, check, response }, [
      ...expectStatus([404], `The path has the dot segment ${dots}`)(response),
      ...faultsOfError(response),
    ])
  }
}

const firstSegmentOf = (template: string) => template.split('/')[1]
