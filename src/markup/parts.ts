import type { Timestamp } from '../../registry/values/vocabulary.ts'
import { nairaText } from '../base/naira.ts'
import { html, type Markup, nothing } from './markup.ts'

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

const lagosMinute = new Intl.DateTimeFormat('en-GB', {
  ...{ timeZone: 'Africa/Lagos', day: 'numeric', month: 'short', year: 'numeric' },
  ...{ hour: '2-digit', minute: '2-digit' },
})

/** Shows a time to the minute in Lagos time. The tooltip shows the exact time in UTC. */
export function dateTime(at: Timestamp | string | null): Markup {
  if (at === null) return html`<span class="none">never</span>`
  return html`<time datetime="${at}" title="${at}">${lagosMinute.format(new Date(at))}</time>`
}

/** Shows a time to the second in Lagos time. The tooltip shows the time in UTC. */
export function time(at: Timestamp | string | null): Markup {
  if (at === null) return html`<span class="none">never</span>`
  return html`<time datetime="${at}" title="${at}">${lagosTime.format(new Date(at))}</time>`
}

const dateFormat = new Intl.DateTimeFormat('en-GB', {
  ...{ timeZone: 'UTC', day: 'numeric', month: 'short', year: 'numeric' },
})

/** Returns the text of a day such as `2026-11-21`: `21 Nov 2026`. */
export function dateText(day: string): string {
  return dateFormat.format(new Date(`${day}T00:00:00Z`))
}

export function money(kobo: number): Markup {
  return html`<span class="money">${nairaText(kobo)}</span>`
}

export function count(value: number): string {
  return value.toLocaleString('en-NG')
}

/** Shows an id in full and not shortened, because people paste ids into searches and commands. */
export function code(text: string): Markup {
  return html`<code>${text}</code>`
}

export interface Column<Row> {
  readonly title: string
  readonly cell: (row: Row) => Markup | string
  /** Numbers are aligned to the right. */
  readonly isNumber?: boolean
  /**
   * Where the cell appears in the card that shows the row on a phone. `check`: as the check box. `title` and `state`:
   * in the first line. `detail` and `labelled`: in the second line; a `labelled` cell follows the title of its column.
   * `hidden`: not in the card. If no column of the table has one of these values, the card is a block with one line for
   * each cell.
   */
  readonly phone?: 'check' | 'title' | 'state' | 'detail' | 'labelled' | 'hidden'
}

/** The content of a table cell or a field without a value. A screen reader reads the cell as empty. */
const dash = html`<span aria-hidden="true">–</span>`

/**
 * Shows rows as a table. On a narrow screen, each row is a card with two lines, or a block in which each cell has the
 * title of its column. A cell without a value shows a dash, or is left out of the card. A column without any value is
 * left out.
 */
export function table<Row>(caption: string, rows: readonly Row[], declared: readonly Column<Row>[]): Markup {
  const filled = declared.map((column) => ({ ...column, contents: rows.map((row) => html`${column.cell(row)}`) }))
  const columns = filled.filter(({ contents }) => contents.length === 0 || !contents.every(isBlank))
  const cell = ({ title, contents, isNumber, phone }: (typeof filled)[number], index: number) => {
    const content = contents[index] ?? nothing
    const names = [isNumber === true ? 'number' : '', phone ?? '', isBlank(content) ? 'blank' : '']
    const classes = names.filter((name) => name !== '').join(' ')
    return html`<td data-title="${title}"${classes === '' ? nothing : html` class="${classes}"`}>${isBlank(content) ? dash : content}</td>`
  }
  const heading = ({ title, isNumber }: Column<Row>) =>
    html`<th scope="col"${isNumber === true ? html` class="number"` : nothing}>${title}</th>`
  return html`<div class="scroll" role="region" aria-label="${caption}" tabindex="0"><table${columns.some(({ phone }) => phone !== undefined) ? html` class="cards"` : nothing}>
<caption>${caption}</caption>
<thead><tr>${columns.map(heading)}</tr></thead>
<tbody>${rows.map((_, index) => html`<tr>${columns.map((column) => cell(column, index))}</tr>`)}</tbody>
</table></div>`
}

function isBlank(content: Markup): boolean {
  return String(content).trim() === ''
}

export function facts(entries: readonly (readonly [name: string, value: Markup | string])[]): Markup {
  return html`<dl class="facts">${entries.map(([name, value]) => html`<div><dt>${name}</dt><dd>${isBlank(html`${value}`) ? dash : value}</dd></div>`)}</dl>`
}

export function empty(message: string, next: Markup = nothing): Markup {
  return html`<div class="empty"><p>${message}</p>${next}</div>`
}

export function section(title: string, content: Markup, actions: Markup = nothing): Markup {
  return html`<section><header><h2>${title}</h2>${actions}</header>${content}</section>`
}

/** Shows a text so that no line break separates an order number, such as `ORD-7Q2M4X9K`, at its hyphen. */
export function withWholeNumbers(text: string): Markup {
  const parts = text.split(/(\b[A-Z]{2,6}-[0-9A-Z]{4,12}\b)/)
  return html`${parts.map((part, index) => (index % 2 === 1 ? html`<span class="nowrap">${part}</span>` : part))}`
}

export function heading(title: string, actions: Markup = nothing): Markup {
  return html`<header class="heading"><h1>${withWholeNumbers(title)}</h1><div class="actions">${actions}</div></header>`
}

/** A page has at most one main action, which is its only filled button. */
export interface RecordActions {
  readonly main?: Markup | undefined
  readonly more: readonly Markup[]
}

/**
 * On a phone, the main action is a bar at the lower edge of the screen, and the other actions are folded below the
 * title.
 */
export function recordHeading(title: string, status: Markup, { main = nothing, more }: RecordActions): Markup {
  const others = more.filter((action) => action !== nothing)
  const folded =
    others.length === 0
      ? nothing
      : html`<details class="fold more"><summary>More actions</summary><div class="actions">${others}</div></details>`
  return html`<header class="heading"><h1>${withWholeNumbers(title)} ${status}</h1><div class="actions record-actions">${main}${folded}</div></header>`
}
