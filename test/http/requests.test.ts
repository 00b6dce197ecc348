import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Reply, sendRaw, type TestApi, useApi } from '../support/api.ts'
import { faultsOfAnswer } from '../support/contract/document.ts'
import { contentsOf } from '../support/database-contents.ts'
import { openShop, orderBody, type Shop, stockVariant } from '../support/shop.ts'
import { type Parsed, parseAnswer, sendBytes } from '../support/socket.ts'

/** Malformed requests: paths, methods, queries, headers, and bytes that are not HTTP. */

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
  const canary = await api.send('GET', '/api/v1/orders', { token: shop.token })
  expect(canary.status).toBe(200)
})

function send(method: string, path: string, headers: Record<string, string> = {}): Promise<Reply> {
  return sendRaw(api, { method, path, headers })
}

function refused(reply: Reply | Parsed, status: number, code: string): void {
  const { error } = JSON.parse(reply.text)
  expect({ status: reply.status, code: error.code }, reply.text).toEqual({ status, code })
  expect(reply.headers.get('content-type')).toBe('application/json')
  expect(reply.headers.get('request-id')).toBe(error.requestId)
  expect(error.requestId).toMatch(/^req_[0-9a-z]{26}$/)
  expect(reply.headers.get('service-should-retry')).toBe(String(error.retryable))
  expect(reply.text).not.toMatch(/\bat .+:\d+:\d+|node_modules|src\//)
}

describe('404 route_not_found, before authentication', () => {
  test.for([
    '/api',
    '/api/v1',
    '/api/v1/',
    '/api/v2/orders',
    '/api/v1/order',
    '/api/v1/orders/',
    '/api/v1//orders',
    '//api/v1/orders',
    '/api/v1/orders/ord_01jd3f8q6hf5n8v1zr4c7e2m9k/lines',
    '/API/V1/orders',
    '/api/v1/orders;a=b',
    '/api/v1/../../etc/passwd',
    '/api/v1/%2e%2e/orders',
    '/api/v1/orders%00',
    '/api/v1/%zz',
    '/api/v1/{id}',
    '/api/v1/*',
    `/${'a'.repeat(8000)}`,
  ])('GET %s returns 404 route_not_found before authentication', async (path) => {
    refused(await send('GET', path), 404, 'route_not_found')
  })

  test('an unknown route returns 404 route_not_found for any method, even with a malformed body', async () => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      refused(await sendRaw(api, { method, path: '/api/v1/none', body: '{' }), 404, 'route_not_found')
    }
  })
})

