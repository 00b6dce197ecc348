import { beforeAll, describe, expect, test } from 'vitest'
import { toTimestamp } from '../../../src/base/clock.ts'
import { answers } from '../../support/answers.ts'
import { type ReplyBody, useApi } from '../../support/api.ts'
import { select } from '../../support/database-contents.ts'
import {
  openTestShop,
  parcelTo,
  pass,
  plainPhone,
  post,
  readValidShipment,
} from '../../support/logistics/parcel-run.ts'
import { scheduleBody } from '../../support/logistics/schedule.ts'
import { publishSurge } from '../../support/logistics/surge.ts'
import type { Shop } from '../../support/shop.ts'

/**
 * The price ceiling of shipments that are dispatched later. The service sets the ceiling when it creates the shipment,
 * and does not change it.
 */

const started = useApi()

let shop: Shop
beforeAll(async () => {
  shop = await openTestShop(started())
})

/** A carrier with fixed prices (a rate card), to which the service adds the surge. */
const carriers = ['simulator-steady']
const serviceLevels = ['on_demand']

const firstPrice = async (): Promise<number> => {
  const { reference: _, ...places } = scheduleBody({ carriers, serviceLevels })
  return (await post(started(), shop, 'quote', places)).body.offers[0].priceKobo
}

/**
 * Returns the default price ceiling of a shipment: its price, plus half of its price rounded up to a multiple of 5,000
 * kobo.
 */
const ceilingOf = (priceKobo: number) => priceKobo + Math.ceil((priceKobo * 0.5) / 5_000) * 5_000

const inMinutes = (minutes: number) => toTimestamp(started().clock.nowMs() + minutes * 60_000)

const ways: readonly [string, (more?: object) => Promise<ReplyBody>][] = [
  [
    'a dispatch with scheduleAt',
    async (more = {}) => {
      const scheduleAt = inMinutes(30)
      const { body } = await post(
        started(),
        shop,
        'dispatch',
        parcelTo(plainPhone, { ...scheduleBody({ carriers, serviceLevels, scheduleAt, ...more }) }),
      )
      expect(body.error).toBeUndefined()
      return body
    },
  ],
  [
    'a schedule',
    async (more = {}) => {
      const prepMinutes = { p50: 60, p90: 70 }
      const body = scheduleBody({ carriers, serviceLevels, prepMinutes, ...more })
      const { shipmentId } = (await post(started(), shop, 'predictive-schedule', body)).body
      return readValidShipment(started(), shop, shipmentId)
    },
  ],
]

async function advanceToDispatch({ dispatchAt }: ReplyBody): Promise<void> {
  const { clock } = started()
  clock.advance(Math.max(0, Date.parse(dispatchAt) - clock.nowMs()))
  await pass(started(), 60, 5)
}

describe.each(ways)('the price ceiling of %s', (_, make) => {
  test('the price ceiling of a scheduled shipment is derived from the prices when the shipment is created, and applies to the later dispatch', async () => {
    await publishSurge(started(), 0)
    const priceKobo = await firstPrice()
    const made = await make()
    expect(made).toMatchObject({
      status: 'scheduled',
      quotedPriceKobo: priceKobo,
      priceCeilingKobo: ceilingOf(priceKobo),
      plan: [],
    })
    // Publishes a surge so small that the price stays within the ceiling.
    await publishSurge(started(), 5_000)
    await advanceToDispatch(made)
    const sent = await readValidShipment(started(), shop, made.id)
    expect(sent.carrier, JSON.stringify(sent)).not.toBeNull()
    expect(sent).toMatchObject({ surgeKobo: 5_000, priceCeilingKobo: made.priceCeilingKobo })
    expect(sent.quotedPriceKobo).toBe(sent.priceKobo)
    expect(sent.priceKobo).toBeLessThanOrEqual(made.priceCeilingKobo)
  })

  test('a scheduled shipment fails when prices exceed its ceiling at its dispatch time, and each dispatch attempt is skipped because of the price', async () => {
    await publishSurge(started(), 0)
    const made = await make()
    await publishSurge(started(), made.priceCeilingKobo)
    await advanceToDispatch(made)
    const failed = await readValidShipment(started(), shop, made.id)
    expect(failed).toMatchObject({
      status: 'failed',
      carrier: null,
      quotedPriceKobo: made.quotedPriceKobo,
      priceCeilingKobo: made.priceCeilingKobo,
    })
    expect(failed.attempts.map(({ state, outcome }: ReplyBody) => [state, outcome.code])).toEqual([
      ['skipped', 'price'],
    ])
  })

  test('the maximum price in the request becomes the price ceiling of the scheduled shipment', async () => {
    await publishSurge(started(), 0)
    expect((await make({ failover: { maxPriceKobo: 4_000_000 } })).priceCeilingKobo).toBe(4_000_000)
  })

  test('if no carrier makes an offer when a scheduled shipment is created, the price ceiling is set at the dispatch time', async () => {
    await publishSurge(started(), 0)
    // The simulated carrier returns no offers for a recipient with this phone number.
    const withoutOffers = { dropoff: { ...scheduleBody().dropoff, phone: '+2348035551040' } }
    const made = await make(withoutOffers)
    expect(made).toMatchObject({ quotedPriceKobo: 0, priceCeilingKobo: 0 })
    await select(started(), `update shipments set dropoff = dropoff || '{"phone": "${plainPhone}"}' where id = $1`, [
      made.id,
    ])
    await advanceToDispatch(made)
    const sent = await readValidShipment(started(), shop, made.id)
    expect(sent.quotedPriceKobo).toBeGreaterThan(0)
    expect(sent.priceCeilingKobo).toBe(ceilingOf(sent.quotedPriceKobo))
  })
})

test('a dispatch with scheduleAt in the past returns time_in_past', async () => {
  const reply = await post(started(), shop, 'dispatch', parcelTo(plainPhone, { scheduleAt: inMinutes(-1) }))
  answers('dispatchShipment', 'time_in_past', reply)
})
