import type { Log } from '../../base/log.ts'
import { recurringWorkOf } from '../../base/recurring-work.ts'
import type { Database } from '../../store/core/database.ts'
import { readBacklog, readTableSizes } from '../../store/metrics/backlog.ts'
import type { Metrics } from './registry.ts'

/**
 * Interval at which the gauges of the database are read: a common scrape interval. Most values of more frequent
 * readings would never be scraped.
 */
const everyMs = 15_000

/** Table sizes are read in every 20th interval, which is every five minutes, because tables grow slowly. */
const sizesEvery = 20

interface GaugesContext {
  readonly database: Database
  readonly log: Log
  readonly metrics: Pick<Metrics, 'setBacklog' | 'setTableSizes'>
}

/** Reads the gauges of the database in the background, so that scrapes cost no query and do not wait for a slow database. */
export function startDatabaseGauges({ database, log, metrics }: GaugesContext): { stop(): Promise<void> } {
  let readings = 0
  let reading: Promise<void> | undefined
  const read = async () => {
    const work = recurringWorkOf(log)
    metrics.setBacklog(await work.attempt('metrics.backlog', () => readBacklog(database)))
    if (readings % sizesEvery === 0) {
      const sizes = await work.attempt('metrics.table_sizes', () => readTableSizes(database))
      if (sizes === undefined) return
      metrics.setTableSizes(sizes)
    }
    readings += 1
  }
  const start = () => {
    // While a query for the gauges is running, no second one is started.
    reading ??= read().finally(() => {
      reading = undefined
    })
  }
  start()
  const timer = setInterval(start, everyMs)
  timer.unref()
  return {
    stop: async () => {
      clearInterval(timer)
      await reading
    },
  }
}
