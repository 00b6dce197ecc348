import { html, raw } from 'hono/html'
import { type Page, type Reference, urlOf } from './pages.ts'
import { type Markup, methodChip } from './parts.ts'

/** Returns the navigation: all pages in groups that open and close without a script. The group of the current page is open. */
export function navigation(reference: Reference, current: string | undefined): Markup {
  return html`<nav class="pages" id="pages" aria-label="Pages">
${reference.sections.map(({ title, pages }, index) => {
  const isOpen = pages.some(({ path }) => path === current) || (current === undefined && index === 0)
  return html`<details${raw(isOpen ? ' open' : '')}><summary>${title}</summary><ul>${pages.map((page) => entry(page, page.path === current))}</ul></details>
`
})}</nav>`
}

function entry(page: Page, isCurrent: boolean): Markup {
  const label = page.kind === 'error' ? html`<code>${page.title}</code>` : shortTitle(page.title)
  const here = isCurrent ? raw(' aria-current="page"') : ''
  return html`<li><a href="${urlOf(page.path)}"${here}><span>${label}</span>${methodChip(page.method)}</a></li>`
}

function shortTitle(title: string): string {
  return title.split(/[,:;]/)[0] ?? title
}
