import type { SearchOptions } from 'minisearch'
import MiniSearch from '../../generated/reference/minisearch.js'
import type { Page, Reference } from './pages.ts'
import { urlOf } from './pages.ts'

/**
 * The search of the reference on the server. Browsers run the same search with the documents and options of
 * /docs/search.json.
 */

export interface Hit {
  readonly url: string
  readonly title: string
  readonly summary: string
  readonly kind: Page['kind']
  readonly method: string
}

const fields = ['title', 'name', 'terms', 'parts', 'route', 'summary', 'words']

const storeFields = ['url', 'title', 'summary', 'kind', 'method', 'weight']

/**
 * In the search of the reference, names, titles and synonyms weigh more than words in the text. Prefixes and typing
 * errors match too, with a lower score.
 */
const searchOptions = {
  boost: { title: 6, name: 8, terms: 7, parts: 3, route: 3, summary: 2 },
  prefix: true,
  fuzzy: 0.15,
  combineWith: 'AND',
} as const satisfies SearchOptions

/**
 * Weights of search results by kind of page. Operations and guides weigh most. Errors weigh least, because readers
 * search for an error by its exact code.
 */
const kindWeights: Readonly<Record<Page['kind'], number>> = {
  operation: 2.6,
  guide: 2.05,
  page: 1.3,
  event: 1.3,
  lifecycle: 1.1,
  error: 1,
}

/**
 * Weights of operations in search results, by the verb of the operation. A reader who searches for a noun most often
 * wants to create the record.
 */
const verbWeights: readonly (readonly [verb: string, weight: number])[] = [
  ['create', 1.4],
  ['record', 1.4],
  ['dispatch', 1.4],
  // Pages of exports get a lower rank, because they contain all field names of the exported records.
  ['export', 0.5],
]

/** A guide for the developers of the service. It mentions every subject, so it is ranked last in search results. */
const developmentPath = 'guides/development'

const stopWords = 'a an and are can do does for how i in is it my of on or the to what when which with you'.split(' ')

export interface SearchData {
  readonly stopWords: readonly string[]
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
    name: nameOf(page),
    parts: partsOf(page),
    route: page.route ?? '',
    summary: page.summary,
    words: page.words,
    terms: page.terms.join(', '),
    kind: page.kind,
    method: page.method ?? '',
    weight: weightOf(page),
  }))
  return { stopWords, options: { fields, storeFields, searchOptions }, documents }
}

/** Returns the last segment of a page's path, which is the error code, the event kind or the operation id. */
function nameOf({ path }: Page): string {
  return path.split('/').at(-1) ?? ''
}

function weightOf(page: Page): number {
  if (page.path === developmentPath) return 1
  const name = nameOf(page)
  const [, verbWeight = 1] = verbWeights.find(([verb]) => page.kind === 'operation' && name.startsWith(verb)) ?? []
  return kindWeights[page.kind] * verbWeight
}

/** Returns the words of a path and a title, so that a search for `create` or for `refund` finds `createRefund`. */
function partsOf({ path, title }: Page): string {
  return `${path} ${title}`.replace(/([a-z])([A-Z])/g, '$1 $2').replace(/[^\p{L}\p{N}]+/gu, ' ')
}

const hitsMax = 40

/**
 * Maximum number of words of a query that a search looks up. Few queries have more. A query word of one letter matches
 * thousands of words and takes 0.4 ms.
 */
const wordsMax = 10

/**
 * Limits of the processor time of searches, which anyone can send without a token. On average, searches may use a tenth
 * of the processor time. In a burst, they may use up to 50 ms, which is enough for a dozen readers who search at the
 * same moment.
 */
const searchTime = { share: 0.1, atOnceMs: 50 }

export interface SearchClocks {
  nowMs(): number
  /**
   * Processor time of the current thread, in milliseconds, without the time in which a search waits for the processor.
   */
  processorMs(): number
}

export const searchClocks: SearchClocks = {
  nowMs: () => performance.now(),
  processorMs: () => {
    const { user, system } = process.threadCpuUsage()
    return (user + system) / 1000
  },
}

/**
 * Returns a function that runs a search. All searches share a limited amount of processor time. If recent searches have
 * used up this time, the function returns undefined and does not search.
 */
export function openSearchTime({
  nowMs,
  processorMs,
}: SearchClocks): <Result>(run: () => Result) => Result | undefined {
  let spentMs = 0
  let countedMs = nowMs()
  return (run) => {
    const atMs = nowMs()
    spentMs = Math.max(0, spentMs - (atMs - countedMs) * searchTime.share)
    countedMs = atMs
    if (spentMs >= searchTime.atOnceMs) return undefined
    const startMs = processorMs()
    const result = run()
    spentMs += processorMs() - startMs
    return result
  }
}

/** Indexes a few pages at a time, so that API requests are not delayed. */
export async function openSearch(data: SearchData): Promise<(query: string) => Hit[]> {
  const index = new MiniSearch<object>(data.options)
  const split: (text: string) => string[] = MiniSearch.getDefault('tokenize')
  const options: SearchOptions = {
    boostDocument: (_id, _term, stored) => Number(stored?.weight ?? 1),
    tokenize: (text) => split(text).slice(0, wordsMax),
  }
  await index.addAllAsync(data.documents)
  return (query) => {
    const words = query.split(/\s+/)
    const subject = words.filter((word) => !data.stopWords.includes(word.toLowerCase())).join(' ') || query
    const all = index.search(subject, options)
    // If no page matches all words of the search query, pages that match some of the words are returned.
    const found = all.length > 0 ? all : index.search(subject, { ...options, combineWith: 'OR' })
    return found
      .slice(0, hitsMax)
      .map(({ url, title, summary, kind, method }) => ({ url, title, summary, kind, method }))
  }
}
