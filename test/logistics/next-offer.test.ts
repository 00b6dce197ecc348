import { describe, expect, test } from 'vitest'
import type { AttemptState } from '../../registry/shipment-states.ts'
import { toTimestamp } from '../../src/clock.ts'
import { toKobo } from '../../src/commerce/money.ts'
import { nextOffer } from '../../src/logistics/dispatch/drive-dispatch.ts'

type Attempt = Parameters<typeof nextOffer>[1][number]
type Offer = Attempt['offer']

const offer = (carrier: string, service = 'now'): Offer => ({
  offerId: null,
  carrier,
  service,
  serviceLevel: 'on_demand',
  vehicle: 'bike',
  priceKobo: toKobo(100_000),
  surgeKobo: toKobo(0),
  token: '',
  breakdown: [],
  pickupMinutes: null,
  dropoffMinutes: null,
  reliability: 0.9,
  expiresAt: toTimestamp(0),
})

const plan = [offer('a', 'now'), offer('a', 'later'), offer('b'), offer('c')]
const next = (tried: readonly [Offer | undefined, AttemptState, string | null][], maxAttempts = 3) => {
  const attempts = tried.flatMap(([of, state, outcomeCode]) =>
    of === undefined ? [] : [{ carrier: of.carrier, offer: of, state, outcomeCode }],
  )
  const found = nextOffer({ plan, failover: { maxAttempts } }, attempts)
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
    const all = [plan[0], plan[2], plan[3]] as const
    expect(
      next(
        all.map((of) => [of, 'refused', 'couriers_busy']),
        5,
      ),
    ).toBeUndefined()
  })
})
