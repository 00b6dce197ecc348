import { expect, test } from 'vitest'
import { openLive, useLiveApi } from '../../support/logistics/live-run.ts'

/** Tests at which time the minutes of a carrier's estimate start, for quotes and schedules over HTTP. */

const started = useLiveApi()

const dayMinutes = 24 * 60
const minutesBetween = (from: string, to: string) => Math.round((Date.parse(to) - Date.parse(from)) / 60_000)

test('the dropoff estimate of a scheduled dispatch is measured from the time of the call to Shipbubble, even if this call is two days in the future', async () => {
  const run = await openLive(started(), 'shipbubble')
  const readyAt = new Date(run.api.clock.nowMs() + 2 * dayMinutes * 60_000).toISOString()
  const { body } = await run.schedule({ readyAt, serviceLevels: ['next_day'] })
  expect(body.quote, JSON.stringify(body)).toMatchObject({ service: 'GIGL' })
  expect(minutesBetween(body.dispatchAt, body.quote.dropoffEta.p90)).toBe(dayMinutes)
})

test.each([
  ['shipbubble', 'GIGL', 'next_day'],
  ['fez', 'Same day', 'same_day'],
] as const)('the dropoff estimate of a %s quote with a pickup window is counted from the start of the window, and the dropoff estimate of the dispatch plan from the carrier call', async (code, service, serviceLevel) => {
  const run = await openLive(started(), code)
  const from = new Date(run.api.clock.nowMs() + 2 * dayMinutes * 60_000).toISOString()
  const to = new Date(run.api.clock.nowMs() + 2 * dayMinutes * 60_000 + 4 * 3_600_000).toISOString()
  const { body: quote } = await run.quote({ serviceLevels: [serviceLevel], pickupWindow: { from, to } })
  const [offer] = quote.offers
  expect(offer, JSON.stringify(quote)).toMatchObject({ service })
  expect(minutesBetween(from, offer.dropoffEta.p90)).toBe(dayMinutes)
  const { body: shipment } = await run.dispatch({ quoteId: quote.id, parcels: undefined })
  expect(shipment, JSON.stringify(shipment)).toMatchObject({ status: 'scheduled' })
  expect(minutesBetween(shipment.dispatchAt, shipment.plan[0].dropoffEta.p90)).toBe(dayMinutes)
})
