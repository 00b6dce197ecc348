import { markdownUrlOf, type Page } from './pages.ts'

/**
 * Returns the Markdown of all pages as one text, for programs that read the whole reference at once. Relative links are
 * replaced by absolute paths, because the text is served at another URL than the pages.
 */
export async function fullText(pages: readonly Page[], read: (path: string) => Promise<string>): Promise<string> {
  const texts = await Promise.all(pages.map(async ({ path }) => withAbsoluteLinks(await read(`${path}.md`), path)))
  return texts.join('\n')
}

const mark = /^<!-- DO NOT EDIT[^\n]*\n\n/

const relativeLink = /\]\((?![a-z]+:|\/)([^()\s]+)\)/g

function withAbsoluteLinks(markdown: string, path: string): string {
  const url = markdownUrlOf(path)
  const text = markdown.replace(mark, '').replaceAll(relativeLink, (_, link: string) => `](${absolute(link, url)})`)
  return `<!-- ${url} -->\n\n${text}`
}

function absolute(link: string, url: string): string {
  const { pathname, hash } = new URL(link, `http://localhost${url}`)
  return pathname + hash
}
