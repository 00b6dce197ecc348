import { expect, test } from 'vitest'
import { gatherOffers } from '../../src/logistics/quote/gather-offers.ts'
import { quoteRequest } from '../partners/carriers/benches.ts'
import { useApi } from '../support/api.ts'
import { carriersOf, testCarrier } from '../support/carrier.ts'
import { openTestShop } from '../support/parcel-run.ts'

/** One that answers, and one that heeds neither its deadline nor anything else. */
const deaf = { ...testCarrier('simulator-steady'), quote: () => new Promise<never>(() => undefined) }
const quick = { ...testCarrier('simulator-swift'), quote: async () => ({ is: 'ok' as const, value: [] }) }

const started = useApi({
  carriers: carriersOf(deaf, quick),
  patience: { quoteMs: 400, createMs: 400, readMs: 400, cancelMs: 400 },
})

test('a quote ends half as late again as a carrier may answer, and tells who was too late', async () => {
  const { logistics } = started()
  const shop = await openTestShop(started())
  const more = { carriers: undefined, surge: null, proof: [] }
  const { answers } = await gatherOffers(logistics, shop.tenant, { ...quoteRequest(), ...more })
  expect(answers).toEqual([
    { carrier: 'simulator-swift', status: 'no_offer', message: null, latencyMs: expect.any(Number) },
    { carrier: 'simulator-steady', status: 'timeout', message: expect.any(String), latencyMs: expect.any(Number) },
  ])
})
