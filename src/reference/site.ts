import { readdir, readFile } from 'node:fs/promises'
import { raw } from 'hono/html'
import { type Assets, loadAssets } from './assets.ts'
import { clientResources } from './clients.ts'
import { escapeHtml } from './escape.ts'
import { explorerPage } from './explorer.ts'
import { fullText } from './full-text.ts'
import { documentOf, type Shell } from './layout.ts'
import { markdownUrlOf, type Page, parseReference, root, urlOf } from './pages.ts'
import { type Resource, writtenOrigin } from './resource.ts'
import { openSearch, searchData } from './search.ts'
import { notFoundPage, searchPage } from './search-page.ts'

export interface Site {
  /** The resources of the reference site by URL. */
  readonly resources: ReadonlyMap<string, Resource>
  search(query: string): Resource
  readonly notFound: Resource
}

const pageType = 'text/html; charset=utf-8'

/** Opens the generated files of a folder as a reference site. Each call of `body` reads the file; the caller caches the result. */
export async function openSite(folder: URL): Promise<Site> {
  const read = (path: string) => readFile(new URL(path, folder), 'utf8')
  const [index, drawings, assets] = await Promise.all([read('index.json'), drawingsIn(folder), loadAssets()])
  const reference = parseReference(index)
  const data = searchData(reference)
  const search = await openSearch(data)
  const documentWith = (shell: Shell) => documentOf(reference, assets, shell)

  const pageAt = (page: Page): Resource => {
    const { path, title, summary } = page
    const body = async (origin: string) => {
      const article = (await read(`${path}.html`)).replaceAll(writtenOrigin, escapeHtml(origin))
      return documentWith({ title, description: summary, page, content: raw(article) })
    }
    return { type: pageType, body, isOriginBound: true, markdownUrl: markdownUrlOf(path) }
  }
  const markdownAt = ({ path }: Page): Resource => ({
    type: 'text/markdown; charset=utf-8',
    body: async (origin) => (await read(`${path}.md`)).replaceAll(writtenOrigin, origin),
    isOriginBound: true,
  })
  const drawingAt = (path: string): Resource => ({ type: 'image/svg+xml', body: () => read(path) })
  const llms: Resource = {
    type: 'text/plain; charset=utf-8',
    // The links in llms.txt are relative to /docs/. They are made absolute, because the site also serves the file at
    // /llms.txt.
    body: async () => (await read('llms.txt')).replaceAll('](', `](${root}/`),
  }
  const llmsFull: Resource = {
    type: 'text/plain; charset=utf-8',
    body: async (origin) => (await fullText(reference.pages, read)).replaceAll(writtenOrigin, origin),
    isOriginBound: true,
  }
  return {
    resources: new Map<string, Resource>([
      ...reference.pages.map((page) => [urlOf(page.path), pageAt(page)] as const),
      ...reference.pages.map((page) => [markdownUrlOf(page.path), markdownAt(page)] as const),
      ...drawings.map((path) => [`${root}/${path}`, drawingAt(path)] as const),
      ...assetResources(assets),
      ...clientResources(),
      ['/llms.txt', llms],
      [`${root}/llms.txt`, llms],
      ['/llms-full.txt', llmsFull],
      [`${root}/llms-full.txt`, llmsFull],
      [`${root}/search.json`, { type: 'application/json', body: () => JSON.stringify(data) }],
      [`${root}/explorer`, { type: pageType, body: () => explorerPage(assets), isExplorer: true }],
    ]),
    search: (query) => {
      const title = query === '' ? 'Search' : `${query} · Search`
      const content = searchPage(reference, query, query === '' ? [] : search(query))
      const body = documentWith({ title, description: 'Search the reference.', query, content })
      return { type: pageType, body: () => body }
    },
    notFound: {
      type: pageType,
      body: () =>
        documentWith({
          title: 'Page not found',
          description: 'The page does not exist.',
          content: notFoundPage(reference),
        }),
    },
  }
}

/** Requests can read only the files that exist at the time of this call. */
async function drawingsIn(folder: URL): Promise<string[]> {
  return (await readdir(folder, { recursive: true })).filter((path) => path.endsWith('.svg'))
}

function assetResources({ byUrl }: Assets): [string, Resource][] {
  return [...byUrl].map(([url, { type, body }]) => [url, { type, body: () => body, isImmutable: true }])
}
