import { koboPerNaira, type Timestamp } from '../../../registry/values/vocabulary.ts'
import { toMs } from '../../base/clock.ts'
import { html, type Markup, nothing } from './markup.ts'
import { root } from './root.ts'

/** Small HTML parts from which the dashboard pages are built. */

/** Severity of a status, which decides its colour. The colour adds nothing to the text of the status. */
export type Tone = 'good' | 'active' | 'waiting' | 'bad' | 'quiet'

export function badge(text: string, tone: Tone): Markup {
  return html`<span class="badge ${tone}">${text.replaceAll('_', ' ')}</span>`
}

/** Africa/Lagos is the time zone of the merchants. It is UTC+1 all year. */
const lagosTime = new Intl.DateTimeFormat('en-GB', {
  ...{ timeZone: 'Africa/Lagos', day: 'numeric', month: 'short', year: 'numeric' },
  ...{ hour: '2-digit', minute: '2-digit', second: '2-digit' },
})

/** Shows a time in Lagos; the tooltip shows UTC. */
export function time(at: Timestamp | string | null): Markup {
  if (at === null) return html`<span class="none">never</span>`
  return html`<time datetime="${at}" title="${at}">${lagosTime.format(new Date(at))}</time>`
}

const second = 1000
const units = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'always' })

/** Shows how long ago a time was, or how far in the future it is. */
export function ago(at: Timestamp, nowMs: number): Markup {
  const seconds = Math.round((toMs(at) - nowMs) / second)
  const [unit, size] = units.find(([, length]) => Math.abs(seconds) >= length) ?? (['second', 1] as const)
  const text = seconds === 0 ? 'now' : relative.format(Math.trunc(seconds / size), unit)
  return html`<time datetime="${at}" title="${at}">${text}</time>`
}

const naira = new Intl.NumberFormat('en-NG', { style: 'currency', currency: 'NGN' })

export function money(kobo: number): Markup {
  return html`<span class="money">${naira.format(kobo / koboPerNaira)}</span>`
}

/** Returns an amount as a member types it in naira, such as `12500.50`. */
export function koboText(kobo: number): string {
  const naira = Math.trunc(kobo / koboPerNaira)
  return `${naira}.${String(kobo % koboPerNaira).padStart(2, '0')}`
}

export function count(value: number): string {
  return value.toLocaleString('en-NG')
}

/** Returns a link to a page below /dashboard. */
export function link(path: string, content: Markup | string): Markup {
  return html`<a href="${root}${path}">${content}</a>`
}

/**
 * Shows a link to another site, which does not receive the page's URL as referrer. Only an https URL becomes a link,
 * because the URL may come from a carrier.
 */
export function outside(url: string, text: string): Markup {
  return url.startsWith('https://') ? html`<a href="${url}" rel="noreferrer noopener">${text}</a>` : html`${text}`
}

/** Shows an id in full, because people paste it into searches and commands. */
export function code(text: string): Markup {
  return html`<code>${text}</code>`
}

/** Shows the source address of a request. Its style keeps an IPv4 address on one line of a table. */
export function address(ip: string): Markup {
  return html`<code class="address">${ip}</code>`
}

export interface Column<Row> {
  readonly title: string
  readonly cell: (row: Row) => Markup | string
  /** Whether the cells of the table column are numbers, which are aligned to the right. */
  readonly isNumber?: boolean
}

/** Shows rows as a table; on a narrow screen each row is a block with the titles of its cells. */
export function table<Row>(caption: string, rows: readonly Row[], columns: readonly Column<Row>[]): Markup {
  const cell = (row: Row, { title, cell: show, isNumber }: Column<Row>) =>
    html`<td data-title="${title}"${isNumber === true ? html` class="number"` : nothing}>${show(row)}</td>`
  const heading = ({ title, isNumber }: Column<Row>) =>
    html`<th scope="col"${isNumber === true ? html` class="number"` : nothing}>${title}</th>`
  return html`<div class="scroll" role="region" aria-label="${caption}" tabindex="0"><table>
<caption>${caption}</caption>
<thead><tr>${columns.map(heading)}</tr></thead>
<tbody>${rows.map((row) => html`<tr>${columns.map((column) => cell(row, column))}</tr>`)}</tbody>
</table></div>`
}

/** Shows the fields of a record. */
export function facts(entries: readonly (readonly [name: string, value: Markup | string])[]): Markup {
  return html`<dl class="facts">${entries.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`
}

/** Shows a note that a list is empty, and what to do next. */
export function empty(message: string, next: Markup = nothing): Markup {
  return html`<div class="empty"><p>${message}</p>${next}</div>`
}

/** Shows a command that the user can copy and paste. */
export function command(text: string): Markup {
  return html`<pre class="command" tabindex="0"><code>${text}</code></pre>`
}

export function section(title: string, content: Markup, actions: Markup = nothing): Markup {
  return html`<section><header><h2>${title}</h2>${actions}</header>${content}</section>`
}

/** The heading of a page, with the actions of the page. */
export function heading(title: string, actions: Markup = nothing): Markup {
  return html`<header class="heading"><h1>${title}</h1><div class="actions">${actions}</div></header>`
}

/**
 * Shows links to the next and to the first page of a list. Cursors lead only to later pages; the browser's Back button
 * leads to earlier ones.
 */
export function pager(path: string, query: Readonly<Record<string, string | undefined>>, next: string | null): Markup {
  if (query.cursor === undefined && next === null) return nothing
  const first =
    query.cursor === undefined ? nothing : link(withQuery(path, { ...query, cursor: undefined }), 'First page')
  const more = next === null ? nothing : link(withQuery(path, { ...query, cursor: next }), 'Next page')
  return html`<nav class="pager" aria-label="Pages of the list">${first}${more}</nav>`
}

/**
 * Returns the id after which a page of a list starts. If the cursor in the URL is not an id, the list starts at its
 * first record.
 */
export function cursorOf({ cursor }: { readonly cursor?: string | undefined }): string | undefined {
  return cursor !== undefined && /^[a-z]+_[0-9a-z]{26}$/.test(cursor) ? cursor : undefined
}

/** Returns a path, which may have a query, with additional query parameters. Empty ones are left out. */
export function withQuery(path: string, query: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(query).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== '',
  )
  const text = String(new URLSearchParams(given))
  return text === '' ? path : `${path}${path.includes('?') ? '&' : '?'}${text}`
}

/** Returns the named query parameters of a page. Other parameters are ignored. */
export function pick<const Names extends readonly string[]>(
  query: Readonly<Record<string, string>>,
  names: Names,
): { readonly [Name in Names[number]]?: string } {
  const found = names.flatMap((name) => (query[name] === undefined || query[name] === '' ? [] : [[name, query[name]]]))
  return Object.fromEntries(found)
}
