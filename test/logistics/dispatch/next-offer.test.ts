import { describe, expect, test } from 'vitest'
import type { AttemptState } from '../../../registry/logistics/shipment-states.ts'
import { toTimestamp } from '../../../src/base/clock.ts'
import { toKobo } from '../../../src/commerce/money.ts'
import { lastResort, nextOffer, nextTooDear } from '../../../src/logistics/dispatch/next-offer.ts'

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

describe('the next offer', () => {
  test('is the first of the plan when none was tried', () => {
    expect(next([])).toBe('a now')
  })

  test.for<[string, AttemptState, string]>([
    ['had nobody', 'refused', 'couriers_busy'],
    ['never answered', 'resolved_absent', 'not_there'],
    ['gave it back', 'cancelled', 'carrier_cancelled'],
    ['is not connected', 'skipped', 'not_connected'],
  ])('is of another carrier when one %s', ([, state, code]) => {
    expect(next([[plan[0], state, code]])).toBe('b now')
  })

  test.for<[string, AttemptState, string]>([
    ['has ended', 'refused', 'quote_expired'],
    ['has become too dear', 'skipped', 'price'],
    ['is not made again', 'skipped', 'no_offer'],
  ])('is the carrier’s other one when an offer %s', ([, state, code]) => {
    expect(next([[plan[0], state, code]])).toBe('a later')
  })

  test('is none after as many askings as there may be; who was passed over was not asked', () => {
    expect(next([[plan[0], 'refused', 'couriers_busy']], 1)).toBeUndefined()
    expect(next([[plan[0], 'skipped', 'not_connected']], 1)).toBe('b now')
    const all = [plan[0], plan[3], plan[4]] as const
    expect(
      next(
        all.map((of) => [of, 'refused', 'couriers_busy']),
        5,
      ),
    ).toBeUndefined()
  })

  test('is the same once more where it was not sent in time, until that is no accident', () => {
    const unsent = (times: number): Tries => Array.from({ length: times }, () => [plan[0], 'unavailable', 'not_sent'])
    expect(next(unsent(1), 1)).toBe('a now')
    expect(next(unsent(2))).toBe('a now')
    expect(next(unsent(3), 5)).toBe('b now')
  })

  test('never costs more than the shipment may, and the one that does is told apart', () => {
    const cheap: Tries = [plan[0], plan[3]].map((of) => [of, 'refused', 'couriers_busy'])
    expect(next(cheap, 5)).toBe('c now')
    const shipment = { plan, priceCeilingKobo, failover: { maxAttempts: 5 } }
    expect(nextTooDear(shipment, attemptsOf(cheap))).toBe(plan[2])
    expect(nextTooDear(shipment, attemptsOf([...cheap, [plan[2], 'skipped', 'price']]))).toBeUndefined()
    // Once no more may be asked, its price is not what stands in the way.
    expect(nextTooDear({ ...shipment, failover: { maxAttempts: 2 } }, attemptsOf(cheap))).toBeUndefined()
  })
})

describe('behind a broker', () => {
  const behind = (subCarrier: string | null, priceKobo?: number): Offer => ({
    ...offer('broker', subCarrier ?? 'somebody', priceKobo),
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
  ])('%s (%s) is one company’s word: the next one is asked, and it is not, by whatever service', ([state, code]) => {
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
    ['resolved_absent', 'not_there'],
    ['abandoned', 'timeout'],
  ])('%s (%s) is the broker’s: nobody behind it is asked', ([state, code]) => {
    expect(next([[kwik, state, code]])).toBe(fez.service)
  })

  test('nobody else is asked where the plan does not say who is behind an offer', () => {
    expect(next([[behind(null), 'refused', 'couriers_busy']])).toBe(fez.service)
    expect(next([[kwik, 'refused', 'couriers_busy']], [behind(null), fez])).toBe(fez.service)
  })

  test('two that are down, or find the request wrong, put the rest behind all others, and leave them in', () => {
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

describe('the last resort', () => {
  const gaveBack: Tries[number] = [plan[3], 'cancelled', 'carrier_cancelled']
  const last = (
    tried: Tries,
    { from = [offer('b')], maxAttempts = 3 }: { from?: Offer[]; maxAttempts?: number } = {},
  ) => lastResort({ plan: from, priceCeilingKobo, failover: { maxAttempts } }, attemptsOf(tried))?.carrier

  test('is whoever gave it back, once, and while any more may be asked', () => {
    expect(last([gaveBack])).toBe('b')
    expect(last([gaveBack, gaveBack])).toBeUndefined()
    expect(last([gaveBack, [plan[3], 'skipped', 'no_offer']])).toBeUndefined()
    expect(last([gaveBack], { maxAttempts: 1 })).toBeUndefined()
  })

  test('is nobody while somebody is left', () => {
    expect(last([gaveBack], { from: [offer('b'), offer('c')] })).toBeUndefined()
  })

  test('is nobody who did otherwise than give it back', () => {
    expect(last([])).toBeUndefined()
    expect(last([[plan[3], 'cancelled', 'cancelled']])).toBeUndefined()
    expect(last([[plan[3], 'superseded', 'no_courier_assigned']])).toBeUndefined()
    expect(last([gaveBack, [offer('b', 'later'), 'refused', 'wallet_insufficient']])).toBeUndefined()
  })

  test('costs no more than the shipment may', () => {
    expect(last([gaveBack], { from: [offer('b', 'now', 120_001)] })).toBeUndefined()
  })
})
