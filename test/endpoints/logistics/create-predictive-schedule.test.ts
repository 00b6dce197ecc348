import { beforeEach, describe, expect, test } from 'vitest'
import { endpoints } from '../../../registry/index.ts'
import { answers } from '../../support/answers.ts'
import { type ReplyBody, useApi } from '../../support/api.ts'
import { select } from '../../support/database-contents.ts'
import { scheduleBody, schedulePath } from '../../support/logistics/schedule.ts'
import { openShop, placeOrder, type Shop } from '../../support/shop.ts'

const started = useApi({ carriers: new Map() })

let shop: Shop
beforeEach(async () => {
  shop = await openShop(started().context)
})

const schedule = (body: object, headers: Readonly<Record<string, string>> = {}) =>
  started().send('POST', schedulePath, { token: shop.token, body, headers })

const inMinutes = (minutes: number) => new Date(started().clock.nowMs() + minutes * 60_000).toISOString()
const minutesUntil = (moment: string) => (Date.parse(moment) - started().clock.nowMs()) / 60_000

const shipmentsOf = async () =>
  select(started(), 'select * from shipments where merchant_id = $1', [shop.merchantId]) as Promise<ReplyBody[]>

describe('201 responses of createPredictiveSchedule', () => {
  test('createPredictiveSchedule schedules a shipment whose carrier is called before the parcel is expected to be ready', async () => {
    const { status, body, headers } = await schedule(scheduleBody({ prepMinutes: { p50: 60, p90: 90 } }))
    expect(status).toBe(201)
    expect(headers.get('location')).toBe(`/api/v1/logistics/shipments/${body.shipmentId}`)
    const [shipment] = await shipmentsOf()
    expect(shipment).toMatchObject({
      id: body.shipmentId,
      status: 'scheduled',
      dispatch_at: body.dispatchAt,
      scheduled_pickup_at: body.scheduledPickupAt,
      next_check_at: body.replanAt,
    })
    expect(minutesUntil(body.readyAt.p50)).toBeCloseTo(60, 0)
    expect(minutesUntil(body.readyAt.p90)).toBeCloseTo(90, 0)
    expect(minutesUntil(body.dispatchAt)).toBeGreaterThan(20)
    expect(minutesUntil(body.dispatchAt)).toBeLessThan(60)
    expect(minutesUntil(body.dispatchAt) - minutesUntil(body.replanAt)).toBeCloseTo(15, 5)
    expect(body.confidence).toEqual({ level: 'low', sampleSize: 0, basis: 'stated', coverage90: null })
  })

  test('createPredictiveSchedule sends the header Beta: true, as documented', async () => {
    const { headers } = await schedule(scheduleBody())
    expect(headers.get('beta')).toBe('true')
    expect((await started().send('GET', '/api/v1/orders', { token: shop.token })).headers.get('beta')).toBeNull()
    const refused = await schedule({})
    expect([refused.status, refused.headers.get('beta')]).toEqual([400, 'true'])
    expect(endpoints.createPredictiveSchedule.stability).toBe('beta')
  })

  test('without order history, createPredictiveSchedule returns estimates of low confidence and the warning no_history', async () => {
    const { body } = await schedule(scheduleBody())
    expect(body.warnings).toContain('no_history')
    expect(body.confidence).toMatchObject({ level: 'low', basis: 'prior' })
    expect(minutesUntil(body.readyAt.p50)).toBeCloseTo(45, 0)
  })

  test('a schedule that optimises for speed calls the carrier earlier than one that optimises for rider_wait, and a balanced schedule lists both times as alternatives', async () => {
    const of = async (optimizeFor: string) => (await schedule(scheduleBody({ optimizeFor }))).body
    const [speed, balanced, riders] = [await of('speed'), await of('balanced'), await of('rider_wait')]
    expect(minutesUntil(speed.dispatchAt)).toBeLessThan(minutesUntil(balanced.dispatchAt))
    expect(minutesUntil(balanced.dispatchAt)).toBeLessThan(minutesUntil(riders.dispatchAt))
    expect(speed.expectedRiderWaitSeconds).toBeGreaterThan(riders.expectedRiderWaitSeconds)
    expect(speed.expectedParcelWaitSeconds).toBeLessThan(riders.expectedParcelWaitSeconds)
    expect(balanced.alternatives).toMatchObject([
      { optimizeFor: null, dispatchAt: balanced.createdAt },
      { optimizeFor: 'speed', dispatchAt: speed.dispatchAt },
      { optimizeFor: 'rider_wait', dispatchAt: riders.dispatchAt },
    ])
  })

  test('createPredictiveSchedule takes the merchant’s readyAt as the median ready time, and assumes a spread of about a tenth of the time until readyAt', async () => {
    const { body } = await schedule(scheduleBody({ readyAt: inMinutes(120) }))
    expect(minutesUntil(body.readyAt.p50)).toBeCloseTo(120, 0)
    expect(minutesUntil(body.readyAt.p90)).toBeGreaterThan(130)
    expect(minutesUntil(body.readyAt.p90)).toBeLessThan(140)
  })

  test('a schedule with deliverBy has an earlier dispatch time than a schedule without deliverBy, and states the probability of lateness', async () => {
    const free = (await schedule(scheduleBody({ prepMinutes: { p50: 60, p90: 90 } }))).body
    const tight = (await schedule(scheduleBody({ prepMinutes: { p50: 60, p90: 90 }, deliverBy: inMinutes(100) }))).body
    expect(free.lateProbability).toBeNull()
    expect(minutesUntil(tight.dispatchAt)).toBeLessThan(minutesUntil(free.dispatchAt))
    expect(tight.lateProbability).toBeGreaterThan(0)
    expect(tight.warnings).not.toContain('deadline_unlikely')
    const vain = (await schedule(scheduleBody({ prepMinutes: { p50: 60, p90: 90 }, deliverBy: inMinutes(30) }))).body
    expect(vain.warnings).toContain('deadline_unlikely')
    expect(vain.lateProbability).toBe(1)
  })

  test('a schedule measures the preparation time from the confirmation of the order', async () => {
    const order = await placeOrder(started(), shop)
    started().clock.advance(20 * 60_000)
    const { body } = await schedule(scheduleBody({ orderId: order.id }))
    expect(body.orderId).toBe(order.id)
    expect(minutesUntil(body.readyAt.p50)).toBeCloseTo(25, 0)
  })

  test('if a schedule leaves no time to plan the dispatch again, the next check of the shipment is at the time of the carrier call', async () => {
    const { body } = await schedule(scheduleBody({ prepMinutes: { p50: 5, p90: 8 } }))
    expect([body.dispatchAt, body.replanAt]).toEqual([body.createdAt, null])
    expect((await shipmentsOf())[0].next_check_at).toBe(body.dispatchAt)
  })
})

