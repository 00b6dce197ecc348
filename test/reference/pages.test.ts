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
import { drawnTransitions, isShortened } from '../../scripts/reference/drawing.ts'
import { lifecycles } from '../../scripts/reference/lifecycles.ts'

/** Tests the reference pages in the repository. openapi.test.ts tests that they are up to date with the registry. */

const folder = new URL('../../generated/reference/', import.meta.url)
const all: readonly Endpoint[] = Object.values(endpoints)
const pages = new Map<string, string>()
for (const name of await readdir(folder, { recursive: true })) {
  if (name.endsWith('.md')) pages.set(name.slice(0, -'.md'.length), await readFile(new URL(name, folder), 'utf8'))
}

function pageAt(path: string): string {
  const text = pages.get(path)
  if (text === undefined) throw new Error(`The page ${path} does not exist.`)
  return text
}

/** Removes the code blocks of a page, because they may contain text that looks like prose. */
function prose(text: string): string {
  return text.replaceAll(/^```.*?^```$/gms, '')
}

test('each operation has a reference page with its scope, its fields and links to its errors', () => {
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

test('each error code has a reference page with a valid example whose docUrl links to the page', () => {
  for (const code of errorCodes) {
    const example: unknown = JSON.parse(pageAt(`errors/${code}`).match(/```json.*?\n(.*?)\n```/s)?.[1] ?? '')
    expect(errorBodies.get(code)?.safeParse(example).error, code).toBeUndefined()
    expect(example).toMatchObject({ error: { code, docUrl: `http://127.0.0.1:3000/docs/errors/${code}` } })
  }
})

test('the reference page of an error lists the operations that return its code', () => {
  expect(pageAt('errors/order_not_paid')).toContain('[`createRefund`](../api/refunds/createRefund.md)')
  expect(pageAt('errors/version_conflict')).toContain('Every operation that takes `If-Match`.')
  expect(pageAt('errors/route_not_found')).toContain('before an operation is selected')
})

test('each event kind has a reference page with its fields and a valid sample', () => {
  for (const kind of eventKinds) {
    const page = pageAt(`webhooks/${kind}`)
    expect(page).toContain(events[kind].meaning)
    for (const field of Object.keys(events[kind].data.shape)) expect(page).toContain(`| \`${field}\` |`)
    const sample: unknown = JSON.parse(page.match(/```json title="Body"\n(.*?)\n```/s)?.[1] ?? '')
    expect(events[kind].envelope.safeParse(sample).error).toBeUndefined()
  }
})

test('each state machine has a reference page with every transition and a drawing with every status', async () => {
  expect(lifecycles.length).toBe(all.filter(({ stateMachine }) => stateMachine !== undefined).length)
  for (const lifecycle of lifecycles) {
    const page = pageAt(lifecycle.path)
    const drawing = await readFile(new URL(`drawings/${lifecycle.noun}.svg`, folder), 'utf8')
    expect(drawing).not.toMatch(/style=|<style|<script|<!--/)
    for (const { name, meaning, next } of lifecycle.statuses) {
      expect(page).toContain(`| \`${name}\` | ${meaning} | ${next.map((to) => `\`${to}\``).join(', ') || 'final'} |`)
      expect(drawing).toContain(`>${name}</text>`)
    }
  }
})

test('in the simplified drawing of a state machine, every transition corresponds to a path of lines', () => {
  const shortened = lifecycles.filter(isShortened)
  expect(shortened.length).toBeGreaterThan(0)
  for (const lifecycle of lifecycles) {
    const drawn = drawnTransitions(lifecycle)
    for (const [from, next] of Object.entries(lifecycle.transitions)) {
      const reached = new Set([from])
      for (const state of reached) for (const move of drawn) if (move.from === state) reached.add(move.to)
      for (const to of next) expect(reached.has(to), `${lifecycle.noun}: ${from} to ${to}`).toBe(true)
    }
    for (const { from, to } of drawn) expect(lifecycle.transitions[from]).toContain(to)
  }
})

test('the page of scopes lists every scope with its meaning', () => {
  for (const [scope, meaning] of Object.entries(scopes))
    expect(pageAt('scopes')).toContain(`| \`${scope}\` | ${meaning} |`)
})

test('every link of the reference has an existing target: a page, a drawing or a heading', () => {
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

/** Returns the anchors of the headings of a page, as Markdown renderers create them. */
function anchorsOf(text: string): string[] {
  const headings = [...prose(text).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => heading)
  return headings.map((heading) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w -]/g, '')
      .replaceAll(' ', '-'),
  )
}

test('a documentation page that shows a command for tokens or webhook endpoints names the dashboard before that command', () => {
  const shown = [...pages].filter(([, text]) => endpointCommand.test(text))
  expect(shown.length).toBeGreaterThan(2)
  for (const [path, text] of shown) {
    const dashboard = text.toLowerCase().indexOf('dashboard')
    expect(dashboard, path).toBeGreaterThan(-1)
    expect(dashboard, path).toBeLessThan(text.search(endpointCommand))
  }
})

/**
 * Matches commands about tokens and webhooks. The command line is for operators; members manage tokens and webhooks in
 * the dashboard (spec 1).
 */
const endpointCommand = /commerce (?:-- )?(?:token|webhook) /

test('no reference page contains undefined, NaN or [object Object], and all rows of a table have the same number of cells', () => {
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

test('the navigation and llms.txt list every page once', async () => {
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

test('the check of generated files reports reference files that are no longer generated, including those in subfolders', async () => {
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
