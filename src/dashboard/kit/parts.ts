import { koboPerNaira, type Timestamp } from '../../../registry/values/vocabulary.ts'
import { toMs } from '../../base/clock.ts'
import { counted } from '../../base/counted.ts'
import { html, type Markup, nothing } from '../../markup/markup.ts'
import { root } from './root.ts'

const second = 1000
const units = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'always' })

/** Shows the time since a past time, or the time until a future time. */
export function ago(at: Timestamp, nowMs: number): Markup {
  const { value, unit } = distanceTo(at, nowMs)
  return html`<time datetime="${at}" title="${at}">${value === 0 ? 'now' : relative.format(value, unit)}</time>`
}

/** Shows the time that has passed since the given time, such as `3 days`. */
export function lasting(at: Timestamp, nowMs: number): Markup {
  const { value, unit } = distanceTo(at, nowMs)
  return html`<time datetime="${at}" title="${at}">${counted(Math.abs(value), unit)}</time>`
}

/**
 * Returns the distance from now to another time, negative for the past. The unit is the largest one that fits into the
 * distance.
 */
function distanceTo(at: Timestamp, nowMs: number) {
  const seconds = Math.round((toMs(at) - nowMs) / second)
  const [unit, size] = units.find(([, length]) => Math.abs(seconds) >= length) ?? (['second', 1] as const)
  return { value: Math.trunc(seconds / size), unit }
}

/** Returns an amount as a member types it in naira, such as `12500.50`. */
export function koboText(kobo: number): string {
  const naira = Math.trunc(kobo / koboPerNaira)
  return `${naira}.${String(kobo % koboPerNaira).padStart(2, '0')}`
}

export function link(path: string, content: Markup | string): Markup {
  return html`<a href="${root}${path}">${content}</a>`
}

export function mainLink(path: string, text: string): Markup {
  return html`<a class="main" href="${root}${path}">${text}</a>`
}

export const docsLink = html`<a class="main" href="/docs">Read how to call the API</a>`

/**
 * Returns a link that looks like an outlined button. `record` names the row of a list in which the link stands, for screen
 * readers.
 */
export function otherLink(path: string, text: string, record?: string): Markup {
  return html`<a class="other" href="${root}${path}"${record === undefined ? '' : html` aria-label="${text}: ${record}"`}>${text}</a>`
}

/**
 * Returns the link that stands above the title of a page and leads back to the list or the record to which the page
 * belongs.
 */
export function backLink(path: string, text: string): Markup {
  return html`<p class="back">${link(path, text)}</p>`
}

/**
 * Shows a link to another site, which does not receive the page's URL as referrer. Only an https URL becomes a link,
 * because the URL may come from a carrier. `isMain` makes it the main action of the page.
 */
export function outside(url: string, text: string, isMain = false): Markup {
  const main = isMain ? html` class="main"` : ''
  return url.startsWith('https://')
    ? html`<a${main} href="${url}" rel="noreferrer noopener">${text}</a>`
    : html`${text}`
}

/** The CSS class `address` makes room for an IPv4 address, so that the address stays on one line. */
export function address(ip: string): Markup {
  return html`<code class="address">${ip}</code>`
}

export function command(text: string): Markup {
  return html`<pre class="command" tabindex="0"><code>${text}</code></pre>`
}

/**
 * Shows links to the first, the previous and the next page of a list. A cursor leads only to a later page. The query
 * parameter `previous` therefore contains the cursors of all earlier pages, except the first page, which needs no
 * cursor. A list whose query has no `previous` has no link to the previous page.
 */
export function pager(path: string, query: Readonly<Record<string, string | undefined>>, next: string | null): Markup {
  const { cursor, previous, ...filters } = query
  if (cursor === undefined && next === null) return nothing
  const earlier = (previous ?? '').split(',').filter((each) => each !== '')
  const pageAt = (at: string | undefined, before: readonly string[]) =>
    withQuery(path, { ...filters, cursor: at, previous: previous === undefined ? undefined : shortened(before) })
  const first = cursor === undefined ? nothing : link(pageAt(undefined, []), 'First page')
  const isKnown = cursor !== undefined && previous !== undefined && earlier.at(-1) !== leftOut
  const back = isKnown ? link(pageAt(earlier.at(-1), earlier.slice(0, -1)), 'Previous page') : nothing
  const before = cursor === undefined ? [] : [...earlier, cursor]
  const more = next === null ? nothing : link(pageAt(next, before), 'Next page')
  return html`<nav class="pager" aria-label="Pages of the list">${first}${back}${more}</nav>`
}

/**
 * Maximum number of cursors of earlier pages that the URL of a list page contains. The link “Previous page” needs these
 * cursors. Browsers and proxies limit the length of a URL.
 */
const earlierMax = 20

/**
 * Text in a URL in place of the oldest cursors of earlier pages, which are left out to limit the length of the URL. No
 * cursor has this text.
 */
const leftOut = '-'

function shortened(cursors: readonly string[]): string {
  return (cursors.length > earlierMax ? [leftOut, ...cursors.slice(-earlierMax)] : cursors).join(',')
}

/**
 * Returns the id after which a page of a list starts. If the cursor in the URL is not an id, the list starts at its
 * first record.
 */
export function cursorOf({ cursor }: { readonly cursor?: string | undefined }): string | undefined {
  return cursor !== undefined && /^[a-z]+_[0-9a-z]{26}$/.test(cursor) ? cursor : undefined
}

/** The path may already have a query. Parameters with an empty value are left out. */
export function withQuery(path: string, query: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(query).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== '',
  )
  const text = String(new URLSearchParams(given))
  return text === '' ? path : `${path}${path.includes('?') ? '&' : '?'}${text}`
}

export function pick<const Names extends readonly string[]>(
  query: Readonly<Record<string, string>>,
  names: Names,
): { readonly [Name in Names[number]]?: string } {
  const found = names.flatMap((name) => (query[name] === undefined || query[name] === '' ? [] : [[name, query[name]]]))
  return Object.fromEntries(found)
}
