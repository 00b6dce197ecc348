import { readdir, readFile } from 'node:fs/promises'
import { z } from 'zod'

/** The reference as written by `npm run generate`: an index of the pages by group, and a Markdown file for each page. */

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
  /** The pages of the reference, in the order of the navigation. */
  readonly pages: readonly Page[]
  readonly byPath: ReadonlyMap<string, Page>
  /** The paths of the drawings that the pages show. */
  readonly drawings: ReadonlySet<string>
  markdown(page: Page): Promise<string>
  drawing(path: string): Promise<string>
  /** Reads the script of the API explorer, which is several megabytes long. */
  explorerScript(): Promise<string>
  /** Reads llms.txt (llmstxt.org), with links that start at the root of the site. */
  llmsText(): Promise<string>
}

/** The path prefix of all pages of the reference. */
export const root = '/docs'

/**
 * Loads the index of the pages. Requests can read only the pages in this index and the drawings that exist at this
 * time.
 */
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
    // The links in llms.txt are relative to /docs/, but the site also serves the file at /llms.txt.
    llmsText: async () => (await read('llms.txt')).replaceAll('](', `](${root}/`),
  }
}

export function urlOf(path: string): string {
  return path === 'index' ? root : `${root}/${path}`
}

export function markdownUrlOf(path: string): string {
  return `${root}/${path}.md`
}
