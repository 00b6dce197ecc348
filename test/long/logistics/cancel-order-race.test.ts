import { expect, test } from 'vitest'
import { useApi } from '../../support/api.ts'
import { raceCancellations } from '../../support/logistics/cancellation-race.ts'
import { useSimulatedCarriers } from '../../support/logistics/simulated-carriers.ts'

const started = useApi()

const simulate = useSimulatedCarriers(started)

test('each of 100 orders that are cancelled while a carrier accepts the parcel ends as either delivered or cancelled', async () => {
  const { delivered, cancelled } = await raceCancellations(started(), simulate, 100)
  expect(delivered + cancelled).toBe(100)
  expect(Math.min(delivered, cancelled)).toBeGreaterThan(0)
}, 600_000)
