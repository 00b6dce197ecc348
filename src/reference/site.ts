import { createHash } from 'node:crypto'
import { articleOf } from './article.ts'
import { type Assets, loadAssets } from './assets.ts'
import { explorerPage } from './explorer.ts'
import { openHighlight } from './highlight.ts'
import { documentOf, type Shell } from './layout.ts'
import { renderMarkdown } from './markdown.ts'
import { loadReference, markdownUrlOf, type Page, type Reference, root, urlOf } from './pages.ts'
import { openSearch, searchData } from './search.ts'
import { notFoundPage, searchPage } from './search-page.ts'

/** The response to a request for a URL of the reference. */
export interface Resource {
  readonly type: string
  readonly body: string
  /** Whether the URL contains a hash of the content, so that the content at this URL never changes. */
  readonly isImmutable?: boolean
  /** Whether the page needs the content security policy of the API explorer. */
  readonly isExplorer?: boolean
  /** Whether the body contains the origin (base URL) of the request, so that it differs by origin. */
  readonly isOriginBound?: boolean
  /** The URL of the Markdown version of the page. */
  readonly markdownUrl?: string
}

export interface Site {
  /** Returns all URLs of the reference site, so that it can be written as files. */
  urls(): Promise<readonly string[]>
  read(url: string, origin?: string): Promise<Resource | undefined>
  search(query: string): Resource
  readonly notFound: Resource
}

const pageType = 'text/html; charset=utf-8'
const markdownType = 'text/markdown; charset=utf-8'
const textType = 'text/plain; charset=utf-8'

const llmsUrl = '/llms.txt'
const explorerUrl = `${root}/explorer`

/** Opens the pages of a folder as a reference site. Each read renders the page; the caller caches the result. */
export async function openSite(folder: URL): Promise<Site> {
  const [reference, assets, highlight] = await Promise.all([loadReference(folder), loadAssets(), openHighlight()])
  const data = searchData(reference)
  const search = openSearch(data)
  const markup = (shell: Shell): Resource => ({ type: pageType, body: documentOf(reference, assets, shell) })
  const script = once(() => namedScript(reference))
  const readers = new Map([
    ...pageReaders(reference, async (page, text) => {
      const article = renderMarkdown(text, { reference, highlight, page })
      const content = articleOf(reference, page, article)
      const { title, summary } = page
      return { ...markup({ title, description: summary, page, content }), markdownUrl: markdownUrlOf(page.path) }
    }),
    ...fileReaders(reference, assets),
  ])
  readers.set(`${root}/search.json`, () => ({ type: 'application/json', body: JSON.stringify(data) }))
  readers.set(explorerUrl, async () => {
    const { url } = await script()
    return { type: pageType, body: explorerPage(assets, url), isExplorer: true }
  })

  return {
    urls: async () => [...readers.keys(), (await script()).url],
    read: async (url, origin = writtenOrigin) => {
      const reader = readers.get(url)
      if (reader !== undefined) return reader(origin)
      if (!url.startsWith(scriptStart)) return undefined
      const { url: current, body } = await script()
      return url === current ? { type: 'text/javascript; charset=utf-8', body, isImmutable: true } : undefined
    },
    search: (query) => {
      const title = query === '' ? 'Search' : `${query} · Search`
      const content = searchPage(reference, query, query === '' ? [] : search(query))
      return markup({ title, description: 'Search the reference.', query, content })
    },
    notFound: markup({
      title: 'Page not found',
      description: 'The page does not exist.',
      content: notFoundPage(reference),
    }),
  }
}

type Reader = readonly [url: string, read: (origin: string) => Promise<Resource> | Resource]

/** The origin (base URL) in the code samples of the stored pages: the default address of the demo. */
const writtenOrigin = 'http://127.0.0.1:3000'

function atOrigin(text: string, origin: string): string {
  return text.replaceAll(writtenOrigin, origin)
}

/** Returns the functions that read each page as HTML and as Markdown. */
function pageReaders(reference: Reference, render: (page: Page, text: string) => Promise<Resource>): Reader[] {
  const read = async (page: Page, origin: string) => atOrigin(await reference.markdown(page), origin)
  return reference.pages.flatMap((page): Reader[] => [
    [urlOf(page.path), async (origin) => ({ ...(await render(page, await read(page, origin))), isOriginBound: true })],
    [
      markdownUrlOf(page.path),
      async (origin) => ({ type: markdownType, body: await read(page, origin), isOriginBound: true }),
    ],
  ])
}

/** Returns the functions that read assets, drawings and llms.txt, which is also served at the root. */
function fileReaders(reference: Reference, assets: Assets): Reader[] {
  const drawings = [...reference.drawings].map((path): Reader => {
    return [`${root}/${path}`, async () => ({ type: 'image/svg+xml', body: await reference.drawing(path) })]
  })
  const loaded = assets.urls.flatMap((url): Reader[] => {
    const asset = assets.find(url)
    return asset === undefined ? [] : [[url, () => ({ ...asset, isImmutable: true })]]
  })
  const llms = async () => ({ type: textType, body: await reference.llmsText() })
  return [...drawings, ...loaded, [llmsUrl, llms], [root + llmsUrl, llms]]
}

const scriptStart = `${root}/assets/scalar-`

/** Returns the script of the API explorer and its URL, which contains a hash of the script. */
async function namedScript(reference: Reference): Promise<{ readonly url: string; readonly body: string }> {
  const body = await reference.explorerScript()
  const hash = createHash('sha256').update(body).digest('hex').slice(0, 12)
  return { url: `${scriptStart}${hash}.js`, body }
}

/** Returns a function that calls `make` at its first call and returns the same result from then on. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => {
    made ??= make()
    // If `make` fails, the next call of the returned function runs `make` again.
    made.catch(() => {
      made = undefined
    })
    return made
  }
}
