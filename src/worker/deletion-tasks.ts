import { importHours, requestLogDays } from '../../registry/values/limits.ts'
import { type MeasuredClock, toTimestamp } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import { redactProcessed } from '../callbacks/redact-processed.ts'
import { redactOldQuotes } from '../logistics/quotes/redact-quotes.ts'
import { deleteOldSurge } from '../logistics/surge/publish-surge.ts'
import { deletePositions } from '../logistics/tracking/delete-positions.ts'
import { deleteExpiredSignIns } from '../store/access/expired-sign-ins.ts'
import { deleteEndedRateLimitProcesses, deleteIdleRateLimits } from '../store/access/rate-charges.ts'
import { carrierCallbacks, providerCallbacks } from '../store/callbacks/inboxes.ts'
import { expiredKeyDeletion } from '../store/core/expired-keys.ts'
import type { Context } from '../store/core/mutation.ts'
import { createPartitions, rotatePartitions } from '../store/partitions/partitions.ts'
import { oldImportDeletion } from '../store/products/product-imports.ts'
import { requestCountDeletion } from '../store/requests/request-log.ts'
import { expireHeld, warnOfExpiry } from '../store/webhooks/held-expiry.ts'
import { expiredSecretDeletion } from '../store/webhooks/signing-secrets.ts'
import { reportPartitions } from './report-partitions.ts'

const hourMs = 60 * 60 * 1000
const dayMs = 24 * hourMs

interface DeletionContext extends Context {
  readonly clock: MeasuredClock
  readonly log: Log
}

/** Returns the tasks of the recurring jobs that delete or redact data after its retention period. */
export function deletionTasks(context: DeletionContext) {
  const { database, clock, log } = context
  /**
   * Returns the current database time, by which old rows are deleted. Undefined while the process's own clock differs
   * too much from it.
   */
  const timeToDeleteBy = async () => {
    const { nowMs, skewMs, isWithinLimit } = await clock.measure()
    if (isWithinLimit) return nowMs
    log.error({ skewMs }, 'Nothing is deleted while the clock of this process differs from the clock of the database.')
    return undefined
  }
  const purge = async (run: (due: DeletionContext) => Promise<unknown>) => {
    const nowMs = await timeToDeleteBy()
    if (nowMs !== undefined) await run({ ...context, clock: { ...clock, nowMs: () => nowMs } })
  }
  return {
    rotate_partitions: async () => {
      const nowMs = await timeToDeleteBy()
      if (nowMs !== undefined) await expireHeld(database, nowMs)
      const rotated =
        nowMs === undefined
          ? createPartitions(database.sessionPool, clock.nowMs())
          : rotatePartitions(database.sessionPool, nowMs)
      const partitions = await rotated
      const endpoints = await warnOfExpiry(database, clock.nowMs())
      if (endpoints > 0) log.info({ endpoints }, 'Deliveries of disabled webhook endpoints will expire soon.')
      reportPartitions(log, partitions)
    },
    delete_old_imports: () =>
      purge((due) => {
        const before = toTimestamp(due.clock.nowMs() - importHours * hourMs)
        return oldImportDeletion.run(database, { before })
      }),
    purge_idempotency_keys: () =>
      purge((due) => expiredKeyDeletion.run(database, { now: toTimestamp(due.clock.nowMs()) })),
    delete_expired_secrets: () =>
      purge(async (due) => {
        const now = toTimestamp(due.clock.nowMs())
        await expiredSecretDeletion.run(database, { now })
        await deleteExpiredSignIns(database, now)
        await deleteIdleRateLimits(database)
        await deleteEndedRateLimitProcesses(database)
      }),
    delete_request_counts: () =>
      purge((due) => {
        const before = toTimestamp(due.clock.nowMs() - requestLogDays * dayMs)
        return requestCountDeletion.run(database, { before })
      }),
    redact_callbacks: () => purge((due) => redactProcessed(due, providerCallbacks)),
    redact_carrier_callbacks: () => purge((due) => redactProcessed(due, carrierCallbacks)),
    purge_positions: () => purge(deletePositions),
    redact_quotes: () => purge(redactOldQuotes),
    delete_old_surge: () => purge(deleteOldSurge),
  }
}
