import { beforeAll, describe, expect, test } from 'vitest'
import { parcelExample } from '../../../registry/logistics/parcel.ts'
import { dropoffInputExample, pickupInputExample } from '../../../registry/logistics/quote-example.ts'
import { serviceLevels } from '../../../registry/logistics/shipment-states.ts'
import { randomCode } from '../../../src/base/ids.ts'
import { answers } from '../../support/answers.ts'
import { type ReplyBody, useApi } from '../../support/api.ts'
import { select } from '../../support/database-contents.ts'
import {
  attemptsOf,
  getShipment,
  inOrder,
  openTestShop,
  ordersOf,
  orderTo,
  pass,
  plainPhone,
  post,
  readValidShipment,
} from '../../support/logistics/parcel-run.ts'
import type { Shop } from '../../support/shop.ts'

/**
 * The pickup and dropoff windows of a quote: a rider must not come before a window opens, and the service calls no
 * carrier whose rider would come after the window has closed.
 */

const started = useApi()

let shop: Shop
beforeAll(async () => {
  shop = await openTestShop(started())
})

const minuteMs = 60_000
const iso = (ms: number) => new Date(ms).toISOString()
const inMinutes = (minutes: number) => iso(started().clock.nowMs() + minutes * minuteMs)
const window = (from: number, to: number) => ({ from: inMinutes(from), to: inMinutes(to) })

const quote = async (more: object, phone = plainPhone): Promise<ReplyBody> => {
  const dropoff = { ...dropoffInputExample, phone }
  const { status, body, text } = await post(started(), shop, 'quote', {
    pickup: pickupInputExample,
    dropoff,
    parcels: [parcelExample],
    ...more,
  })
  expect(status, text).toBe(200)
  return body
}
const dispatch = (quoteId: string, more: object = {}) =>
  post(started(), shop, 'dispatch', { reference: randomCode(12), quoteId, ...more })
const moveOrder = (orderId: string, to: string) =>
  started().send('POST', `/api/v1/orders/${orderId}/transition`, { token: shop.token, body: { to } })

async function minutesOf(offerId: string): Promise<{ pickup: number; dropoff: number }> {
  const [row] = await select(
    started(),
    `select (pickup_minutes ->> 'p50')::int as pickup, (dropoff_minutes ->> 'p50')::int as dropoff
     from quote_offers where id = $1`,
    [offerId],
  )
  return { pickup: row.pickup, dropoff: row.dropoff }
}

/** Changes the estimate in the offers of the cheapest carrier, simulator-saver. */
async function setSaverMinutes(quoteId: string, column: 'pickup_minutes' | 'dropoff_minutes', p50: number) {
  await select(
    started(),
    `update quote_offers set ${column} = jsonb_build_object('p50', $2::int, 'p90', $2::int + 1)
     where quote_id = $1 and carrier = 'simulator-saver'`,
    [quoteId, p50],
  )
}

/** Advances the clock to a time. The service checks the shipment only once, at the end. */
async function waitUntil(moment: string, beforeMs = 0): Promise<void> {
  const { clock } = started()
  clock.advance(Date.parse(moment) - beforeMs - 1_000 - clock.nowMs())
  await pass(started(), 1, 1)
}

