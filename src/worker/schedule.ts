import { type ParsedCronItem, parseCronItem, type WorkerEvents } from 'graphile-worker'
import { clockSkewMaxMs, type MeasuredClock } from '../base/clock.ts'
import type { JobName } from '../store/core/jobs.ts'

/**
 * Cron patterns of the recurring jobs, in UTC. Graphile Worker's cron adds them.
 *
 * - Every minute: deliveries whose job or notification was lost are found, unpaid orders expire, the audit log is linked
 *   into its hash chain, surge is computed, and the sales summaries of changed days are updated, so that a report adds
 *   up the sales of few days itself.
 * - Every fifth minute: surge is published.
 * - Every ten minutes: carrier statistics are rolled up, so that a failing carrier is soon ranked lower; each run reads
 *   two months.
 * - Hourly, at minutes without other jobs: expired idempotency keys, signing secrets, sessions, counts of requests, old
 *   surge and old imports are deleted, and delivery estimates are updated. Partitions are rotated, because a busy table
 *   may reject the lock once or twice. A return gets the status that follows from its shipment, if a process of the
 *   previous release has updated only the shipment.
 * - Daily: callbacks and old quotes are redacted and positions are purged at night in Nigeria, and payments are
 *   reconciled with the providers before shops open. The first hourly run that succeeds reports the heads of the hash
 *   chain. The first run of a day starts at 6:37 Lagos time, so that no e-mail arrives at night.
 */
const patterns = {
  sweep_deliveries: '* * * * *',
  purge_idempotency_keys: '17 * * * *',
  delete_expired_secrets: '19 * * * *',
  delete_request_counts: '31 * * * *',
  redact_callbacks: '41 2 * * *',
  redact_carrier_callbacks: '43 2 * * *',
  purge_positions: '47 2 * * *',
  redact_quotes: '49 2 * * *',
  expire_orders: '* * * * *',
  update_estimates: '7 * * * *',
  roll_up_carriers: '*/10 * * * *',
  rotate_partitions: '23 * * * *',
  publish_surge: '* * * * *',
  seal_audit: '* * * * *',
  summarise_sales: '* * * * *',
  report_audit_heads: '37 5-23 * * *',
  delete_old_surge: '29 * * * *',
  delete_old_imports: '33 * * * *',
  reconcile_payments: '53 3 * * *',
  follow_returns: '11 * * * *',
} as const satisfies Partial<Record<JobName, string>>

export function isScheduled(name: unknown): boolean {
  return typeof name === 'string' && Object.hasOwn(patterns, name)
}

/**
 * Maximum age, in milliseconds, of a missed run that is still added to the queue. It is the interval of the daily jobs.
 * If no worker was running at the time of a run, the next worker that starts with a correct clock adds the run. Jobs
 * that run every few minutes are not added later, because their next run does the same work.
 */
const backfillMs = 24 * 60 * 60 * 1000

/**
 * Returns the recurring jobs for Graphile Worker's cron. The cron stores the last run of each job in the database, so
 * all workers together add each run once. The cron reads the clock of its process, but a job only starts when the
 * database's clock has reached the time of the run. Small differences between clocks therefore do no harm. A worker
 * whose clock is far ahead would store a run in the future and thereby suspend the schedule of all workers. A worker
 * therefore adds no jobs, and its process is not ready, while its clock differs too much from the database's clock. The
 * other workers continue the schedule.
 */
export function scheduleOf({ compare }: Pick<MeasuredClock, 'compare'>): ParsedCronItem[] {
  return Object.entries(patterns).map(([task, pattern]) => {
    const { match } = parseCronItem({ task, match: pattern })
    return parseCronItem({
      task,
      match: (time) => match(time) && compare().isWithinLimit,
      options: {
        // If a run of a scheduled job has not started when the next run is due, the next run replaces it. Runs
        // therefore do not accumulate while no worker is free.
        jobKey: `scheduled:${task}`,
        // A failed run is not retried, because the next run does the same work.
        maxAttempts: 1,
        backfillPeriod: pattern.startsWith('*') ? 0 : backfillMs,
      },
    })
  })
}

/**
 * Rejects when the clock of the process was set back by more than the skew limit, or forward by more than a day.
 * Graphile Worker's cron must then start again. Otherwise, the cron would add no runs until a clock that was set back
 * reaches its former time. If the clock was set forward, the cron would add a run for every minute that the clock
 * skipped.
 */
export function clockSet(events: WorkerEvents): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>()
  const check = ({ currentTimestamp, expectedTimestamp }: { currentTimestamp: number; expectedTimestamp: number }) => {
    const aheadMs = currentTimestamp - expectedTimestamp
    if (aheadMs < -clockSkewMaxMs || aheadMs > backfillMs)
      reject(new Error(`The clock of this process was set by ${aheadMs} ms, so the process must start again.`))
  }
  events.on('cron:prematureTimer', check)
  events.on('cron:overdueTimer', check)
  return promise
}
