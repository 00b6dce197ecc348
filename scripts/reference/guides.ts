import { readdir, readFile } from 'node:fs/promises'
import { firstSentence, plain } from './markdown.ts'
import type { Page } from './page.ts'

/** The guides in the order a newcomer needs them. One that is not named here comes after these. */
const order = [
  'authentication',
  'errors',
  'pagination',
  'idempotent-refunds',
  'receiving-webhooks',
  'test-mode',
  'versioning',
  'client',
  'optimistic-updates',
  'money',
]

const folder = new URL('../../registry/guides/', import.meta.url)

/** The pages that are written by hand. There may be none. */
export async function guidePages(): Promise<Page[]> {
  const names = await readdir(folder).catch(() => [])
  const guides = names.filter((name) => name.endsWith('.md')).map((name) => name.slice(0, -'.md'.length))
  return Promise.all(guides.sort((a, b) => place(a) - place(b) || (a < b ? -1 : 1)).map(guidePage))
}

function place(name: string): number {
  const found = order.indexOf(name)
  return found < 0 ? order.length : found
}

async function guidePage(name: string): Promise<Page> {
  const text = await readFile(new URL(`${name}.md`, folder), 'utf8')
  const [, title = name, body = ''] = text.match(/^# ([^\n]+)\n(.*)$/ms) ?? []
  return {
    path: `guides/${name}`,
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
