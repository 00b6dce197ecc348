import { webhookRetryDelaysMinutes } from '../../registry/values/limits.ts'

const msPerMinute = 60_000

/**
 * When a delivery whose attempt number `attempt` failed is tried again; undefined when none is left. Spec 3, exactly:
 * no jitter, because the schedule is a promise and the cap on concurrent sends already prevents herds.
 */
export function nextAttemptMs(attempt: number, finishedMs: number): number | undefined {
  const delayMinutes = webhookRetryDelaysMinutes[attempt - 1]
  return delayMinutes === undefined ? undefined : finishedMs + delayMinutes * msPerMinute
}
