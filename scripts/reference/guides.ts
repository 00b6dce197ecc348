import { readdir, readFile } from 'node:fs/promises'
import { insertedWords, withInserts } from './guide-inserts.ts'
import { firstSentence, plain } from './markdown.ts'
import type { Page } from './page.ts'

/** The navigation groups that contain only guides, each in the order of its pages. */
const guideGroups = {
  start: ['quick-start', 'authentication', 'test-mode', 'triggers', 'client-libraries', 'typescript-client'],
  conventions: ['errors', 'pagination', 'idempotency', 'concurrency-control', 'rate-limits', 'money', 'versioning'],
  topics: [
    'payments',
    'buyer-pages',
    'order-edits',
    'exceptions',
    'shipping',
    'returns',
    'inventory',
    'sales-reports',
    'product-import',
    'exports',
    'webhooks',
    'personal-data',
  ],
  hosting: [
    'configuration',
    'deployment',
    'operations',
    'backups',
    'upgrades',
    'monitoring',
    'scaling-out',
    'performance',
    'dashboard',
    'audit-log',
    'conformance-testing',
    'development',
  ],
} as const

export type GuideGroup = keyof typeof guideGroups

const folder = new URL('../../registry/guides/', import.meta.url)

/** Throws if a file of registry/guides is in no group. */
export async function guidePages(): Promise<Readonly<Record<GuideGroup, readonly Page[]>>> {
  const files = (await readdir(folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => name.slice(0, -'.md'.length))
  const named: readonly string[] = Object.values(guideGroups).flat()
  const ungrouped = files.filter((name) => !named.includes(name))
  if (ungrouped.length > 0) throw new Error(`scripts/reference/guides.ts must name the guides ${ungrouped.join(', ')}.`)
  const pagesOf = (group: GuideGroup) => Promise.all(guideGroups[group].map(guidePage))
  return {
    start: await pagesOf('start'),
    conventions: await pagesOf('conventions'),
    topics: await pagesOf('topics'),
    hosting: await pagesOf('hosting'),
  }
}

export async function specificationPage(): Promise<Page> {
  return pageOf('specification', await readFile(new URL('../../registry/SPECIFICATION.md', import.meta.url), 'utf8'))
}

async function guidePage(name: string): Promise<Page> {
  const page = pageOf(`guides/${name}`, withInserts(await readFile(new URL(`${name}.md`, folder), 'utf8')))
  return { ...page, words: [...page.words, ...(insertedWords[name] ?? [])] }
}

function pageOf(path: string, text: string): Page {
  const [, title = path, body = ''] = text.match(/^# ([^\n]+)\n(.*)$/ms) ?? []
  return {
    path,
    title: plain(title),
    summary: plain(firstSentence(firstParagraph(body))),
    kind: 'guide',
    words: [plain(body.replaceAll(/```.*?```/gs, ''))],
    parts: [body.trim()],
  }
}

function firstParagraph(body: string): string {
  return body.split(/\n{2,}/).find((part) => /^\w/.test(part.trim())) ?? ''
}
