import { beforeEach, describe, expect, test } from 'vitest'
import { endpoints } from '../../registry/index.ts'
import { bodyLimitsOf, type Endpoint } from '../../registry/kit/endpoint.ts'
import { bodyMaxBytes, bodyMaxDepth } from '../../registry/values/limits.ts'
import { type Reply, sendRaw, type TestApi, useApi } from '../support/api.ts'
import { largestOf } from '../support/contract/largest-body.ts'
import { contentsOf } from '../support/database-contents.ts'
import { openShop, type Shop } from '../support/shop.ts'

/**
 * Size limits of request bodies. The service checks the size before it parses the body, so that no body delays other
 * requests.
 */

const all: readonly Endpoint[] = Object.values(endpoints)
const taking = all.filter(({ body }) => body !== undefined)
const started = useApi()

let api: TestApi
let shop: Shop
let before: Record<string, string>

beforeEach(async () => {
  api = started()
  shop = await openShop(api.context)
  before = await contentsOf(api)
})

interface Sent {
  readonly headers?: Record<string, string>
  readonly body?: string
}

function post({ headers = {}, body = '' }: Sent, method = 'POST', path = '/api/v1/orders'): Promise<Reply> {
  const always = { Authorization: `Bearer ${shop.token}`, 'Content-Type': 'application/json' }
  return sendRaw(api, { method, path, headers: { ...always, ...headers }, body })
}

async function refused(reply: Reply, details: object): Promise<void> {
  const { error } = reply.body
  expect({ status: reply.status, code: error?.code, details: error?.details }, reply.text.slice(0, 500)).toEqual({
    status: 413,
    code: 'body_too_large',
    details,
  })
  expect(await contentsOf(api)).toEqual(before)
}

const padded = (size: number) => {
  const body = JSON.stringify({ colour: '' })
  return body.replace('"colour":""', `"colour":"${'x'.repeat(size - body.length)}"`)
}

describe('413 body_too_large', () => {
  const most = 64 * 1024
  const details = { limit: 'bytes', max: most }

  test('the service accepts a request body of exactly the maximum number of bytes', async () => {
    const reply = await post({ body: padded(most) })
    expect(reply.status).toBe(400)
    expect(reply.body.error.errors).toContainEqual(expect.objectContaining({ path: 'body.colour' }))
  })

  test.for([
    ['one byte over the limit', most + 1],
    ['1 MiB', 1024 * 1024],
  ] as const)('the service returns 413 body_too_large for a body of %s with Content-Length', async ([, size]) => {
    await refused(await post({ body: padded(size) }), details)
  })

  test.for([
    ['one byte over the limit', most + 1],
    ['1 MiB', 1024 * 1024],
  ] as const)('the service returns 413 body_too_large for a body of %s in chunks', async ([, size]) => {
    await refused(await post({ headers: { 'Transfer-Encoding': 'chunked' }, body: padded(size) }), details)
  })

  test('a Content-Length over the limit returns 413 body_too_large at once, before the body is sent', async () => {
    await refused(await post({ headers: { 'Content-Length': String(100 * most), Expect: '100-continue' } }), details)
  })

  test.for([
    ['numbers', `[${Array(30_000).fill('1').join(',')}]`],
    ['members', `{${Array.from({ length: 5_000 }, (_, index) => `"${index}":1`).join(',')}}`],
    ['empty arrays', `[${Array(20_000).fill('[]').join(',')}]`],
    ['duplicate names', `{${Array(5_000).fill('"a":1').join(',')}}`],
  ] as const)('the service returns 413 body_too_large for a body with too many %s', async ([, body]) => {
    await refused(await post({ body }), { limit: 'values', max: 2_000 })
  })

  test.for([
    ['arrays', '['.repeat(17)],
    ['objects', '{"a":'.repeat(10_000)],
    ['arrays around an escape', `${'['.repeat(10_000)}"\\u0000"${']'.repeat(10_000)}`],
  ] as const)('the service returns 413 body_too_large for a body with too deeply nested %s', async ([, body]) => {
    await refused(await post({ body }), { limit: 'depth', max: bodyMaxDepth })
  })
})

test('the limits on entries and nesting of a request body ignore commas and brackets inside strings', async () => {
  const note = '[{,'.repeat(300)
  const reply = await post({ body: JSON.stringify({ note, metadata: { a: note.slice(0, 400) } }) })
  expect(reply.status).toBe(400)
})

describe.for(taking.map((endpoint) => [endpoint.id, endpoint] as const))('body limits of %s', ([, endpoint]) => {
  const limits = bodyLimitsOf(endpoint)

  test('an operation accepts the largest body that its schema allows, even if all its texts are escaped to ASCII', () => {
    const largest = largestOf(endpoint)
    expect(largest.bytes).toBeLessThanOrEqual(limits.bytes)
    expect(largest.values).toBeLessThanOrEqual(limits.values)
    expect(largest.depth).toBeLessThanOrEqual(bodyMaxDepth)
    expect(limits.bytes).toBeLessThanOrEqual(bodyMaxBytes)
  })

  test('an operation declares its body limits in the OpenAPI document', async () => {
    const document = (await api.send('GET', '/api/v1/openapi.json')).body
    const declared = document.paths[endpoint.path][endpoint.method.toLowerCase()]
    expect(declared['x-body-limits']).toEqual({ ...limits, depth: bodyMaxDepth })
    expect(declared.requestBody.description).toContain(`${limits.bytes / 1024} KiB`)
  })
})
