import { posix } from 'node:path'

/** One page of the reference: where it is, what it says, and what the navigation and the search know of it. */
export interface Page {
  /** The file below generated/reference without its ending, which is also the address below /docs. */
  readonly path: string
  readonly title: string
  /** One sentence. */
  readonly summary: string
  readonly kind: 'operation' | 'error' | 'event' | 'state' | 'guide' | 'page'
  readonly method?: string
  readonly route?: string
  readonly badges?: readonly string[]
  /** What a search finds it by, beside its title and its summary. */
  readonly words: readonly string[]
  /** Everything below the title, part by part. */
  readonly parts: readonly string[]
}

export interface Section {
  readonly title: string
  readonly pages: readonly Page[]
}

export const referenceFolder = 'generated/reference'

/** The file of a page. Its links are relative, so that they work where the repository is read as well. */
export function pageFile({ path, title, parts }: Page) {
  const text = ['<!-- DO NOT EDIT. Written by `npm run generate`. -->', `# ${title}`, ...parts.filter(Boolean)].join(
    '\n\n',
  )
  return { path: `${referenceFolder}/${path}.md`, text: `${withRelativeLinks(path, text).trimEnd()}\n` }
}

/** Writers link from the root of the reference, so that they need not know how deep their page lies. */
function withRelativeLinks(path: string, text: string): string {
  const folder = posix.dirname(`/${path}`)
  return text.replaceAll(/\]\((\/[\w./-]+)(#[\w.-]*)?\)/g, (_, target: string, anchor = '') => {
    return `](${posix.relative(folder, target)}${anchor})`
  })
}
