import type { Page, Section } from './page.ts'

/** What the navigation is drawn from and the search looks through. */
export function navigationFile(sections: readonly Section[]): string {
  return `${JSON.stringify({ sections: sections.map(({ title, pages }) => ({ title, pages: pages.map(entryOf) })) }, null, 1)}\n`
}

function entryOf({ path, title, summary, kind, method, route, badges, words }: Page) {
  const text = [...new Set(words.join(' ').split(/\s+/).filter(Boolean))].join(' ')
  return {
    path,
    title,
    summary,
    kind,
    ...(method === undefined ? {} : { method }),
    ...(route === undefined ? {} : { route }),
    badges: badges ?? [],
    words: text,
  }
}
