import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { ErrorCode } from '../../registry/errors/index.ts'
import { type Reply, sendRaw, type TestApi, useApi } from '../support/api.ts'
import { openBrowser } from '../support/dashboard.ts'
import { contentsOf, select } from '../support/database-contents.ts'
import { openShop, orderBody, type Shop, type Stocked, stockVariant } from '../support/shop.ts'

/** Malformed request bodies. After each of them, nothing is written and the next request succeeds. */

const started = useApi()
const path = '/api/v1/orders'

let api: TestApi
let shop: Shop
let stocked: Stocked
let before: Record<string, string>

beforeEach(async () => {
  api = started()
  shop = await openShop(api.context)
  stocked = await stockVariant(api, shop.merchantId)
  before = await contentsOf(api)
})

afterEach(async () => {
  const canary = await api.send('POST', path, { token: shop.token, body: valid() })
  expect(canary.status).toBe(201)
})

const valid = (more: object = {}) => orderBody(stocked.variantId, more)

interface Sent {
  readonly headers?: Record<string, string>
  readonly body?: string | Buffer
}

function post({ headers = {}, body }: Sent): Promise<Reply> {
  const all = { Authorization: `Bearer ${shop.token}`, 'Content-Type': 'application/json', ...headers }
  return sendRaw(api, { method: 'POST', path, headers: all, ...(body === undefined ? {} : { body }) })
}

async function refused(sent: Sent, status: number, code: ErrorCode): Promise<Reply> {
  const reply = await post(sent)
  expect({ status: reply.status, code: reply.body.error?.code }, reply.text).toEqual({ status, code })
  expect(reply.headers.get('content-type')).toBe('application/json')
  expect(reply.body.error.requestId).toBe(reply.headers.get('request-id'))
  expect(reply.headers.get('service-should-retry')).toBe(String(reply.body.error.retryable))
  expect(reply.text).not.toMatch(/\bat .+:\d+:\d+|node_modules|src\//)
  expect(await contentsOf(api)).toEqual(before)
  return reply
}

describe('400 invalid_json', () => {
  test.for<[string, string | Buffer]>([
    ['a broken object', '{"a":'],
    ['single quotes', "{'a':1}"],
    ['a trailing comma', '{"a":1,}'],
    ['a comment', '{} // all'],
    ['two values', '{}{}'],
    ['NaN', '{"shippingKobo":NaN}'],
    ['a number with a leading 0', '{"shippingKobo":01}'],
    ['a plus sign', '{"shippingKobo":+1}'],
    ['a form', 'a=1&b=2'],
    ['white space', ' \n\t '],
    ['a raw line break in a string', '{"note":"a\nb"}'],
    ['a NUL byte', Buffer.from([0x7b, 0x00, 0x7d])],
    ['a byte order mark', Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from('{}')])],
    ['UTF-16', Buffer.from('{}', 'utf16le')],
    [
      'a byte that is invalid in UTF-8',
      Buffer.concat([Buffer.from('{"note":"'), Buffer.from([0xff]), Buffer.from('"}')]),
    ],
    [
      'a truncated UTF-8 sequence',
      Buffer.concat([Buffer.from('{"note":"'), Buffer.from([0xe2, 0x82]), Buffer.from('"}')]),
    ],
    ['an overlong NUL', Buffer.concat([Buffer.from('{"note":"'), Buffer.from([0xc0, 0x80]), Buffer.from('"}')])],
    [
      'a surrogate encoded in UTF-8',
      Buffer.concat([Buffer.from('{"note":"'), Buffer.from([0xed, 0xa0, 0x80]), Buffer.from('"}')]),
    ],
    ['a truncated escape', '{"note":"\\u12"}'],
    ['unclosed arrays', '['.repeat(10)],
    ['a name with a truncated escape', '{"\\u12":1}'],
  ])('the service returns 400 invalid_json for %s', async ([, body]) => {
    await refused({ body }, 400, 'invalid_json')
  })

  test('a missing request body returns 400 invalid_json', async () => {
    await refused({}, 400, 'invalid_json')
    await refused({ headers: { 'Content-Length': '0' } }, 400, 'invalid_json')
    await refused({ headers: { 'Transfer-Encoding': 'chunked' }, body: '' }, 400, 'invalid_json')
  })

  test('the error for invalid JSON does not repeat the body in its message', async () => {
    const reply = await refused({ body: '{"secret":"hunter2",' }, 400, 'invalid_json')
    expect(reply.text).not.toContain('hunter2')
  })
})

