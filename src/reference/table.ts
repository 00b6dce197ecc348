import type { Token, Tokens } from 'marked'
import { escapeHtml } from './escape.ts'
import { anchorLink, plainText } from './inline.ts'

/** A table of Markdown. Its parts say what they are, because a narrow window shows each row as a list. */

interface Setting {
  /** What it is about, for who cannot see where it stands. */
  readonly label: string
  inline(tokens: Token[]): string
  /** A name for the place where a field is told. */
  idOf(field: string): string
}

export function tableHtml({ header, rows }: Tokens.Table, setting: Setting): string {
  const columns = header.map((cell) => plainText(cell.tokens))
  const head = header.map((cell) => `<th role="columnheader" scope="col">${setting.inline(cell.tokens)}</th>`)
  const body = rows.map((row) => {
    const cells = row.map((cell, index) =>
      cellHtml(cell, { column: columns[index] ?? '', isFirst: index === 0 }, setting),
    )
    return `<tr role="row">${cells.join('')}</tr>`
  })
  const hasFields = rows.some(([first]) => first !== undefined && fieldOf(first) !== undefined)
  const kind = tableKind(columns, hasFields)
  const table = [
    `<table role="table"${kind === '' ? '' : ` class="${kind}"`}>`,
    `<thead role="rowgroup"><tr role="row">${head.join('')}</tr></thead>`,
    `<tbody role="rowgroup">${body.join('')}</tbody></table>`,
  ]
  // It scrolls by itself where it is too wide, which must also be possible without a mouse.
  return `<div class="table" role="group" tabindex="0" aria-label="${escapeHtml(setting.label)}">${table.join('')}</div>\n`
}

interface Place {
  readonly column: string
  readonly isFirst: boolean
}

function cellHtml(cell: Tokens.TableCell, { column, isFirst }: Place, setting: Setting): string {
  const inner = answerOf(column, cell.text) ?? setting.inline(cell.tokens)
  const start = `<td role="cell" data-label="${escapeHtml(column)}"`
  const field = isFirst ? fieldOf(cell) : undefined
  if (field === undefined) return `${start}>${inner}</td>`
  const id = setting.idOf(field)
  return `${start} id="${id}" class="field">${inner}${anchorLink(id, field)}</td>`
}

/** Fields and errors are read one by one, so each of their rows is laid out as an entry and not squeezed into columns. */
function tableKind(columns: readonly string[], hasFields: boolean): string {
  if (columns.includes('Status') && columns.includes('Code')) return 'entries errors'
  if (hasFields && columns.includes('Type') && columns.length > 2) return 'entries'
  return columns.length > 2 ? 'stacks' : ''
}

/** Yes and no say nothing without their column, which an entry does not show. */
function answerOf(column: string, text: string): string | undefined {
  if (column === 'Required')
    return text === 'yes' ? '<b class="required">required</b>' : '<span class="optional">optional</span>'
  if (column === 'Retry')
    return text === 'yes' ? '<b class="retry">retry</b>' : '<span class="optional">no retry</span>'
  return undefined
}

/** A first cell that begins with code, and is no link elsewhere, names a field. */
function fieldOf(cell: Tokens.TableCell): string | undefined {
  const [first] = cell.tokens
  return first?.type === 'codespan' ? plainText([first]) : undefined
}
