import { testClockTotalDaysMax } from '../../../registry/values/limits.ts'
import { queueMerchantJob } from '../../store/core/jobs.ts'
import type { TestTenant, Work } from '../../store/core/mutation.ts'
import { lockTestClock, startAdvance, type TestClock } from '../../store/test-clock/test-clocks.ts'

export type AdvanceOutcome =
  | { readonly is: 'started'; readonly clock: TestClock }
  /** Another advance of the test clock is under way. */
  | { readonly is: 'advancing'; readonly remainingMs: number }
  | { readonly is: 'limit_reached'; readonly advancedMs: number }

const totalMaxMs = testClockTotalDaysMax * 86_400_000

/**
 * Starts an advance of the test clock. A worker then advances the clock in steps, each to the next time at which work
 * of the merchant becomes due.
 */
export async function advanceTestClock(
  work: Work,
  { merchantId }: TestTenant,
  spanMs: number,
): Promise<AdvanceOutcome> {
  const { trx, note } = work
  const { advancedMs, isAdvancing, remainingMs } = await lockTestClock(trx, { merchantId })
  if (isAdvancing) return { is: 'advancing', remainingMs }
  if (advancedMs + spanMs > totalMaxMs) return { is: 'limit_reached', advancedMs }
  // If two requests start the first advance of a merchant at the same time, neither finds a row to lock. startAdvance()
  // then returns false for the second request.
  if (!(await startAdvance(trx, { merchantId, spanMs }))) return { is: 'advancing', remainingMs: spanMs }
  queueMerchantJob(trx, 'advance_test_clock', merchantId)
  note({ remainingSeconds: [0, spanMs / 1000] })
  return { is: 'started', clock: { advancedMs, isAdvancing: true, hasFailed: false, remainingMs: spanMs, steps: 0 } }
}
