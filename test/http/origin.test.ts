import { beforeAll, describe, expect, test } from 'vitest'
import { silentLog } from '../../src/base/log.ts'
import { openReaderOrigins } from '../../src/http/reference.ts'
import { createApiServer } from '../../src/http/server.ts'
import { openService } from '../../src/http/service.ts'
import { addressOf, type TestApi, useApi } from '../support/api.ts'
import { type Parsed, parseAnswer, sendBytes } from '../support/socket.ts'

/** Links and code samples in responses use the origin that the client used in its request. */

const started = useApi()
let api: TestApi

beforeAll(() => {
  api = started()
})

const guide = '/docs/guides/pagination.md'
const written = 'http://127.0.0.1:3000'

async function read(path: string, headers: Record<string, string>): Promise<Parsed> {
  const lines = Object.entries({ ...headers, Connection: 'close' }).map(([name, value]) => `${name}: ${value}\r\n`)
  return parseAnswer(await sendBytes(api, `GET ${path} HTTP/1.1\r\n${lines.join('')}\r\n`))
}

async function docUrlFor(headers: Record<string, string>): Promise<string> {
  return JSON.parse((await read('/api/v1/orders', headers)).text).error.docUrl
}

describe('the Host header', () => {
  test.for([
    ['shop.example.com', 'http://shop.example.com'],
    ['shop.example.com:8080', 'http://shop.example.com:8080'],
    ['localhost:3000', 'http://localhost:3000'],
    ['[::1]:4000', 'http://[::1]:4000'],
  ] as const)('the Host header %s determines the origin of docUrl and of the sample requests', async ([
    Host,
    origin,
  ]) => {
    expect(await docUrlFor({ Host })).toBe(`${origin}/docs/errors/missing_token`)
    const { text, status } = await read(guide, { Host })
    expect(status).toBe(200)
    expect(text).toContain(`${origin}/api/v1/orders?limit=2`)
    expect(text).not.toContain(written)
  })

  test.for([
    '"><script>alert(1)</script>',
    'a.example/path',
    'a b',
    'user@host',
    'x'.repeat(300),
    '%0d%0aX: y',
  ])('the Host header is ignored when it is %s', async (Host) => {
    const { text } = await read('/api/v1/orders', { Host })
    const docUrl: string = JSON.parse(text).error.docUrl
    expect(docUrl).toMatch(/^http:\/\/[\w.:[\]]+\/docs\/errors\/\w+$/)
    expect(text).not.toContain(Host)
  })

  test('a page has a different ETag for each Host header, so that a cached page of one host is not used for another host', async () => {
    const tags = []
    for (const Host of ['a.example.com', 'b.example.com']) tags.push((await read(guide, { Host })).headers.get('etag'))
    expect(tags[0]).not.toBe(tags[1])
    const headers = { Host: 'b.example.com', 'If-None-Match': String(tags[0]) }
    const reply = await read(guide, headers)
    expect(reply.status).toBe(200)
    expect(reply.headers.get('cache-control')).toContain('no-cache')
  })
})

test('the highlighted code samples of an HTML page contain the origin of the request', async () => {
  const { text } = await read('/docs/guides/pagination', { Host: 'shop.example.com:8443' })
  expect(text).toContain('shop.example.com:8443')
  expect(text).not.toContain('127.0.0.1')
})

test('the docUrl in the error for a request that cannot be parsed contains the address of the service itself', async () => {
  const { text } = parseAnswer(await sendBytes(api, 'nonsense\r\n\r\n'))
  expect(JSON.parse(text).error.docUrl).toBe(`${api.url}/docs/errors/malformed_request`)
})

test('PUBLIC_URL takes precedence over the Host header', async () => {
  const service = await openService(api.context, silentLog, 0, 'https://api.example.com')
  const server = createApiServer(service)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = addressOf(server.address())
  try {
    const response = await fetch(`http://127.0.0.1:${port}/api/v1/orders`)
    const { error }: { error: { docUrl: string } } = JSON.parse(await response.text())
    expect(error.docUrl).toBe('https://api.example.com/docs/errors/missing_token')
    const page = await fetch(`http://127.0.0.1:${port}${guide}`)
    expect(await page.text()).toContain('https://api.example.com/api/v1/orders?limit=2')
  } finally {
    await service.subscription.close()
    await new Promise((resolve) => server.close(resolve).closeAllConnections())
  }
})

test('the header X-Forwarded-Proto determines the origin only if the service is configured with trusted proxies', async () => {
  const headers = { host: 'api.example.com', 'x-forwarded-proto': 'https' }
  const origins = []
  for (const trusted of [0, 1]) {
    const service = await openService(api.context, silentLog, trusted)
    origins.push(service.originOf({ headers, socket: {} }))
    await service.subscription.close()
  }
  expect(origins).toEqual(['http://api.example.com', 'https://api.example.com'])
})

test('pages contain the origin of the Host header for the first sixteen hosts only; for any other host they contain the service’s own address', () => {
  const origins = openReaderOrigins()
  const own = 'http://127.0.0.1:3000'
  const chosen = (host: number) => origins.choose(`http://${host}.example`, own)
  for (let host = 0; host < 16; host++) expect(chosen(host)).toBe(`http://${host}.example`)
  expect(chosen(16)).toBe(own)
  expect(chosen(0)).toBe('http://0.example')
  expect(origins.choose(own, own)).toBe(own)
})
