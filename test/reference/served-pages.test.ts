import { beforeAll, describe, expect, test } from 'vitest'
import { errorCodes } from '../../registry/errors/index.ts'
import { type TestApi, useApi } from '../support/api.ts'
import { parseAnswer, sendBytes } from '../support/socket.ts'
import { waitUntil } from '../support/wait-for.ts'
import { linksOf } from './links.ts'

/** A longer timeout: these tests are the first to render all pages, which takes long on a busy machine. */
const wholeMs = 180_000

/** Tests the reference pages as programs get them from the service. browser.test.ts tests them in a browser. */

const started = useApi()

let api: TestApi

beforeAll(() => {
  api = started()
})

function get(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Response> {
  return fetch(api.url + path, { method, headers, redirect: 'manual' })
}

const strictPolicy =
  "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; " +
  "base-uri 'none'; frame-ancestors 'none'"

describe('pages of the reference', () => {
  test('every error code has a reference page at its docUrl', { timeout: wholeMs }, async () => {
    for (const code of errorCodes) {
      const response = await get(`/docs/errors/${code}`)
      expect(response.status, code).toBe(200)
      expect(await response.text()).toContain(code.replaceAll('_', '_<wbr>'))
    }
  })

  test('every link of the reference leads to an existing page, and its anchor to an existing element', {
    timeout: wholeMs,
  }, async () => {
    const pages = new Map<string, string>()
    const open = ['/docs']
    for (let path = open.pop(); path !== undefined; path = open.pop()) {
      if (pages.has(path)) continue
      const response = await get(path)
      expect(response.status, path).toBe(200)
      const isPage = response.headers.get('content-type')?.startsWith('text/html') ?? false
      pages.set(path, isPage ? await response.text() : '')
      open.push(...linksOf(pages.get(path) ?? '', path).map(({ target }) => target))
    }
    expect(pages.size).toBeGreaterThan(300)
    const lost = [...pages].flatMap(([path, text]) =>
      linksOf(text, path)
        .filter(({ target, anchor }) => anchor !== '' && !pages.get(target)?.includes(` id="${anchor}"`))
        .map(({ target, anchor }) => `${path} -> ${target}#${anchor}`),
    )
    expect(lost).toEqual([])
  })

  test('the pages of the reference have a Content-Security-Policy that allows neither other hosts nor inline scripts', async () => {
    const response = await get('/docs')
    expect(response.headers.get('content-security-policy')).toBe(strictPolicy)
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    expect(response.headers.get('x-frame-options')).toBe('DENY')
    expect(response.headers.get('referrer-policy')).toBe('no-referrer')
    expect(response.headers.get('request-id')).toMatch(/^req_[0-9a-z]{26}$/)
    expect(await response.text()).not.toMatch(/<script(?![^>]* src=)|<style| style="| on\w+="/)
  })

  test('the search page shows the search term as text, never as markup', async () => {
    const response = await get('/docs/search?q=%3Cscript%3Ealert(1)%3C/script%3E%22')
    const text = await response.text()
    expect(text).not.toContain('<script>alert')
    expect(text).toContain('&lt;script&gt;alert')
  })

  test.for([
    ['stock', '/docs/api/orders/createOrder'],
    ['refund_exceeds_refundable', '/docs/errors/refund_exceeds_refundable'],
    ['inventory.low_stock', '/docs/webhooks/inventory.low_stock'],
  ])('the server’s search of the reference finds “%s”', async ([query, url]) => {
    // The first searches of a process are slow, so the processor time limit may reject the next searches.
    const found = await waitUntil(async () => {
      const response = await get(`/docs/search?q=${query}`)
      expect([200, 503]).toContain(response.status)
      return response.status === 200 && response
    })
    const text = await found.text()
    const [, results = ''] = /<ol class="results">(.*?)<\/ol>/s.exec(text) ?? []
    expect(results).toContain(`<li><a href="${url}">`)
  })
})

test('the root path of the service redirects to the API reference', async () => {
  const { status, headers } = await get('/')
  expect([status, headers.get('location')]).toEqual([307, '/docs'])
})

describe('Markdown versions of pages', () => {
  test('every reference page links to its Markdown version in its head', async () => {
    const page = await (await get('/docs/errors/order_not_found')).text()
    expect(page).toContain('<link rel="alternate" type="text/markdown" href="/docs/errors/order_not_found.md">')
    const twin = await get('/docs/errors/order_not_found.md')
    expect(twin.headers.get('content-type')).toBe('text/markdown; charset=utf-8')
    expect(await twin.text()).toContain('# order_not_found')
  })

  test('the Markdown version of the reference’s front page redirects to a path from which its relative links work', async () => {
    const response = await get('/docs.md')
    expect({ status: response.status, location: response.headers.get('location') }).toEqual({
      status: 308,
      location: '/docs/index.md',
    })
    const twin = await get('/docs/index.md')
    expect(twin.headers.get('content-type')).toBe('text/markdown; charset=utf-8')
    expect(await twin.text()).toContain('(guides/authentication.md)')
    expect(await (await get('/docs')).text()).toContain('type="text/markdown" href="/docs/index.md"')
    const asked = await get('/docs', { Accept: 'text/markdown' })
    expect([asked.status, asked.headers.get('location'), asked.headers.get('vary')]).toEqual([
      307,
      '/docs/index.md',
      'Accept',
    ])
  })

  test.for([
    ['text/markdown', 'text/markdown; charset=utf-8'],
    ['text/markdown, text/html;q=0.9', 'text/markdown; charset=utf-8'],
    ['text/html, text/markdown;q=0.5', 'text/html; charset=utf-8'],
    ['text/markdown;q=0', 'text/html; charset=utf-8'],
    ['*/*', 'text/html; charset=utf-8'],
  ])('for a request with Accept: %s, the API reference returns a page as %s', async ([accept = '', type]) => {
    const response = await get('/docs/errors/order_not_found', { Accept: accept })
    expect(response.headers.get('content-type')).toBe(type)
    expect(response.headers.get('vary')).toBe('Accept, Accept-Encoding')
  })

  test('each of the two URLs of llms.txt returns a list with the Markdown version of every page', async () => {
    const text = await (await get('/llms.txt')).text()
    expect(await (await get('/docs/llms.txt')).text()).toBe(text)
    const listed = [...text.matchAll(/\]\((\/docs\/\S+\.md)\)/g)].map(([, url = '']) => url)
    expect(listed.length).toBeGreaterThan(140)
    for (const url of listed) expect((await get(url)).status, url).toBe(200)
  })
})

