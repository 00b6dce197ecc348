import { posix } from 'node:path'

/** One page of the reference: its path, its text, and the data about it for the navigation and the search. */
export interface Page {
  /**
   * The path of the file in generated/reference, without its extension, which is also the path of the page under /docs.
   */
  readonly path: string
  readonly title: string
  /** The summary of the page in one sentence. */
  readonly summary: string
  readonly kind: 'operation' | 'error' | 'event' | 'lifecycle' | 'guide' | 'page'
  readonly method?: string
  readonly route?: string
  readonly badges?: readonly string[]
  /** Words by which the search finds the page, in addition to its title and its summary. */
  readonly words: readonly string[]
  /** The Markdown text below the title of the page, in parts. */
  readonly parts: readonly string[]
}

export interface Section {
  readonly title: string
  readonly pages: readonly Page[]
}

export const referenceFolder = 'generated/reference'

/** The links of the page are relative, so that they also work in the repository. */
export function pageText({ path, title, parts }: Page): string {
  const text = ['<!-- DO NOT EDIT. Written by `npm run generate`. -->', `# ${title}`, ...parts.filter(Boolean)].join(
    '\n\n',
  )
  return `${withRelativeLinks(path, text).trimEnd()}\n`
}

/** Makes the links of a page relative. In the source texts of the pages, links start at the root of the reference. */
function withRelativeLinks(path: string, text: string): string {
  const folder = posix.dirname(`/${path}`)
  return text.replaceAll(/\]\((\/[\w./-]+)(#[\w.-]*)?\)/g, (_, target: string, anchor = '') => {
    return `](${posix.relative(folder, target)}${anchor})`
  })
}
