import { once } from 'node:events'
import { expect, test } from 'vitest'
import { toKobo } from '../../../src/commerce/money.ts'
import { gatherOffers } from '../../../src/logistics/quotes/gather-offers.ts'
import type { CarrierOffer } from '../../../src/partners/carriers/carrier.ts'
import { quoteRequest } from '../../partners/carriers/benches.ts'
import { useApi } from '../../support/api.ts'
import { carriersOf, testCarrier } from '../../support/logistics/carrier.ts'
import { openTestShop } from '../../support/logistics/parcel-run.ts'

/** Two carriers: one that ignores its deadline, and one that responds at once. */
const unresponsive = { ...testCarrier('simulator-steady'), quote: () => new Promise<never>(() => undefined) }
const quick = { ...testCarrier('simulator-swift'), quote: async () => ({ is: 'ok' as const, value: [] }) }

const started = useApi({ carriers: carriersOf(unresponsive, quick) })

test('gatherOffers does not wait for a carrier that ignores its timeout, and reports that carrier with the status timeout', async () => {
  const { logistics: patient } = started()
  // The time limit of a quote is short, because this test waits for it.
  const logistics = { ...patient, timeouts: { ...patient.timeouts, quoteMs: 3_000 } }
  const shop = await openTestShop(started())
  const more = { carriers: undefined, proof: [], codAmountKobo: null }
  const { answers } = await gatherOffers(logistics, shop.tenant, { ...quoteRequest(), ...more })
  expect(answers).toEqual([
    { carrier: 'simulator-swift', status: 'no_offer', message: null, latencyMs: expect.any(Number) },
    { carrier: 'simulator-steady', status: 'timeout', message: expect.any(String), latencyMs: expect.any(Number) },
  ])
})

test('a quote that times out because it waited for the database is not counted as a failure by the carrier’s circuit breaker', async () => {
  const { logistics: patient, database } = started()
  // Every quote of this test must exceed its time limit, so a short limit shortens the test. No carrier has to respond
  // within this limit.
  const logistics = { ...patient, timeouts: { ...patient.timeouts, quoteMs: 400 } }
  const shop = await openTestShop(started())
  const more = { carriers: ['simulator-steady'], proof: [], codAmountKobo: null }
  for (let quote = 0; quote < 10; quote++) {
    const holder = await database.pool.connect()
    await holder.query('begin; lock table carrier_records in access exclusive mode')
    const gathered = gatherOffers(logistics, shop.tenant, { ...quoteRequest(), ...more })
    // Waits until both the timeout of one carrier and the total timeout of the quote have passed.
    await once(AbortSignal.timeout(logistics.timeouts.quoteMs * 1.5), 'abort')
    await holder.query('rollback')
    holder.release()
    expect((await gathered).answers).toMatchObject([{ carrier: 'simulator-steady', status: 'timeout' }])
  }
  const asked = { carrier: unresponsive, account: { credentials: {} } }
  expect(logistics.breakers.openFor(asked, 'quote')).toBeUndefined()
})

test('an offer has no delivery time before its pickup time, even if the carrier states an earlier delivery', async () => {
  const offer: CarrierOffer = {
    token: 'hasty',
    service: 'Bike',
    serviceLevel: 'on_demand',
    vehicle: 'bike',
    priceKobo: toKobo(150_000),
    breakdown: [],
    pickupMinutes: { p50: 30, p90: 60 },
    dropoffMinutes: { p50: 20, p90: 50 },
    expiresAt: undefined,
  }
  const hasty = { ...quick, quote: async () => ({ is: 'ok' as const, value: [offer] }) }
  const logistics = { ...started().logistics, carriers: carriersOf(hasty) }
  const shop = await openTestShop(started())
  const more = { carriers: undefined, proof: [], codAmountKobo: null }
  const { offers } = await gatherOffers(logistics, shop.tenant, { ...quoteRequest(), ...more })
  expect(offers).toMatchObject([{ pickupMinutes: { p50: 30, p90: 60 }, dropoffMinutes: { p50: 30, p90: 60 } }])
})
