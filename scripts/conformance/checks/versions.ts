import type { ApiRequest, ApiResponse } from '../client.ts'
import { type Operation, parameterOf } from '../document.ts'
import { note } from '../ledger.ts'
import { makeBody, makeUpdate } from '../make-body.ts'
import { makeRequest, pathsOf } from '../make-request.ts'
import { expectStatus, generatorFor, isSuccess, observe, type Run, send } from '../observe.ts'

/**
 * Checks conditional requests: `If-None-Match` with the current ETag returns 304, and `If-Match` with another ETag
 * rejects the request.
 */
export async function checkVersions(run: Run): Promise<void> {
  for (const operation of run.operations) {
    if (hasTag(operation)) await checkUnmodified(run, operation)
    if (parameterOf(operation, 'If-Match') !== undefined) await checkConditionalWrites(run, operation)
  }
}

async function checkUnmodified(run: Run, operation: Operation): Promise<void> {
  const first = await firstTagged(run, operation)
  const tag = first?.headers.get('etag')
  if (first === undefined || typeof tag !== 'string') return
  const conditional = (etag: string): ApiRequest => ({
    ...first.request,
    headers: { ...first.request.headers, 'If-None-Match': etag },
  })
  for (const [etag, why] of listedForms(tag)) {
    await observe(run, {
      operation,
      check: 'versions',
      request: conditional(etag),
      // Another client may have changed the record between the two requests. The record then has another ETag, and
      // nothing is checked.
      expect: (response) => (response.headers.get('etag') === tag ? expectStatus([304], why)(response) : []),
    })
  }
  const expect = expectStatus([200], 'If-None-Match lists other ETags only')
  await observe(run, { operation, check: 'versions', request: conditional('"another", W/"other"'), expect })
}

/**
 * Returns the first successful response with an ETag. Several records are tried, because earlier checks may have
 * deleted some.
 */
async function firstTagged(run: Run, operation: Operation): Promise<ApiResponse | undefined> {
  for (let tries = 0; tries < triesMax; tries++) {
    const request = makeRequest(generatorFor(run, { operation, purpose: `unmodified ${tries}` }), operation)
    if (request === undefined) return undefined
    const response = await observe(run, { operation, check: 'versions', request })
    if (isSuccess(response)) return response.headers.get('etag') === null ? undefined : response
  }
  return undefined
}

/** Reports whether an operation is a read whose response has an ETag. Clients can send the ETag back to get a 304. */
function hasTag({ method, responses }: Operation): boolean {
  const headers = Object.keys(responses['200']?.headers ?? {})
  return method === 'GET' && headers.some((name) => name.toLowerCase() === 'etag')
}

/**
 * Returns values of If-None-Match that match an ETag. RFC 9110 defines a weak comparison for this header, and allows a
 * list of tags.
 */
function listedForms(tag: string): (readonly [etag: string, why: string])[] {
  return [
    [strongOf(tag), 'If-None-Match is the current ETag as a strong tag'],
    [weakOf(tag), 'If-None-Match is the current ETag as a weak tag'],
    [`"another", ${tag}`, 'If-None-Match is a list that ends with the current ETag'],
    [`${weakOf(tag)},W/"another"`, 'If-None-Match is a list that begins with the current ETag'],
    ['*', 'If-None-Match is * and the record exists'],
  ]
}

