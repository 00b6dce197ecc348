import { csvWriterOf } from '../../../registry/kit/csv.ts'
import { SalesRow } from '../../../registry/reports/sales.ts'
import { pageSize } from '../../../registry/values/limits.ts'
import type { ReplyOf } from '../kit/call.ts'
import { pick } from '../kit/parts.ts'
import { download } from '../kit/route.ts'
import { read } from '../kit/visit.ts'

export const reportFilePath = '/reports/download'

/** Number of products in a report by product: the maximum of the API, so that the report of most shops is complete. */
export const reportProducts = String(pageSize.max)

/** The CSV file contains amounts in naira. */
export const reportFile = download({
  path: reportFilePath,
  permission: 'orders:read',
  open: async (visit) => {
    const query = { ...pick(visit.query, ['groupBy', 'from', 'to']), limit: reportProducts }
    const report = await read(visit, 'getSalesReport', { query })
    const { groupBy, from, to } = report
    return { name: `sales-by-${groupBy}-${from}-to-${to}.csv`, type: 'text/csv; charset=utf-8', parts: linesOf(report) }
  },
})

async function* linesOf({ data }: ReplyOf<'getSalesReport'>): AsyncGenerator<string, void, undefined> {
  const { header, line } = csvWriterOf(SalesRow, 'spreadsheet')
  yield header
  yield data.map(line).join('')
}