describe('415 unsupported_media_type', () => {
  test.for([
    'text/plain',
    'text/json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/json; charset=utf-16',
    'application/json; charset=latin1',
    'application/json, text/plain',
    'application/problem+json',
    'application/jsonx',
    '',
    'json',
  ])('a request with Content-Type: %s returns 415 unsupported_media_type', async (type) => {
    await refused({ headers: { 'Content-Type': type }, body: JSON.stringify(valid()) }, 415, 'unsupported_media_type')
  })

  test.for([
    'gzip',
    'br',
    'deflate',
    'identity, gzip',
  ])('a request with Content-Encoding: %s returns 415 unsupported_media_type', async (encoding) => {
    const sent = { headers: { 'Content-Encoding': encoding }, body: JSON.stringify(valid()) }
    await refused(sent, 415, 'unsupported_media_type')
  })

  test.for([
    '/callbacks/paystack/mer_01jd3f8q6hf5n8v1zr4c7e2m9k',
    '/callbacks/carriers/fez/key',
    '/api/v1/orders/ord_01jd3f8q6hf5n8v1zr4c7e2m9k/cancel',
  ])('Content-Encoding: gzip for POST %s returns 415 unsupported_media_type', async (compressed) => {
    const headers = { Authorization: `Bearer ${shop.token}`, 'Content-Encoding': 'gzip' }
    const reply = await sendRaw(api, { method: 'POST', path: compressed, headers, body: '{}' })
    expect(reply.body.error).toMatchObject({ status: 415, code: 'unsupported_media_type' })
  })

  test('Content-Encoding: gzip for a form of the dashboard returns 415 unsupported_media_type', async () => {
    const browser = openBrowser(api)
    await browser.get('/dashboard/sign-in')
    const reply = await browser.post('/dashboard/sign-in', { email: 'a' }, { 'content-encoding': 'gzip' })
    expect(reply.status).toBe(415)
    expect(reply.text).toContain('Compressed bodies are not supported.')
  })

  test('the service accepts Content-Encoding: Identity', async () => {
    const sent = { headers: { 'Content-Encoding': 'Identity' }, body: JSON.stringify(valid()) }
    expect((await post(sent)).status).toBe(201)
  })

  test('a missing Content-Type returns 415 unsupported_media_type', async () => {
    const headers = { Authorization: `Bearer ${shop.token}` }
    const reply = await sendRaw(api, { method: 'POST', path, headers, body: JSON.stringify(valid()) })
    expect(reply.body.error.code).toBe('unsupported_media_type')
    expect(await contentsOf(api)).toEqual(before)
  })

  test.for([
    'application/json;charset=utf-8',
    'APPLICATION/JSON; Charset=UTF-8',
    'application/json ; charset="utf-8"',
    'application/json;',
  ])('the service accepts Content-Type: %s', async (type) => {
    const reply = await post({ headers: { 'Content-Type': type }, body: JSON.stringify(valid()) })
    expect(reply.status, reply.text).toBe(201)
  })
})

