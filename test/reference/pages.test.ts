import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, posix } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { errorCodes } from '../../registry/errors/index.ts'
import { endpoints, events } from '../../registry/index.ts'
import type { Endpoint } from '../../registry/kit/endpoint.ts'
import { errorBodies } from '../../registry/kit/error-body.ts'
import { eventKinds } from '../../registry/kit/event.ts'
import { refusalsOf } from '../../registry/kit/refusals.ts'
import { scopes } from '../../registry/values/scopes.ts'
import { superfluousFiles } from '../../scripts/generated-files.ts'
import { operationPath } from '../../scripts/reference/contract.ts'
import { drawnMoves, isShortened } from '../../scripts/reference/drawing.ts'
import { lives } from '../../scripts/reference/lives.ts'

/** The generated reference. That it is up to date is tested by openapi.test.ts. */

const folder = new URL('../../generated/reference/', import.meta.url)
const all: readonly Endpoint[] = Object.values(endpoints)
const pages = new Map<string, string>()
for (const name of await readdir(folder, { recursive: true })) {
  if (name.endsWith('.md')) pages.set(name.slice(0, -'.md'.length), await readFile(new URL(name, folder), 'utf8'))
}

function pageAt(path: string): string {
  const text = pages.get(path)
  if (text === undefined) throw new Error(`There is no page ${path}.`)
  return text
}

/** Returns the text without code, which may contain anything that looks like prose. */
function prose(text: string): string {
  return text.replaceAll(/^```.*?^```$/gms, '')
}

test('every operation has its page, with its errors linked, its scope and its fields', () => {
  for (const endpoint of all) {
    const page = pageAt(operationPath(endpoint))
    expect(page).toContain(`\`${endpoint.method} /api/v1${endpoint.path}\``)
    if (endpoint.access !== 'public') expect(page).toContain(`[\`${endpoint.access}\`](../../scopes.md)`)
    for (const code of refusalsOf(endpoint))
      expect(page, endpoint.id).toContain(`[\`${code}\`](../../errors/${code}.md)`)
    for (const name of Object.keys(endpoint.query?.shape ?? {})) expect(page).toContain(`| \`${name}\` |`)
    for (const name of Object.keys(endpoint.body?.schema.shape ?? {})) expect(page).toContain(`| \`${name}\` |`)
    expect(page.includes('**Beta**'), endpoint.id).toBe(endpoint.stability === 'beta')
  }
})

test('every error code has the page of its docUrl, with an example of the error', () => {
  for (const code of errorCodes) {
    const example: unknown = JSON.parse(pageAt(`errors/${code}`).match(/```json.*?\n(.*?)\n```/s)?.[1] ?? '')
    expect(errorBodies.get(code)?.safeParse(example).error, code).toBeUndefined()
    expect(example).toMatchObject({ error: { code, docUrl: `http://127.0.0.1:3000/docs/errors/${code}` } })
  }
})

test('an error page lists the operations that return the code', () => {
  expect(pageAt('errors/order_not_paid')).toContain('[`createRefund`](../api/refunds/createRefund.md)')
  expect(pageAt('errors/version_conflict')).toContain('Every operation that takes `If-Match`.')
  expect(pageAt('errors/route_not_found')).toContain('before an operation is chosen')
})

test('every event kind has its page with its fields and a valid sample', () => {
  for (const kind of eventKinds) {
    const page = pageAt(`webhooks/${kind}`)
    expect(page).toContain(events[kind].meaning)
    for (const field of Object.keys(events[kind].data.shape)) expect(page).toContain(`| \`${field}\` |`)
    const sample: unknown = JSON.parse(page.match(/```json title="Body"\n(.*?)\n```/s)?.[1] ?? '')
    expect(events[kind].envelope.safeParse(sample).error).toBeUndefined()
  }
})