describe('a pickup window in the future', () => {
  test('for a future pickup window, the carrier is called at the quoted price, just in time for the rider to arrive at the window’s start', async () => {
    const api = started()
    const pickupWindow = window(16 * 60, 18 * 60)
    const made = await quote({ pickupWindow, serviceLevels: ['on_demand'] })
    const [offer] = made.offers
    const { pickup, dropoff } = await minutesOf(offer.id)
    const callMs = Date.parse(pickupWindow.from) - pickup * minuteMs
    expect(offer.pickupEta.p50).toBe(pickupWindow.from)
    expect(offer.dropoffEta.p50).toBe(iso(callMs + dropoff * minuteMs))
    const { status, body } = await dispatch(made.id)
    expect(status, JSON.stringify(body)).toBe(201)
    expect(body).toMatchObject({
      status: 'scheduled',
      dispatchAt: iso(callMs),
      scheduledPickupAt: pickupWindow.from,
      pickupWindow,
      attempts: [],
      quotedPriceKobo: offer.priceKobo,
    })
    expect(body.plan[0]).toMatchObject({ pickupEta: offer.pickupEta, dropoffEta: offer.dropoffEta })
    await waitUntil(iso(callMs), 1_000)
    expect((await readValidShipment(api, shop, body.id)).status).toBe('scheduled')
    expect(await ordersOf(api, body.id)).toEqual([])
    await pass(api, 5, 1)
    const sent = await readValidShipment(api, shop, body.id)
    expect(sent, JSON.stringify(sent.attempts)).toMatchObject({
      status: 'awaiting_courier',
      carrier: { code: offer.carrier },
      priceCeilingKobo: body.priceCeilingKobo,
    })
    expect(Date.parse(sent.pickupEta.p50)).toBeGreaterThanOrEqual(Date.parse(pickupWindow.from))
    expect(Date.parse(sent.pickupEta.p90)).toBeLessThan(Date.parse(pickupWindow.to))
  })

  test('the scheduleAt of a dispatch request overrides a pickup window in the future', async () => {
    const scheduleAt = inMinutes(30)
    const { id } = await quote({ pickupWindow: window(120, 180), dropoffWindow: window(120, 181) })
    const { body } = await dispatch(id, { scheduleAt })
    expect(body).toMatchObject({ status: 'scheduled', dispatchAt: scheduleAt, scheduledPickupAt: null })
    const { clock } = started()
    clock.advance(Date.parse(scheduleAt) - clock.nowMs())
    await pass(started(), 5)
    expect((await readValidShipment(started(), shop, body.id)).status).toBe('awaiting_courier')
  })

  test('if the carrier’s offer states no pickup time, a dispatch for a pickup window calls the carrier 18 minutes before the window', async () => {
    const pickupWindow = window(120, 180)
    const made = await quote({ pickupWindow })
    await select(started(), 'update quote_offers set pickup_minutes = null where quote_id = $1', [made.id])
    const { body } = await dispatch(made.id)
    expect(body).toMatchObject({
      status: 'scheduled',
      dispatchAt: iso(Date.parse(pickupWindow.from) - 18 * minuteMs),
      scheduledPickupAt: pickupWindow.from,
    })
  })

  test('after a rejection, the next carrier is called only when its rider must leave to arrive at the start of the pickup window', async () => {
    const api = started()
    const pickupWindow = window(120, 180)
    const made = await quote({ pickupWindow }, '+2348035550100')
    const slow = made.offers.find(({ carrier }: ReplyBody) => carrier === 'simulator-saver')
    const fast = made.offers.find(({ carrier }: ReplyBody) => carrier === 'simulator-swift')
    const [{ pickup: slowMinutes }, { pickup: fastMinutes }] = await Promise.all([
      minutesOf(slow.id),
      minutesOf(fast.id),
    ])
    expect(slowMinutes).toBeGreaterThan(fastMinutes)
    const order = inOrder(['simulator-saver', 'simulator-swift'])
    const { body } = await dispatch(made.id, { offerId: slow.id, ...order })
    await waitUntil(body.dispatchAt)
    const refused = await readValidShipment(api, shop, body.id)
    expect(attemptsOf(refused)).toEqual([['saver', 'refused', 'couriers_busy']])
    expect(refused.status).toBe('dispatching')
    const fastCall = iso(Date.parse(pickupWindow.from) - fastMinutes * minuteMs)
    await waitUntil(fastCall, 1_000)
    expect((await readValidShipment(api, shop, body.id)).attempts).toHaveLength(1)
    await pass(api, 2, 1)
    expect(attemptsOf(await readValidShipment(api, shop, body.id))).toEqual([
      ['saver', 'refused', 'couriers_busy'],
      ['swift', 'accepted', 'accepted'],
    ])
  })

  test('if the order is on hold between two carriers until the pickup window has ended, the next carrier is not called, and the failed dispatch is reported with this reason', async () => {
    const api = started()
    const orderId = await orderTo(api, shop)
    const pickupWindow = window(120, 180)
    const dropoff = { ...dropoffInputExample, phone: '+2348035550100' }
    const made = await post(api, shop, 'quote', { orderId, pickup: pickupInputExample, dropoff, pickupWindow })
    const slow = made.body.offers.find(({ carrier }: ReplyBody) => carrier === 'simulator-saver')
    const { body } = await dispatch(made.body.id, {
      offerId: slow.id,
      ...inOrder(['simulator-saver', 'simulator-swift']),
    })
    await waitUntil(body.dispatchAt)
    expect((await readValidShipment(api, shop, body.id)).status).toBe('dispatching')
    expect((await moveOrder(orderId, 'on_hold')).status).toBe(200)
    await waitUntil(pickupWindow.to, -60 * minuteMs)
    expect((await moveOrder(orderId, 'processing')).status).toBe(200)
    await pass(api, 5)
    const late = await readValidShipment(api, shop, body.id)
    expect(attemptsOf(late)).toEqual([
      ['saver', 'refused', 'couriers_busy'],
      ['swift', 'skipped', 'window_missed'],
    ])
    const message =
      'No carrier accepted the shipment. It was too late for 1 offer to meet the time windows of the quote.'
    expect(late).toMatchObject({
      status: 'failed',
      statusReason: { code: 'no_carrier_available', message },
      exceptions: [{ code: 'dispatch_failed', resolvedAt: null }],
    })
    expect(await ordersOf(api, body.id)).toEqual([])
  })

  test('a dispatch for a pickup window can be cancelled before the carrier call, without any request to a carrier', async () => {
    const { id } = await quote({ pickupWindow: window(120, 180) })
    const { body } = await dispatch(id)
    const reply = await post(started(), shop, `shipments/${body.id}/cancel`, { reason: 'customer_request' })
    expect([reply.status, reply.body.status]).toEqual([200, 'cancelled'])
    await pass(started(), 3 * 3600, 1800)
    expect(await ordersOf(started(), body.id)).toEqual([])
  })

  test('if the order is on hold until a rider can no longer arrive in the pickup window, no carrier is called, and the failed dispatch is reported', async () => {
    const api = started()
    const orderId = await orderTo(api, shop)
    const pickupWindow = window(120, 180)
    const made = await post(api, shop, 'quote', { orderId, pickup: pickupInputExample, pickupWindow })
    const { body } = await dispatch(made.body.id)
    expect((await moveOrder(orderId, 'on_hold')).status).toBe(200)
    await waitUntil(pickupWindow.to, -60 * minuteMs)
    expect((await moveOrder(orderId, 'processing')).status).toBe(200)
    await pass(api, 5)
    expect(await readValidShipment(api, shop, body.id)).toMatchObject({
      status: 'failed',
      statusReason: { code: 'no_carrier_available', message: expect.stringContaining('too late') },
      attempts: [],
      exceptions: [{ code: 'dispatch_failed', resolvedAt: null }],
    })
    expect(await ordersOf(api, body.id)).toEqual([])
  })

  test('if a dispatch starts late, it calls only carriers whose riders can still arrive in the pickup window, and the quoted price is that of the first of them', async () => {
    const api = started()
    const pickupWindow = window(120, 180)
    const made = await quote({ pickupWindow })
    const slow = made.offers.find(({ carrier }: ReplyBody) => carrier === 'simulator-saver')
    const fast = made.offers.find(({ carrier }: ReplyBody) => carrier === 'simulator-swift')
    const { pickup: fastMinutes } = await minutesOf(fast.id)
    await setSaverMinutes(made.id, 'pickup_minutes', fastMinutes + 10)
    const order = inOrder(['simulator-saver', 'simulator-swift'])
    const { body } = await dispatch(made.id, { offerId: slow.id, ...order })
    await waitUntil(pickupWindow.to, fastMinutes * minuteMs)
    const late = await readValidShipment(api, shop, body.id)
    expect(attemptsOf(late)).toEqual([['swift', 'accepted', 'accepted']])
    expect([body.quotedPriceKobo, late.quotedPriceKobo]).toEqual([slow.priceKobo, fast.priceKobo])
    expect(late.plan[0].priceKobo).toBe(late.quotedPriceKobo)
  })

  test('if the pickup window has already begun, the dispatch starts at once', async () => {
    const pickupWindow = window(-30, 60)
    const { id } = await quote({ pickupWindow })
    const { body } = await dispatch(id)
    expect(body).toMatchObject({ status: 'awaiting_courier', scheduledPickupAt: null, pickupWindow })
  })

  test('if the pickup window has already begun and the order is on hold between two carriers until the window has ended, the next carrier is not called', async () => {
    const api = started()
    const orderId = await orderTo(api, shop)
    const pickupWindow = window(-30, 60)
    const dropoff = { ...dropoffInputExample, phone: '+2348035550300' }
    const made = await post(api, shop, 'quote', { orderId, pickup: pickupInputExample, dropoff, pickupWindow })
    const { body } = await dispatch(made.body.id, inOrder(['simulator-swift', 'simulator-steady']))
    expect([body.status, body.dispatchAt]).toEqual(['dispatching', body.attempts[0].startedAt])
    expect((await moveOrder(orderId, 'on_hold')).status).toBe(200)
    await pass(api, 120 * 60, 60)
    expect((await moveOrder(orderId, 'processing')).status).toBe(200)
    await pass(api, 5)
    const late = await readValidShipment(api, shop, body.id)
    expect(late).toMatchObject({
      status: 'failed',
      statusReason: { message: expect.stringContaining('It was too late for 2 offers') },
    })
    expect(attemptsOf(late).slice(1)).toEqual([
      ['steady', 'skipped', 'window_missed'],
      ['steady', 'skipped', 'window_missed'],
    ])
    expect(await ordersOf(api, body.id)).toEqual([])
  })

  test('a dry run of a dispatch for a pickup window returns the time of the carrier call and stores nothing', async () => {
    const { id } = await quote({ pickupWindow: window(120, 180) })
    const { status, body } = await dispatch(id, { dryRun: true })
    expect([status, body.status]).toEqual([200, 'scheduled'])
    expect((await getShipment(started(), shop, body.id)).status).toBe(404)
  })

  test('a pickup window accepts any UTC offset and is returned in UTC', async () => {
    const day = iso(started().clock.nowMs() + 24 * 60 * minuteMs).slice(0, 10)
    const { id } = await quote({ pickupWindow: { from: `${day}T10:00:00+01:00`, to: `${day}T12:00:00+01:00` } })
    const { body } = await dispatch(id)
    expect(body.pickupWindow).toEqual({ from: `${day}T09:00:00.000Z`, to: `${day}T11:00:00.000Z` })
    expect(body.scheduledPickupAt).toBe(body.pickupWindow.from)
  })
})

