import { beforeAll, describe, expect, test } from 'vitest'
import { parcelExample } from '../../../registry/logistics/parcel.ts'
import { dropoffInputExample, pickupInputExample } from '../../../registry/logistics/quote-example.ts'
import { redactOldQuotes } from '../../../src/logistics/quotes/redact-quotes.ts'
import { answers } from '../../support/answers.ts'
import { type ReplyBody, useApi } from '../../support/api.ts'
import { select } from '../../support/database-contents.ts'
import { getShipment, openTestShop, post } from '../../support/logistics/parcel-run.ts'
import type { Shop } from '../../support/shop.ts'

/** Unused quotes: the service redacts the persons and places in them after a week. */

const started = useApi()

let shop: Shop
beforeAll(async () => {
  shop = await openTestShop(started())
})

const dayMs = 24 * 3_600_000
const person = {
  name: 'Zuwena Ityavyar',
  email: 'zuwena@example.com',
  phone: '+2348035551003',
  line1: '9 Wurukum Close',
}
const traces = /zuwena|5551003|wurukum|ebeano|maxi dress|6\.4474/i
const location = { lat: 6.44743, lng: 3.4723 }

const quote = async (): Promise<ReplyBody> => {
  const dropoff = { ...dropoffInputExample, ...person, location }
  const parcels = [{ ...parcelExample, description: 'Maxi dress for Zuwena' }]
  const { body, status, text } = await post(started(), shop, 'quote', { pickup: pickupInputExample, dropoff, parcels })
  expect(status, text).toBe(200)
  return body
}
const dispatch = (reference: string, quoteId: string) => post(started(), shop, 'dispatch', { reference, quoteId })
const rowOf = async (id: string) => (await select(started(), 'select * from quotes where id = $1', [id]))[0]
const offersOf = (id: string) => select(started(), 'select * from quote_offers where quote_id = $1 order by rank', [id])
const empty = () => redactOldQuotes(started().context)

describe('an unused quote', () => {
  test('an unused quote is redacted a week after its expiry, but its zones, distance and prices stay', async () => {
    const api = started()
    const { id, expiresAt } = await quote()
    await select(
      api,
      `update quotes set carriers = '[{"carrier": "fez", "status": "refused", "message": "Not to Zuwena.", "latencyMs": 3}]' where id = $1`,
      [id],
    )
    const [before, offers] = [await rowOf(id), await offersOf(id)]
    expect(JSON.stringify(before)).toMatch(traces)
    api.clock.advance(Date.parse(expiresAt) + 7 * dayMs - api.clock.nowMs())
    expect(await empty()).toBe(0)
    expect(await rowOf(id)).toEqual(before)
    api.clock.advance(1)
    expect(await empty()).toBe(1)
    const after = await rowOf(id)
    expect(JSON.stringify([after, await offersOf(id)])).not.toMatch(traces)
    expect(after.dropoff).toMatchObject({
      name: null,
      line1: 'Removed',
      state: 'Lagos',
      location: { lat: 6.4, lng: 3.5 },
    })
    expect(after.pickup).toMatchObject({ name: null, phone: null, line1: 'Removed' })
    expect(after.parcels).toEqual([{ ...before.parcels[0], description: 'Removed' }])
    const kept = ({ pickup: _p, dropoff: _d, parcels: _c, carriers: _a, redacted_at: _e, ...rest }: ReplyBody) => rest
    expect(kept(after)).toEqual(kept(before))
    expect(await offersOf(id)).toEqual(offers.map((offer) => ({ ...offer, token: '' })))
    // The redaction job does not redact a quote a second time.
    expect(await empty()).toBe(0)
  })

  test('a dispatch with an expired, unused quote returns a new quote within a week of the expiry, and none later', async () => {
    const api = started()
    const soon = await quote()
    api.clock.advance(6 * dayMs)
    await empty()
    const fresh = await dispatch('within-the-week', soon.id)
    answers('dispatchShipment', 'quote_expired', fresh)
    expect(fresh.body.error.details.quoteId).toMatch(/^qte_/)
    api.clock.advance(3 * dayMs)
    await empty()
    const gone = await dispatch('after-the-week', soon.id)
    answers('dispatchShipment', 'quote_expired', gone)
    expect(gone.body.error.details).toMatchObject({ quoteId: null, offerId: null, priceKobo: null })
  })
})

test('a quote that a shipment uses is not redacted, whether a client or a dispatch created the quote', async () => {
  const api = started()
  const { id } = await quote()
  const quoted = (await dispatch('of-a-quote', id)).body
  const inline = {
    reference: 'of-none',
    pickup: pickupInputExample,
    dropoff: { ...dropoffInputExample, ...person },
    parcels: [parcelExample],
  }
  const direct = (await post(api, shop, 'dispatch', inline)).body
  const ids = [quoted.quoteId, direct.quoteId]
  const rows = () => Promise.all(ids.map(rowOf))
  const before = await rows()
  const shown = (await getShipment(api, shop, quoted.id)).body
  api.clock.advance(60 * dayMs)
  await empty()
  expect(await rows()).toEqual(before)
  // The quote of a shipment must not be redacted, even if the database does not record that it was used.
  await select(api, 'update quotes set used_at = null where id = any($1)', [ids])
  await empty()
  expect((await rows()).map(({ pickup }) => pickup)).toEqual(before.map(({ pickup }) => pickup))
  expect((await getShipment(api, shop, quoted.id)).body.dropoff).toEqual(shown.dropoff)
})

test('one run of the redaction redacts all due quotes, even if they need several batches', async () => {
  const api = started()
  const { id } = await quote()
  await select(
    api,
    `insert into quotes
     select (jsonb_populate_record(quotes, jsonb_build_object('id', 'qte_batch' || i))).*
     from quotes, generate_series(1, 1200) i where id = $1`,
    [id],
  )
  api.clock.advance(8 * dayMs)
  expect(await empty()).toBeGreaterThanOrEqual(1201)
  expect(
    await select(api, "select count(*)::int as left from quotes where redacted_at is null and id like 'qte_batch%'"),
  ).toEqual([{ left: 0 }])
})
