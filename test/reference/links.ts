export interface Link {
  readonly target: string
  readonly anchor: string
}

/** Returns the links of a page, and the files that the page loads, if they are on the page's own host. */
export function linksOf(text: string, path: string): Link[] {
  const base = `http://here${path}`
  return [...text.matchAll(/ (?:href|src|data-copy|data-engine)="([^"]*)"/g)]
    .map(([, written = '']) => new URL(written.replaceAll('&amp;', '&'), base))
    .filter(({ host }) => host === 'here')
    .map(({ pathname, hash }) => ({ target: pathname, anchor: decodeURIComponent(hash.slice(1)) }))
}