describe('400 validation_failed', () => {
  test.for<[string, string, string]>([
    ['an array', '[]', 'body'],
    ['null', 'null', 'body'],
    ['a text', '"{}"', 'body'],
    ['a number', '5', 'body'],
  ])('a body that is %s instead of an object returns 400 validation_failed', async ([, body, where]) => {
    const reply = await refused({ body }, 400, 'validation_failed')
    expect(reply.body.error.errors[0].path).toBe(where)
  })

  /** Returns a valid order as JSON text in which one field has the given raw value. */
  const written = (field: string, json: string) =>
    JSON.stringify(valid({ [field]: 0 })).replace(`"${field}":0`, `"${field}":${json}`)

  test.for<[string, string, string]>([
    ['shippingKobo', '9007199254740993', 'too_big'],
    ['shippingKobo', '1e400', 'invalid_type'],
    ['shippingKobo', '-1', 'too_small'],
    ['shippingKobo', '1.5', 'not_integer'],
    ['shippingKobo', '1e-7', 'not_integer'],
    ['shippingKobo', '"5"', 'invalid_type'],
    ['shippingKobo', '[5]', 'invalid_type'],
    ['shippingKobo', 'null', 'invalid_type'],
    ['shippingKobo', 'true', 'invalid_type'],
    ['note', '{"$gt":""}', 'invalid_type'],
    ['note', '["a"]', 'invalid_type'],
    ['customer', '[]', 'invalid_type'],
    ['items', '{}', 'invalid_type'],
    ['items', '{"0":{},"length":1}', 'invalid_type'],
    ['metadata', '[]', 'invalid_type'],
    ['metadata', '"x"', 'invalid_type'],
    ['tags', '"wholesale"', 'invalid_type'],
    ['colour', '1', 'unknown_field'],
    ['constructor', '{"prototype":{"isAdmin":true}}', 'unknown_field'],
    ['toString', '1', 'unknown_field'],
    ['__proto__', '{"isAdmin":true}', 'unknown_field'],
    ['', '1', 'unknown_field'],
  ])('a body whose field "%s" has the value %s returns 400 validation_failed', async ([field, json, code]) => {
    const reply = await refused({ body: written(field, json) }, 400, 'validation_failed')
    expect(reply.body.error.errors.map((problem: { code: string }) => problem.code)).toContain(code)
  })

  test.for<[string, object, string]>([
    ['customer', { customer: { name: 'A', email: 'a@example.com', age: 5 } }, 'body.customer.age'],
    ['a line', { items: [{ variantId: 'x', quantity: 1, discount: 5 }] }, 'body.items[0].discount'],
    ['an address', { shippingAddress: { line1: 'x', street: 'y' } }, 'body.shippingAddress.street'],
  ])('an unknown field inside of %s returns 400 validation_failed', async ([, more, where]) => {
    const reply = await refused({ body: JSON.stringify(valid(more)) }, 400, 'validation_failed')
    expect(reply.body.error.errors.map((problem: { path: string }) => problem.path)).toContain(where)
  })

  test.for<[string, string, string]>([
    ['NUL in a text', 'note', '"a\\u0000b"'],
    ['the first half of a pair', 'note', '"\\ud83d"'],
    ['the second half of a pair', 'note', '"\\ude00"'],
    ['a pair the wrong way round', 'note', '"\\ude00\\ud83d"'],
    ['NUL in a value of metadata', 'metadata', '{"a":"\\u0000"}'],
    ['NUL in a key of metadata', 'metadata', '{"a\\u0000":"b"}'],
    ['half a pair in a key of metadata', 'metadata', '{"\\ud83d":"b"}'],
    ['NUL in a tag', 'tags', '["\\u0000"]'],
    ['NUL in a name', 'customer', '{"name":"a\\u0000","email":"a@example.com"}'],
    ['NUL in a reference', 'externalReference', '"\\u0000"'],
  ])('a body with %s returns 400 validation_failed with invalid_text', async ([, field, json]) => {
    const reply = await refused({ body: written(field, json) }, 400, 'validation_failed')
    expect(reply.body.error.errors.map((problem: { code: string }) => problem.code)).toContain('invalid_text')
  })

  test.for([
    '{"__proto__":"a"}',
    '{"\\u005f_proto__":"a"}',
    '{"a":"b","__proto__":{}}',
  ])('a field name that a JSON parser would drop returns 400 validation_failed: %s', async (json) => {
    const reply = await refused({ body: written('metadata', json) }, 400, 'validation_failed')
    const paths = reply.body.error.errors.map((problem: { path: string }) => problem.path)
    expect(paths).toContain('body.metadata.__proto__')
  })

  test('a validation error shortens a very long field name', async () => {
    const key = 'k'.repeat(50_000)
    for (const body of [
      written(key, '1'),
      written('metadata', `{"${key}":1}`),
      written('metadata', `{"${key}":"\\u0000"}`),
    ]) {
      const reply = await refused({ body }, 400, 'validation_failed')
      expect(reply.text.length).toBeLessThan(1500)
    }
  })

  test('a validation error lists the first 20 of 1,500 unknown fields', async () => {
    const fields = Object.fromEntries(Array.from({ length: 1_500 }, (_, index) => [`f${index}`, 0]))
    const reply = await refused({ body: JSON.stringify(fields) }, 400, 'validation_failed')
    expect(reply.body.error.errors).toHaveLength(20)
  })
})