describe('405 method_not_allowed', () => {
  const id = 'ord_01jd3f8q6hf5n8v1zr4c7e2m9k'

  test.for([
    ['PUT', '/api/v1/orders', 'GET, POST'],
    ['DELETE', '/api/v1/orders', 'GET, POST'],
    ['PATCH', '/api/v1/refunds', 'GET, POST'],
    ['POST', `/api/v1/orders/${id}`, 'GET, PATCH'],
    ['DELETE', `/api/v1/orders/${id}`, 'GET, PATCH'],
    ['GET', `/api/v1/orders/${id}/payments`, 'POST'],
    ['POST', '/api/v1/openapi.json', 'GET'],
    ['OPTIONS', '/api/v1/orders', 'GET, POST'],
    ['TRACE', '/api/v1/orders', 'GET, POST'],
    ['PROPFIND', '/api/v1/orders', 'GET, POST'],
  ] as const)('a %s request to %s without a token returns 405 and lists the allowed methods', async ([
    method,
    path,
    allowed,
  ]) => {
    const reply = await send(method, path)
    refused(reply, 405, 'method_not_allowed')
    expect(reply.headers.get('allow')).toBe(allowed)
  })

  test('a CORS preflight request gets 405 without any header that would allow the cross-origin request', async () => {
    const headers = { Origin: 'https://example.com', 'Access-Control-Request-Method': 'POST' }
    const reply = await send('OPTIONS', '/api/v1/orders', headers)
    refused(reply, 405, 'method_not_allowed')
    expect([...reply.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
  })
})

describe('HEAD requests', () => {
  test.for([
    ['/api/v1/orders', true, 200],
    ['/api/v1/openapi.json', false, 200],
    ['/api/v1/orders', false, 401],
    ['/api/v1/none', false, 404],
    ['/api/v1/orders/ord_01jd3f8q6hf5n8v1zr4c7e2m9k/payments', false, 405],
  ] as const)('HEAD %s (token: %s) returns the headers of GET without a body', async ([path, hasToken, status]) => {
    const headers = hasToken ? { Authorization: `Bearer ${shop.token}` } : {}
    const response = await fetch(api.url + path, { method: 'HEAD', headers })
    expect(response.status).toBe(status)
    expect(response.headers.get('content-type')).toBe('application/json')
    expect(response.headers.get('request-id')).toMatch(/^req_/)
    expect(await response.text()).toBe('')
    const full = await fetch(api.url + path, { headers: { ...headers, 'Accept-Encoding': 'identity' } })
    expect(response.headers.get('cache-control')).toBe(full.headers.get('cache-control'))
    // The message of a 405 error contains the method, so HEAD and GET have a different Content-Length.
    if (path !== '/api/v1/openapi.json' && status !== 405) {
      expect(response.headers.get('content-length')).toBe(String((await full.arrayBuffer()).byteLength))
    }
  })
})

describe('query parameters', () => {
  const get = (query: string) => send('GET', `/api/v1/orders?${query}`, { Authorization: `Bearer ${shop.token}` })

  test.for([
    ['q=a%00b', 'validation_failed'],
    ['q=%00%00', 'validation_failed'],
    ['externalReference=%00', 'validation_failed'],
    ['%00=1', 'unknown_parameter'],
    ['Limit=5', 'unknown_parameter'],
    ['__proto__=1', 'unknown_parameter'],
    ['constructor=1', 'unknown_parameter'],
    ['q[]=ab', 'unknown_parameter'],
    ['limit=5&limit=5', 'validation_failed'],
    ['limit=5&%6Cimit=6', 'validation_failed'],
    ['limit=5&colour=red', 'unknown_parameter'],
    ['colour', 'unknown_parameter'],
    ['=', 'unknown_parameter'],
    [`q=${'a'.repeat(8000)}`, 'validation_failed'],
    ['q=%ED%A0%80', 'validation_failed'],
    ['q=%FF%FE', 'validation_failed'],
    ['q=%zz', 'validation_failed'],
    ['status=pending,bogus', 'validation_failed'],
    [`${'a'.repeat(8000)}=1`, 'unknown_parameter'],
    [Array.from({ length: 1000 }, (_, index) => `a${index}=`).join('&'), 'unknown_parameter'],
  ] as const)('the invalid query ?%s returns 400 with an error that the OpenAPI document declares', async ([
    query,
    code,
  ]) => {
    const reply = await get(query)
    refused(reply, 400, code)
    expect(faultsOfAnswer('GET', '/api/v1/orders', 400, reply.body)).toEqual([])
    expect(reply.body.error.errors.length).toBeLessThanOrEqual(20)
    expect(reply.text.length).toBeLessThan(5000)
  })

  test('an invalid value in a comma-separated query parameter returns invalid_enum_value, and the path of the error contains the index of that value', async () => {
    const reply = await get('status=pending,bogus')
    expect(reply.body.error.errors).toMatchObject([{ path: 'query.status[1]', code: 'invalid_enum_value' }])
  })

  test.for([
    ['status=pending&status=processing', 'status=pending,processing'],
    ['status=pending&limit=5&status=processing,shipped', 'status=pending,processing,shipped&limit=5'],
    ['paymentStatus=paid&paymentStatus=unpaid', 'paymentStatus=paid,unpaid'],
  ] as const)('the query ?%s has the same result as ?%s, even with a cursor', async ([repeated, joined]) => {
    const [first, second] = [await get(repeated), await get(joined)]
    expect([first.status, second.status], first.text).toEqual([200, 200])
    expect(first.body.data).toEqual(second.body.data)
  })

  test('an invalid value in a repeated query parameter returns an error', async () => {
    const reply = await get('status=pending&status=bogus')
    refused(reply, 400, 'validation_failed')
    expect(reply.body.error.errors).toMatchObject([{ path: 'query.status[1]', code: 'invalid_enum_value' }])
  })

  test.for([
    '',
    '&',
    '&&limit=5&',
    'l%69mit=5',
    'q=%F0%9F%91%97%F0%9F%91%97',
  ])('the query ?%s is accepted', async (query) => {
    expect((await get(query)).status).toBe(200)
  })
})

describe('headers of a request', () => {
  test.for([
    ['lower case', (token: string) => `bearer ${token}`],
    ['several spaces', (token: string) => `Bearer   ${token}`],
  ] as const)('the Bearer scheme with %s is accepted', async ([, spell]) => {
    const reply = await send('GET', '/api/v1/orders', { Authorization: spell(shop.token) })
    expect(reply.status).toBe(200)
  })

  test.for([
    ['a tab', (token: string) => `Bearer\t${token}`],
    ['a space and a tab', (token: string) => `Bearer \t${token}`],
  ] as const)('an Authorization header with %s before the token returns 401 invalid_token', async ([, spell]) => {
    refused(await send('GET', '/api/v1/orders', { Authorization: spell(shop.token) }), 401, 'invalid_token')
  })

  test.for([
    ['another scheme', (token: string) => `Token ${token}`],
    ['a token alone', (token: string) => token],
    ['two tokens', (token: string) => `Bearer ${token} ${token}`],
    ['quotes', (token: string) => `Bearer "${token}"`],
  ] as const)('a request whose Authorization header has %s returns 401', async ([, spell]) => {
    const reply = await send('GET', '/api/v1/orders', { Authorization: spell(shop.token) })
    expect(reply.status).toBe(401)
  })

  test('a token in the query is not accepted', async () => {
    refused(await send('GET', `/api/v1/orders?access_token=${shop.token}`), 401, 'missing_token')
  })

  test('method overrides in a header or body are ignored', async () => {
    const headers = { Authorization: `Bearer ${shop.token}`, 'X-HTTP-Method-Override': 'DELETE' }
    expect((await send('GET', '/api/v1/orders', headers)).status).toBe(200)
  })

  test('headers of 20 KB return 431 headers_too_large', async () => {
    const bytes = `GET /api/v1/orders HTTP/1.1\r\nHost: a\r\nX-Long: ${'a'.repeat(20_000)}\r\n\r\n`
    refused(parseAnswer(await sendBytes(api, bytes)), 431, 'headers_too_large')
  })

  test('a request with a request target of 20 KB returns 431 headers_too_large', async () => {
    const bytes = `GET /api/v1/orders?q=${'a'.repeat(20_000)} HTTP/1.1\r\nHost: a\r\n\r\n`
    refused(parseAnswer(await sendBytes(api, bytes)), 431, 'headers_too_large')
  })
})

describe('raw bytes of a request', () => {
  test.for<[string, string | Buffer]>([
    ['garbage', 'garbage\r\n\r\n'],
    ['binary', Buffer.from([0, 1, 2, 3, 255, 254, 13, 10, 13, 10])],
    ['a TLS hello', Buffer.from('16030100a5010000a10303', 'hex')],
    ['an unknown method', 'FETCH /api/v1/orders HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['a space in the target', 'GET /api/v1/or ders HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['another protocol', 'GET / RTSP/1.0\r\n\r\n'],
    ['a header without colon', 'GET / HTTP/1.1\r\nHost: a\r\nnonsense\r\n\r\n'],
    ['a header with NUL', 'GET / HTTP/1.1\r\nHost: a\r\nX: a\0b\r\n\r\n'],
    [
      'two Content-Length headers',
      'POST /api/v1/orders HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n{}',
    ],
    [
      'a length and chunks',
      'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    ['a negative Content-Length', 'POST /api/v1/orders HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n'],
    ['no Host', 'GET /api/v1/orders HTTP/1.1\r\nConnection: close\r\n\r\n'],
    ['an invalid Host', 'GET /api/v1/orders HTTP/1.1\r\nHost: a b/c?d\r\nConnection: close\r\n\r\n'],
    ['an unknown expectation', 'GET / HTTP/1.1\r\nHost: a\r\nExpect: wonders\r\nConnection: close\r\n\r\n'],
    ['a CONNECT request', 'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n'],
  ])('a request whose raw bytes contain %s returns 400 malformed_request', async ([, bytes]) => {
    const answer = await sendBytes(api, bytes)
    refused(parseAnswer(answer), 400, 'malformed_request')
    expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/)
  })

  test('a request body with invalid chunks returns 400 malformed_request when the service reads the body', async () => {
    const head = `POST /api/v1/orders HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${shop.token}\r\n`
    const bytes = `${head}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n`
    refused(parseAnswer(await sendBytes(api, bytes)), 400, 'malformed_request')
  })

  test.for([
    ['an absolute target', 'GET http://example.com/api/v1/openapi.json HTTP/1.1\r\nHost: example.com'],
    ['HTTP/1.0', 'GET /api/v1/openapi.json HTTP/1.0\r\nHost: a'],
    ['a Host with a port', 'GET /api/v1/openapi.json HTTP/1.1\r\nHost: [::1]:3000'],
    ['an Upgrade header', 'GET /api/v1/openapi.json HTTP/1.1\r\nHost: a\r\nUpgrade: websocket'],
  ] as const)('a request with %s is accepted', async ([, head]) => {
    const answer = parseAnswer(await sendBytes(api, `${head}\r\nConnection: close\r\n\r\n`))
    expect(answer.status).toBe(200)
  })

  test('a complete request gets its 201 response even if malformed bytes follow it; the malformed bytes then get 400', async () => {
    const { variantId } = await stockVariant(api, shop.merchantId)
    const body = JSON.stringify(orderBody(variantId))
    const head = `POST /api/v1/orders HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${shop.token}\r\n`
    const bytes = `${head}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}garbage\r\n\r\n`
    const answer = await sendBytes(api, bytes)
    before = await contentsOf(api)
    expect([...answer.matchAll(/HTTP\/1\.1 (\d+)/g)].map((match) => match[1])).toEqual(['201', '400'])
  })

  test('two pipelined requests get two responses in order', async () => {
    const one = 'GET /api/v1/none HTTP/1.1\r\nHost: a\r\n\r\n'
    const two = 'GET /api/v1/openapi.json HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'
    const answer = await sendBytes(api, one + two)
    expect([...answer.matchAll(/HTTP\/1\.1 (\d+)/g)].map((match) => match[1])).toEqual(['404', '200'])
  })

  test('a request changes nothing if its body ends before the announced length', async () => {
    const head = `POST /api/v1/orders HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${shop.token}\r\n`
    const { variantId } = await stockVariant(api, shop.merchantId)
    before = await contentsOf(api)
    const body = JSON.stringify(orderBody(variantId))
    const bytes = `${head}Content-Type: application/json\r\nContent-Length: ${body.length + 1}\r\n\r\n${body}`
    const { connect } = await import('node:net')
    await new Promise<void>((resolve) => {
      const socket = connect(api.port, '127.0.0.1', () => socket.end(bytes))
      socket.on('close', () => resolve())
      socket.resume()
    })
  })
})