describe('200 responses of createPredictiveSchedule', () => {
  test('a repeated schedule request returns the same schedule, and concurrent requests create one shipment', async () => {
    const body = scheduleBody()
    const [one, other] = await Promise.all([schedule(body), schedule(body)])
    expect([one.status, other.status].sort()).toEqual([200, 201])
    expect(other.body).toEqual(one.body)
    expect((await schedule(body)).body).toEqual(one.body)
    expect(await shipmentsOf()).toHaveLength(1)
  })

  test('a dry run of createPredictiveSchedule returns the fields of a real request and stores nothing, with or without a reference', async () => {
    const { reference: _, ...nameless } = scheduleBody({ dryRun: true })
    for (const body of [nameless, scheduleBody({ dryRun: true })]) {
      const reply = await schedule(body)
      expect([reply.status, reply.body.shipmentId]).toEqual([200, null])
      expect(minutesUntil(reply.body.readyAt.p50)).toBeCloseTo(45, 0)
    }
    const tried = await schedule(scheduleBody(), { 'Service-Dry-Run': 'true' })
    expect([tried.status, tried.headers.get('service-dry-run')]).toEqual([201, 'true'])
    expect(minutesUntil(tried.body.readyAt.p50)).toBeCloseTo(45, 0)
    expect(await shipmentsOf()).toEqual([])
    expect(
      await select(started(), "select * from audit_log where action = 'shipment.schedule' and merchant_id = $1", [
        shop.merchantId,
      ]),
    ).toEqual([])
  })
})

