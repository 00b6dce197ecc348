import type { Markup } from '../../markup/markup.ts'
import { type Column, count, section, table } from '../../markup/parts.ts'
import { type Concern, countedMax } from '../../store/attention/concern.ts'
import { link } from '../kit/parts.ts'

export interface Shown<Row> {
  readonly title: string
  /** The path of the list page that contains all rows of the section, and the label of the link to this page. */
  readonly all: readonly [path: string, label: string]
  readonly columns: readonly Column<Row>[]
}

/**
 * Returns the section of the start page for one condition, such as failed refunds. The section shows the first records
 * that have the condition, and the number of all such records. Undefined if no record has the condition.
 */
export function sectionOf<Row>(
  { rows, count: found }: Concern<Row>,
  { title, all, columns }: Shown<Row>,
): Markup | undefined {
  if (found === 0) return undefined
  const number = found === countedMax ? `${count(found)}+` : count(found)
  return section(`${title} (${number})`, table(title, rows, columns), link(...all))
}