describe('llms-full.txt', () => {
  test('llms-full.txt has the text of every page that llms.txt lists, at both of its URLs', async () => {
    const text = await (await get('/llms-full.txt')).text()
    expect(await (await get('/docs/llms-full.txt')).text()).toBe(text)
    const listed = await (await get('/llms.txt')).text()
    for (const [, url = ''] of listed.matchAll(/\]\((\/docs\/\S+\.md)\)/g)) expect(text).toContain(`<!-- ${url} -->`)
    expect(text).not.toContain('DO NOT EDIT')
  })

  test('each link in llms-full.txt leads to a page', async () => {
    const text = await (await get('/llms-full.txt')).text()
    const links = new Set([...text.matchAll(/\]\((?![a-z]+:)([^()\s#]*)/g)].map(([, url = '']) => url))
    expect(links.size).toBeGreaterThan(140)
    expect([...links].filter((url) => !url.startsWith('/docs/'))).toEqual([])
    for (const url of links) expect((await get(url)).status, url).toBe(200)
  })
})

describe('compressed transfer of reference pages', () => {
  test('the API reference returns 304 for a page with a matching ETag', async () => {
    const etag = (await get('/docs')).headers.get('etag') ?? ''
    expect(etag).toMatch(/^W\/".+"$/)
    const again = await get('/docs', { 'If-None-Match': `"other", ${etag}` })
    expect({ status: again.status, text: await again.text() }).toEqual({ status: 304, text: '' })
    expect(again.headers.get('etag')).toBe(etag)
    expect((await get('/docs', { 'If-None-Match': '"other"' })).status).toBe(200)
  })

  test.for([
    ['br, gzip', 'br'],
    ['gzip', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['identity', null],
  ])('for Accept-Encoding: %s, the API reference returns Content-Encoding: %s', async ([accepted, coding]) => {
    const answer = await get('/docs/scopes', { 'Accept-Encoding': accepted ?? '' })
    expect(answer.headers.get('content-encoding')).toBe(coding)
    expect(await answer.text()).toContain('<h1>Scopes</h1>')
  })

  test('HEAD for a reference page returns the headers of GET without the body', async () => {
    const plain = await get('/docs/scopes', { 'Accept-Encoding': 'identity' })
    const head = await get('/docs/scopes', { 'Accept-Encoding': 'identity' }, 'HEAD')
    expect(head.headers.get('content-length')).toBe(String(Buffer.byteLength(await plain.text())))
    expect({ status: head.status, text: await head.text() }).toEqual({ status: 200, text: '' })
  })

  test('assets of the API reference have a content hash in their name and are immutable; another hash returns 404', async () => {
    const page = await (await get('/docs')).text()
    const [style = ''] = /\/docs\/assets\/reference-\w{12}\.css/.exec(page) ?? []
    const response = await get(style)
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(response.headers.get('content-type')).toBe('text/css; charset=utf-8')
    expect((await get('/docs/assets/reference-000000000000.css')).status).toBe(404)
  })
})

describe('an unknown path of the reference', () => {
  test.for([
    '/docs/nonsense',
    '/docs/errors/nonsense',
    '/docs/errors/__proto__',
    '/docs/constructor',
    '/docs/../package.json',
    '/docs/%2e%2e/package.json',
    '/docs/..%2f..%2fpackage.json',
    '/docs/index.json',
    '/docs/errors/order_not_found%00',
    '/docs//scopes',
    '/docs/assets/',
  ])('the API reference returns 404 for the unknown path %s', async (path) => {
    const answered = await sendBytes(api, `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
    expect(parseAnswer(answered).status).toBe(404)
    expect(answered).not.toContain('commerce-service')
  })

  test('an unknown reference path returns a page that reports the missing page and contains the search form', async () => {
    const response = await get('/docs/nonsense')
    expect(response.status).toBe(404)
    const text = await response.text()
    expect(text).toContain('Page not found')
    expect(text).toContain('action="/docs/search"')
  })

  test.for([
    '*',
    '"other"',
  ])('an unknown reference path with If-None-Match: %s returns the complete not-found page without an ETag', async (known) => {
    const response = await get('/docs/nonsense', { 'If-None-Match': known })
    expect({ status: response.status, etag: response.headers.get('etag') }).toEqual({ status: 404, etag: null })
    expect(await response.text()).toContain('Page not found')
  })

  test('the path of a reference page with a trailing slash redirects to that page', async () => {
    const response = await get('/docs/scopes/')
    expect({ status: response.status, location: response.headers.get('location') }).toEqual({
      status: 308,
      location: '/docs/scopes',
    })
  })

  test('the API reference rejects a path of 201 characters before the page lookup, but not a path of 200 characters', async () => {
    const [longest, longer] = [200, 201].map((characters) => get('/docs/'.padEnd(characters, 'x')))
    expect([(await longest)?.status, await (await longest)?.text()]).toEqual([
      404,
      expect.stringContaining('Page not found'),
    ])
    expect(await (await longer)?.json()).toMatchObject({
      error: { code: 'route_not_found', message: 'The path has more than 200 characters.' },
    })
  })

  test('the API reference accepts GET and HEAD only', async () => {
    const response = await get('/docs/scopes', {}, 'POST')
    expect({ status: response.status, allow: response.headers.get('allow') }).toEqual({
      status: 405,
      allow: 'GET, HEAD',
    })
  })
})