describe('accepted bodies', () => {
  test('a request body may contain minus zero, which is read as zero', async () => {
    const reply = await post({
      body: JSON.stringify(valid({ shippingKobo: 0 })).replace('"shippingKobo":0', '"shippingKobo":-0'),
    })
    expect(reply.status).toBe(201)
    expect(reply.text).toContain('"shippingKobo":0,')
  })

  test('an amount in a body may have any JSON notation of its integer, such as 2.5e3 for 2500', async () => {
    const reply = await post({
      body: JSON.stringify(valid({ shippingKobo: 0 })).replace('"shippingKobo":0', '"shippingKobo":2.5e3'),
    })
    expect(reply.body.shippingKobo).toBe(2500)
  })

  test('the service accepts texts with any character that PostgreSQL can store, and returns the texts unchanged', async () => {
    const note = '\u2028\u2029\ufeff\ufffe\u{1f457}\u{10ffff}"\\/\n\r\t'
    const reply = await post({ body: JSON.stringify(valid({ note })) })
    expect(reply.body.note).toBe(note)
    const read = await api.send('GET', `${path}/${reply.body.id}`, { token: shop.token })
    expect(read.body.note).toBe(note)
  })

  test('the service counts text lengths in characters, even for characters of two UTF-16 units', async () => {
    expect((await post({ body: JSON.stringify(valid({ note: '\u{1f457}'.repeat(1000) })) })).status).toBe(201)
    expect((await post({ body: JSON.stringify(valid({ note: '\u{1f457}'.repeat(1001) })) })).status).toBe(400)
  })

  test('the service accepts metadata keys with the names of Object.prototype members', async () => {
    const metadata = { constructor: 'b', toString: 'c', hasOwnProperty: 'd', prototype: 'e' }
    const reply = await post({ body: JSON.stringify(valid({ metadata })) })
    expect(Object.entries(reply.body.metadata).sort()).toEqual(Object.entries(metadata).sort())
    const read = await api.send('GET', `${path}/${reply.body.id}`, { token: shop.token })
    expect(Object.entries(read.body.metadata).sort()).toEqual(Object.entries(metadata).sort())
  })

  test('the service accepts strings that look like code or markup, and stores them unchanged', async () => {
    const note = `'; drop table orders; -- $1 %s {{7*7}} <script>alert(1)</script>`
    const reply = await post({ body: JSON.stringify(valid({ note, externalReference: note.slice(0, 100) })) })
    expect(reply.body.note).toBe(note)
    expect(await select(api, 'select count(*)::int as count from orders where note = $1', [note])).toEqual([
      { count: 1 },
    ])
  })
})