test('every state machine has its page with every transition, and a drawing with every state', async () => {
  expect(lives.length).toBe(all.filter(({ stateMachine }) => stateMachine !== undefined).length)
  for (const life of lives) {
    const page = pageAt(life.path)
    const drawing = await readFile(new URL(`drawings/${life.noun}.svg`, folder), 'utf8')
    expect(drawing).not.toMatch(/style=|<style|<script|<!--/)
    for (const { name, meaning, next } of life.states) {
      expect(page).toContain(`| \`${name}\` | ${meaning} | ${next.map((to) => `\`${to}\``).join(', ') || 'final'} |`)
      expect(drawing).toContain(`>${name}</text>`)
    }
  }
})

test('transitions omitted from a shortened drawing can be followed along its lines', () => {
  const shortened = lives.filter(isShortened)
  expect(shortened.length).toBeGreaterThan(0)
  for (const life of lives) {
    const drawn = drawnMoves(life)
    for (const [from, next] of Object.entries(life.transitions)) {
      const reached = new Set([from])
      for (const state of reached) for (const move of drawn) if (move.from === state) reached.add(move.to)
      for (const to of next) expect(reached.has(to), `${life.noun}: ${from} to ${to}`).toBe(true)
    }
    for (const { from, to } of drawn) expect(life.transitions[from]).toContain(to)
  }
})

test('every scope is described', () => {
  for (const [scope, meaning] of Object.entries(scopes))
    expect(pageAt('scopes')).toContain(`| \`${scope}\` | ${meaning} |`)
})

test('every link leads to an existing page, drawing or heading', () => {
  let links = 0
  for (const [path, text] of pages) {
    for (const [, target = ''] of prose(text).matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^https?:/.test(target)) continue
      links++
      const [file = '', anchor] = target.split('#')
      const found = file === '' ? path : posix.join(posix.dirname(path), file)
      expect(existsSync(new URL(file === '' ? `${path}.md` : found, folder)), `${path}: ${target}`).toBe(true)
      if (anchor === undefined) continue
      const anchors = anchorsOf(pageAt(found.replace(/\.md$/, '')))
      expect(anchors, `${path}: ${target}`).toContain(anchor)
    }
  }
  expect(links).toBeGreaterThan(1000)
})

/** Returns the anchors of a page: its headings as Markdown renderers name them, and the fields of its tables. */
function anchorsOf(text: string): string[] {
  const headings = [...prose(text).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => heading)
  return headings.map((heading) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w -]/g, '')
      .replaceAll(' ', '-'),
  )
}

test('no page contains an unprinted value, and every row of a table has all its cells', () => {
  for (const [path, text] of pages) {
    expect(prose(text), path).not.toMatch(/undefined|\[object Object\]|NaN/)
    for (const rows of prose(text).matchAll(/(?:^\|.*\n?)+/gm)) {
      const widths = rows[0]
        .trim()
        .split('\n')
        .map((row) => row.split(/(?<!\\)\|/).length)
      expect(new Set(widths).size, `${path}: ${rows[0].slice(0, 80)}`).toBe(1)
    }
  }
})

test('the navigation and llms.txt list every page, each once', async () => {
  const navigation: { sections: { pages: { path: string; title: string; summary: string; words: string }[] }[] } =
    JSON.parse(await readFile(new URL('index.json', folder), 'utf8'))
  const entries = navigation.sections.flatMap((section) => section.pages)
  expect(entries.map(({ path }) => path).toSorted()).toEqual([...pages.keys()].toSorted())
  for (const { path, title, summary } of entries) {
    expect(pageAt(path)).toContain(`\n# ${title}\n`)
    expect(summary, path).toMatch(/^[^\n]{5,300}\.$/)
  }
  const llms = await readFile(new URL('llms.txt', folder), 'utf8')
  expect(entries.filter(({ path }) => !llms.includes(`](${path}.md): `))).toEqual([])
})

test('finds a file that is not generated, in subfolders too', async () => {
  const root = await mkdtemp(join(tmpdir(), 'commerce-reference-'))
  try {
    for (const path of ['errors/wanted.md', 'errors/left_over.md', 'old/page.md']) {
      const file = join(root, 'generated/reference', path)
      await mkdir(dirname(file), { recursive: true })
      await writeFile(file, 'text')
    }
    const generated = [{ path: 'generated/reference/errors/wanted.md', text: 'text' }]
    expect(await superfluousFiles(generated, pathToFileURL(`${root}/`))).toEqual([
      'generated/reference/errors/left_over.md',
      'generated/reference/old/page.md',
    ])
  } finally {
    await rm(root, { recursive: true })
  }
})
