import { type ParsedCronItem, parseCronItem } from 'graphile-worker'
import { toTimestamp } from '../base/clock.ts'
import type { JobName, ScheduledJob } from '../store/core/jobs.ts'

/**
 * When recurring jobs run. graphile-worker's own cron decides by the process's clock and notes for all workers what it has
 * run, so one worker whose clock is ahead would end the schedule of all others until that time has come. Here each job is
 * added ahead under its own key with the next time by the database's clock, however many workers add it.
 *
 * Keys, and signing secrets whose time is over, are purged once an hour, at minutes when little else runs; an order waits
 * for its end a minute at most; what providers and carriers told is emptied in the quietest hour of a Nigerian night, told
 * in UTC, and where riders were, and for whom a price was asked in vain, is forgotten then.
 * How long things take is learnt hourly, so that the next order knows of the last. What carriers are worth is rolled up each
 * ten minutes: one that began to fail this morning is ranked by it before noon, and the run reads two months.
 * Partitions are looked after hourly, because a busy table may refuse the lock once or twice.
 * Payments are compared with their provider's once a day, before the shops open.
 * Surge is reckoned each minute and published with every fifth; what was published longest ago is thrown away hourly.
 */
const patterns = {
  purge_idempotency_keys: '17 * * * *',
  delete_expired_secrets: '19 * * * *',
  redact_callbacks: '41 2 * * *',
  redact_carrier_callbacks: '43 2 * * *',
  purge_positions: '47 2 * * *',
  redact_quotes: '49 2 * * *',
  expire_orders: '* * * * *',
  update_estimates: '7 * * * *',
  roll_up_carriers: '*/10 * * * *',
  rotate_partitions: '23 * * * *',
  publish_surge: '* * * * *',
  delete_old_surge: '29 * * * *',
  reconcile_payments: '53 3 * * *',
} as const satisfies Partial<Record<JobName, string>>

const names = Object.keys(patterns).filter((name): name is keyof typeof patterns => Object.hasOwn(patterns, name))

const calendar = names.map((name) => ({ name, match: parseCronItem({ task: name, match: patterns[name] }).match }))

const minuteMs = 60_000

/** The longest pause between two runs of one job. */
const dayMinutes = 24 * 60

/** The next run of every job, later than now. */
export function nextRuns(nowMs: number): readonly ScheduledJob[] {
  return calendar.map(({ name, match }) => ({ name, runAt: toTimestamp(nextMinuteMs(match, nowMs)) }))
}

function nextMinuteMs(match: ParsedCronItem['match'], nowMs: number): number {
  const firstMs = (Math.floor(nowMs / minuteMs) + 1) * minuteMs
  for (let minute = 0; minute < dayMinutes; minute++) {
    const ms = firstMs + minute * minuteMs
    if (match(digestOf(ms))) return ms
  }
  throw new Error('A scheduled job runs at least once a day.')
}

function digestOf(ms: number): Parameters<ParsedCronItem['match']>[0] {
  const date = new Date(ms)
  return {
    min: date.getUTCMinutes(),
    hour: date.getUTCHours(),
    date: date.getUTCDate(),
    month: date.getUTCMonth() + 1,
    dow: date.getUTCDay(),
  }
}
