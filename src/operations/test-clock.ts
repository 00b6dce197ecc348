import type { TestClock as TestClockRecord } from '../../registry/service/test-clock.ts'
import { testClockTotalDaysMax } from '../../registry/values/limits.ts'
import type { MerchantId } from '../../registry/values/vocabulary.ts'
import { advanceTestClock as advanceTestClockVerb } from '../commerce/test-clock/advance-test-clock.ts'
import { isTestTenant } from '../store/core/mutation.ts'
import { findTestClock, type TestClock } from '../store/test-clock/test-clocks.ts'
import { implement } from './execute/implement.ts'

const liveMessage = 'The token is a token of live mode. Only a merchant in test mode has a test clock.'

export const getTestClock = implement('getTestClock', async ({ db, caller, refuse }) => {
  if (!isTestTenant(caller)) return refuse('test_mode_required', liveMessage)
  return recordOf(caller.merchantId, await findTestClock(db, caller.merchantId))
})

export const advanceTestClock = implement('advanceTestClock', async ({ work, caller, body, refuse }) => {
  if (!isTestTenant(caller)) return refuse('test_mode_required', liveMessage)
  const outcome = await advanceTestClockVerb(work, caller, body.seconds * 1000)
  switch (outcome.is) {
    case 'started':
      return recordOf(caller.merchantId, outcome.clock)
    case 'advancing': {
      const remainingSeconds = Math.ceil(outcome.remainingMs / 1000)
      const message = `The test clock still has to advance by ${remainingSeconds} seconds.`
      return refuse('test_clock_advancing', message, { remainingSeconds })
    }
    case 'limit_reached': {
      const message = `The test clock of a merchant can be advanced by at most ${testClockTotalDaysMax} days altogether.`
      return refuse('test_clock_limit_reached', message, { advancedSeconds: secondsOf(outcome.advancedMs) })
    }
  }
})

function recordOf(id: MerchantId, { advancedMs, isAdvancing, hasFailed, remainingMs }: TestClock): TestClockRecord {
  return {
    id,
    status: isAdvancing ? 'advancing' : hasFailed ? 'failed' : 'idle',
    advancedSeconds: secondsOf(advancedMs),
    remainingSeconds: Math.ceil(remainingMs / 1000),
  }
}

function secondsOf(ms: number): number {
  return Math.floor(ms / 1000)
}
