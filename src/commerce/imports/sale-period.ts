import { wrong } from './amounts.ts'
import type { Cells, Draft } from './draft.ts'

/**
 * Decides whether the sale price of a product in a WooCommerce export applies now, from the start and end dates of the
 * sale.
 */

const startColumn = 'Date sale price starts'
const endColumn = 'Date sale price ends'

export const salePeriodColumns = [startColumn, endColumn] as const

/**
 * A date in the time zone of the shop, with or without a time. WooCommerce exports hours without a leading zero, such as
 * `2026-11-25 0:00:00`.
 */
const date = /^(\d{4}-\d{2}-\d{2})(?:[ T](\d{1,2})(:\d{2}(?::\d{2})?))?$/

/** Adds a note if the sale starts or ends in the future. */
export function isOnSale(draft: Draft, cells: Cells, nowMs: number): boolean {
  const [startMs, endMs] = salePeriodColumns.map((column) => timeOf(draft, cells, column))
  if (endMs !== undefined && endMs <= nowMs) return false
  const place = cells.place('Sale price')
  if (startMs !== undefined && startMs > nowMs) {
    const message = `The sale starts on ${cells.text(startColumn)}. Until then the regular price applies, so it is imported.`
    draft.notes.push({ ...place, message })
    return false
  }
  if (endMs !== undefined) {
    const message = `The sale ends on ${cells.text(endColumn)}. The sale price is imported and stays until it is changed.`
    draft.notes.push({ ...place, message })
  }
  return true
}

function timeOf(draft: Draft, cells: Cells, column: string): number | undefined {
  const text = cells.text(column)
  if (text === undefined) return undefined
  const [, day, hour = '00', rest = ':00'] = date.exec(text) ?? []
  const ms = day === undefined ? Number.NaN : Date.parse(`${day}T${hour.padStart(2, '0')}${rest}+01:00`)
  if (!Number.isNaN(ms)) return ms
  const { message } = wrong('Must be a date, such as 2026-11-25', text)
  draft.problems.push({ ...cells.place(column), message })
  return undefined
}
