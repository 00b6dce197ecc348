import { get } from 'node:http'
import pg from 'pg'
import { exportBatchSize } from '../../registry/values/limits.ts'
import type { MerchantId } from '../../registry/values/vocabulary.ts'
import { systemClock, toTimestamp } from '../../src/base/clock.ts'
import { exportedOrdersQuery } from '../../src/store/orders/exported-orders.ts'
import type { TemporaryPostgres } from '../temporary-postgres.ts'
import { createRefundTargets } from './refund-targets.ts'
import { residentMebibytes, startService, stopService } from './start-service.ts'
import { requireAtLeast, requireMebibytesAtMost } from './verdict.ts'

/**
 * Maximum growth of the process memory during an export. The first tenth of the export is not measured, because the
 * heap warms up.
 */
const growthMaxMebibytes = 20

/** Minimum rate of an export, relative to the rate of COPY with the same query. */
const copyShareMin = 0.3

/**
 * Measures the export of the orders of a large merchant in two formats, and compares its rate with that of COPY with
 * the same query.
 */
export async function benchExport(postgres: TemporaryPostgres, orders = 1_000_000): Promise<void> {
  const { merchantId, token } = await createRefundTargets(postgres, orders, ['orders:read'])
  const owner = new pg.Client({ connectionString: postgres.ownerConnectionString })
  await owner.connect()
  const { child, url } = await startService(postgres, { RUN: 'api' })
  try {
    await owner.query(itemsText, [merchantId])
    await owner.query('vacuum analyze orders, order_items')
    // The time of COPY excludes the processing of rows, because the client discards the rows.
    const copySeconds = await secondsOf(() => owner.query(copyText(merchantId)))
    for (const format of ['ndjson', 'csv']) {
      const memory: number[] = []
      const measureAt = (share: number) => {
        if (share > 0.1) memory.push(residentMebibytes(child))
      }
      const path = `/api/v1/exports/orders?format=${format}`
      let lines = 0
      const seconds = await secondsOf(async () => {
        lines = await download({ url: url + path, token, onLines: (count) => measureAt(count / orders) })
      })
      const expected = format === 'csv' ? orders + 1 : orders
      if (lines !== expected) throw new Error(`The export has ${lines} lines instead of ${expected}.`)
      const rates = `${Math.round(orders / seconds)} orders a second, COPY ${Math.round(orders / copySeconds)}`
      requireAtLeast(`Export of ${orders} orders as ${format}, ${rates}`, copySeconds / seconds, copyShareMin)
      const growth = Math.max(...memory) - (memory[0] ?? Number.NaN)
      requireMebibytesAtMost('  growth of the memory', growth, growthMaxMebibytes)
    }
  } finally {
    await stopService(child)
    await owner.end()
  }
}

const itemsText = `
  insert into order_items (
    merchant_id, order_id, id, position, sku, title, variant_title, quantity, unit_price_kobo, subtotal_kobo, total_kobo
  )
  select merchant_id, id, 'itm_' || substr(id, 5), 0, 'ANK-MAX-M-IND', 'Ankara maxi dress', 'M / Indigo', 1, total_kobo,
    subtotal_kobo, total_kobo
  from orders
  where merchant_id = $1`

/**
 * Returns a COPY command for the query of an export, without its page limit. The query contains literals, because COPY
 * accepts no parameters.
 */
function copyText(merchantId: MerchantId): string {
  const end = { createdAt: toTimestamp(systemClock.nowMs()), id: '' }
  const { text, values } = exportedOrdersQuery(
    { merchantId, createdFrom: undefined },
    { limit: exportBatchSize, after: end },
  )
  const unlimited = text.replace(/limit \d+$/, '')
  const query = unlimited.replaceAll(/\$(\d+)/g, (_, number: string) => literalOf(values[Number(number) - 1]))
  return `copy (${query}) to stdout with (format csv)`
}

function literalOf(value: unknown): string {
  return value === undefined ? 'null' : pg.escapeLiteral(String(value))
}

async function secondsOf(run: () => Promise<unknown>): Promise<number> {
  const startMs = performance.now()
  await run()
  return (performance.now() - startMs) / 1000
}

interface Download {
  readonly url: string
  readonly token: string
  readonly onLines: (count: number) => void
}

/** Returns the number of lines of the response. Rejects if the response is aborted. */
function download({ url, token, onLines }: Download): Promise<number> {
  return new Promise((resolve, reject) => {
    get(url, { headers: { Authorization: `Bearer ${token}` } }, (response) => {
      let count = 0
      response.on('data', (chunk: Buffer) => {
        for (let at = chunk.indexOf(lineFeed); at >= 0; at = chunk.indexOf(lineFeed, at + 1)) count += 1
        onLines(count)
      })
      response.on('end', () => resolve(count))
      response.on('error', reject)
    }).on('error', reject)
  })
}

const lineFeed = 0x0a
