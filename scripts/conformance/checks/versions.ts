import type { Answered, Asked } from '../client.ts'
import { type Operation, parameterOf } from '../document.ts'
import { note } from '../ledger.ts'
import { makeBody } from '../make-body.ts'
import { makeRequest, pathsOf } from '../make-request.ts'
import { ask, expectStatus, generatorFor, isSuccess, observe, type Run } from '../observe.ts'

/** An answer that is had already is not sent again, and a write held to another version is not done. */
export async function checkVersions(run: Run): Promise<void> {
  for (const operation of run.operations) {
    if (hasTag(operation)) await checkUnmodified(run, operation)
    if (parameterOf(operation, 'If-Match') !== undefined) await checkHeld(run, operation)
  }
}

async function checkUnmodified(run: Run, operation: Operation): Promise<void> {
  const first = await firstTagged(run, operation)
  const tag = first?.headers.get('etag')
  if (first === undefined || typeof tag !== 'string') return
  const holding = (held: string): Asked => ({
    ...first.asked,
    headers: { ...first.asked.headers, 'If-None-Match': held },
  })
  for (const [held, why] of listedForms(tag)) {
    await observe(run, {
      operation,
      check: 'versions',
      asked: holding(held),
      // It may have changed in between, and then has another tag.
      expect: (answered) => (answered.headers.get('etag') === tag ? expectStatus([304], why)(answered) : []),
    })
  }
  const expect = expectStatus([200], 'If-None-Match lists other ETags only')
  await observe(run, { operation, check: 'versions', asked: holding('"another", W/"other"'), expect })
}

/** The first success with an ETag. Several records are tried, because some may have been deleted by earlier checks. */
async function firstTagged(run: Run, operation: Operation): Promise<Answered | undefined> {
  for (let tries = 0; tries < triesMax; tries++) {
    const asked = makeRequest(generatorFor(run, { operation, turn: `unmodified ${tries}` }), operation)
    if (asked === undefined) return undefined
    const answered = await observe(run, { operation, check: 'versions', asked })
    if (isSuccess(answered)) return answered.headers.get('etag') === null ? undefined : answered
  }
  return undefined
}

/** A 200 that declares an ETag promises that the client can send the tag back and be answered 304. */
function hasTag({ method, answers }: Operation): boolean {
  const headers = Object.keys(answers['200']?.headers ?? {})
  return method === 'GET' && headers.some((name) => name.toLowerCase() === 'etag')
}

/** The forms of If-None-Match. RFC 9110 compares its tags weakly, and allows a list of them. */
function listedForms(tag: string): (readonly [held: string, why: string])[] {
  return [
    [strongOf(tag), 'If-None-Match is the current ETag as a strong tag'],
    [weakOf(tag), 'If-None-Match is the current ETag as a weak tag'],
    [`"another", ${tag}`, 'If-None-Match is a list that ends with the current ETag'],
    [`${weakOf(tag)},W/"another"`, 'If-None-Match is a list that begins with the current ETag'],
    ['*', 'If-None-Match is * and the record exists'],
  ]
}

