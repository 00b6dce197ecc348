import { webhookRetryDelaysMinutes } from '../../registry/values/limits.ts'

const msPerMinute = 60_000

/**
 * Returns the time of the next attempt after attempt number `attempt` failed, or undefined when no retry is left.
 * Exactly the schedule of spec 3, without jitter: the cap on concurrent sends already prevents a thundering herd.
 */
export function nextAttemptMs(attempt: number, finishedMs: number): number | undefined {
  const delayMinutes = webhookRetryDelaysMinutes[attempt - 1]
  return delayMinutes === undefined ? undefined : finishedMs + delayMinutes * msPerMinute
}
