import type { Page, Section } from './page.ts'
import { lostTerms, termsOf } from './search-terms.ts'

/** What the navigation is drawn from and the search looks through. */
export function navigationFile(sections: readonly Section[]): string {
  const lost = lostTerms(sections.flatMap(({ pages }) => pages.map(({ path }) => path)))
  if (lost.length > 0)
    throw new Error(`scripts/reference/search-terms.ts names pages that do not exist: ${lost.join(', ')}.`)
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
