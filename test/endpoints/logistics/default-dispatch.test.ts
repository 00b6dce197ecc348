import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { dropoffInputExample } from '../../../registry/logistics/quote-example.ts'
import { dispatchPhonePrefix } from '../../../registry/service/test-phones.ts'
import { openBreakers } from '../../../src/logistics/carriers/breakers.ts'
import { type ReplyBody, useApi } from '../../support/api.ts'
import { attemptsOf, openTestShop, parcelTo, plainPhone, post } from '../../support/logistics/parcel-run.ts'
import type { Shop } from '../../support/shop.ts'

/** The carriers and the price ceiling that the service selects for a dispatch whose request contains no preferences. */

const started = useApi()

let shop: Shop
beforeAll(async () => {
  shop = await openTestShop(started())
})

beforeEach(() => {
  Object.assign(started().logistics, { breakers: openBreakers(started().clock) })
})

/** A phone number whose digits make the first simulated carrier reject the shipment and every later one accept it. */
const firstRefuses = `${dispatchPhonePrefix}100`

const carriersIn = (offers: readonly ReplyBody[]) => new Set(offers.map(({ carrier }) => carrier))

const speeds = ['on_demand', 'same_day', 'next_day', 'standard']

function fastestOf(offers: readonly ReplyBody[]): string | undefined {
  return speeds.find((level) => offers.some(({ serviceLevel }) => serviceLevel === level))
}

async function quoteOf(wanted: object): Promise<ReplyBody> {
  const { reference: _, ...quoted } = Object(wanted)
  const { status, body } = await post(started(), shop, 'quote', quoted)
  expect(status, JSON.stringify(body)).toBe(200)
  return body
}

test('in every zone with two carriers, a dispatch that the first carrier rejects is accepted by another carrier', async () => {
  const { body } = await started().send('GET', '/api/v1/logistics/zones?limit=100', { token: shop.token })
  const seen: string[] = []
  for (const { id, centroid, state } of body.data) {
    const at = { line1: '1 Market Road', state, location: centroid }
    const wanted = () =>
      parcelTo(firstRefuses, {
        pickup: { ...at, name: 'Ankara House', phone: '+2348031234567' },
        dropoff: { ...at, line1: '9 Market Road', name: 'Bisi Ade', phone: firstRefuses },
      })
    const { offers } = await quoteOf(wanted())
    if (carriersIn(offers).size < 2) continue
    const { status, body: sent } = await post(started(), shop, 'dispatch', wanted())
    expect([id, status], JSON.stringify(sent)).toEqual([id, 201])
    expect(sent.attempts.map(({ state: ended }: ReplyBody) => ended)).toEqual(['refused', 'accepted'])
    expect(carriersIn(sent.attempts).size).toBe(2)
    expect(sent.priceKobo).toBeLessThanOrEqual(sent.priceCeilingKobo)
    seen.push(id)
  }
  // Expects that the list contains all zones of Lagos and the FCT. If the list were empty, this test would check
  // nothing.
  expect(seen).toHaveLength(body.data.length)
  expect(seen.length).toBeGreaterThan(10)
})

describe.each(['inline', 'by its quote'])('a dispatch %s', (way) => {
  const dispatch = async (more: object = {}, failover: object | undefined = undefined) => {
    const wanted = parcelTo(firstRefuses, more)
    if (way === 'inline') return post(started(), shop, 'dispatch', { ...wanted, failover })
    const { reference } = Object(wanted)
    return post(started(), shop, 'dispatch', { quoteId: (await quoteOf(wanted)).id, reference, failover })
  }

  test('the plan of a dispatch contains exactly the carriers of the fastest service level, and the response shows the default price ceiling', async () => {
    const { body: quote } = { body: await quoteOf(parcelTo(firstRefuses)) }
    expect(new Set(quote.offers.map(({ serviceLevel }: ReplyBody) => serviceLevel)).size).toBeGreaterThan(1)
    const fastest = quote.offers.filter(({ serviceLevel }: ReplyBody) => serviceLevel === fastestOf(quote.offers))
    const { body } = await dispatch()
    expect(carriersIn(body.plan)).toEqual(carriersIn(fastest))
    expect(new Set(body.plan.map(({ serviceLevel }: ReplyBody) => serviceLevel))).toEqual(new Set(['on_demand']))
    const [first, second] = body.plan
    const raised = first.priceKobo + Math.ceil((first.priceKobo * 0.5) / 5_000) * 5_000
    expect(body.priceCeilingKobo).toBe(Math.max(raised, second.priceKobo))
  })

  test('a dispatch adds the next service level when only one carrier offers the fastest level', async () => {
    // The carrier Steady offers the service levels on_demand and same_day. Saver offers same_day and next_day.
    const carriers = ['simulator-steady', 'simulator-saver']
    const { status, body } = await dispatch({ carriers })
    expect(status, JSON.stringify(body)).toBe(201)
    expect(body.plan[0]).toMatchObject({ carrier: 'simulator-steady', serviceLevel: 'on_demand' })
    expect(new Set(body.plan.map(({ serviceLevel }: ReplyBody) => serviceLevel))).toEqual(
      new Set(['on_demand', 'same_day']),
    )
    expect(attemptsOf(body)).toEqual([
      ['steady', 'refused', 'couriers_busy'],
      ['saver', 'accepted', 'accepted'],
    ])
  })

  test('the plan of a dispatch contains only offers of the service levels that the request or its quote specifies', async () => {
    const { body } = await dispatch({ serviceLevels: ['same_day', 'next_day'] })
    expect(new Set(body.plan.map(({ serviceLevel }: ReplyBody) => serviceLevel))).toEqual(
      new Set(['same_day', 'next_day']),
    )
  })

  test('a dispatch uses the fastest service level whose price is within the price limit of the request', async () => {
    const { offers } = await quoteOf(parcelTo(firstRefuses))
    const cheapest = Math.min(...offers.map(({ priceKobo }: ReplyBody) => priceKobo))
    const { body } = await dispatch(
      { dropoff: { ...dropoffInputExample, phone: plainPhone } },
      { maxPriceKobo: cheapest },
    )
    expect(body).toMatchObject({ priceKobo: cheapest, priceCeilingKobo: cheapest })
  })
})
