import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type TestApi, useApi } from '../support/api.ts'
import { paid } from '../support/commerce/refund.ts'
import { contentsOf, select } from '../support/database-contents.ts'
import { openShop, orderBody, type Shop, stockVariant } from '../support/shop.ts'
import { type Parsed, parseAnswer, sendBytes } from '../support/socket.ts'

/**
 * Requests that a proxy and the service may interpret differently: repeated headers, transfer codings, and other
 * spellings of a path.
 */

const started = useApi()

let api: TestApi
let shop: Shop
let before: Record<string, string>

beforeEach(async () => {
  api = started()
  shop = await openShop(api.context)
  before = await contentsOf(api)
})

afterEach(async () => {
  expect(await contentsOf(api)).toEqual(before)
})

interface Sent {
  readonly method?: string
  readonly path?: string
  readonly version?: string
  readonly headers?: readonly string[]
  readonly body?: string
}

async function send(sent: Sent): Promise<Parsed> {
  const { method = 'GET', path = '/api/v1/orders', version = 'HTTP/1.1', headers = [], body = '' } = sent
  const all = [`Authorization: Bearer ${shop.token}`, 'Host: a', ...headers, 'Connection: close']
  return parseAnswer(await sendBytes(api, `${method} ${path} ${version}\r\n${all.join('\r\n')}\r\n\r\n${body}`))
}

function refused(reply: Parsed, status: number, code: string, details?: object): void {
  const { error } = JSON.parse(reply.text)
  expect({ status: reply.status, code: error.code }, reply.text).toEqual({ status, code })
  if (details !== undefined) expect(error.details).toEqual(details)
}

describe('400 malformed_request for a repeated header that must be sent once', () => {
  test.for([
    ['Authorization: Bearer svc_live_x'],
    ['Host: b'],
    ['authorization: Basic eDp5'],
    ['User-Agent: a', 'user-agent: b'],
    ['Content-Type: application/json', 'Content-Type: text/plain'],
    ['Content-Type: application/json', 'Content-Type: application/json'],
    ['If-Match: "v1"', 'If-Match: "v2"'],
    ['Service-Dry-Run: true', 'SERVICE-DRY-RUN: false'],
  ])('a repeated header such as %s returns 400 malformed_request', async (headers) => {
    const header = String(headers.at(-1)?.split(':')[0])
    refused(await send({ headers }), 400, 'malformed_request', { header })
  })

  test('a repeated header returns 400 malformed_request even for callbacks of payment providers and carriers', async () => {
    for (const path of [`/callbacks/paystack/${shop.merchantId}`, '/callbacks/carriers/fez/key']) {
      const headers = ['Content-Length: 2', 'Content-Type: a/b', 'Content-Type: a/c']
      refused(await send({ method: 'POST', path, headers, body: '{}' }), 400, 'malformed_request')
    }
  })

  test.for([
    '/',
    '/docs',
    '/docs/guides/errors.md',
    '/llms.txt',
  ])('a repeated header returns 400 malformed_request even for the page %s of the API reference', async (path) => {
    refused(await send({ path, headers: ['Host: b'] }), 400, 'malformed_request', { header: 'Host' })
  })

  test.for([
    ['Accept: a/b', 'Accept: */*'],
    ['Accept-Encoding: gzip', 'Accept-Encoding: br'],
    ['If-None-Match: "v1"', 'If-None-Match: "v2"'],
    ['X-Forwarded-For: 10.0.0.1', 'X-Forwarded-For: 10.0.0.2'],
    ['Cookie: a=b', 'Cookie: c=d'],
    ['X-Own: 1', 'X-Own: 2'],
  ])('a repeated header that may have several values, such as %s, is accepted', async (headers) => {
    expect((await send({ headers })).status).toBe(200)
  })
})

