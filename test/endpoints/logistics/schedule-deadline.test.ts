import { beforeAll, describe, expect, test } from 'vitest'
import { toTimestamp } from '../../../src/base/clock.ts'
import type { Carrier } from '../../../src/partners/carriers/carrier.ts'
import { type ReplyBody, useApi } from '../../support/api.ts'
import { openTestShop, pass, post, readValidShipment } from '../../support/logistics/parcel-run.ts'
import { scheduleBody } from '../../support/logistics/schedule.ts'
import { useSimulatedCarriers } from '../../support/logistics/simulated-carriers.ts'
import type { Shop } from '../../support/shop.ts'

/** The service levels that a schedule selects, and the effect of a delivery deadline on them. */

const started = useApi()
const simulate = useSimulatedCarriers(started)

let shop: Shop
beforeAll(async () => {
  shop = await openTestShop(started())
})

const inMinutes = (minutes: number) => toTimestamp(started().clock.nowMs() + minutes * 60_000)

async function schedule(more: object): Promise<ReplyBody> {
  const body = scheduleBody({ prepMinutes: { p50: 5, p90: 8 }, ...more })
  const reply = await post(started(), shop, 'predictive-schedule', body)
  expect(reply.body.error, reply.text).toBeUndefined()
  return reply.body
}

/** Returns a carrier whose offers have the given durations from the dispatch to the dropoff. */
const taking = (p50: number, p90: number) => (carrier: Carrier) => ({
  quote: async (...request: Parameters<Carrier['quote']>) => {
    const outcome = await carrier.quote(...request)
    if (outcome.is !== 'ok') return outcome
    return { ...outcome, value: outcome.value.map((offer) => ({ ...offer, dropoffMinutes: { p50, p90 } })) }
  },
})

const overnight = taking(20 * 60, 26 * 60)

async function planOf({ shipmentId }: ReplyBody): Promise<ReplyBody> {
  await pass(started(), 10)
  return readValidShipment(started(), shop, shipmentId)
}

describe('a schedule without service levels', () => {
  test('a schedule without service levels plans on-demand services only', async () => {
    const made = await schedule({})
    expect(made.quote.serviceLevel).toBe('on_demand')
    const { plan } = await planOf(made)
    expect(new Set(plan.map(({ serviceLevel }: ReplyBody) => serviceLevel))).toEqual(new Set(['on_demand']))
    expect(new Set(plan.map(({ carrier }: ReplyBody) => carrier)).size).toBe(2)
  })

  test('a schedule without service levels returns the warning no_offer when no carrier offers on_demand', async () => {
    const { quote, warnings } = await schedule({ carriers: ['simulator-saver'] })
    expect(quote).toBeNull()
    expect(warnings).toContain('no_offer')
  })
})

describe('a schedule with a deadline in an hour', () => {
  const serviceLevels = ['same_day', 'next_day']

  test('the quote and the plan of a schedule with a deadline contain no carrier offer that delivers after the deadline', async () => {
    simulate('simulator-saver', overnight)
    const made = await schedule({ serviceLevels, deliverBy: inMinutes(60) })
    expect(made.quote.carrier).toBe('simulator-steady')
    expect(made.warnings).toContain('late_offers_excluded')
    expect(made.warnings).not.toContain('deadline_unlikely')
    expect(Date.parse(made.quote.dropoffEta.p90)).toBeLessThanOrEqual(Date.parse(made.createdAt) + 3_600_000)
    const { plan } = await planOf(made)
    expect(plan.map(({ carrier }: ReplyBody) => carrier)).toEqual(['simulator-steady'])
  })

  test('a schedule with a deadline and only next-day offers returns a warning, calls no carrier and fails at its dispatch time', async () => {
    simulate('simulator-saver', overnight)
    const deliverBy = inMinutes(60)
    const made = await schedule({ serviceLevels, carriers: ['simulator-saver'], deliverBy })
    expect(made.quote).toBeNull()
    expect(made.warnings).toContain('no_offer_in_time')
    expect(await planOf(made)).toMatchObject({
      status: 'failed',
      attempts: [],
      statusReason: { code: 'no_carrier_available', message: `No offer is expected to deliver by ${deliverBy}.` },
    })
  })

  test('a schedule with a deadline keeps on-demand offers that may be late, and returns the probability of lateness', async () => {
    simulate('simulator-swift', taking(70, 100))
    const made = await schedule({ carriers: ['simulator-swift'], deliverBy: inMinutes(60) })
    expect(made.quote).toMatchObject({ carrier: 'simulator-swift', serviceLevel: 'on_demand' })
    expect(made.warnings).toEqual(expect.arrayContaining(['no_offer_in_time', 'deadline_unlikely']))
    expect(made.lateProbability).toBeGreaterThan(0.5)
    expect(made.dropoff.p90).toBe(made.quote.dropoffEta.p90)
    expect((await planOf(made)).status).toBe('awaiting_courier')
  })

  test('a schedule with a deadline returns a lower probability of lateness for a faster service', async () => {
    simulate('simulator-swift', taking(40, 75))
    const slow = await schedule({ carriers: ['simulator-swift'], deliverBy: inMinutes(60) })
    simulate()
    const fast = await schedule({ carriers: ['simulator-swift'], deliverBy: inMinutes(60) })
    expect(slow.lateProbability).toBeGreaterThan(0.1)
    expect(fast.lateProbability).toBeLessThan(slow.lateProbability)
    expect(fast.warnings).not.toContain('no_offer_in_time')
  })
})
