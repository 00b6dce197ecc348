import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { articlesOf } from '../../scripts/reference/html/articles.ts'
import type { Answer } from '../../src/http/pipeline/exchange.ts'
import { answerReference } from '../../src/http/reference.ts'
import { openReferenceSite } from '../../src/reference/entities.ts'
import { describeInBrowser, expectQuiet, useBrowser } from '../support/reference/browser.ts'

/** Code samples in several languages, and malicious Markdown, on pages that the test creates. */

const samples = `# Sample

\`\`\`sh title="curl"
curl -s /
\`\`\`

\`\`\`ts title="TypeScript"
await fetch('/')
\`\`\`

\`\`\`py title="Python"
urlopen('/')
\`\`\`
`

const harmful = `# Harm

<img src=x onerror=alert(1)>

[here](javascript:alert(1)) and [there](//elsewhere.example/) and ![picture](javascript:alert(2)) <b>bold</b>

| Field | Type | Meaning |
| --- | --- | --- |
| \`"><script>alert(3)</script>\` | string | \`<i>\` |
`

const page = (path: string) => ({ path, title: path, summary: '', kind: 'operation', badges: [], words: '' })
const index = { sections: [{ title: 'All', pages: ['index', 'first', 'second', 'harm'].map(page) }] }

let folder: string
let url: string
let answer: (message: IncomingMessage) => Promise<Answer>
const server = createServer((message, outgoing) =>
  answer(message).then(({ status, headers, body }) => outgoing.writeHead(status, headers).end(body)),
)

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'commerce-tabs-'))
  await mkdir(folder, { recursive: true })
  const texts = Object.entries({ index: samples, first: samples, second: samples, harm: harmful })
  const articles = await articlesOf(JSON.stringify(index), new Map(texts))
  for (const [name, text] of articles) await writeFile(join(folder, `${name}.html`), text)
  await writeFile(join(folder, 'index.json'), JSON.stringify(index))
  const reference = openReferenceSite(pathToFileURL(`${folder}/`))
  answer = (message) => answerReference(reference, message, 'http://127.0.0.1')
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
})

afterAll(async () => {
  await new Promise((resolve) => server.close(resolve).closeAllConnections())
  await rm(folder, { recursive: true, force: true })
})

test('markup, scripts and links to other hosts in a page’s text are shown as text', async () => {
  const text = await (await fetch(`${url}/docs/harm`)).text()
  expect(text).toContain('&lt;img src=x onerror=alert(1)&gt;')
  expect(text).not.toMatch(/<img src=x|<b>bold|<script>alert|href="javascript|src="javascript|href="\/\/elsewhere/)
})

describeInBrowser('samples in several languages', () => {
  const visit = useBrowser()

  test('code samples in several languages become tabs, and the language selected on one page is shown on the next page', async () => {
    const visited = await visit()
    await visited.page.goto(`${url}/docs/first`)
    const chosen = visited.page.getByRole('tab', { selected: true })
    expect(await chosen.textContent()).toBe('curl')
    await chosen.focus()
    await visited.page.keyboard.press('ArrowRight')
    await visited.page.keyboard.press('ArrowRight')
    expect(await chosen.textContent()).toBe('Python')
    await visited.page.goto(`${url}/docs/second`)
    expect(await chosen.textContent()).toBe('Python')
    expect(await visited.page.locator('.tabs figure:visible').textContent()).toContain("urlopen('/')")
    expectQuiet(visited, url)
    await visited.close()
  })

  test('without JavaScript, code samples in several languages are listed one below another, each under its language', async () => {
    const visited = await visit({ javaScriptEnabled: false })
    await visited.page.goto(`${url}/docs/first`)
    expect(await visited.page.locator('figure.code:visible figcaption').allTextContents()).toEqual([
      'curl',
      'TypeScript',
      'Python',
    ])
    await visited.close()
  })
})
