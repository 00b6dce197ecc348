import { describe, expect, test } from 'vitest'
import type { AttemptState } from '../../../registry/logistics/shipment-states.ts'
import { toTimestamp } from '../../../src/base/clock.ts'
import { toKobo } from '../../../src/commerce/money.ts'
import { nextOffer, nextOfferOverCeiling, returnedOffer } from '../../../src/logistics/dispatch/next-offer.ts'

type Attempt = Parameters<typeof nextOffer>[1][number]
type Offer = Attempt['offer']

const offer = (carrier: string, service = 'now', priceKobo = 100_000): Offer => ({
  offerId: null,
  carrier,
  service,
  serviceLevel: 'on_demand',
  vehicle: 'bike',
  priceKobo: toKobo(priceKobo),
  surgeKobo: toKobo(0),
  token: '',
  breakdown: [],
  pickupMinutes: null,
  dropoffMinutes: null,
  reliability: 0.9,
  expiresAt: toTimestamp(0),
})

const plan = [offer('a', 'now'), offer('a', 'later'), offer('dear', 'now', 120_001), offer('b'), offer('c')]
const priceCeilingKobo = toKobo(120_000)
type Tries = readonly [Offer | undefined, AttemptState, string | null][]
const attemptsOf = (tried: Tries) =>
  tried.flatMap(([of, state, outcomeCode]) =>
    of === undefined ? [] : [{ carrier: of.carrier, offer: of, state, outcomeCode }],
  )
const next = (tried: Tries, maxAttempts = 3) => {
  const found = nextOffer({ plan, priceCeilingKobo, failover: { maxAttempts } }, attemptsOf(tried))
  return found && `${found.carrier} ${found.service}`
}

describe('nextOffer', () => {
  test('nextOffer returns the first offer of the dispatch plan before any dispatch attempt', () => {
    expect(next([])).toBe('a now')
  })

  test.for<[string, AttemptState, string]>([
    ['had no rider', 'refused', 'couriers_busy'],
    ['did not respond', 'not_found_at_carrier', 'order_not_found'],
    ['cancelled its order', 'cancelled', 'carrier_cancelled'],
    ['is not connected', 'skipped', 'not_connected'],
  ])('nextOffer returns another carrier’s offer when the carrier of the first dispatch attempt %s', ([
    ,
    state,
    code,
  ]) => {
    expect(next([[plan[0], state, code]])).toBe('b now')
  })

  test.for<[string, AttemptState, string]>([
    ['has expired', 'refused', 'quote_expired'],
    ['exceeds the ceiling', 'skipped', 'price'],
    ['is no longer offered', 'skipped', 'no_offer'],
  ])('nextOffer returns the same carrier’s other offer when the first offer %s', ([, state, code]) => {
    expect(next([[plan[0], state, code]])).toBe('a later')
  })

  test('nextOffer returns no offer after maxAttempts requests to carriers; offers that were skipped without a request are not counted', () => {
    expect(next([[plan[0], 'refused', 'couriers_busy']], 1)).toBeUndefined()
    expect(next([[plan[0], 'refused', 'wallet_insufficient']], 1)).toBeUndefined()
    expect(next([[plan[0], 'skipped', 'not_connected']], 1)).toBe('b now')
    expect(next([[plan[0], 'unavailable', 'circuit_open']], 1)).toBe('b now')
    expect(next([[plan[0], 'unavailable', 'wallet_insufficient']], 1)).toBe('b now')
    const all = [plan[0], plan[3], plan[4]] as const
    expect(
      next(
        all.map((of) => [of, 'refused', 'couriers_busy']),
        5,
      ),
    ).toBeUndefined()
  })

  test('nextOffer returns the same offer again, at most twice, when the request of its dispatch attempt was not sent in time', () => {
    const unsent = (times: number): Tries => Array.from({ length: times }, () => [plan[0], 'unavailable', 'not_sent'])
    expect(next(unsent(1), 1)).toBe('a now')
    expect(next(unsent(2))).toBe('a now')
    expect(next(unsent(3), 5)).toBe('b now')
  })

  test('nextOffer returns no offer above the price ceiling, and nextOfferOverCeiling returns an offer above the price ceiling', () => {
    const cheap: Tries = [plan[0], plan[3]].map((of) => [of, 'refused', 'couriers_busy'])
    expect(next(cheap, 5)).toBe('c now')
    const shipment = { plan, priceCeilingKobo, failover: { maxAttempts: 5 } }
    expect(nextOfferOverCeiling(shipment, attemptsOf(cheap))).toBe(plan[2])
    expect(nextOfferOverCeiling(shipment, attemptsOf([...cheap, [plan[2], 'skipped', 'price']]))).toBeUndefined()
    // The limit maxAttempts is reached here. The dispatch would therefore have no further offer even without the price
    // ceiling.
    expect(nextOfferOverCeiling({ ...shipment, failover: { maxAttempts: 2 } }, attemptsOf(cheap))).toBeUndefined()
  })
})

