import { type Operation, parameterOf } from '../document.ts'
import { makeBody } from '../make-body.ts'
import { makeRequest } from '../make-request.ts'
import { expectStatus, generatorFor, isSuccess, observe, type Run } from '../observe.ts'

/** An answer that is had already is not sent again, and a write held to another version is not done. */
export async function checkVersions(run: Run): Promise<void> {
  for (const operation of run.operations) {
    if (parameterOf(operation, 'If-None-Match') !== undefined) await checkUnmodified(run, operation)
    if (parameterOf(operation, 'If-Match') !== undefined) await checkHeld(run, operation)
  }
}

async function checkUnmodified(run: Run, operation: Operation): Promise<void> {
  const asked = makeRequest(generatorFor(run, operation, 'unmodified'), operation)
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

async function checkHeld(run: Run, operation: Operation): Promise<void> {
  const generator = generatorFor(run, operation, 'held')
  const asked = makeRequest(generator, operation)
  if (asked === undefined) return
  await observe(run, {
    operation,
    check: 'versions',
    asked: { ...asked, headers: { ...asked.headers, 'If-Match': neverVersion } },
    expect: expectStatus([412, 404, 409], 'The record is at another version'),
  })
  const read = run.operations.find(({ method, template }) => method === 'GET' && template === operation.template)
  if (read === undefined) return
  const found = await observe(run, {
    operation: read,
    check: 'versions',
    asked: { method: 'GET', path: asked.path, as: 'token' },
  })
  const tag = found.headers.get('etag')
  if (!isSuccess(found) || tag === null) return
  const body = makeBody(generator, operation)
  const held = { ...asked, ...(body === undefined ? {} : { body }), headers: { 'If-Match': tag } }
  const written = await observe(run, {
    operation,
    check: 'versions',
    asked: held,
    expect: ({ status }) => (status === 412 ? ['The version is the current one, and is refused.'] : []),
  })
  const after = written.headers.get('etag')
  if (!isSuccess(written) || after === null || after === tag) return
  const expect = expectStatus([412], 'The version is the one before')
  await observe(run, { operation, check: 'versions', asked: held, expect })
}
