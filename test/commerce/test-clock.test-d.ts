import { test } from 'vitest'
import { advanceTestClock } from '../../src/commerce/test-clock/advance-test-clock.ts'
import type { TestTenant, Work } from '../../src/store/core/mutation.ts'

declare const work: Work
declare const tenant: TestTenant

test('only the clock of a merchant in test mode can be advanced', () => {
  void (() => advanceTestClock(work, tenant, 1000))
  // @ts-expect-error A merchant in live mode has no test clock.
  void (() => advanceTestClock(work, { ...tenant, mode: 'live' }, 1000))
})
