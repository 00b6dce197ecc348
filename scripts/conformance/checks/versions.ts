import type { Asked } from '../client.ts'
import { type Operation, parameterOf } from '../document.ts'
import { note } from '../ledger.ts'
import { makeBody } from '../make-body.ts'
import { makeRequest, pathsOf } from '../make-request.ts'
import { expectStatus, generatorFor, isSuccess, observe, type Run } from '../observe.ts'

/** An answer that is had already is not sent again, and a write held to another version is not done. */
export async function checkVersions(run: Run): Promise<void> {
  for (const operation of run.operations) {
    if (parameterOf(operation, 'If-None-Match') !== undefined) await checkUnmodified(run, operation)
    if (parameterOf(operation, 'If-Match') !== undefined) await checkHeld(run, operation)
  }
}

async function checkUnmodified(run: Run, operation: Operation): Promise<void> {
  const asked = makeRequest(generatorFor(run, { operation, turn: 'unmodified' }), operation)
  if (asked === undefined) return
  const first = await observe(run, { operation, check: 'versions', asked })
  const tag = first.headers.get('etag')
  if (!isSuccess(first) || tag === null) return
  const known = { ...asked, headers: { ...asked.headers, 'If-None-Match': tag } }
  await observe(run, {
    operation,
    check: 'versions',
    asked: known,
    // It may have changed in between, and then has another tag.
    expect: (answered) =>
      answered.headers.get('etag') === tag ? expectStatus([304], 'It is as it was')(answered) : [],
  })
  const other = { ...asked, headers: { ...asked.headers, 'If-None-Match': '"another"' } }
  const expect = expectStatus([200], 'The tag is another one’s')
  await observe(run, { operation, check: 'versions', asked: other, expect })
}

/** No record gets as far as this. */
const neverVersion = '"v999999999"'

/** How many records are tried before one is in a state for it. */
const triesMax = 8

async function checkHeld(run: Run, operation: Operation): Promise<void> {
  const asked = makeRequest(generatorFor(run, { operation, turn: 'held' }), operation)
  if (asked === undefined) return
  await observe(run, {
    operation,
    check: 'versions',
    asked: { ...asked, headers: { ...asked.headers, 'If-Match': neverVersion } },
    expect: expectStatus([412, 404, 409], 'The record is at another version'),
  })
  const read = run.declared.find((each) => isReadOf(each, operation))
  if (read === undefined) return
  for (const path of pathsOf(generatorFor(run, { operation, turn: 'held' }), operation).slice(0, triesMax)) {
    if (await holds(run, { operation, path, readPath: path.split('/').slice(0, partsOf(read)).join('/') })) return
  }
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
  const found = await run.client.ask({ method: 'GET', path: readPath, as: 'token' })
  const tag = found.headers.get('etag')
  if (!isSuccess(found) || tag === null) return false
  const body = makeBody(generatorFor(run, { operation, turn: `held ${path}` }), operation)
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
  const after = await run.client.ask({ method: 'GET', path: readPath, as: 'token' })
  if (written.headers.get('etag') === null || after.headers.get('etag') === tag) return true
  const expect = expectStatus([412], 'The version is the one before')
  await observe(run, { operation, check: 'versions', asked: held, expect })
  return true
}