describe('nextOffer for a broker’s sub-carriers', () => {
  const behind = (subCarrier: string | null, priceKobo?: number): Offer => ({
    ...offer('broker', subCarrier ?? 'unnamed', priceKobo),
    subCarrier,
  })
  const [kwik, gigl, dhl, fez] = [behind('kwik'), behind('gigl'), behind('dhl'), offer('fez')]
  const brokered = { plan: [kwik, gigl, dhl, fez], priceCeilingKobo, failover: { maxAttempts: 4 } }
  const next = (tried: Tries, plan = brokered.plan) => nextOffer({ ...brokered, plan }, attemptsOf(tried))?.service

  test.for<[AttemptState, string]>([
    ['refused', 'couriers_busy'],
    ['refused', 'out_of_area'],
    ['invalid', 'invalid'],
    ['unavailable', 'sub_carrier_unavailable'],
    ['cancelled', 'carrier_cancelled'],
    ['superseded', 'no_courier_assigned'],
  ])('after a dispatch attempt in state %s (%s), nextOffer skips all services of the attempted sub-carrier, and returns the offer of another sub-carrier or of another carrier', ([
    state,
    code,
  ]) => {
    expect(next([[kwik, state, code]])).toBe('gigl')
    expect(next([[kwik, state, code]], [{ ...kwik, service: 'kwik van' }, fez])).toBe(fez.service)
  })

  test.for<[AttemptState, string]>([
    ['refused', 'wallet_insufficient'],
    ['refused', 'account_blocked'],
    ['refused', 'refused'],
    ['unavailable', 'unavailable'],
    ['unavailable', 'circuit_open'],
    ['skipped', 'not_connected'],
    ['not_found_at_carrier', 'order_not_found'],
    ['abandoned', 'timeout'],
  ])('nextOffer skips the other sub-carriers of a broker after a dispatch attempt in state %s (%s), which shows a problem of the broker itself', ([
    state,
    code,
  ]) => {
    expect(next([[kwik, state, code]])).toBe(fez.service)
  })

  test('after a rejection by a broker, nextOffer returns no further offer of that broker if the attempt or the plan names no sub-carriers', () => {
    expect(next([[behind(null), 'refused', 'couriers_busy']])).toBe(fez.service)
    expect(next([[kwik, 'refused', 'couriers_busy']], [behind(null), fez])).toBe(fez.service)
  })

  test('nextOffer returns a broker’s remaining offers last if two of its sub-carriers were unavailable or found the request invalid', () => {
    const down: Tries = [
      [kwik, 'unavailable', 'sub_carrier_unavailable'],
      [gigl, 'invalid', 'invalid'],
    ]
    expect(next(down)).toBe(fez.service)
    expect(next(down, [kwik, gigl, dhl])).toBe('dhl')
    const busy: Tries = [kwik, gigl].map((of) => [of, 'refused', 'couriers_busy'])
    expect(next(busy)).toBe('dhl')
  })
})

describe('returnedOffer', () => {
  const gaveBack: Tries[number] = [plan[3], 'cancelled', 'carrier_cancelled']
  const last = (
    tried: Tries,
    { from = [offer('b')], maxAttempts = 3 }: { from?: Offer[]; maxAttempts?: number } = {},
  ) => returnedOffer({ plan: from, priceCeilingKobo, failover: { maxAttempts } }, attemptsOf(tried))?.carrier

  test('after a carrier has cancelled its order, returnedOffer returns the carrier’s offer at most once, and only within maxAttempts', () => {
    expect(last([gaveBack])).toBe('b')
    expect(last([gaveBack, gaveBack])).toBeUndefined()
    expect(last([gaveBack, [plan[3], 'skipped', 'no_offer']])).toBeUndefined()
    expect(last([gaveBack], { maxAttempts: 1 })).toBeUndefined()
  })

  test('returnedOffer returns no offer while other carriers are left to call', () => {
    expect(last([gaveBack], { from: [offer('b'), offer('c')] })).toBeUndefined()
  })

  test('returnedOffer returns no offer for dispatch attempts that the carrier did not cancel', () => {
    expect(last([])).toBeUndefined()
    expect(last([[plan[3], 'cancelled', 'cancelled']])).toBeUndefined()
    expect(last([[plan[3], 'superseded', 'no_courier_assigned']])).toBeUndefined()
    expect(last([gaveBack, [offer('b', 'later'), 'refused', 'wallet_insufficient']])).toBeUndefined()
  })

  test('returnedOffer returns no offer above the price ceiling', () => {
    expect(last([gaveBack], { from: [offer('b', 'now', 120_001)] })).toBeUndefined()
  })
})
