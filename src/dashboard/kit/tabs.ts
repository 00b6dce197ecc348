import { html, type Markup, nothing } from '../../markup/markup.ts'
import { withQuery } from './parts.ts'
import { root } from './root.ts'

/** A view of a list, defined by a set of filters. */
export interface Tab {
  readonly title: string
  readonly query: Readonly<Record<string, string>>
  /** Number of records in the view, as text. Empty if the records of the view are not counted. */
  readonly count: string
  readonly isCurrent: boolean
}

export function tabs(label: string, path: string, all: readonly Tab[]): Markup {
  const tab = ({ title, query, count, isCurrent }: Tab) =>
    html`<li><a href="${root}${withQuery(path, query)}"${isCurrent ? html` aria-current="page"` : nothing}>${title}${count === '' ? nothing : html` <span class="count">${count}</span>`}</a></li>`
  return html`<nav class="tabs" aria-label="${label}"><ul>${all.map(tab)}</ul></nav>`
}

export function isSameQuery(one: Tab['query'], other: Tab['query']): boolean {
  const names = Object.keys(one)
  return names.length === Object.keys(other).length && names.every((name) => one[name] === other[name])
}
