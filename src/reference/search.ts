import MiniSearch, { type SearchOptions } from 'minisearch'
import type { Page, Reference } from './pages.ts'
import { urlOf } from './pages.ts'

/** The search of the service. Browsers run the same search with the documents and options of /docs/search.json. */

export interface Hit {
  readonly url: string
  readonly title: string
  readonly summary: string
  readonly kind: Page['kind']
  readonly method: string
}

const fields = ['title', 'name', 'terms', 'parts', 'route', 'summary', 'words']

const storeFields = ['url', 'title', 'summary', 'kind', 'method']

/** Names, titles and synonyms weigh more than words in the text. Prefixes and typing errors match too, with a lower score. */
const searchOptions = {
  boost: { title: 6, name: 8, terms: 7, parts: 3, route: 3, summary: 2 },
  prefix: true,
  fuzzy: 0.15,
  combineWith: 'AND',
} as const satisfies SearchOptions

/** Operations and guides come first, because readers search for errors by their exact codes. */
const kindWeights: Readonly<Record<Page['kind'], number>> = {
  operation: 2.6,
  guide: 1.95,
  page: 1.3,
  event: 1.3,
  lifecycle: 1.1,
  error: 1,
}

export interface SearchData {
  readonly kindWeights: typeof kindWeights
  readonly options: {
    readonly fields: string[]
    readonly storeFields: string[]
    readonly searchOptions: typeof searchOptions
  }
  readonly documents: readonly object[]
}

export function searchData(reference: Reference): SearchData {
  const documents = reference.pages.map((page, id) => ({
    id,
    url: urlOf(page.path),
    title: page.title,
    // The last segment of a path is the error code, the event kind or the operation id.
    name: page.path.split('/').at(-1) ?? '',
    parts: partsOf(page),
    route: page.route ?? '',
    summary: page.summary,
    words: page.words,
    terms: page.terms.join(', '),
    kind: page.kind,
    method: page.method ?? '',
  }))
  return { kindWeights, options: { fields, storeFields, searchOptions }, documents }
}

/** Returns the words of a path and a title, so that either word finds `createRefund`. */
function partsOf({ path, title }: Page): string {
  return `${path} ${title}`.replace(/([a-z])([A-Z])/g, '$1 $2').replace(/[^\p{L}\p{N}]+/gu, ' ')
}

/** The maximum number of results. */
const hitsMax = 40

export function openSearch(data: SearchData): (query: string) => Hit[] {
  const index = new MiniSearch<object>(data.options)
  const weights: Readonly<Record<string, number>> = data.kindWeights
  const boostDocument: SearchOptions['boostDocument'] = (_id, _term, stored) => weights[String(stored?.kind)] ?? 1
  index.addAll(data.documents)
  return (query) =>
    index
      .search(query, { boostDocument })
      .slice(0, hitsMax)
      .map(({ url, title, summary, kind, method }) => ({ url, title, summary, kind, method }))
}
