import { test } from 'vitest'
import { runParcels } from '../../model/parcels-runs.ts'
import { useApi } from '../../support/api.ts'

const started = useApi()

test(
  'the units, stock and status of each of 150 random orders equal the sum of its shipments and refunds',
  () => runParcels(started(), { numRuns: 100 }),
  580_000,
)
