import MiniSearch, { type SearchOptions } from 'minisearch'
import type { Page, Reference } from './pages.ts'
import { urlOf } from './pages.ts'

/** Search as the service does it, and as browsers do it with the same words and options from /docs/search.json. */

export interface Hit {
  readonly url: string
  readonly title: string
  readonly summary: string
  readonly kind: Page['kind']
  readonly method: string
}

const fields = ['title', 'name', 'terms', 'parts', 'route', 'summary', 'words']

const storeFields = ['url', 'title', 'summary', 'kind', 'method']

/** A name outweighs a mention, and so do the words that other APIs have for the same; what is half typed or slightly wrong is found too, after what is right. */
const searchOptions = {
  boost: { title: 6, name: 8, terms: 7, parts: 3, route: 3, summary: 2 },
  prefix: true,
  fuzzy: 0.15,
  combineWith: 'AND',
} as const satisfies SearchOptions

/** Who types a word more often wants to do something than to know what went wrong; errors are searched for by their codes. */
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
    // An error's code and an event's kind are the ends of their paths, an operation's name too.
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

/** `createRefund` is found by either word. */
function partsOf({ path, title }: Page): string {
  return `${path} ${title}`.replace(/([a-z])([A-Z])/g, '$1 $2').replace(/[^\p{L}\p{N}]+/gu, ' ')
}

/** More than anybody reads; a better word is the better help. */
const mostHits = 40

export function openSearch(data: SearchData): (query: string) => Hit[] {
  const index = new MiniSearch<object>(data.options)
  const weights: Readonly<Record<string, number>> = data.kindWeights
  const boostDocument: SearchOptions['boostDocument'] = (_id, _term, stored) => weights[String(stored?.kind)] ?? 1
  index.addAll(data.documents)
  return (query) =>
    index
      .search(query, { boostDocument })
      .slice(0, mostHits)
      .map(({ url, title, summary, kind, method }) => ({ url, title, summary, kind, method }))
}
