export interface Link {
  readonly target: string
  readonly anchor: string
}

/** Where a page leads on its own host: its links, and what it loads. */
export function linksOf(text: string, path: string): Link[] {
  const base = `http://here${path}`
  return [...text.matchAll(/ (?:href|src|data-copy|data-engine)="([^"]*)"/g)]
    .map(([, written = '']) => new URL(written.replaceAll('&amp;', '&'), base))
    .filter(({ host }) => host === 'here')
    .map(({ pathname, hash }) => ({ target: pathname, anchor: decodeURIComponent(hash.slice(1)) }))
}
