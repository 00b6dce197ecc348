import { endpoints } from '../../../registry/index.ts'
import { html, type Markup, nothing } from '../../markup/markup.ts'
import { dayEnd, dayStart } from '../kit/days.ts'
import { link, pick, withQuery } from '../kit/parts.ts'
import { download } from '../kit/route.ts'
import { may, type Visit } from '../kit/visit.ts'

/** The exports of the API as files to download, in CSV for spreadsheets. */

const exportIds = [
  'exportOrders',
  'exportOrderItems',
  'exportPayments',
  'exportRefunds',
  'exportShipments',
  'exportCustomers',
  'exportProducts',
] as const

type ExportId = (typeof exportIds)[number]

export const exportRoutes = exportIds.map((id) =>
  download({
    path: endpoints[id].path,
    permission: endpoints[id].access,
    open: async (visit) => {
      const { from, to } = pick(visit.query, ['from', 'to'])
      const called = await visit.call(id, {
        query: { format: 'csv', createdFrom: dayStart(from), createdTo: dayEnd(to) },
      })
      if (called.is === 'refused') throw called.refusal
      const { fileName, mediaType, parts } = called.reply
      return { name: fileName, type: `${mediaType}; charset=utf-8`, parts }
    },
  }),
)

/**
 * Returns links that download the records of a list. A link keeps the dates of the list’s filters. If the list has other
 * filters, the link states that it downloads all records.
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

/** The query parameters of a list that do not filter its records, or that a link keeps. */
const exportedNames: ReadonlySet<string> = new Set(['from', 'to', 'cursor', 'done'])