describe('a dropoff window', () => {
  test('a dropoff window without a pickup window plans the dropoff for the middle of the window', async () => {
    const dropoffWindow = window(120, 180)
    const made = await quote({ dropoffWindow, serviceLevels: ['on_demand'] })
    const [offer] = made.offers
    const { pickup, dropoff } = await minutesOf(offer.id)
    const callMs = Date.parse(inMinutes(150)) - dropoff * minuteMs
    expect(offer.dropoffEta.p50).toBe(inMinutes(150))
    expect((await dispatch(made.id)).body).toMatchObject({
      status: 'scheduled',
      dispatchAt: iso(callMs),
      scheduledPickupAt: iso(callMs + pickup * minuteMs),
      dropoffWindow,
    })
  })

  test('if the offer of a scheduled dispatch has expired and the carrier’s new offer arrives after the dropoff window, the carrier is not called', async () => {
    const api = started()
    const made = await quote({ dropoffWindow: window(120, 130), serviceLevels: ['next_day'] })
    const [offer] = made.offers
    const { dropoff: newMinutes } = await minutesOf(offer.id)
    expect(newMinutes).toBeGreaterThan(15)
    await setSaverMinutes(made.id, 'dropoff_minutes', 1)
    const { body } = await dispatch(made.id)
    await waitUntil(body.dispatchAt)
    await pass(api, 5)
    const late = await readValidShipment(api, shop, body.id)
    expect(late.status).toBe('failed')
    expect(attemptsOf(late)).toEqual([['saver', 'skipped', 'window_missed']])
    expect(await ordersOf(api, body.id)).toEqual([])
  })

  test('a dropoff window excludes carrier offers that arrive too late, with the warning dropoff_window_missed', async () => {
    const made = await quote({ dropoffWindow: window(-10, 12), serviceLevels: [...serviceLevels] })
    expect(made.warnings).toEqual(['dropoff_window_missed'])
    const end = inMinutes(12)
    const inTime = made.offers.filter(({ dropoffEta }: ReplyBody) => dropoffEta.p50 <= end)
    expect(inTime.length).toBeGreaterThan(0)
    expect(inTime.length).toBeLessThan(made.offers.length)
    const { body } = await dispatch(made.id, { dryRun: true, failover: { maxPriceKobo: 10_000_000 } })
    const idsOf = (offers: ReplyBody[], key: string) => offers.map((offer) => offer[key]).sort()
    expect(idsOf(body.plan, 'offerId')).toEqual(idsOf(inTime, 'id'))
    const late = made.offers.find((offer: ReplyBody) => !inTime.includes(offer))
    const chosen = (await dispatch(made.id, { dryRun: true, offerId: late.id, ...inOrder([late.carrier]) })).body
    expect(chosen.plan[0].offerId).toBe(late.id)
  })

  test('if every carrier offer meets the dropoff window, the quote has no warning', async () => {
    expect((await quote({ dropoffWindow: window(60, 240) })).warnings).toEqual([])
  })

  test('dispatchShipment returns window_missed when no allowed carrier can deliver in the dropoff window, and stores nothing', async () => {
    const made = await quote({ pickupWindow: window(0.5, 10.5), dropoffWindow: window(0.5, 11) })
    const only = { failover: { carriers: ['simulator-saver'] } }
    const reply = await dispatch(made.id, only)
    answers('dispatchShipment', 'window_missed', reply)
    expect(reply.body.error.details.windows).toContain('dropoffWindow')
    expect(await select(started(), 'select id from shipments where quote_id = $1', [made.id])).toEqual([])
    expect((await dispatch(made.id, { ...only, scheduleAt: inMinutes(1) })).status).toBe(201)
  })
})

test('dispatchShipment returns quote_expired without a new quote when the pickup window has passed', async () => {
  const pickupWindow = window(-10, 3)
  const made = await quote({ pickupWindow })
  expect(made.expiresAt).toBe(pickupWindow.to)
  for (const { expiresAt } of made.offers) expect(expiresAt <= pickupWindow.to).toBe(true)
  started().clock.advance(3 * minuteMs)
  const reply = await dispatch(made.id)
  answers('dispatchShipment', 'quote_expired', reply)
  expect(reply.body.error.details).toMatchObject({ expiredAt: pickupWindow.to, quoteId: null })
})

test('the new quote in the error quote_expired has the pickup and dropoff windows of the expired quote', async () => {
  const pickupWindow = window(120, 180)
  const made = await quote({ pickupWindow })
  started().clock.advance(11 * minuteMs)
  const reply = await dispatch(made.id)
  answers('dispatchShipment', 'quote_expired', reply)
  const { quoteId, offerId } = reply.body.error.details
  expect((await dispatch(quoteId, { offerId })).body).toMatchObject({
    status: 'scheduled',
    pickupWindow,
    scheduledPickupAt: pickupWindow.from,
  })
})
