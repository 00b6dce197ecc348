import { createHash } from 'node:crypto'
import { articleOf } from './article.ts'
import { loadAssets } from './assets.ts'
import { explorerPage, explorerScript } from './explorer.ts'
import { openHighlight } from './highlight.ts'
import { documentOf, type Shell } from './layout.ts'
import { renderMarkdown } from './markdown.ts'
import { loadReference, markdownUrlOf, type Page, root, urlOf } from './pages.ts'
import { openSearch, searchData } from './search.ts'
import { notFoundPage, searchPage } from './search-page.ts'

/** What is at an address of the reference. */
export interface Resource {
  readonly type: string
  readonly body: string
  /** Its address changes with its content. */
  readonly isImmutable?: boolean
  /** It needs the explorer's own content security policy. */
  readonly isExplorer?: boolean
  /** The same page as Markdown, for who prefers that. */
  readonly markdownUrl?: string
}

export interface Site {
  /** All that `read` knows, so that the whole can be written to files. */
  urls(): Promise<readonly string[]>
  read(url: string): Promise<Resource | undefined>
  search(query: string): Resource
  readonly notFound: Resource
}

const pageType = 'text/html; charset=utf-8'
const markdownType = 'text/markdown; charset=utf-8'
const textType = 'text/plain; charset=utf-8'

const llmsUrl = '/llms.txt'
const explorerUrl = `${root}/explorer`

/** The pages of a folder as a site. Every page is rendered when it is first read, and not kept here. */
export async function openSite(folder: URL): Promise<Site> {
  const [reference, assets, highlight] = await Promise.all([loadReference(folder), loadAssets(), openHighlight()])
  const data = searchData(reference)
  const search = openSearch(data)
  const markup = (shell: Shell): Resource => ({ type: pageType, body: documentOf(reference, assets, shell) })
  const script = once(async () => {
    const body = await explorerScript()
    const hash = createHash('sha256').update(body).digest('hex').slice(0, 12)
    return { url: `${root}/assets/scalar-${hash}.js`, body }
  })

  const readPage = async (page: Page): Promise<Resource> => {
    const article = renderMarkdown(await reference.markdown(page), { reference, highlight, page })
    const content = articleOf(reference, page, article)
    const { title, summary } = page
    return { ...markup({ title, description: summary, page, content }), markdownUrl: markdownUrlOf(page.path) }
  }

  const readers = new Map<string, () => Promise<Resource> | Resource>()
  for (const page of reference.pages) {
    readers.set(urlOf(page.path), () => readPage(page))
    readers.set(markdownUrlOf(page.path), async () => ({ type: markdownType, body: await reference.markdown(page) }))
  }
  for (const path of reference.drawings) {
    readers.set(`${root}/${path}`, async () => ({ type: 'image/svg+xml', body: await reference.drawing(path) }))
  }
  for (const url of assets.urls) {
    const asset = assets.find(url)
    if (asset !== undefined) readers.set(url, () => ({ ...asset, isImmutable: true }))
  }
  const llms = async () => ({ type: textType, body: await reference.list() })
  readers.set(llmsUrl, llms)
  readers.set(root + llmsUrl, llms)
  readers.set(`${root}/search.json`, () => ({ type: 'application/json', body: JSON.stringify(data) }))
  readers.set(explorerUrl, async () => {
    const { url } = await script()
    return { type: pageType, body: explorerPage(assets, url), isExplorer: true }
  })

  return {
    urls: async () => [...readers.keys(), (await script()).url],
    read: async (url) => {
      const reader = readers.get(url)
      if (reader !== undefined) return reader()
      if (!url.startsWith(`${root}/assets/scalar-`)) return undefined
      const { url: current, body } = await script()
      return url === current ? { type: 'text/javascript; charset=utf-8', body, isImmutable: true } : undefined
    },
    search: (query) => {
      const title = query === '' ? 'Search' : `${query} · Search`
      const content = searchPage(reference, query, query === '' ? [] : search(query))
      return markup({ title, description: 'Search the reference.', query, content })
    },
    notFound: markup({
      title: 'No such page',
      description: 'There is no such page.',
      content: notFoundPage(reference),
    }),
  }
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => {
    made ??= make()
    // What could not be made is tried again by who asks next.
    made.catch(() => {
      made = undefined
    })
    return made
  }
}