describe('errors of createPredictiveSchedule', () => {
  const refused = (body: object) => schedule(body)

  test('createPredictiveSchedule returns 409 reference_conflict when a different request has used the reference', async () => {
    const { body } = await schedule(scheduleBody({ reference: 'ONE' }))
    const reply = await refused(scheduleBody({ reference: 'ONE', optimizeFor: 'speed' }))
    answers('createPredictiveSchedule', 'reference_conflict', reply)
    expect(reply.body.error.details).toEqual({ shipmentId: body.shipmentId })
  })

  test('createPredictiveSchedule returns 409 order_already_dispatched for a second shipment of an order without allowAdditional', async () => {
    const order = await placeOrder(started(), shop)
    const { body } = await schedule(scheduleBody({ orderId: order.id }))
    const reply = await refused(scheduleBody({ orderId: order.id }))
    answers('createPredictiveSchedule', 'order_already_dispatched', reply)
    expect(reply.body.error.details).toEqual({ shipmentId: body.shipmentId })
    expect((await schedule(scheduleBody({ orderId: order.id, allowAdditional: true }))).status).toBe(201)
  })

  test.each([
    'readyAt',
    'deliverBy',
  ])('createPredictiveSchedule returns time_in_past for a %s in the past or more than a month ahead', async (field) => {
    for (const minutes of [0, -1, 31 * 24 * 60]) {
      const reply = await refused(scheduleBody({ [field]: inMinutes(minutes) }))
      answers('createPredictiveSchedule', 'time_in_past', reply)
      expect(reply.body.error.details).toEqual({ field })
    }
  })

  test.each([
    -1, 0,
  ])('createPredictiveSchedule returns 400 and suggests a later deliverBy for a deliverBy only %i minutes after readyAt', async (minutes) => {
    const body = scheduleBody({ readyAt: inMinutes(90), deliverBy: inMinutes(90 + minutes) })
    const reply = await refused(body)
    answers('createPredictiveSchedule', 'validation_failed', reply)
    const later = inMinutes(90 + 120)
    expect(reply.body.error.errors).toEqual([
      {
        path: 'body.deliverBy',
        code: 'invalid_value',
        message: 'Must be after `readyAt`.',
        fix: `Send a value such as "${later}".`,
      },
    ])
    expect((await schedule({ ...body, deliverBy: later })).status).toBe(201)
  })

  test('createPredictiveSchedule compares readyAt and deliverBy correctly across UTC offsets', async () => {
    const inLagos = (minutes: number) => inMinutes(minutes + 60).replace('Z', '+01:00')
    expect((await schedule(scheduleBody({ readyAt: inLagos(60), deliverBy: inMinutes(90) }))).status).toBe(201)
    expect((await refused(scheduleBody({ readyAt: inMinutes(90), deliverBy: inLagos(80) }))).status).toBe(400)
  })

  test('createPredictiveSchedule returns contact_incomplete for a pickup without a name and a phone', async () => {
    const pickup = { line1: '7 Adeola Odeku Street', area: 'Victoria Island' }
    const reply = await refused(scheduleBody({ pickup }))
    answers('createPredictiveSchedule', 'contact_incomplete', reply)
    expect(reply.body.error.details).toEqual({ missing: ['pickup.name', 'pickup.phone'] })
  })

  test('createPredictiveSchedule returns outside_coverage for a point in the sea', async () => {
    const dropoff = { ...scheduleBody().dropoff, location: { lat: 4.2, lng: 3.4 } }
    const reply = await refused(scheduleBody({ dropoff }))
    answers('createPredictiveSchedule', 'outside_coverage', reply)
  })

  test('createPredictiveSchedule returns order_not_found for an unknown order', async () => {
    const reply = await refused(scheduleBody({ orderId: 'ord_01jd3f8q6hf5n8v1zr4c7e2m9k' }))
    answers('createPredictiveSchedule', 'order_not_found', reply)
  })

  test('if the request names no dropoff, createPredictiveSchedule returns order_not_shippable for an order without an address', async () => {
    const order = await placeOrder(started(), shop)
    const { dropoff: _, ...body } = scheduleBody({ orderId: order.id })
    const reply = await refused(body)
    answers('createPredictiveSchedule', 'order_not_shippable', reply)
    expect(reply.body.error.details).toEqual({ missing: ['dropoff'] })
  })

  test.each([
    ['no reference', { reference: undefined }, 'body.reference'],
    [
      'both readyAt and prepMinutes',
      { readyAt: '2026-11-21T12:00:00Z', prepMinutes: { p50: 1, p90: 2 } },
      'body.prepMinutes',
    ],
    ['a p90 below the p50', { prepMinutes: { p50: 40, p90: 30 } }, 'body.prepMinutes.p90'],
    ['a malformed time', { readyAt: 'soon' }, 'body.readyAt'],
    ['a negative preparation time', { prepMinutes: { p50: -1, p90: 3 } }, 'body.prepMinutes.p50'],
    ['an unknown optimizeFor', { optimizeFor: 'luck' }, 'body.optimizeFor'],
    ['an unknown field', { fast: true }, 'body.fast'],
  ])('createPredictiveSchedule returns validation_failed for %s', async (_, more, path) => {
    const reply = await refused(scheduleBody(more))
    expect(reply.status).toBe(400)
    expect(reply.text).toContain(path)
    expect(await shipmentsOf()).toEqual([])
  })
})
