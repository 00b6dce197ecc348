import { type ParsedCronItem, parseCronItem } from 'graphile-worker'
import { toTimestamp } from '../base/clock.ts'
import type { JobName, ScheduledJob } from '../store/core/jobs.ts'

/**
 * Cron patterns of the recurring jobs, in UTC. Graphile Worker's own cron uses the process's clock and records each run
 * for all workers, so one worker with a fast clock would suspend the schedule of all. Here every worker adds each job in
 * advance, under a unique job key, with its next time by the database's clock.
 *
 * Expired idempotency keys, signing secrets, sessions and counts of requests are purged hourly, at minutes without other jobs.
 * Unpaid orders expire within a minute. Callbacks and old quotes are redacted and positions are purged at night in Nigeria.
 * Delivery estimates are updated hourly. Carrier statistics are rolled up every ten minutes, so that a failing carrier is
 * ranked lower soon; each run reads two months.
 * Partitions are rotated hourly, because a busy table may reject the lock once or twice.
 * Payments are reconciled with the providers once a day, before shops open.
 * The audit log is linked into its hash chain every minute. Its heads are reported once a day, by the first hourly run of a day
 * that succeeds; the first run is before shops open, so that no e-mail arrives at night.
 * Surge is computed every minute and published every fifth minute; old surge is deleted hourly.
 */
const patterns = {
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
  report_audit_heads: '37 5-23 * * *',
  delete_old_surge: '29 * * * *',
  reconcile_payments: '53 3 * * *',
} as const satisfies Partial<Record<JobName, string>>

const names = Object.keys(patterns).filter((name): name is keyof typeof patterns => Object.hasOwn(patterns, name))

/** Reports whether a job is one of the recurring jobs. */
export function isScheduled(name: unknown): boolean {
  return typeof name === 'string' && Object.hasOwn(patterns, name)
}

const calendar = names.map((name) => ({ name, match: parseCronItem({ task: name, match: patterns[name] }).match }))

const minuteMs = 60_000

/** The longest interval between two planned runs of a recurring job. */
const dayMinutes = 24 * 60

/** Returns the next run of each recurring job after the given time. */
export function nextRuns(nowMs: number): readonly ScheduledJob[] {
  return calendar.map(({ name, match }) => ({ name, runAt: toTimestamp(nextMinuteMs(match, nowMs)) }))
}

function nextMinuteMs(match: ParsedCronItem['match'], nowMs: number): number {
  const firstMs = (Math.floor(nowMs / minuteMs) + 1) * minuteMs
  for (let minute = 0; minute < dayMinutes; minute++) {
    const ms = firstMs + minute * minuteMs
    if (match(cronFieldsOf(ms))) return ms
  }
  throw new Error('Every scheduled job must run at least once a day.')
}

function cronFieldsOf(ms: number): Parameters<ParsedCronItem['match']>[0] {
  const date = new Date(ms)
  return {
    min: date.getUTCMinutes(),
    hour: date.getUTCHours(),
    date: date.getUTCDate(),
    month: date.getUTCMonth() + 1,
    dow: date.getUTCDay(),
  }
}