test('two Idempotency-Key headers return 400 invalid_idempotency_key for an operation that honours the key', async () => {
  const { order } = await paid(api, shop, [[100_000, 1]])
  before = await contentsOf(api)
  const body = JSON.stringify({ orderId: order.id, amountKobo: 100, reason: 'damaged' })
  const always = ['Content-Type: application/json', `Content-Length: ${body.length}`]
  for (const keys of [
    ['a', 'a'],
    ['a', 'b'],
  ]) {
    const headers = [...always, ...keys.map((key) => `Idempotency-Key: ${key}`)]
    refused(await send({ method: 'POST', path: '/api/v1/refunds', headers, body }), 400, 'invalid_idempotency_key')
  }
})

test('two Idempotency-Key headers are ignored by an operation that does not honour the key', async () => {
  const { variantId } = await stockVariant(api, shop.merchantId)
  const body = JSON.stringify(orderBody(variantId))
  const headers = ['Content-Type: application/json', `Content-Length: ${body.length}`]
  const reply = await send({
    ...{ method: 'POST', body },
    headers: [...headers, 'Idempotency-Key: a', 'Idempotency-Key: b'],
  })
  expect({ status: reply.status, ignored: reply.headers.get('idempotency-status') }).toEqual({
    status: 201,
    ignored: 'ignored',
  })
  expect(await select(api, 'select 1 from idempotency_keys')).toEqual([])
  before = await contentsOf(api)
})

describe('501 transfer_coding_unsupported', () => {
  test.for([
    'gzip, chunked',
    'deflate, chunked',
    'identity, chunked',
    'x, chunked',
  ])('the service returns 501 transfer_coding_unsupported for %s', async (coding) => {
    const headers = [`Transfer-Encoding: ${coding}`, 'Content-Type: application/json']
    const reply = await send({ method: 'POST', headers, body: '2\r\n{}\r\n0\r\n\r\n' })
    refused(reply, 501, 'transfer_coding_unsupported')
    expect(reply.headers.get('connection')).toBe('close')
  })

  test('a request to the API reference with the transfer coding gzip also returns 501 transfer_coding_unsupported', async () => {
    const headers = ['Transfer-Encoding: gzip, chunked']
    refused(await send({ path: '/docs', headers, body: '0\r\n\r\n' }), 501, 'transfer_coding_unsupported')
  })

  test('transfer codings in two headers return 501 transfer_coding_unsupported', async () => {
    const headers = ['Transfer-Encoding: gzip', 'Transfer-Encoding: chunked']
    refused(await send({ method: 'POST', headers, body: '0\r\n\r\n' }), 501, 'transfer_coding_unsupported')
  })
})

describe('404 route_not_found for dot segments', () => {
  test.for([
    '/api/v1/products/../orders',
    '/api/v1/products/%2e%2e/orders',
    '/api/v1/products/%2E./orders',
    '/api/v1/products/.%2e/orders',
    '/api/v1/./orders',
    '/api/v1/%2e/orders',
    '/api/v1/orders/.',
    '/api/v1/orders/x/..',
    '/docs/../api/v1/orders',
    'http://a/api/v1/products/../orders',
  ])('a path with dot segments returns 404 route_not_found: %s', async (path) => {
    refused(await send({ path }), 404, 'route_not_found')
  })

  test.for([
    '/api/v1/products/..\\orders',
    '/api\\v1\\orders',
  ])('a path with backslashes returns 400 malformed_request: %s', async (path) => {
    refused(await send({ path }), 400, 'malformed_request', { header: null })
  })

  test.for([
    '/api/v1/openapi.json',
    '/api/v1/orders?q=../..',
    '/api/v1/orders?externalReference=%2e%2e',
  ])('the service accepts the request target %s, because its dots do not form a dot segment of the path', async (path) => {
    expect((await send({ path })).status).toBe(200)
  })
})

