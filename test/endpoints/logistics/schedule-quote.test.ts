import { beforeAll, describe, expect, test } from 'vitest'
import { type ReplyBody, useApi } from '../../support/api.ts'
import { select } from '../../support/database-contents.ts'
import { openTestShop, pass, post, readValidShipment } from '../../support/logistics/parcel-run.ts'
import { scheduleBody } from '../../support/logistics/schedule.ts'
import type { Shop } from '../../support/shop.ts'

const started = useApi()

let shop: Shop
beforeAll(async () => {
  shop = await openTestShop(started())
})

const schedule = async (more: object = {}): Promise<ReplyBody> => {
  const { body, text } = await post(started(), shop, 'predictive-schedule', scheduleBody(more))
  expect(body.error, text).toBeUndefined()
  return body
}

describe('the quote of a schedule', () => {
  test('the quote of a schedule is the first offer of its plan, with the current surge multiplier', async () => {
    const { reference: _, ...places } = scheduleBody()
    const quote = (await post(started(), shop, 'quote', { ...places, serviceLevels: ['on_demand'] })).body
    const [{ carrier, service, priceKobo }] = quote.offers
    const { quote: planned, warnings } = await schedule()
    expect(planned).toMatchObject({ carrier, service, serviceLevel: 'on_demand', priceKobo, surge: quote.surge })
    expect(warnings).not.toContain('no_offer')
  })

  test('the quote and the shipment of a schedule use only the carriers that the request names', async () => {
    const serviceLevels = ['same_day']
    const body = await schedule({ carriers: ['simulator-saver'], serviceLevels, prepMinutes: { p50: 5, p90: 8 } })
    expect(body.quote.carrier).toBe('simulator-saver')
    await pass(started(), 10)
    const { plan } = await readValidShipment(started(), shop, body.shipmentId)
    expect(new Set(plan.map(({ carrier }: ReplyBody) => carrier))).toEqual(new Set(['simulator-saver']))
  })

  test.for<[string, object, string]>([
    ['has a price limit below the price', { failover: { maxPriceKobo: 1_000 } }, 'price_ceiling_too_low'],
    ['requires a proof that no carrier offers', { proof: { signature: true } }, 'no_offer'],
  ])('a schedule has a warning and no quote for a request that %s', async ([, more, warning]) => {
    const body = await schedule(more)
    expect(body.quote).toBeNull()
    expect(body.warnings).toContain(warning)
  })

  test('the quote of a schedule is stored, and a repeated request returns the same quote even after the dispatch was planned again', async () => {
    const api = started()
    const request = scheduleBody({ prepMinutes: { p50: 90, p90: 120 } })
    const send = async () => (await post(api, shop, 'predictive-schedule', request)).body
    const first = await send()
    expect(first.quote).not.toBeNull()
    expect((await send()).quote).toEqual(first.quote)
    api.clock.advance(Date.parse(first.replanAt) + 1_000 - api.clock.nowMs())
    await pass(api, 5)
    const later = await send()
    expect([later.replanAt, later.quote]).toEqual([null, first.quote])
  })

  test('the quote of a schedule is null if the schedule was created before the service stored quotes of schedules', async () => {
    const request = scheduleBody()
    const { id } = (await post(started(), shop, 'predictive-schedule', request)).body
    await select(started(), "update schedule_predictions set schedule = schedule - 'quote' where id = $1", [id])
    expect((await post(started(), shop, 'predictive-schedule', request)).body.quote).toBeNull()
  })
})