const strongOf = (tag: string) => tag.replace(/^W\//, '')

/** Returns the weak form of a tag, which a compressing proxy sends to the client instead of a strong tag. */
const weakOf = (tag: string) => `W/${strongOf(tag)}`

/** An ETag with a version number so high that no record reaches it. */
const neverVersion = '"v999999999"'

/**
 * Maximum number of records with which a check tries an operation, because not every record is in a state that allows
 * the operation.
 */
const triesMax = 20

async function checkConditionalWrites(run: Run, operation: Operation): Promise<void> {
  const request = makeRequest(generatorFor(run, { operation, purpose: 'conditional' }), operation)
  if (request === undefined) return
  for (const tag of [neverVersion, weakOf(neverVersion)]) {
    await observe(run, {
      operation,
      check: 'versions',
      request: { ...request, headers: { ...request.headers, 'If-Match': tag } },
      expect: expectStatus(
        [412, 404, 409, ...refusedForm(run, operation, tag)],
        `If-Match is a version that no record has, ${tag}`,
      ),
    })
  }
  const read = run.declared.find((each) => isReadOf(each, operation))
  if (read === undefined) return
  for (const path of pathsOf(generatorFor(run, { operation, purpose: 'conditional' }), operation).slice(0, triesMax)) {
    if (
      await checkConditionalWrite(run, { operation, path, readPath: path.split('/').slice(0, partsOf(read)).join('/') })
    )
      return
  }
}

/**
 * Returns 400 as an additional accepted status, unless the schema of If-Match allows the ETag. If the schema does not
 * allow the ETag, the service may reject the header instead of comparing the ETag.
 */
function refusedForm({ schemas }: Run, operation: Operation, tag: string): number[] {
  const schema = parameterOf(operation, 'If-Match')?.schema
  return schema === undefined || schemas.faultsOf(schema, tag).length > 0 ? [400] : []
}

/**
 * Reports whether one operation reads the record that another changes, such as `/orders/{id}` for
 * `/orders/{id}/cancel`.
 */
function isReadOf({ method, template, isList }: Operation, written: Operation): boolean {
  return method === 'GET' && !isList && `${written.template}/`.startsWith(`${template}/`)
}

const partsOf = ({ template }: Operation) => template.split('/').length

interface ConditionalWrite {
  readonly operation: Operation
  readonly path: string
  readonly readPath: string
}

/**
 * Maximum number of times that a record is read and then written with its ETag. If the record changes each time between
 * the read and the write, no client can use its ETag.
 */
const attemptsMax = 3

/**
 * Checks a write with `If-Match`. Returns true if the check is complete, and false if the caller must try another
 * record.
 */
async function checkConditionalWrite(run: Run, write: ConditionalWrite, attempt = 1): Promise<boolean> {
  const { operation, path, readPath } = write
  const found = await send(run, { method: 'GET', path: readPath, as: 'token' })
  const tag = found.headers.get('etag')
  if (!isSuccess(found) || tag === null) return false
  const generator = generatorFor(run, { operation, purpose: `conditional ${path}` })
  const body = operation.method === 'PATCH' ? makeUpdate(generator, operation) : makeBody(generator, operation)
  const plain: ApiRequest = { method: operation.method, path, as: 'token', ...(body === undefined ? {} : { body }) }
  const conditional = { ...plain, headers: { 'If-Match': tag } }
  const written = await observe(run, { operation, check: 'versions', request: conditional })
  if (written.status === 412) {
    const { headers } = await send(run, { method: 'GET', path: readPath, as: 'token' })
    // Another client may change the record between the read and the write. A shipment also changes when its carrier
    // reports progress.
    if (headers.get('etag') !== tag && attempt < attemptsMax) return checkConditionalWrite(run, write, attempt + 1)
    const reason = 'If-Match is the current ETag, but the request was rejected with 412.'
    note(run.ledger, { operation, check: 'versions', response: written }, [reason])
  }
  if (!isSuccess(written)) {
    // If the same request succeeds without `If-Match`, the version was the reason of the rejection, not the state of
    // the record.
    const unconditional = await observe(run, { operation, check: 'versions', request: plain })
    const isWrong = isSuccess(unconditional) && written.status !== 412
    const reason = `With the current ETag the request is rejected with ${written.status}, without If-Match it succeeds.`
    note(run.ledger, { operation, check: 'versions', response: written }, isWrong ? [reason] : [])
    return isSuccess(unconditional)
  }
  const after = await send(run, { method: 'GET', path: readPath, as: 'token' })
  if (written.headers.get('etag') === null) return true
  // If the ETag is unchanged, the write changed nothing and the record has no previous version to test.
  if (after.headers.get('etag') === tag) return false
  for (const stale of [tag, weakOf(tag)]) {
    const request = { ...plain, headers: { 'If-Match': stale } }
    const statuses = [412, ...refusedForm(run, operation, stale)]
    const expect = expectStatus(statuses, `If-Match is the previous version, ${stale}`)
    await observe(run, { operation, check: 'versions', request, expect })
  }
  await checkWeak(run, { operation, request: plain, tag: weakOf(after.headers.get('etag') ?? tag) })
  return true
}

interface Weak {
  readonly operation: Operation
  readonly request: ApiRequest
  /** The weak form of the record's current ETag. */
  readonly tag: string
}

/**
 * RFC 9110 defines a strong comparison for If-Match, so a weak tag may cause 412 or succeed. A tag that the schema
 * allows must not cause 400.
 */
async function checkWeak(run: Run, { operation, request, tag }: Weak): Promise<void> {
  const isAllowed = refusedForm(run, operation, tag).length === 0
  await observe(run, {
    operation,
    check: 'versions',
    request: { ...request, headers: { 'If-Match': tag } },
    expect: ({ status }) =>
      isAllowed && status === 400
        ? [`The document allows the weak tag ${tag}, but the service rejects it with 400.`]
        : [],
  })
}
