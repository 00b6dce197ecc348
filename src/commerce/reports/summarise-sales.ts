import type { MerchantId } from '../../../registry/values/vocabulary.ts'
import { bookkeep } from '../../store/core/bookkeeping.ts'
import type { Database } from '../../store/core/database.ts'
import { isTransient } from '../../store/core/faults.ts'
import {
  listMerchantsWithChangedSales,
  lockSummaries,
  removeEmptySummaries,
  takeChangedDays,
  updateSummaries,
} from '../../store/reports/sales-summaries.ts'

/**
 * Number of days that are summarised in one transaction. For a merchant with a million orders a year, a transaction
 * takes about half a second.
 */
const daysOfBatch = 7

export interface SummariseContext {
  readonly database: Database
  /** Signal that ends summariseSales() after the current batch. */
  readonly stopping?: AbortSignal | undefined
}

/**
 * Updates the summaries of the sales of all merchants for the days that have changed. Sales reports are exact even
 * without up-to-date summaries, but they get slower with each day that has changed. Repeated and concurrent calls are
 * safe. If the summaries of a merchant cannot be updated, continues with the other merchants and then throws. Throws at
 * once if the database does not respond.
 */
export async function summariseSales({ database, stopping }: SummariseContext): Promise<void> {
  const { isReachable, isDistributed } = database.reachability
  const failures: unknown[] = []
  for (const { merchantId } of await listMerchantsWithChangedSales(database, {})) {
    if (stopping?.aborted === true || !isReachable(merchantId)) continue
    try {
      await summariseMerchant({ database, stopping }, merchantId)
    } catch (error) {
      if (isTransient(error) && !isDistributed()) throw error
      failures.push(error)
    }
  }
  if (failures.length > 0) throw failures[0]
}

async function summariseMerchant({ database, stopping }: SummariseContext, merchantId: MerchantId): Promise<void> {
  for (let isEnd = false; !isEnd && stopping?.aborted !== true; ) {
    isEnd = await bookkeep(database, async (trx) => {
      await lockSummaries(trx, { merchantId })
      const taken = await takeChangedDays(trx, { merchantId, days: daysOfBatch })
      const days = [...new Set(taken.map(({ day }) => day))]
      if (days.length > 0) {
        updateSummaries(trx, { merchantId, days })
        removeEmptySummaries(trx, { merchantId, days })
      }
      return days.length < daysOfBatch
    })
  }
}
