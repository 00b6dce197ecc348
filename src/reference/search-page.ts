import { html } from 'hono/html'
import { type Page, type Reference, urlOf } from './pages.ts'
import { type Markup, methodChip } from './parts.ts'
import type { Hit } from './search.ts'

export const kindNames: Readonly<Record<Page['kind'], string>> = {
  operation: 'Operation',
  error: 'Error',
  event: 'Event',
  lifecycle: 'Lifecycle',
  guide: 'Guide',
  page: 'Page',
}

export function searchPage(reference: Reference, query: string, hits: readonly Hit[]): Markup {
  return html`<article class="plain">
<header class="title"><h1>Search</h1></header>
<div class="prose found" data-found>
${query === '' ? everything(reference) : found(query, hits)}
</div>
</article>`
}

export function notFoundPage(reference: Reference): Markup {
  return html`<article class="plain">
<header class="title"><p class="kind">404</p><h1>Page not found</h1></header>
<div class="prose found">
<p>The page does not exist or has moved. Use the search, or select one of these pages:</p>
${everything(reference)}
</div>
</article>`
}

function found(query: string, hits: readonly Hit[]): Markup {
  if (hits.length === 0) return html`<p role="status">No results for “${query}”. Try fewer or other words.</p>`
  const count = hits.length === 1 ? '1 result' : `${hits.length} results`
  return html`<p role="status">${count} for “${query}”.</p><ol class="results">${hits.map(
    ({ url, title, summary, kind, method }) =>
      html`<li><a href="${url}">${methodChip(method === '' ? undefined : method)}<strong>${title}</strong></a> <small>${kindNames[kind]}</small><p>${summary}</p></li>`,
  )}</ol>`
}

function everything({ sections }: Reference): Markup {
  return html`${sections.map(
    ({ title, pages }) =>
      html`<h2>${title}</h2><ul class="listing">${pages.map((page) => html`<li><a href="${urlOf(page.path)}">${page.title}</a></li>`)}</ul>`,
  )}`
}
