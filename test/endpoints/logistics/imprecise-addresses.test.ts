import { beforeAll, describe, expect, test } from 'vitest'
import { dropoffInputExample } from '../../../registry/logistics/quote-example.ts'
import { randomCode } from '../../../src/base/ids.ts'
import { answers } from '../../support/answers.ts'
import { type ReplyBody, useApi } from '../../support/api.ts'
import { select } from '../../support/database-contents.ts'
import { getShipment, openTestShop, parcelTo, plainPhone, post } from '../../support/logistics/parcel-run.ts'
import type { Shop } from '../../support/shop.ts'

/** An address of which the service can resolve only the state is too imprecise for on-demand riders. */

const started = useApi()

let shop: Shop
beforeAll(async () => {
  shop = await openTestShop(started())
})

const misspelt = { ...dropoffInputExample, area: 'Leki Faze Wan', phone: plainPhone }

const wanted = (more: object = {}) => {
  const { reference: _, ...request } = Object(parcelTo(plainPhone, { dropoff: misspelt, ...more }))
  return request
}

const send = (path: string, more: object = {}) => post(started(), shop, path, wanted(more))
const dispatch = (more: object = {}) =>
  post(started(), shop, 'dispatch', { ...wanted(more), reference: randomCode(12) })

const levelsOf = ({ offers }: ReplyBody) => new Set(offers.map(({ serviceLevel }: ReplyBody) => serviceLevel))

const doubts = ['dropoff_area_unknown', 'dropoff_address_low_precision', 'on_demand_unavailable']

describe('409 address_imprecise', () => {
  const onDemand = { serviceLevels: ['on_demand'] }
  const details = { place: 'dropoff', precisionMeters: 30_000, precisionMaxMeters: 5_000 }

  test('a quote, a dispatch and a schedule return 409 address_imprecise for an imprecise address when the request allows only on_demand', async () => {
    const quote = await send('quote', onDemand)
    answers('createQuote', 'address_imprecise', quote)
    expect(quote.body.error.details).toEqual(details)
    const dispatched = await post(started(), shop, 'dispatch', { ...wanted(onDemand), reference: 'imprecise-1' })
    answers('dispatchShipment', 'address_imprecise', dispatched)
    const schedule = { ...wanted(onDemand), reference: 'imprecise-2' }
    const planned = await post(started(), shop, 'predictive-schedule', schedule)
    answers('createPredictiveSchedule', 'address_imprecise', planned)
    const written = await select(started(), "select id from shipments where reference like 'imprecise-%'")
    expect(written).toEqual([])
  })

  test('an imprecise address does not return 409 address_imprecise when coordinates are sent', async () => {
    const dropoff = { ...misspelt, location: { lat: 6.4474, lng: 3.4723 } }
    const { status, body } = await send('quote', { ...onDemand, dropoff })
    expect([status, levelsOf(body)]).toEqual([200, new Set(['on_demand'])])
  })

  test('a request with an imprecise address does not return 409 address_imprecise when the local government area is known', async () => {
    const dropoff = { ...dropoffInputExample, area: undefined, lga: 'Ikeja', phone: plainPhone }
    expect((await send('quote', { ...onDemand, dropoff })).status).toBe(200)
  })
})

describe('an imprecise address', () => {
  test('a quote for an imprecise address contains no on-demand offers, and warns about the address', async () => {
    const { status, body } = await send('quote')
    expect(status).toBe(200)
    expect(body.offers.length).toBeGreaterThan(0)
    expect(levelsOf(body)).not.toContain('on_demand')
    expect(body.warnings).toEqual(expect.arrayContaining(doubts))
  })

  test('an imprecise address adds a warning to the shipment, with and without a quote', async () => {
    const { body: quote } = await send('quote')
    const quoted = await post(started(), shop, 'dispatch', { reference: randomCode(12), quoteId: quote.id })
    for (const { status, body, text } of [quoted, await dispatch()]) {
      expect(status, text).toBe(201)
      expect(body.warnings).toEqual(expect.arrayContaining(doubts))
      expect(body.serviceLevel).not.toBe('on_demand')
      expect((await getShipment(started(), shop, body.id)).body.warnings).toEqual(body.warnings)
    }
  })

  test('an imprecise address adds a warning to the reply of a dry run', async () => {
    const { status, body } = await dispatch({ dryRun: true })
    expect(status).toBe(200)
    expect(body.warnings).toEqual(expect.arrayContaining(doubts))
  })
})
