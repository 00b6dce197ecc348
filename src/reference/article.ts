import { html, raw } from 'hono/html'
import type { Article, Part } from './markdown.ts'
import { markdownUrlOf, type Page, type Reference, urlOf } from './pages.ts'
import { badge, type Markup, methodChip } from './parts.ts'

/** A page’s content: its samples beside the prose for what is called, else the list of its sections. */
export function articleOf(reference: Reference, page: Page, article: Article): Markup {
  const hasSamples = page.kind === 'operation' || page.kind === 'event'
  const [intro, ...sections] = article.parts
  const beside = hasSamples ? samplesOf(article.parts) : ''
  const prose = hasSamples ? sections.filter((part) => !part.isSamples) : sections
  const introHtml = intro === undefined ? '' : hasSamples ? withoutSamples(intro) : intro.html
  return html`<article class="${beside === '' ? 'plain' : 'sampled'}">
<header class="title">
<p class="kind">${sectionOf(reference, page)}</p>
<h1>${raw(article.title)}</h1>
${routeLine(page)}${page.badges.length === 0 ? '' : html`<p class="badges">${page.badges.map(badge)}</p>`}
<p class="twin"><button type="button" class="quiet" data-copy="${markdownUrlOf(page.path)}" hidden>Copy as Markdown</button><a href="${markdownUrlOf(page.path)}">View as Markdown</a></p>
</header>
<div class="intro">${raw(introHtml)}</div>
${beside === '' ? contents(article) : html`<aside class="samples" aria-label="Samples">${raw(beside)}</aside>`}
<div class="prose">${raw(prose.map((part) => part.html).join(''))}</div>
${neighbours(reference, page)}
</article>`
}

function samplesOf([intro, ...sections]: readonly Part[]): string {
  return (
    (intro?.samples ?? '') +
    sections
      .filter((part) => part.isSamples)
      .map((part) => part.html)
      .join('')
  )
}

function withoutSamples({ html: all, samples }: Part): string {
  return samples === '' ? all : all.replace(samples, '')
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
