import { test } from 'vitest'
import { runShops } from '../../model/shop-runs.ts'
import { useApi } from '../../support/api.ts'

const started = useApi()

test(
  'the concurrent actions of 100 random shops have the same result as the actions in some sequential order',
  () => runShops(started(), { numRuns: 100 }),
  580_000,
)