const strongOf = (tag: string) => tag.replace(/^W\//, '')

/** A proxy that compresses makes a strong tag weak on its way to the client. */
const weakOf = (tag: string) => `W/${strongOf(tag)}`

/** No record gets as far as this. */
const neverVersion = '"v999999999"'

/** How many records are tried before one is in a state for it. */
const triesMax = 20

async function checkHeld(run: Run, operation: Operation): Promise<void> {
  const asked = makeRequest(generatorFor(run, { operation, turn: 'held' }), operation)
  if (asked === undefined) return
  for (const tag of [neverVersion, weakOf(neverVersion)]) {
    await observe(run, {
      operation,
      check: 'versions',
      asked: { ...asked, headers: { ...asked.headers, 'If-Match': tag } },
      expect: expectStatus(
        [412, 404, 409, ...refusedForm(run, operation, tag)],
        `If-Match is a version that no record has, ${tag}`,
      ),
    })
  }
  const read = run.declared.find((each) => isReadOf(each, operation))
  if (read === undefined) return
  for (const path of pathsOf(generatorFor(run, { operation, turn: 'held' }), operation).slice(0, triesMax)) {
    if (await holds(run, { operation, path, readPath: path.split('/').slice(0, partsOf(read)).join('/') })) return
  }
}

/** 400 where the schema of If-Match forbids this form of tag: only a tag that the document allows must be compared. */
function refusedForm({ schemas }: Run, operation: Operation, tag: string): number[] {
  const schema = parameterOf(operation, 'If-Match')?.schema
  return schema === undefined || schemas.faultsOf(schema, tag).length > 0 ? [400] : []
}

/** `/orders/{id}` is what `/orders/{id}/cancel` changes. */
function isReadOf({ method, template, isList }: Operation, written: Operation): boolean {
  return method === 'GET' && !isList && `${written.template}/`.startsWith(`${template}/`)
}

const partsOf = ({ template }: Operation) => template.split('/').length

interface Held {
  readonly operation: Operation
  readonly path: string
  readonly readPath: string
}

/** Whether a write held to the current version was done, and so could be judged. */
async function holds(run: Run, { operation, path, readPath }: Held): Promise<boolean> {
  const found = await ask(run, { method: 'GET', path: readPath, as: 'token' })
  const tag = found.headers.get('etag')
  if (!isSuccess(found) || tag === null) return false
  // An update to the values that a record already has would not change its version.
  const changedPercent = operation.method === 'PATCH' ? 60 : 0
  const body = makeBody(generatorFor(run, { operation, turn: `held ${path}`, changedPercent }), operation)
  const free: Asked = { method: operation.method, path, as: 'token', ...(body === undefined ? {} : { body }) }
  const held = { ...free, headers: { 'If-Match': tag } }
  const written = await observe(run, {
    operation,
    check: 'versions',
    asked: held,
    expect: ({ status }) => (status === 412 ? ['The version is the current one, and is refused.'] : []),
  })
  if (!isSuccess(written)) {
    // What is in no state for it is refused either way; what is not, was refused for its version.
    const unheld = await observe(run, { operation, check: 'versions', asked: free })
    const isRefused = isSuccess(unheld) && written.status !== 412
    const reason = `With the current version it is refused with ${written.status}, and without it done.`
    note(run.ledger, { operation, check: 'versions', answered: written }, isRefused ? [reason] : [])
    return isSuccess(unheld)
  }
  const after = await ask(run, { method: 'GET', path: readPath, as: 'token' })
  if (written.headers.get('etag') === null) return true
  // The write changed nothing, so there is no previous version.
  if (after.headers.get('etag') === tag) return false
  for (const stale of [tag, weakOf(tag)]) {
    const asked = { ...free, headers: { 'If-Match': stale } }
    const statuses = [412, ...refusedForm(run, operation, stale)]
    const expect = expectStatus(statuses, `If-Match is the previous version, ${stale}`)
    await observe(run, { operation, check: 'versions', asked, expect })
  }
  await checkWeak(run, { operation, asked: free, tag: weakOf(after.headers.get('etag') ?? tag) })
  return true
}

interface Weak {
  readonly operation: Operation
  readonly asked: Asked
  /** The weak form of the current tag. */
  readonly tag: string
}

/** RFC 9110 compares If-Match strongly, so 412 is correct as well as the write. 400 is not where the schema allows the tag. */
async function checkWeak(run: Run, { operation, asked, tag }: Weak): Promise<void> {
  const isAllowed = refusedForm(run, operation, tag).length === 0
  await observe(run, {
    operation,
    check: 'versions',
    asked: { ...asked, headers: { 'If-Match': tag } },
    expect: ({ status }) =>
      isAllowed && status === 400 ? [`The document allows the weak tag ${tag}, which is refused with 400.`] : [],
  })
}
