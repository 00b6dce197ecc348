import { expect, test } from 'vitest'
import { useApi } from '../../support/api.ts'
import { raceCancellations } from '../../support/logistics/cancellation-race.ts'
import { useSimulatedCarriers } from '../../support/logistics/simulated-carriers.ts'

const started = useApi()

const simulate = useSimulatedCarriers(started)

test('if each of 100 orders is cancelled while a carrier accepts its parcel, each ends consistently as either delivered or cancelled', async () => {
  const { delivered, cancelled } = await raceCancellations(started(), simulate, 100)
  expect(delivered + cancelled).toBe(100)
  expect(Math.min(delivered, cancelled)).toBeGreaterThan(0)
}, 600_000)
