import { test } from 'vitest'
import { runDays } from '../../model/days.ts'
import { useApi } from '../../support/api.ts'

const started = useApi({ sendsCallbacks: true })

test(
  'the records of 15 random shops agree with each other after each action',
  () => runDays(started(), { numRuns: 10 }),
  580_000,
)
