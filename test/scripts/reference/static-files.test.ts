import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { linksOf } from '../../reference/links.ts'
import { describeInBrowser, expectQuiet, useBrowser } from '../../support/reference/browser.ts'

/** The API reference, written to a folder and served by a simple file server. */

let folder: string
let url: string

const types: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  css: 'text/css',
  js: 'text/javascript',
  json: 'application/json',
  svg: 'image/svg+xml',
}

/** Returns the file for a URL path. For a folder, returns its index.html, as any file server does. */
async function fileAt(path: string): Promise<string | undefined> {
  const file = join(folder, decodeURIComponent(path))
  const found = await stat(file).catch(() => undefined)
  if (found?.isDirectory()) return fileAt(join(path, 'index.html'))
  return found && file
}

const server = createServer(async (request, response) => {
  const { pathname } = new URL(request.url ?? '/', 'http://here')
  const file = await fileAt(pathname)
  if (file === undefined) return void response.writeHead(404).end()
  response.writeHead(200, { 'Content-Type': types[file.split('.').at(-1) ?? ''] ?? 'text/plain' })
  response.end(await readFile(file))
})

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'commerce-reference-'))
  await promisify(execFile)(process.execPath, ['scripts/reference-site.ts', '--out', folder])
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = Object(server.address()) as AddressInfo
  url = `http://127.0.0.1:${port}`
})

afterAll(async () => {
  await new Promise((resolve) => server.close(resolve).closeAllConnections())
  await rm(folder, { recursive: true, force: true })
})

test('every link of every page of the static reference leads to a file', async () => {
  const seen = new Set<string>()
  const open = ['/docs', '/docs/search', '/404.html', '/docs/search.json', '/llms.txt']
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (seen.has(path)) continue
    seen.add(path)
    const response = await fetch(url + path)
    expect(response.status, path).toBe(200)
    const text = await response.text()
    if (response.headers.get('content-type') === types.html)
      open.push(...linksOf(text, path).map(({ target }) => target))
  }
  expect(seen.size).toBeGreaterThan(300)
})

describeInBrowser('the files in a browser', () => {
  const visit = useBrowser()

  test('the search of the static reference works without the service', async () => {
    const visited = await visit()
    const { page } = visited
    await page.goto(`${url}/docs/`)
    await page.keyboard.press('/')
    await page.keyboard.type('idempotency_conflict')
    await page.locator('.hits [data-url="/docs/errors/idempotency_conflict"]').waitFor()
    await page.goto(`${url}/docs/search?q=idempotency_conflict`)
    await page.locator('.results a[href="/docs/errors/idempotency_conflict"]').waitFor()
    expectQuiet(visited, url)
    await visited.close()
  })
})
