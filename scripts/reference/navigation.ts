import type { Page, Section } from './page.ts'
import { termsOf, unknownTermPaths } from './search-terms.ts'

/** Returns index.json, from which the service renders the navigation and builds the search index. */
export function navigationFile(sections: readonly Section[]): string {
  const unknown = unknownTermPaths(sections.flatMap(({ pages }) => pages.map(({ path }) => path)))
  if (unknown.length > 0)
    throw new Error(`scripts/reference/search-terms.ts names pages that do not exist: ${unknown.join(', ')}.`)
  return `${JSON.stringify({ sections: sections.map(({ title, pages }) => ({ title, pages: pages.map(entryOf) })) }, null, 1)}\n`
}

function entryOf({ path, title, summary, kind, method, route, badges, words }: Page) {
  const text = [...new Set(words.join(' ').split(/\s+/).filter(Boolean))].join(' ')
  const terms = termsOf(path)
  return {
    path,
    title,
    summary,
    kind,
    ...(method === undefined ? {} : { method }),
    ...(route === undefined ? {} : { route }),
    badges: badges ?? [],
    words: text,
    ...(terms.length === 0 ? {} : { terms }),
  }
}
