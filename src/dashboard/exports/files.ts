import { endpoints } from '../../../registry/index.ts'
import type { ExportFormat } from '../../../registry/kit/export-format.ts'
import { html, type Markup, nothing } from '../../markup/markup.ts'
import { dayEnd, dayStart } from '../kit/days.ts'
import { link, pick, withQuery } from '../kit/parts.ts'
import { download } from '../kit/route.ts'
import { may, type Visit } from '../kit/visit.ts'

/**
 * The exports of the API as files that members download. By default, a file is in CSV, with amounts in naira and times
 * in Lagos time.
 */

export const exportedRecords = [
  { id: 'exportOrders', name: 'Orders', content: 'One row for each order, with its customer and totals.' },
  { id: 'exportOrderItems', name: 'Order items', content: 'One row for each item of the orders, with its price.' },
  { id: 'exportPayments', name: 'Payments', content: 'One row for each payment, with its order and provider.' },
  { id: 'exportRefunds', name: 'Refunds', content: 'One row for each refund, with its order and reason.' },
  { id: 'exportShipments', name: 'Shipments', content: 'One row for each shipment, with its carrier and price.' },
  { id: 'exportCustomers', name: 'Customers', content: 'The customers who were added in these days.' },
  { id: 'exportProducts', name: 'Products', content: 'The products that were added in these days.' },
] as const

export type ExportId = (typeof exportedRecords)[number]['id']

export const downloads = exportedRecords.map(({ id }) =>
  download({
    path: endpoints[id].path,
    permission: endpoints[id].access,
    open: async (visit) => {
      const { from, to, format = 'spreadsheet' } = pick(visit.query, ['from', 'to', 'format'])
      const ids = visit.chosenIds.length === 0 ? undefined : visit.chosenIds.join(',')
      const query = { format, id: ids, createdFrom: dayStart(from), createdTo: dayEnd(to) }
      const called = await visit.call(id, { query })
      if (called.is === 'refused') throw called.refusal
      const { fileName, mediaType, parts } = called.reply
      return { name: nameOf(fileName, { from, to }), type: `${mediaType}; charset=utf-8`, parts }
    },
  }),
)

interface Days {
  readonly from?: string | undefined
  readonly to?: string | undefined
}

/**
 * If the export has a first and a last day, the file name contains both, so that the files of two months have different
 * names.
 */
function nameOf(fileName: string, { from, to }: Days): string {
  const isRange = [from, to].every((day) => day !== undefined && /^\d{4}-\d{2}-\d{2}$/.test(day))
  return isRange ? fileName.replace(/-\d{4}-\d{2}-\d{2}\./, `-${from}-to-${to}.`) : fileName
}

interface FileOptions {
  readonly from: string
  readonly to: string
  readonly format: ExportFormat
}

export function filePath(id: ExportId, options: FileOptions): string {
  return withQuery(endpoints[id].path, { ...options })
}

/**
 * The links contain the dates of the list's filters. If the list has other filters, each link states that it downloads
 * all records.
 */
export function exportLinks(visit: Visit, ids: readonly ExportId[]): Markup {
  const { from, to } = pick(visit.query, ['from', 'to'])
  const isFiltered = Object.entries(visit.query).some(([name, value]) => value !== '' && !exportedNames.has(name))
  const links = ids.map((id) => {
    const { access, path, summary } = endpoints[id]
    const all = summary.replace('Export', 'Export all')
    const filtered = from === undefined && to === undefined ? all : `${all} in the date range`
    return may(visit, access) ? link(withQuery(path, { from, to }), isFiltered ? filtered : summary) : nothing
  })
  return html`${links}`
}

/**
 * Query parameters that do not make a list differ from its export: the dates, which also filter the export, and
 * parameters that are not filters.
 */
const exportedNames: ReadonlySet<string> = new Set(['from', 'to', 'cursor', 'previous', 'done'])
