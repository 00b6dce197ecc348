import { html, raw } from 'hono/html'
import { markdownUrlOf, type Page, type Reference, urlOf } from '../../../src/reference/pages.ts'
import { type Markup, methodChip } from '../../../src/reference/parts.ts'
import type { Article } from './markdown.ts'

/**
 * Returns the content of a page. Pages of operations, events and errors show samples beside the text. All other pages
 * have a table of contents instead of samples.
 */
export function articleOf(reference: Reference, page: Page, article: Article): Markup {
  const beside = hasSampleColumn(page) ? article.parts.map(({ samples }) => samples).join('') : ''
  const [intro, ...sections] = article.parts.map(({ html, prose }) => (beside === '' ? html : prose))
  return html`<article class="${beside === '' ? 'plain' : 'sampled'}">
<header class="title">
<div class="above"><p class="kind">${sectionOf(reference, page)}</p><p class="twin"><button type="button" class="quiet" data-copy="${markdownUrlOf(page.path)}" hidden>Copy as Markdown</button><a href="${markdownUrlOf(page.path)}">View as Markdown</a></p></div>
<h1>${raw(breakable(article.title))}</h1>
${routeLine(page)}${badges(page)}
</header>
<div class="intro">${raw(intro ?? '')}</div>
${beside === '' ? contents(article) : html`<aside class="samples" aria-label="Samples">${raw(beside)}</aside>`}
<div class="prose">${raw(sections.join(''))}</div>
${neighbours(reference, page)}
</article>`
}

/** Reports whether a page describes a request, an event or an error. A code sample is then shown beside its fields. */
function hasSampleColumn({ kind }: Page): boolean {
  return kind === 'operation' || kind === 'event' || kind === 'error'
}

/** Marks the places after underscores at which an error code may break onto a new line. */
function breakable(title: string): string {
  return title.includes('<') ? title : title.replaceAll('_', '_<wbr>')
}

/** An error page needs no badges, because its text starts with its only badge, the status. */
function badges(page: Page): Markup | '' {
  if (page.badges.length === 0 || page.kind === 'error') return ''
  return html`<p class="badges">${page.badges.map(badge)}</p>`
}

function badge(text: string): Markup {
  const kind = text.toLowerCase().replace(/[^a-z]+/g, '-')
  return html`<span class="badge ${kind}">${text}</span>`
}

function sectionOf(reference: Reference, page: Page): string {
  return reference.sections.find(({ pages }) => pages.includes(page))?.title ?? ''
}

function routeLine({ method, route }: Page): Markup | '' {
  if (method === undefined || route === undefined) return ''
  return html`<p class="route">${methodChip(method)}<code>${route}</code></p>`
}

const contentsMinSections = 3

function contents({ headings }: Article): Markup | '' {
  const listed = headings.filter(({ depth }) => depth === 2)
  if (listed.length < contentsMinSections) return ''
  return html`<nav class="contents" aria-label="On this page"><p>On this page</p><ul>${listed.map(({ id, text }) => html`<li><a href="#${id}">${text}</a></li>`)}</ul></nav>`
}

function neighbours({ pages }: Reference, page: Page): Markup {
  const index = pages.indexOf(page)
  const previous = pages[index - 1]
  const next = pages[index + 1]
  return html`<nav class="neighbours" aria-label="Previous and next page">
${previous === undefined ? '' : html`<a rel="prev" href="${urlOf(previous.path)}"><small>Previous</small>${previous.title}</a>`}
${next === undefined ? '' : html`<a rel="next" href="${urlOf(next.path)}"><small>Next</small>${next.title}</a>`}
</nav>`
}
