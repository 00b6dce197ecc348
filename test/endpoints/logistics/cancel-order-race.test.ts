import { expect, test } from 'vitest'
import { useApi } from '../../support/api.ts'
import { raceCancellations } from '../../support/logistics/cancellation-race.ts'
import { useSimulatedCarriers } from '../../support/logistics/simulated-carriers.ts'

const started = useApi()

const simulate = useSimulatedCarriers(started)

test('stock, ledger, events, notifications and the start page are consistent after an order was cancelled while a carrier accepted its shipment', async () => {
  const { delivered, cancelled } = await raceCancellations(started(), simulate, 6)
  expect(delivered + cancelled).toBe(6)
})
