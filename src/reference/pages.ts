import { z } from 'zod'

/**
 * The API reference that `npm run generate` writes: an index of the pages by group and, for each page, a Markdown file
 * and an HTML file. The HTML file contains only the article of the page.
 */

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
}

/** The folder with the pages of the API reference, which `npm run generate` writes. */
export const generatedReference = new URL('../../generated/reference/', import.meta.url)

/** The path prefix of all pages of the reference. */
export const root = '/docs'

export function parseReference(index: string): Reference {
  const { sections } = indexSchema.parse(JSON.parse(index))
  const pages = sections.flatMap((section) => section.pages)
  return { sections, pages, byPath: new Map(pages.map((page) => [page.path, page])) }
}

export function urlOf(path: string): string {
  return path === 'index' ? root : `${root}/${path}`
}

export function markdownUrlOf(path: string): string {
  return `${root}/${path}.md`
}