describe('404 route_not_found for a path that percent-encodes a letter, a digit or one of -._~', () => {
  test.for([
    '/api/v1/order%73',
    '/%61pi/v1/orders',
    '/api/v%31/orders',
    '/api/v1/openapi%2ejson',
    '/api/v1/orders/%6frd_01jd3f8q6hf5n8v1zr4c7e2m9k',
    '/%64ashboard/sign-in',
    '/dashboard/%73ign-in',
    '/dashboard/sign%2Din',
    '/%64ocs',
    '/docs/guides/error%73',
    '/llms%2Etxt',
    '/live%7a',
    '/readyz%5F',
    '/%7Ex',
    '/callbacks/p%61ystack/x',
    '/callbacks/carriers/fe%7A/key',
    'http://a/%64ashboard/sign-in',
  ])('a path that percent-encodes an unreserved character returns 404 route_not_found: %s', async (path) => {
    refused(await send({ path }), 404, 'route_not_found')
  })

  test.for([
    '/callbacks/p%61ystack/x',
    '/dashboard/sign%2din',
  ])('an unnecessary percent-escape in the path returns 404 route_not_found for POST %s', async (path) => {
    refused(await send({ method: 'POST', path, headers: ['Content-Length: 2'], body: '{}' }), 404, 'route_not_found')
  })

  test('an unnecessary percent-escape in the query is accepted', async () => {
    const reply = await send({ path: '/api/v1/orders?l%69mit=%31' })
    expect(JSON.parse(reply.text).pagination.limit).toBe(1)
  })

  test('a path whose id needs a percent-escape, such as that of a space, returns 400 validation_failed', async () => {
    refused(await send({ path: '/api/v1/orders/a%20b' }), 400, 'validation_failed')
  })
})

describe('400 malformed_request for a request target', () => {
  test.for([
    '/api/v1/orders#f',
    '/api/v1/orders?limit=1#f',
    '/dashboard/sign-in#f',
    '/docs#f',
    '/livez#f',
    'http://a/api/v1/orders#f',
  ])('a request target with a fragment returns 400 malformed_request: %s', async (path) => {
    refused(await send({ path }), 400, 'malformed_request', { header: null })
  })

  test.for([
    'http://u@a/api/v1/orders',
    'http://u:p@a/livez',
  ])('a request target with a user name returns 400 malformed_request: %s', async (path) => {
    refused(await send({ path }), 400, 'malformed_request', { header: null })
  })

  test('a request target with the origin of the service is accepted', async () => {
    expect((await send({ path: 'http://a/api/v1/orders?externalReference=a@b' })).status).toBe(200)
  })
})

describe('505 http_version_unsupported', () => {
  test.for([
    'HTTP/2.0',
    'HTTP/0.9',
    'HTTP/1.2',
    'HTTP/3.0',
  ])('the service returns 505 http_version_unsupported for %s', async (version) => {
    for (const path of ['/api/v1/orders', '/docs', '/dashboard/sign-in', '/livez']) {
      const reply = await send({ path, version })
      refused(reply, 505, 'http_version_unsupported')
      expect(reply.headers.get('connection')).toBe('close')
    }
  })

  test('the preface of HTTP/2 returns 505 http_version_unsupported', async () => {
    const reply = parseAnswer(await sendBytes(api, 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'))
    refused(reply, 505, 'http_version_unsupported')
  })

  test.for(['HTTP/1.0', 'HTTP/1.1'])('the service accepts the HTTP version %s', async (version) => {
    expect((await send({ version })).status).toBe(200)
  })
})

test('an HTTP/1.0 request with a chunked body returns 400 malformed_request, because HTTP/1.0 has no transfer codings', async () => {
  const headers = ['Transfer-Encoding: chunked', 'Content-Type: application/json']
  const reply = await send({ method: 'POST', version: 'HTTP/1.0', headers, body: '2\r\n{}\r\n0\r\n\r\n' })
  refused(reply, 400, 'malformed_request', { header: 'Transfer-Encoding' })
  expect(reply.headers.get('connection')).toBe('close')
})
