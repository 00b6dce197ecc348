import type { Token, Tokens } from 'marked'
import { escapeHtml } from '../../../src/reference/escape.ts'
import { anchorLink, plainText } from './inline.ts'

/** Renders Markdown tables. The cells have explicit roles, because a narrow window shows each row as a list. */

interface Setting {
  /** The name of the table for screen readers (accessible name). */
  readonly label: string
  inline(tokens: Token[]): string
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
    `<tbody role="rowgroup">${body.join('\n')}</tbody></table>`,
  ]
  // A wide table scrolls; its tabindex makes it scrollable with the keyboard.
  return `<div class="table" role="group" tabindex="0" aria-label="${escapeHtml(setting.label)}">${table.join('')}</div>\n`
}

interface Place {
  readonly column: string
  readonly isFirst: boolean
}

function cellHtml(cell: Tokens.TableCell, { column, isFirst }: Place, setting: Setting): string {
  const inner = labelOf(column, cell.text) ?? setting.inline(cell.tokens)
  const start = `<td role="cell" data-label="${escapeHtml(column)}"`
  const field = isFirst ? fieldOf(cell) : undefined
  if (field === undefined) return `${start}>${inner}</td>`
  const id = setting.idOf(field)
  return `${start} id="${id}" class="field">${inner}${anchorLink(id, field)}</td>`
}

/** Returns the class of a table. Rows of fields and errors are laid out as entries instead of columns. */
function tableKind(columns: readonly string[], hasFields: boolean): string {
  if (columns.includes('Status') && columns.includes('Code')) return 'entries errors'
  if (hasFields && columns.includes('Type') && columns.length > 2) return 'entries'
  return columns.length > 2 ? 'stacks' : ''
}

/**
 * Returns a label for “yes” and “no” in the columns Required and Retry. A table with the layout `entries` does not show
 * the names of its columns.
 */
function labelOf(column: string, text: string): string | undefined {
  if (column === 'Required')
    return text === 'yes' ? '<b class="required">required</b>' : '<span class="optional">optional</span>'
  if (column === 'Retry')
    return text === 'yes' ? '<b class="retry">retry</b>' : '<span class="optional">no retry</span>'
  return undefined
}

/** Returns the field name in the first cell of a row, if the cell starts with code that is not part of a link. */
function fieldOf(cell: Tokens.TableCell): string | undefined {
  const [first] = cell.tokens
  return first?.type === 'codespan' ? plainText([first]) : undefined
}
