import { test } from 'vitest'
import { runParcels } from '../../model/parcels-runs.ts'
import { useApi } from '../../support/api.ts'

const started = useApi()

test(
  'the units, stock and status of each of 100 random orders agree with the shipments and refunds of the order',
  () => runParcels(started(), { numRuns: 100 }),
  580_000,
)
