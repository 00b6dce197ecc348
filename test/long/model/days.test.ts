import { test } from 'vitest'
import { runDays } from '../../model/days.ts'
import { useApi } from '../../support/api.ts'

const started = useApi({ sendsCallbacks: true })

test(
  'in each randomly generated shop, the records are consistent with each other after each action',
  () => runDays(started(), { numRuns: 10 }),
  580_000,
)
