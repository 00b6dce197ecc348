import { html, raw } from 'hono/html'
import type { Article } from './markdown.ts'
import { markdownUrlOf, type Page, type Reference, urlOf } from './pages.ts'
import { badge, type Markup, methodChip } from './parts.ts'

/** A page’s content: its samples beside the prose for what is called, else the list of its sections. */
export function articleOf(reference: Reference, page: Page, article: Article): Markup {
  const beside = isCalled(page) ? article.parts.map(({ samples }) => samples).join('') : ''
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

/** What a program sends or gets, so that its shape is worth seeing while its fields are read. */
function isCalled({ kind }: Page): boolean {
  return kind === 'operation' || kind === 'event' || kind === 'error'
}

/** A code is one long word to a browser; it may be broken where its words end. */
function breakable(title: string): string {
  return title.includes('<') ? title : title.replaceAll('_', '_<wbr>')
}

/** An error’s only badge is its status, with which its text begins anyway. */
function badges(page: Page): Markup | '' {
  if (page.badges.length === 0 || page.kind === 'error') return ''
  return html`<p class="badges">${page.badges.map(badge)}</p>`
}

function sectionOf(reference: Reference, page: Page): string {
  return reference.sections.find(({ pages }) => pages.includes(page))?.title ?? ''
}

function routeLine({ method, route }: Page): Markup | '' {
  if (method === undefined || route === undefined) return ''
  return html`<p class="route">${methodChip(method)}<code>${route}</code></p>`
}

/** Two sections need no list of their own. */
const leastListed = 3

function contents({ headings }: Article): Markup | '' {
  const listed = headings.filter(({ depth }) => depth === 2)
  if (listed.length < leastListed) return ''
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
