import { test } from 'vitest'
import { runParcels } from '../../model/parcels-runs.ts'
import { useApi } from '../../support/api.ts'

const started = useApi()

test(
  'units, stock and status of 150 random orders equal the sum of their shipments and refunds',
  () => runParcels(started(), { numRuns: 150 }),
  580_000,
)
