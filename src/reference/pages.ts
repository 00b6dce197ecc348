import { readdir, readFile } from 'node:fs/promises'
import { z } from 'zod'

/** The reference as `npm run generate` wrote it: an index of the pages by sections, and a Markdown file for each. */

const pageSchema = z.object({
  path: z.string(),
  title: z.string(),
  summary: z.string(),
  kind: z.enum(['operation', 'error', 'event', 'lifecycle', 'guide', 'page']),
  method: z.string().optional(),
  route: z.string().optional(),
  badges: z.array(z.string()).default([]),
  words: z.string(),
  terms: z.array(z.string()).default([]),
})

const indexSchema = z.object({
  sections: z.array(z.object({ title: z.string(), pages: z.array(pageSchema) })),
})

export type Page = z.output<typeof pageSchema>
export type Section = z.output<typeof indexSchema>['sections'][number]

export interface Reference {
  readonly sections: readonly Section[]
  /** In the order of the navigation. */
  readonly pages: readonly Page[]
  readonly byPath: ReadonlyMap<string, Page>
  /** What the pages show beside text, by path. */
  readonly drawings: ReadonlySet<string>
  markdown(page: Page): Promise<string>
  drawing(path: string): Promise<string>
  /** The script of the explorer, which is megabytes long. */
  explorerScript(): Promise<string>
  /** The list of all for programs that read, by llmstxt.org’s shape. */
  list(): Promise<string>
}

/** Every address of the reference begins so. */
export const root = '/docs'

/** Only what the index lists, and drawings that were there at the start, is ever read: a request names no file. */
export async function loadReference(folder: URL): Promise<Reference> {
  const read = (path: string) => readFile(new URL(path, folder), 'utf8')
  const { sections } = indexSchema.parse(JSON.parse(await read('index.json')))
  const pages = sections.flatMap((section) => section.pages)
  const files = await readdir(folder, { recursive: true })
  return {
    sections,
    pages,
    byPath: new Map(pages.map((page) => [page.path, page])),
    drawings: new Set(files.filter((path) => path.endsWith('.svg'))),
    markdown: (page) => read(`${page.path}.md`),
    drawing: read,
    explorerScript: () => read('explorer.js'),
    // Its links are files beside it, and it is served at the root too.
    list: async () => (await read('llms.txt')).replaceAll('](', `](${root}/`),
  }
}

export function urlOf(path: string): string {
  return path === 'index' ? root : `${root}/${path}`
}

export function markdownUrlOf(path: string): string {
  return `${root}/${path}.md`
}
